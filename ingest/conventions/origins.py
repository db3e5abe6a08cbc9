"""Where each fact of one span was read, and what was passed over, for people who ask.

A span is translated again and again, each time without one of its parts: a part without
which a fact comes out otherwise has told it. Nothing is recorded while files are replayed,
so explaining costs those only who ask, and no convention has to know about it.

    part     an attribute, all attributes of one list (`llm.tools.N`), an event, the name, …
    marker   a part without which no convention knows the span; it tells the kind
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from ingest.conventions import CONVENTIONS, to_span, told_by_conventions
from ingest.conventions.leaving_out import parts_of, without
from ingest.conventions.mapping import NAME, NO_MAPPING, HouseMapping, Told
from ingest.span import Document, RawSpan, Span, Value
from ingest.values import is_placeholder

_SKIPPED: Final = frozenset({"raw", "conventions", "conversation_weak", "content", "flags"})
_DOCUMENTS: Final = ("document_id", "text", "score", "collection")
_CHUNKS: Final = ("chunks", "chunk_ids", "chunk_texts", "chunk_scores")
_MAPPED: Final[Mapping[str, tuple[str, ...]]] = {
    "conversation_id": ("conversation",),
    "turn": ("turn",),
    "tenant": ("tenant",),
    "agent": ("agent",),
    "model": ("model",),
    "node": ("node",),
    "golden_id": ("golden_item",),
    "error": ("error",),
    "usage.input_tokens": ("input_tokens",),
    "usage.output_tokens": ("output_tokens",),
    "usage.cached_tokens": ("cached_tokens",),
    "usage.cache_write_tokens": ("cache_write_tokens",),
    "first_output_ms": ("first_output_ms",),
    "tools_available": ("tools",),
    "handoff": ("handoff_to", "handoff_from"),
    "refined_query": ("refined_query",),
    "input_": ("question", "messages", "input"),
    "output_": ("answer", "output_messages", "output"),
    "instructions": ("instructions",),
    "citations": ("citations",),
    "finish_reason": ("finish_reason",),
    "policy_flag": ("flag",),
    "answer_source": ("answer_source",),
    "tool.name": ("tool",),
    "tool.call_id": ("call_id",),
    "tool.arguments": ("arguments", "input"),
    "tool.is_error": ("failed", "error"),
    "tool.error": ("error", "failed"),
    "tool.result": ("result", "output", *_CHUNKS),
    "retrieval.query": ("query", "input"),
    "retrieval.collection": ("collection",),
    "retrieval.documents": (*_CHUNKS, "output"),
    "rerank.query": ("query", "input"),
    "rerank.documents_in": ("chunks_before", "input"),
    "rerank.documents_out": (*_CHUNKS, "output"),
    "route.chosen": ("chosen",),
    "route.candidates": ("candidates",),
}
"""By how a fact of a span begins: the facts of a mapping that it is made of."""

_NOTHING: Final = (None, (), "", False, "unknown", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """One fact of a span."""

    fact: str
    """Dotted: `retrieval.query`."""
    value: Any
    convention: str
    """Whose word counted; `any` for what does not depend on the convention."""
    rule: str | None
    """Rule of the mapping, for a fact that one told."""
    parts: tuple[str, ...]
    """What told it; empty where it follows from other facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Something recorded, or told by a convention, that no fact of the span comes from."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """All facts of one span, and what was ignored."""

    span: Span
    facts: tuple[Origin, ...]
    ignored: tuple[Ignored, ...]


def origins_of(raw: RawSpan, mapping: HouseMapping = NO_MAPPING) -> Origins:
    """Explain one span.

    Args:
        raw: The span as it was recorded.
        mapping: What the house says of its own names.
    """
    span = to_span(raw, mapping)
    facts = facts_of(span)
    told_by = _parts_by_fact(raw, mapping, span, facts)
    views = {view.conventions[0]: facts_of(view) for view in told_by_conventions(raw)}
    rules, told = mapping.explain(raw, span.kind)
    mapped = _mapped_facts(raw, mapping)
    found = [
        _origin(name, value, told_by[name], mapped, views, rules, told)
        for name, value in facts.items()
    ]
    ignored = [
        *_outranked(facts, found, views),
        *_unused_rules(raw, mapping, rules, told),
        *_unread(raw, told_by),
    ]
    return Origins(span=span, facts=tuple(found), ignored=tuple(ignored))


def facts_of(span: Span) -> dict[str, Any]:
    """Return what a span tells, by dotted name; what it does not tell is left out."""
    found: dict[str, Any] = {"kind": span.kind.value}
    for field in fields(span):
        if field.name not in _SKIPPED and field.name != "kind":
            _flatten(field.name, getattr(span, field.name), found)
    return found


def _flatten(name: str, value: Any, found: dict[str, Any]) -> None:
    if isinstance(value, tuple) and value and isinstance(value[0], Document):
        found[name] = len(value)
        for column in _DOCUMENTS:
            told = tuple(getattr(document, column) for document in value)
            if any(item is not None for item in told):
                found[f"{name}.{column.removeprefix('document_')}"] = told
    elif is_dataclass(value):
        for field in fields(value):
            if not field.name.endswith("_capture"):
                _flatten(f"{name}.{field.name}", getattr(value, field.name), found)
    elif value not in _NOTHING and value != {}:
        found[name] = value


# Which parts tell which facts


def _parts_by_fact(
    raw: RawSpan, mapping: HouseMapping, span: Span, facts: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    parts = parts_of(raw)
    lacking = {part: to_span(without(raw, [part]), mapping) for part in parts}
    markers = [part for part, other in lacking.items() if other.conventions != span.conventions]
    told = {part: facts_of(other) for part, other in lacking.items()}
    found: dict[str, tuple[str, ...]] = {}
    for name, value in facts.items():
        changing = [part for part in parts if told[part].get(name) != value]
        own = [part for part in changing if part not in markers]
        found[name] = tuple(changing if name == "kind" or not own else own)
    left = [name for name in facts if not found[name]]
    if left:
        others = [part for part in parts if part not in markers]
        found |= _alone(raw, mapping, others, {name: facts[name] for name in left})
    return found


def _alone(
    raw: RawSpan, mapping: HouseMapping, parts: Sequence[str], facts: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return the parts each of which alone tells a fact that others tell as well."""
    bare = facts_of(to_span(without(raw, parts), mapping))
    found: dict[str, list[str]] = {name: [] for name in facts}
    for part in parts:
        told = facts_of(to_span(without(raw, [p for p in parts if p != part]), mapping))
        for name, value in facts.items():
            if told.get(name) == value and bare.get(name) != value:
                found[name].append(part)
    return {name: tuple(alone) for name, alone in found.items()}


# Whose word counted


def _mapped_facts(raw: RawSpan, mapping: HouseMapping) -> dict[str, Any]:
    return facts_of(mapping.convert(raw)) if mapping.recognises(raw) else {}


def _convention(
    name: str, value: Any, mapped: Mapping[str, Any], views: Mapping[str, Mapping[str, Any]]
) -> str:
    if name in mapped and mapped[name] == value:
        return NAME
    agreeing = [view for view, facts in views.items() if facts.get(name) == value]
    if agreeing:
        return agreeing[0]
    telling = [view for view, facts in views.items() if name in facts]
    return " + ".join(telling) or "any"


def _origin(
    name: str,
    value: Any,
    parts: tuple[str, ...],
    mapped: Mapping[str, Any],
    views: Mapping[str, Mapping[str, Any]],
    rules: Sequence[str],
    told: Iterable[Told],
) -> Origin:
    """Return one fact with its rule, and the places of the rule in place of whole attributes."""
    convention = _convention(name, value, mapped, views)
    rule = None
    if convention == NAME:
        names = next((n for start, n in _MAPPED.items() if name.startswith(start)), ())
        read = [one for one in told if one.fact in names]
        rule = read[0].rule if read else rules[0] if rules else None
        parts = tuple(dict.fromkeys(one.place for one in read)) or parts
    return Origin(fact=name, value=value, convention=convention, rule=rule, parts=parts)


def _outranked(
    facts: Mapping[str, Any], found: Iterable[Origin], views: Mapping[str, Mapping[str, Any]]
) -> Iterable[Ignored]:
    winners = {origin.fact: origin.convention for origin in found}
    for view, told in views.items():
        for name, value in told.items():
            if name in facts and facts[name] != value and winners[name] != view:
                yield Ignored(
                    what=f"{view}: {name}", why=f"{winners[name]} is believed before {view}"
                )


def _unused_rules(
    raw: RawSpan, mapping: HouseMapping, fitting: Sequence[str], told: Iterable[Told]
) -> Iterable[Ignored]:
    taken = {(one.rule, one.fact) for one in told}
    facts_told = {one.fact for one in told}
    for rule in mapping.rules:
        if not rule.fits(raw):
            continue
        if rule.name not in fitting:
            yield Ignored(what=f"rule {rule.name}", why="an earlier rule gave another kind")
            continue
        for fact, places in rule.facts.items():
            if (rule.name, fact) not in taken:
                earlier = fact in facts_told
                where = ", ".join(map(str, places))
                why = "an earlier rule told it" if earlier else f"nothing stands at {where}"
                yield Ignored(what=f"rule {rule.name}: {fact}", why=why)


def _unread(raw: RawSpan, told_by: Mapping[str, tuple[str, ...]]) -> Iterable[Ignored]:
    used = {part for parts in told_by.values() for part in parts}
    known = [convention for convention in CONVENTIONS if convention.recognises(raw)]
    views = {convention.name: facts_of(convention.convert(raw)) for convention in known}
    for part in parts_of(raw):
        if part in used or part in {"span name", "scope", "status"} or part.startswith("resource"):
            continue
        bare = without(raw, [part])
        readers = [
            convention.name
            for convention in known
            if not convention.recognises(bare)
            or facts_of(convention.convert(bare)) != views[convention.name]
        ]
        yield Ignored(what=part, why=_why(raw, part, readers))


def _why(raw: RawSpan, part: str, readers: Sequence[str]) -> str:
    value: Value = raw.attributes.get(part)
    if part in raw.attributes and is_placeholder(value):
        return "masked by its recorder"
    if part in raw.attributes and value in (None, "", [], {}):
        return "empty"
    if readers:
        return f"read by {', '.join(readers)}, whose word did not count for it"
    return "no fact of the span depends on it"
