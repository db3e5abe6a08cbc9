"""The facts that a mapping can name, and what becomes of the values found for them.

    question  "And when do they expire?"                  Message of the user
    chunks    [{"doc": "hr-1", "body": "…", "s": 0.7}]    Documents, by the paths of `chunk`

Values come in whichever way they were encoded: JSON in a text, a Python repr, a list of
either. One that cannot be what its fact asks for tells nothing.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.mapped_lists import Paths
from ingest.conventions.mapped_steps import (
    RERANK_FACTS,
    ROUTE_FACTS,
    SEARCH_FACTS,
    TOOL_FACTS,
    with_rerank,
    with_route,
    with_search,
    with_tool,
)
from ingest.conventions.mapped_texts import TEXT_FACTS, with_texts
from ingest.conventions.payload_facts import with_payloads
from ingest.span import HandoffFact, Span, SpanKind, Usage, Value
from ingest.values import count, identifier, number, text_of

_T = TypeVar("_T")

Values: TypeAlias = Mapping[str, Value]
Items: TypeAlias = Mapping[str, Paths]

OF_ANY: Final = (
    "conversation",
    "turn",
    "tenant",
    "agent",
    "model",
    "node",
    "golden_item",
    "error",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "first_output_ms",
    "tools",
    "handoff_to",
    "handoff_from",
    "refined_query",
    "input",
    "output",
)
"""Facts of spans of every kind."""

FACTS_OF: Final[Mapping[SpanKind, tuple[str, ...]]] = {
    SpanKind.AGENT: (*OF_ANY, *TEXT_FACTS),
    SpanKind.LLM: (*OF_ANY, *TEXT_FACTS),
    SpanKind.GUARDRAIL: (*OF_ANY, *TEXT_FACTS),
    SpanKind.OTHER: (*OF_ANY, *TEXT_FACTS),
    SpanKind.ROUTER: (*OF_ANY, *TEXT_FACTS, *ROUTE_FACTS),
    SpanKind.TOOL: (*OF_ANY, *TOOL_FACTS),
    SpanKind.RETRIEVER: (*OF_ANY, *SEARCH_FACTS),
    SpanKind.RERANKER: (*OF_ANY, *RERANK_FACTS),
    SpanKind.EMBEDDING: OF_ANY,
}
"""What a span of each kind can tell."""

ALL_FACTS: Final = tuple(dict.fromkeys(fact for facts in FACTS_OF.values() for fact in facts))

_TEXTUAL = frozenset({SpanKind.AGENT, SpanKind.LLM, SpanKind.GUARDRAIL, SpanKind.OTHER})


def apply_facts(span: Span, kind: SpanKind, told: Values, items: Items) -> Span:
    """Return *span* as one of *kind*, with the facts that a mapping told over its own.

    Args:
        span: As the other conventions made it.
        kind: What the span did.
        told: Values by fact, undecoded; none of them None.
        items: Paths inside the items of lists.
    """
    made = _with_sides(_as_kind(span, kind), told)
    made = _with_identity(made, told)
    chunk, cited = items.get("chunk", {}), items.get("citation", {})
    match kind:
        case SpanKind.TOOL:
            return with_tool(made, told, chunk)
        case SpanKind.RETRIEVER:
            return with_search(made, told, chunk)
        case SpanKind.RERANKER:
            return with_rerank(made, told, chunk)
        case SpanKind.ROUTER:
            return with_texts(with_route(made, told), told, cited)
        case SpanKind.EMBEDDING:
            return made
        case _:
            return with_texts(made, told, cited)


def _as_kind(span: Span, kind: SpanKind) -> Span:
    """Read what a span of another kind took and gave as one of this kind does."""
    if kind is span.kind:
        return replace(span, synthetic=False)
    bare = replace(
        span, kind=kind, tool=None, retrieval=None, rerank=None, route=None, synthetic=False
    )
    if kind in _TEXTUAL and span.kind in _TEXTUAL:
        return bare
    took, gave = _sides(span)
    return bare if took is gave is None else with_payloads(bare, took, gave)


def _sides(span: Span) -> tuple[Value, Value]:
    if span.tool is not None:
        return span.tool.arguments, span.tool.result
    if span.retrieval is not None:
        return span.retrieval.query, None
    return span.input_text, span.output_text if span.output_value is None else span.output_value


def _with_sides(span: Span, told: Values) -> Span:
    if "input" not in told and "output" not in told:
        return span
    took, gave = _sides(span)
    name = identifier(told.get("tool"))
    return with_payloads(span, told.get("input", took), told.get("output", gave), tool_name=name)


def _with_identity(span: Span, told: Values) -> Span:
    conversation = identifier(told.get("conversation"))
    target = identifier(told.get("handoff_to"))
    source = identifier(told.get("handoff_from"))
    catalogue = read_definitions(told["tools"]) if "tools" in told else None
    return replace(
        span,
        conversation_id=conversation or span.conversation_id,
        conversation_weak=span.conversation_weak and conversation is None,
        tenant=identifier(told.get("tenant")) or span.tenant,
        agent=identifier(told.get("agent")) or span.agent,
        model=identifier(told.get("model")) or span.model,
        node=identifier(told.get("node")) or span.node,
        golden_id=identifier(told.get("golden_item")) or span.golden_id,
        turn=identifier(told.get("turn")) or span.turn,
        error=identifier(told.get("error")) or span.error,
        usage=_usage(span.usage, told),
        first_output_ms=_or(number(told.get("first_output_ms")), span.first_output_ms),
        tools_available=span.tools_available if catalogue is None else catalogue,
        handoff=HandoffFact(target=target, source=source) if target else span.handoff,
        refined_query=text_of(told.get("refined_query")) or span.refined_query,
    )


def _usage(known: Usage | None, told: Values) -> Usage | None:
    base = known or Usage()
    found = Usage(
        input_tokens=_or(count(told.get("input_tokens")), base.input_tokens),
        output_tokens=_or(count(told.get("output_tokens")), base.output_tokens),
        cached_tokens=_or(count(told.get("cached_tokens")), base.cached_tokens),
        cache_write_tokens=_or(count(told.get("cache_write_tokens")), base.cache_write_tokens),
    )
    return known if found == Usage() else found


def _or(found: _T | None, known: _T | None) -> _T | None:
    return known if found is None else found
