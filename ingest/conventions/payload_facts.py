"""Facts of a span that records all it took, and all it gave, as one value each.

    retrieve   took {"query": "vacation days", "collection": "hr"}
               gave [{"page_content": "Employees …", "metadata": {"chunk_id": "hr-001"}}]

What such a value means depends on what the span did: the same list is documents of a
retriever, a result of a tool, or messages of a model. A message object that wraps a value
counts as the value; an object without a key for its text is given as it was recorded.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from ingest.conventions.documents import common_collection, read_documents
from ingest.conventions.handoffs import handoff_by_tool
from ingest.conventions.langchain_values import unwrap_tool_message
from ingest.conventions.lookup import first_id
from ingest.conventions.messages import Messages, Role, from_decoded
from ingest.conventions.native_citations import response_citations
from ingest.conventions.parts import says_error
from ingest.conventions.payloads import answer_of, collection_of, query_of, question_of
from ingest.conventions.policy import flag_of_finish, flag_of_guardrail
from ingest.conventions.routes import chosen_of
from ingest.conventions.tool_results import read_result, tool_fact
from ingest.span import (
    Message,
    RerankFact,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolDefinition,
    ToolFact,
    Value,
)
from ingest.values import Decoded, decode, text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """One side of a span."""

    decoded: Decoded
    text: str | None
    """As it was recorded; None when nothing was."""

    @classmethod
    def of(cls, value: Value | Decoded) -> Self:
        """Read a value in whichever way it was encoded."""
        if isinstance(value, Decoded):
            return cls.read(value, value.value)
        return cls.read(decode(value), value)

    @classmethod
    def read(cls, decoded: Decoded, value: Value) -> Self:
        """Take a value that was decoded by rules of its own."""
        if decoded.capture == "not_captured" or decoded.value is None:
            return cls(decoded=decoded, text=None)
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return cls(decoded=decoded, text=text)

    @property
    def value(self) -> Value:
        """What was recorded, parsed."""
        return self.decoded.value

    def messages(self, role: Role) -> Messages | None:
        """Return the messages that the value is or holds, None when it is none."""
        return from_decoded(self.decoded, role)


def with_payloads(
    span: Span,
    sent: Value | Decoded,
    received: Value | Decoded,
    *,
    tool_name: str | None = None,
    call_id: str | None = None,
    definition: ToolDefinition | None = None,
    failed: bool = False,
) -> Span:
    """Add what the two sides of a span tell, read as its kind asks for.

    Args:
        span: The span; its kind, agent and error are known.
        sent: What it took, as recorded or already decoded.
        received: What it gave, likewise.
        tool_name: The tool's name, for a tool whose span is called otherwise.
        call_id: Id of the call in the model's message.
        definition: The tool as the model could choose it.
        failed: The recorder says that the tool failed.
    """
    took, gave = Payload.of(sent), Payload.of(received)
    match span.kind:
        case SpanKind.TOOL:
            tool = _tool(span, took, gave, tool_name or span.raw.name, call_id, definition)
            if failed and not tool.is_error:
                tool = replace(tool, is_error=True, error=text_of(tool.result))
            handoff = handoff_by_tool(tool.name, tool.arguments, span.agent)
            return replace(span, tool=tool, handoff=span.handoff or handoff)
        case SpanKind.RETRIEVER:
            return replace(span, retrieval=_retrieval(took, gave))
        case SpanKind.RERANKER:
            return replace(span, rerank=_rerank(took, gave))
        case SpanKind.ROUTER:
            chosen = chosen_of(gave.value)
            return replace(span, route=RouteFact(chosen=chosen) if chosen else span.route)
        case SpanKind.EMBEDDING:
            return span
        case SpanKind.GUARDRAIL:
            flag = flag_of_guardrail(span.raw.name, gave.value)
            return replace(with_sides(span, took, gave), policy_flag=flag)
        case _:
            return with_sides(span, took, gave)


def with_sides(span: Span, took: Payload, gave: Payload) -> Span:
    """Add messages or plain texts of both sides, of a model call or of any other step."""
    inputs, outputs = took.messages("user"), gave.messages("assistant")
    finish = _finish_reason(outputs) or span.finish_reason if span.kind is SpanKind.LLM else None
    told = replace(
        span,
        input_messages=None if inputs is None else inputs.messages,
        output_messages=None if outputs is None else outputs.messages,
        citations=outputs.citations if outputs else (),
        finish_reason=finish,
        policy_flag=flag_of_finish(finish) or span.policy_flag,
    )
    return with_texts(told, took, gave, is_envelope=outputs is not None)


def with_texts(span: Span, took: Payload, gave: Payload, *, is_envelope: bool) -> Span:
    """Add plain texts, and the output's structure unless it only wraps messages.

    Args:
        span: The span, with its messages.
        took: What it took.
        gave: What it gave.
        is_envelope: The output is a list of messages or wraps one.
    """
    asked = answered = None
    if not span.input_messages:
        asked = _plain(took, question_of(took.value))
    if not _told(span.output_messages):
        answered = _plain(gave, answer_of(gave.value))
    cited = span.citations
    if not cited and answered is not None and isinstance(gave.value, dict):
        cited = tuple(response_citations(gave.value, answered))
    is_structured = isinstance(gave.value, dict | list) and not is_envelope
    cut = "truncated" in (took.decoded.capture, gave.decoded.capture)
    return replace(
        span,
        input_text=asked,
        output_text=answered,
        output_value=gave.value if is_structured else None,
        citations=cited,
        content="truncated" if cut else span.content,
    )


def _plain(side: Payload, found: str | None) -> str | None:
    """Return a plain text, the text that an object holds, or the object as recorded."""
    if found is not None or side.value is None or isinstance(side.value, str):
        return found
    return side.text


def _tool(
    span: Span,
    took: Payload,
    gave: Payload,
    name: str,
    call_id: str | None,
    definition: ToolDefinition | None,
) -> ToolFact:
    result = read_result(gave.value) if gave.value is not None else gave.decoded
    message: Mapping[str, Value] = unwrap_tool_message(result.value) or {}
    if message:
        result = read_result(message.get("content"))
    return tool_fact(
        name=name,
        call_id=call_id or first_id(message, "tool_call_id"),
        arguments=took.decoded,
        result=result,
        error=span.error,
        flagged=says_error(message),
        definition=definition,
    )


def _retrieval(took: Payload, gave: Payload) -> RetrievalFact:
    documents = read_documents(gave.value)
    named = collection_of(took.value)
    inferred = common_collection(documents or ())
    return RetrievalFact(
        query=query_of(took.value),
        collection=named or inferred,
        collection_inferred=named is None and inferred is not None,
        documents=documents,
    )


def _rerank(took: Payload, gave: Payload) -> RerankFact:
    return RerankFact(
        query=query_of(took.value),
        documents_in=read_documents(took.value),
        documents_out=read_documents(gave.value),
    )


def _finish_reason(outputs: Messages | None) -> str | None:
    reasons = [m.finish_reason for m in outputs.messages if m.finish_reason] if outputs else []
    return reasons[-1] if reasons else None


def _told(messages: tuple[Message, ...] | None) -> bool:
    return any(m.text is not None or m.tool_requests for m in messages or ())
