"""Question, answer and the words around them, as a mapping leads to them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ingest.conventions.mapped_lists import Paths, mapped_citations
from ingest.conventions.messages import decode_messages
from ingest.span import Message, NativeCitation, Span, SpanKind, Value
from ingest.values import decode, identifier

TEXT_FACTS: Final = (
    "question",
    "answer",
    "messages",
    "output_messages",
    "instructions",
    "citations",
    "finish_reason",
    "flag",
    "answer_source",
)
_SOURCES: Final = ("generated", "rephrased", "template")


def with_texts(span: Span, told: Mapping[str, Value], cited: Paths) -> Span:
    """Return *span* with the facts of `TEXT_FACTS` that were told."""
    made = span
    read = decode_messages(told["messages"], "user") if "messages" in told else None
    if read is not None:
        made = replace(made, input_messages=read.messages)
    recorded = told.get("output_messages")
    wrote = None if recorded is None else decode_messages(recorded, "assistant")
    if wrote is not None:
        made = replace(made, output_messages=wrote.messages, citations=wrote.citations)
    made = _with_question(made, told_text(told, "question"), is_prompt=read is not None)
    made = _with_answer(made, told_text(told, "answer"))
    source = next((s for s in _SOURCES if s == told.get("answer_source")), made.answer_source)
    return replace(
        made,
        instructions=told_text(told, "instructions") or made.instructions,
        finish_reason=identifier(told.get("finish_reason")) or made.finish_reason,
        policy_flag=identifier(told.get("flag")) or made.policy_flag,
        answer_source=source,
        citations=_citations(made, told, cited),
    )


def _with_question(span: Span, question: str | None, *, is_prompt: bool) -> Span:
    if question is None:
        return span
    holds_prompt = is_prompt or (span.kind is SpanKind.LLM and bool(span.input_messages))
    asked = (Message(role="user", text=question),)
    return replace(
        span, input_text=question, input_messages=span.input_messages if holds_prompt else asked
    )


def _with_answer(span: Span, answer: str | None) -> Span:
    if answer is None:
        return span
    wished = tuple(r for m in span.output_messages or () for r in m.tool_requests)
    said = (Message(role="assistant", text=answer, tool_requests=wished),)
    return replace(span, output_text=answer, output_messages=said)


def _citations(span: Span, told: Mapping[str, Value], cited: Paths) -> tuple[NativeCitation, ...]:
    if "citations" not in told:
        return span.citations
    messages = reversed(span.output_messages or ())
    answer = span.output_text or next((m.text for m in messages if m.text), "")
    found = mapped_citations(told["citations"], cited, answer)
    return span.citations if found is None else found


def told_text(told: Mapping[str, Value], fact: str) -> str | None:
    """Return a text, also one that is a JSON text or the only item of a list."""
    value = decode(told.get(fact)).value
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict | list):
        recorded = told.get(fact)
        return recorded if isinstance(recorded, str) else None
    return identifier(value)
