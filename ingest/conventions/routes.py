"""Routing decisions and rewritten queries that a name gives away.

Few recorders have a key for either. A step called `router`, `route_llm` or `classify_intent`
that answers with a name has chosen it; one called `rewrite` or `condense_question` has
written the query that is searched. Both are read off names, so routes found here are marked
as inferred.

    name = "route_llm"    output = {"route": "hr_policies"}      chosen: hr_policies
    name = "rewrite"      output = "vacation days expire date"   refined query
"""

import re
from dataclasses import replace

from ingest.span import RouteFact, Span, SpanKind, Value
from ingest.values import decode, text_of

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ROUTER_WORDS = frozenset({"route", "router", "routes", "routing"})
_ROUTER_STEMS = ("classif",)
_REWRITE_STEMS = (
    "rewrit",
    "reformulat",
    "rephras",
    "refin",
    "condens",
    "contextualiz",
    "contextualis",
)
_OTHER_TEXTS = frozenset(
    {"answer", "context", "doc", "docs", "document", "documents", "draft", "reply", "response"}
)
_ROUTE_KEYS = (
    "route",
    "routes",
    "destination",
    "destinations",
    "next",
    "goto",
    "agent",
    "agent_name",
    "target",
    "datasource",
    "data_source",
    "collection",
    "collections",
    "index",
    "intent",
    "category",
    "class",
    "label",
    "topic",
    "tool",
    "choice",
    "decision",
)
_QUERY_KEYS = (
    "query",
    "rewritten_query",
    "refined_query",
    "search_query",
    "standalone_question",
    "rewritten_question",
    "condensed_question",
    "question",
)
_PLAIN_NAME = re.compile(r"[\w.\-/:]{1,80}")
_MAX_QUERY = 2_000


def names_router(name: str | None) -> bool:
    """Tell whether a step's name says that it chooses where to go on."""
    words = _words(name)
    return bool(words & _ROUTER_WORDS) or any(w.startswith(_ROUTER_STEMS) for w in words)


def names_rewrite(name: str | None) -> bool:
    """Tell whether a step's name says that it rewrites a query, not another text."""
    words = _words(name)
    return any(w.startswith(_REWRITE_STEMS) for w in words) and not words & _OTHER_TEXTS


def is_step_name(name: str) -> bool:
    """Tell a step of an application, which is a function, from a class of a library."""
    return name.isidentifier() and name == name.lower()


def chosen_of(output: Value) -> tuple[str, ...]:
    """Return the names that a router's output chooses; none when it answers in prose."""
    value = decode(output).value
    if isinstance(value, dict):
        value = next((value[key] for key in _ROUTE_KEYS if value.get(key)), None)
    items = value if isinstance(value, list) else [value]
    names = tuple(item.strip() for item in items if isinstance(item, str))
    whole = len(names) == len(items) and all(map(_PLAIN_NAME.fullmatch, names))
    return names if whole else ()


def query_written(output: Value) -> str | None:
    """Return the query that a rewriting step put out."""
    value = decode(output).value
    if isinstance(value, dict):
        value = next((value[key] for key in _QUERY_KEYS if value.get(key)), None)
    text = text_of(value)
    return text.strip() or None if text and len(text) <= _MAX_QUERY else None


def refine(span: Span, *, is_step: bool, name: str | None = None) -> Span:
    """Add the decision or the query that the names of a span give away.

    Args:
        span: A model call, or a step of a graph.
        is_step: The name is the name of a step, and the span's output is the step's.
        name: What the recorder calls the step; the span's own name by default.
    """
    if span.route is not None or span.refined_query is not None:
        return span
    own = span.raw.name if name is None else name
    names: tuple[str | None, ...]
    if span.kind is SpanKind.LLM:
        names, output = (own, span.node), _answer(span)
    elif is_step and span.kind is SpanKind.OTHER:
        names, output = (own,), _result(span)
    else:
        return span
    if any(map(names_router, names)) and (chosen := chosen_of(output)):
        kind = span.kind if span.kind is SpanKind.LLM else SpanKind.ROUTER
        return replace(span, kind=kind, route=RouteFact(chosen=chosen, inferred=True))
    if any(map(names_rewrite, names)):
        return replace(span, refined_query=query_written(output))
    return span


def _answer(span: Span) -> Value:
    texts = [message.text for message in span.output_messages or () if message.text]
    return texts[-1] if texts else span.output_text


def _result(span: Span) -> Value:
    return span.output_text if span.output_value is None else span.output_value


def _words(name: str | None) -> set[str]:
    return {word.lower() for word in _WORD.findall((name or "")[:200])}
