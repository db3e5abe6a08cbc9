"""Which conventions see a span, and how their facts become one."""

from typing import Any

import pytest

from ingest.attributes import Attributes
from ingest.conventions import CONVENTIONS, to_span
from ingest.span import (
    Document,
    Message,
    RawEvent,
    RawSpan,
    Span,
    SpanKind,
    ToolFact,
    Usage,
    Value,
)
from tests.ingest.conventions.recordings import made


class Undecodable(Attributes):
    """Bytes that must not be decoded."""

    def _values(self) -> dict[str, Value]:
        raise AssertionError("decoded")


def raw(attributes: Attributes, **fields: Any) -> RawSpan:
    return RawSpan(trace_id="t1", span_id="a1", attributes=attributes, **fields)


def test_infrastructure_is_never_decoded() -> None:
    recorded = raw(
        Undecodable(b'[{"key":"http.method","value":{"stringValue":"GET"}}]'), flags=("x",)
    )
    span = to_span(recorded)
    assert (span.kind, span.conventions, span.flags) == (SpanKind.OTHER, (), ("x",))
    assert span.raw is recorded


def test_an_exception_does_not_make_a_span_interesting() -> None:
    raised = RawEvent(name="exception", attributes={"exception.type": "ValueError"})
    recorded = raw(Undecodable(b"[]"), events=(raised,), status="error")
    assert to_span(recorded).error is None


def test_bytes_that_only_mention_a_name_are_recognised_by_nobody() -> None:
    recorded = raw(Attributes(b'[{"key":"note","value":{"stringValue":"gen_ai. and session.id"}}]'))
    span = to_span(recorded)
    assert (span.kind, span.conventions, span.conversation_id) == (SpanKind.OTHER, (), None)


def test_lazy_attributes_give_the_same_facts() -> None:
    values: dict[str, Value] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": 5,
        "session.id": "s",
    }
    lazy, plain = to_span(raw(Attributes.of(values))), made(values)
    assert (lazy.kind, lazy.usage, lazy.conversation_id) == (plain.kind, plain.usage, "s")


def test_what_the_decoding_met_is_flagged() -> None:
    attributes = Attributes(
        b'[{"key":"gen_ai.usage.input_tokens","value":{"doubleValue":"NaN"}},'
        b'{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]'
    )
    span = to_span(raw(attributes))
    assert span.usage is None
    assert "non_finite_number" in span.flags


def test_a_session_without_a_convention_is_kept() -> None:
    span = made({"session.id": "conv-42", "http.method": "GET"})
    assert (span.kind, span.conventions, span.conversation_id) == (SpanKind.OTHER, (), "conv-42")


def test_the_session_of_a_process_is_weak() -> None:
    chat = {"gen_ai.operation.name": "chat"}
    span = made(chat, resource={"session.id": "p"})
    assert (span.conversation_id, span.conversation_weak) == ("p", True)
    own = made({**chat, "gen_ai.conversation.id": "c"}, resource={"session.id": "p"})
    assert (own.conversation_id, own.conversation_weak) == ("c", False)


@pytest.mark.parametrize(
    ("key", "conversation"),
    [
        ("gen_ai.conversation.id", "7"),
        ("session.id", "7"),
        ("langfuse.session.id", "7"),
        ("traceloop.association.properties.thread_id", "7"),
        ("langsmith.trace.session_id", None),
        ("user.id", None),
    ],
)
def test_names_of_the_conversation(key: str, conversation: str | None) -> None:
    span = made({"gen_ai.operation.name": "chat", key: 7})
    assert span.conversation_id == conversation


@pytest.mark.parametrize(
    ("attributes", "resource", "tenant"),
    [
        ({"tenant.id": "acme"}, {}, "acme"),
        ({"tenant": "acme"}, {"tenant.id": "other"}, "acme"),
        ({}, {"tenant.id": "acme"}, "acme"),
        ({"customer.id": "acme", "user.tenant": "acme"}, {}, None),
    ],
)
def test_tenant(attributes: dict[str, Any], resource: dict[str, Any], tenant: str | None) -> None:
    span = made({"gen_ai.operation.name": "chat", **attributes}, resource=resource)
    assert span.tenant == tenant


def test_golden_item_and_versions() -> None:
    resource: dict[str, Any] = {
        "corpus.version": "2026-11",
        "prompts.version": 7,
        "service.version": "2",
    }
    span = made({"gen_ai.operation.name": "chat", "golden.id": "g-7"}, resource=resource)
    assert (span.golden_id, span.versions) == ("g-7", {"corpus": "2026-11", "prompts": "7"})
    assert made({"golden.id": "g-7", "http.method": "POST"}).golden_id == "g-7"
    assert made({"gen_ai.operation.name": "chat"}).versions == {}


# Two conventions on one span


def both(kind: str, operation: str, attributes: dict[str, Any]) -> Span:
    span = made({"openinference.span.kind": kind, "gen_ai.operation.name": operation, **attributes})
    assert span.conventions == ("openinference", "gen_ai")
    return span


def test_each_convention_fills_what_the_other_leaves_open() -> None:
    span = both(
        "LLM",
        "chat",
        {
            "llm.output_messages.0.message.content": "Seven.",
            "llm.token_count.prompt": 50,
            "gen_ai.conversation.id": "conv-42",
            "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"Left?"}]}]',
            "gen_ai.output.messages": "[]",
            "gen_ai.request.model": "m1",
            "gen_ai.usage.input_tokens": 49,
            "gen_ai.usage.output_tokens": 12,
        },
    )
    assert span.input_messages == (Message(role="user", text="Left?"),)
    assert span.output_messages == (Message(role="assistant", text="Seven."),)
    assert (span.conversation_id, span.model) == ("conv-42", "m1")
    assert span.usage == Usage(input_tokens=50, output_tokens=12)
    assert span.content == "captured"


def test_a_chain_takes_its_kind_from_the_operation() -> None:
    assert both("CHAIN", "invoke_agent", {"gen_ai.agent.name": "a"}).kind is SpanKind.AGENT
    assert both("RETRIEVER", "execute_tool", {}).kind is SpanKind.RETRIEVER


def test_documents_of_both_are_joined_by_position() -> None:
    span = both(
        "RETRIEVER",
        "retrieval",
        {
            "retrieval.documents.0.document.content": "25 days.",
            "retrieval.documents.0.document.metadata": '{"collection": "guessed"}',
            "gen_ai.retrieval.documents": '[{"id": "hr-001", "score": 0.75}]',
            "gen_ai.data_source.id": "hr",
        },
    )
    assert span.retrieval is not None
    assert span.retrieval.documents == (
        Document(
            document_id="hr-001",
            text="25 days.",
            score=0.75,
            metadata={"collection": "guessed"},
            collection="guessed",
        ),
    )
    assert (span.retrieval.collection, span.retrieval.collection_inferred) == ("hr", False)


def test_an_empty_result_is_told() -> None:
    span = both("RETRIEVER", "retrieval", {"output.value": "[]"})
    assert span.retrieval is not None
    assert span.retrieval.documents == ()


def test_tool_facts_are_joined() -> None:
    span = both(
        "TOOL",
        "execute_tool",
        {
            "tool.name": "stock",
            "output.value": "7",
            "gen_ai.tool.name": "stock",
            "gen_ai.tool.call.id": "c1",
            "gen_ai.tool.call.arguments": '{"sku": "A"}',
        },
    )
    assert span.tool == ToolFact(name="stock", call_id="c1", arguments={"sku": "A"}, result="7")


def test_conventions_have_names_of_their_own() -> None:
    names = [convention.name for convention in CONVENTIONS]
    assert len(names) == len(set(names))
    assert all(convention.markers for convention in CONVENTIONS)


@pytest.mark.parametrize(
    ("seconds", "found", "flagged"),
    [
        pytest.param(0.25, 250.0, 0, id="a quarter of a second"),
        pytest.param(0, 0.0, 0, id="at once"),
        pytest.param(-1.0, None, 1, id="before it began"),
        pytest.param(1e10, None, 1, id="after centuries"),
        pytest.param(1e306, None, 1, id="infinite in milliseconds"),
    ],
)
def test_an_impossible_time_to_the_first_output_is_unknown(
    seconds: float, found: float | None, flagged: int
) -> None:
    chunk = "gen_ai.response.time_to_first_chunk"
    span = made({"gen_ai.operation.name": "chat", chunk: seconds})
    assert span.first_output_ms == found
    assert span.flags.count("bad_time") == flagged
