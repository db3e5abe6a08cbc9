"""One span out of what several conventions tell about it.

Two instrumentations write on one span, or one writes under two names. Fact by fact, the
first convention that tells it is believed, and the others fill what it leaves open.
"""

from dataclasses import fields, replace
from typing import Any, TypeVar

from ingest.conventions.documents import complete
from ingest.span import (
    HandoffFact,
    Message,
    RerankFact,
    RetrievalFact,
    Span,
    SpanKind,
    ToolFact,
    Usage,
)

_Fact = TypeVar("_Fact", HandoffFact, RerankFact, Usage)

_OWN_RULE = frozenset({"raw", "conventions", "content", "conversation_weak", "flags"})
_UNTOLD = (None, (), False, "unknown", SpanKind.OTHER)
"""What a field holds that a convention does not tell."""


def merge(first: Span, second: Span) -> Span:
    """Return *first* with what it does not tell taken from *second*.

    Both are conventions' views of the same recorded span.
    """
    merged = {
        field.name: _merged(getattr(first, field.name), getattr(second, field.name))
        for field in fields(Span)
        if field.name not in _OWN_RULE
    }
    if _told(first.input_messages):
        merged["input_text"] = first.input_text
    if _told(first.output_messages):
        merged["output_text"] = first.output_text
    weak = first.conversation_weak if first.conversation_id else second.conversation_weak
    cut = "truncated" in (first.content, second.content)
    return replace(
        first,
        **merged,
        conventions=(*first.conventions, *second.conventions),
        conversation_weak=weak,
        content="truncated" if cut else "captured",
        flags=tuple(dict.fromkeys((*first.flags, *second.flags))),
    )


def _told(messages: tuple[Message, ...] | None) -> bool:
    """Tell whether messages need no plain text beside them."""
    return any(m.text is not None or m.tool_requests or m.tool_responses for m in messages or ())


def _merged(first: Any, second: Any) -> Any:
    if first in _UNTOLD:
        return first if second in _UNTOLD else second
    match first, second:
        case ToolFact(), ToolFact():
            return _tool(first, second)
        case RetrievalFact(), RetrievalFact():
            return _retrieval(first, second)
        case (Usage(), Usage()) | (HandoffFact(), HandoffFact()) | (RerankFact(), RerankFact()):
            return _filled(first, second)
        case _:
            return first


def _filled(first: _Fact, second: _Fact) -> _Fact:
    missing = {
        field.name: getattr(second, field.name)
        for field in fields(first)
        if getattr(first, field.name) is None
    }
    return replace(first, **missing)


def _tool(first: ToolFact, second: ToolFact) -> ToolFact:
    arguments = second if first.arguments_capture == "not_captured" else first
    result = second if first.result_capture == "not_captured" else first
    return ToolFact(
        name=first.name,
        call_id=first.call_id or second.call_id,
        arguments=arguments.arguments,
        arguments_capture=arguments.arguments_capture,
        result=result.result,
        result_capture=result.result_capture,
        is_error=first.is_error or second.is_error,
        error=first.error or second.error,
        definition=first.definition or second.definition,
    )


def _retrieval(first: RetrievalFact, second: RetrievalFact) -> RetrievalFact:
    """A key made for the collection outranks one that was inferred, whoever tells it."""
    source = first
    if first.collection is None or (first.collection_inferred and not second.collection_inferred):
        source = second if second.collection is not None else first
    return RetrievalFact(
        query=second.query if first.query is None else first.query,
        collection=source.collection,
        collection_inferred=source.collection_inferred,
        documents=complete(first.documents, second.documents),
    )
