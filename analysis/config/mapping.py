"""`[mapping]`: from the tables of a house to rules over its attribute names.

    [mapping]                          facts of every span
    conversation = "acme.chat.id"

    [mapping.retrieval]                a table for each stage or kind, or several of them
    span = "kb.lookup*"                which spans
    query = "acme.search.q"            where their facts stand
    chunks = "acme.search.hits"
    chunk = { id = "doc", text = "body" }

Source: docs/mapping.md, which says what each name means.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from analysis.config.tables import Table, shown, type_of
from ingest.conventions.globs import Glob
from ingest.conventions.mapped_facts import ALL_FACTS, FACTS_OF
from ingest.conventions.mapped_lists import ITEM_FIELDS
from ingest.conventions.mapping import HouseMapping, Rule
from ingest.conventions.places import Place, checked_path
from ingest.span import SpanKind

KINDS: Final[dict[str, SpanKind | None]] = {
    "routing": SpanKind.ROUTER,
    "retrieval": SpanKind.RETRIEVER,
    "generation": SpanKind.LLM,
    "agent": SpanKind.AGENT,
    "tool": SpanKind.TOOL,
    "reranker": SpanKind.RERANKER,
    "guardrail": SpanKind.GUARDRAIL,
    "embedding": SpanKind.EMBEDDING,
    "step": SpanKind.OTHER,
    "any": None,
    "ignore": None,
}
"""Names of tables, and what the spans that they are for did."""

_CONDITIONS = ("span", "scope", "service", "where", "rule")
_MOST_RULES = 500
_REMEDY = "stagefault explain mapping shows how it is written."

_T = TypeVar("_T")


def mapping_of(table: Table) -> HouseMapping:
    """Return the rules of a table `[mapping]`.

    Raises:
        UsageError: A key is unknown, a value has another type, or a place cannot be meant.
    """
    rules = list(_rules(table))
    if len(rules) > _MOST_RULES:
        table.fail("", f"holds {len(rules)} rules, the most is {_MOST_RULES}", _REMEDY)
    return HouseMapping(rules=tuple(rules))


def _rules(table: Table) -> Iterator[Rule]:
    """Yield the rules in the order of the file, that of every span last."""
    everywhere: dict[str, object] = {}
    for key in table.keys([*KINDS, *ALL_FACTS, *ITEM_FIELDS], what="table or fact"):
        if _is_rule(key, table.values[key]):
            for one in table.tables(key):
                yield _rule(one, KINDS[key], ignore=key == "ignore")
        else:
            everywhere[key] = table.values[key]
    if everywhere:
        yield _rule(Table(table.file, table.name, everywhere), None, ignore=False)


def _is_rule(key: str, value: object) -> bool:
    """Tell a table from a fact; `agent` and `tool` are the names of both."""
    if key in KINDS and key in ALL_FACTS:
        first = value[0] if isinstance(value, list) and value else value
        return isinstance(first, dict)
    return key in KINDS


def _rule(table: Table, kind: SpanKind | None, *, ignore: bool) -> Rule:
    facts = () if ignore else ALL_FACTS if kind is None else FACTS_OF[kind]
    items = [name for name in ITEM_FIELDS if f"{name}s" in facts]
    for key in table.keys([*_CONDITIONS, *facts, *items], what=_what(table, kind)):
        if key not in _CONDITIONS and key not in items:
            table.texts(key)
    name = table.values.get("rule", table.name)
    if not isinstance(name, str) or not name:
        table.fail("rule", f"is {type_of(name)}, not a name", 'Write rule = "…".')
    made = Rule(
        name=name,
        kind=kind,
        ignore=ignore,
        spans=_globs(table, "span"),
        scopes=_globs(table, "scope"),
        services=_globs(table, "service"),
        where=tuple(_where(table)),
        facts={fact: _read(table, fact, Place.of) for fact in facts if fact in table.values},
        items={name: dict(_paths(table, name)) for name in items if name in table.values},
    )
    if not (made.spans or made.scopes or made.services or made.where) and (ignore or kind):
        problem = "says of no span that it is meant"
        table.fail("span", problem, 'Write span = "…*", or scope, service or where.')
    return made


def _what(table: Table, kind: SpanKind | None) -> str:
    return "fact" if kind is None else f"fact of [{table.name}]"


def _globs(table: Table, key: str) -> tuple[Glob, ...]:
    return _read(table, key, Glob)


def _where(table: Table) -> Iterator[tuple[Place, tuple[Glob, ...]]]:
    conditions = table.table("where")
    for key in conditions.values:
        try:
            place = Place.of(key)
        except ValueError as error:
            conditions.fail(shown(key), str(error), _REMEDY)
        yield place, _globs(conditions, key)


def _paths(table: Table, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    fields = table.table(name)
    for field in fields.keys(ITEM_FIELDS[name], what=f"field of a {name}"):
        yield field, _read(fields, field, checked_path)


def _read(table: Table, key: str, read: Callable[[str], _T]) -> tuple[_T, ...]:
    found: list[_T] = []
    for text in table.texts(key):
        try:
            found.append(read(text))
        except ValueError as error:
            table.fail(key, f"{shown(text)!r} {error}", _REMEDY)
    return tuple(found)
