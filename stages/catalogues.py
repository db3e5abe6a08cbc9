"""Catalogues: what each agent could choose from when it ran.

Collections have no convention of their own. An agent can reach those that a tool's schema
offers as values of an argument such as `collection`, and those a router could choose.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ingest.span import ToolDefinition, Value
from stages.handoffs import is_handoff_name, target_of
from stages.names import Known, NameKind
from stages.records import Catalogue
from stages.run import Run

SURE_ARGUMENTS: Final = frozenset(
    {
        "collection",
        "collection_name",
        "corpus",
        "dataset",
        "index",
        "index_name",
        "kb",
        "knowledge_base",
        "namespace",
    }
)
"""Arguments that name a collection whatever their schema says."""
_LIKELY_ARGUMENTS: Final = frozenset(
    {"category", "database", "db", "domain", "region", "source", "sources", "store", "topic"}
    | {f"{name}s" for name in SURE_ARGUMENTS}
)
_QUERY_ARGUMENTS: Final = ("query", "q", "question", "search_query", "search_term", "queries")


def catalogues_of(run: Run, known: Known) -> dict[str | None, Catalogue]:
    """Return the catalogue of every agent of the turn that recorded one, in order of start."""
    tools: dict[str | None, dict[str, ToolDefinition]] = {}
    places: dict[str | None, str] = {}
    for span in run.acting:
        if span.tools_available:
            agent = run.agent_of(span)
            places.setdefault(agent, span.span_id)
            for tool in span.tools_available:
                tools.setdefault(agent, {}).setdefault(tool.name, tool)
    routed: dict[str | None, dict[str, ToolDefinition]] = {}
    for span in run.acting:
        if span.route is not None and span.route.candidates:
            agent = run.agent_of(span)
            places.setdefault(agent, span.span_id)
            for candidate in span.route.candidates:
                routed.setdefault(agent, {}).setdefault(candidate.name, candidate)
    return {
        agent: _catalogue(
            agent,
            list(tools.get(agent, {}).values()),
            _sorted_out(list(routed.get(agent, {}).values()), known),
            known,
            place,
        )
        for agent, place in places.items()
    }


def reachable_collections(tool: ToolDefinition) -> dict[str, tuple[str, ...]]:
    """Return the collections that a tool's schema offers, by the argument that takes them."""
    properties = _properties(tool.parameters)
    if not any(name in properties for name in _QUERY_ARGUMENTS):
        properties = {k: v for k, v in properties.items() if k in SURE_ARGUMENTS}
    found: dict[str, tuple[str, ...]] = {}
    for name, schema in properties.items():
        if name in SURE_ARGUMENTS | _LIKELY_ARGUMENTS and (values := tuple(_enumerated(schema))):
            found[name] = values
    return found


def collection_argument(arguments: Value, tools: Sequence[ToolDefinition], name: str) -> str | None:
    """Return the collection that a call of tool *name* asked for, None when it names none."""
    if not isinstance(arguments, dict):
        return None
    offered = {
        argument: values
        for tool in tools
        if tool.name == name
        for argument, values in reachable_collections(tool).items()
    }
    for argument, value in arguments.items():
        if isinstance(value, list) and len(value) == 1:
            value = value[0]  # noqa: PLW2901 - a list of one is that one
        if not isinstance(value, str) or not value:
            continue
        if argument in SURE_ARGUMENTS or value in offered.get(argument, ()):
            return value
    return None


def _catalogue(
    agent: str | None,
    tools: Sequence[ToolDefinition],
    routed: Mapping[NameKind | None, Sequence[ToolDefinition]],
    known: Known,
    place: str,
) -> Catalogue:
    collections = {
        value
        for tool in tools
        for values in reachable_collections(tool).values()
        for value in values
    }
    collections.update(candidate.name for candidate in routed.get("collection", ()))
    targets: list[ToolDefinition] = []
    plain: list[ToolDefinition] = []
    for tool in tools:
        target = target_of(tool.name) or known.delegates.get(tool.name)
        if target is not None or is_handoff_name(tool.name):
            name = known.agent_named(target or tool.name)
            targets.append(replace(tool, name=name))
        else:
            plain.append(tool)
    return Catalogue(
        agent=agent,
        tools=_distinct([*plain, *routed.get("tool", ())]),
        collections=tuple(sorted(collections)),
        agents=_distinct([*targets, *routed.get("agent", ())]),
        span_id=place,
    )


def _sorted_out(
    candidates: Sequence[ToolDefinition], known: Known
) -> dict[NameKind | None, list[ToolDefinition]]:
    kinds = known.kinds_of(candidate.name for candidate in candidates)
    found: dict[NameKind | None, list[ToolDefinition]] = {}
    for candidate in candidates:
        found.setdefault(kinds[candidate.name], []).append(candidate)
    return found


def _distinct(tools: Iterable[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    return tuple({tool.name: tool for tool in reversed(tuple(tools))}.values())[::-1]


def _properties(schema: Value) -> dict[str, Value]:
    if not isinstance(schema, dict):
        return {}
    for key in ("parameters", "inputSchema", "input_schema", "json"):
        if isinstance(inner := schema.get(key), dict) and "properties" in inner:
            schema = inner
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _enumerated(schema: Value) -> Iterator[str]:
    """Yield the strings that a JSON schema allows: `enum`, `const`, in unions and items."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, dict):
            continue
        enum = part.get("enum", [])
        for value in (*(enum if isinstance(enum, list) else ()), part.get("const")):
            if isinstance(value, str) and value:
                yield value
        for key in ("items", "anyOf", "oneOf", "allOf"):
            inner = part.get(key)
            waiting.extend(inner if isinstance(inner, list) else [inner])
