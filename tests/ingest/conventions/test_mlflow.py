import json
from typing import Any

import pytest

from ingest.span import (
    Document,
    Message,
    RawEvent,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolFact,
    Usage,
    Value,
)
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."


def ml(kind: Any, took: Any, gave: Any, name: str = "step", **attributes: Any) -> Span:
    """Record a span as MLflow does: each value is JSON text."""
    told = {
        "mlflow.spanType": kind,
        "mlflow.spanInputs": took,
        "mlflow.spanOutputs": gave,
        **attributes,
    }
    return made({key: json.dumps(value) for key, value in told.items()}, name=name)


def test_an_agent_and_its_session() -> None:
    span = ml(
        "AGENT",
        {"q": QUESTION, "cid": "conv-42"},
        {"answer": ANSWER, "citations": ["r1"]},
        name="shop_bot",
        **{"mlflow.trace.session": "conv-42"},
    )
    assert (span.kind, span.agent, span.conversation_id) == (SpanKind.AGENT, "shop_bot", "conv-42")
    assert (span.input_text, span.output_text) == (QUESTION, ANSWER)
    assert span.output_value == {"answer": ANSWER, "citations": ["r1"]}
    assert span.conventions == ("mlflow",)


def test_a_session_without_quotes_as_in_the_metadata_of_a_trace() -> None:
    attributes = {"mlflow.spanType": '"AGENT"', "mlflow.trace.session": "conv-42"}
    assert made(attributes).conversation_id == "conv-42"


def test_a_retriever() -> None:
    metadata: dict[str, Any] = {"doc_uri": "returns/r1.md", "chunk_id": "r1", "score": 0.8}
    span = ml(
        "RETRIEVER",
        {"query": "shoes", "collection": "returns"},
        [{"page_content": "Shoes: 30 days.", "metadata": metadata, "id": "r1"}],
    )
    chunk = Document(document_id="r1", text="Shoes: 30 days.", score=0.8, metadata=metadata)
    assert span.retrieval == RetrievalFact(
        query="shoes", collection="returns", collection_inferred=False, documents=(chunk,)
    )


@pytest.mark.parametrize(
    ("gave", "documents"),
    [
        pytest.param([], (), id="nothing was found"),
        pytest.param("a text", None, id="no list"),
    ],
)
def test_a_retriever_without_documents(gave: Value, documents: tuple[()] | None) -> None:
    span = ml("RETRIEVER", {"query": "shoes"}, gave)
    assert span.retrieval == RetrievalFact(query="shoes", collection=None, documents=documents)


def test_the_collection_is_read_off_the_documents_where_the_call_does_not_name_it() -> None:
    found = [{"page_content": "a", "metadata": {"doc_uri": "returns/r1.md"}}]
    fact = ml("RETRIEVER", {"query": "shoes"}, found).retrieval
    assert fact is not None
    assert (fact.collection, fact.collection_inferred) == ("returns", True)


def test_a_chat_model() -> None:
    attributes: dict[str, Any] = {
        "mlflow.llm.model": "m1",
        "mlflow.chat.tokenUsage": {"input_tokens": 50, "output_tokens": 12, "total_tokens": 62},
        "mlflow.chat.tools": [{"type": "function", "function": {"name": "stock"}}],
    }
    choice = {"message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
    span = ml(
        "CHAT_MODEL",
        {"messages": [{"role": "user", "content": QUESTION}], "model": "m1"},
        {"choices": [choice]},
        **attributes,
    )
    assert (span.kind, span.model, span.finish_reason) == (SpanKind.LLM, "m1", "stop")
    assert span.usage == Usage(input_tokens=50, output_tokens=12)
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert [m.text for m in span.output_messages or ()] == [ANSWER]
    assert [tool.name for tool in span.tools_available or ()] == ["stock"]
    assert (span.output_text, span.output_value) == (None, None)


def test_a_tool() -> None:
    span = ml("TOOL", {"sku": "A"}, "7 left", name="stock")
    assert span.tool == ToolFact(name="stock", arguments={"sku": "A"}, result="7 left")


def test_a_tool_whose_result_is_a_message_that_tells_a_failure() -> None:
    gave = {"content": "no such sku", "type": "tool", "tool_call_id": "c1", "status": "error"}
    span = ml("TOOL", {"sku": "A"}, gave, name="stock")
    assert span.tool == ToolFact(
        name="stock",
        call_id="c1",
        arguments={"sku": "A"},
        result="no such sku",
        is_error=True,
        error="no such sku",
    )


def test_a_reranker() -> None:
    span = ml(
        "RERANKER",
        {"query": "shoes", "documents": [{"id": "b"}, {"id": "a"}]},
        [{"id": "a", "score": 0.9}, {"id": "b", "score": 0.1}],
    )
    assert span.rerank is not None
    assert span.rerank.query == "shoes"
    assert [d.document_id for d in span.rerank.documents_in or ()] == ["b", "a"]
    assert [d.score for d in span.rerank.documents_out or ()] == [0.9, 0.1]


def test_a_chain_is_a_router_by_its_name() -> None:
    span = ml("CHAIN", {"q": QUESTION}, {"route": "returns"}, name="router")
    assert (span.kind, span.route) == (
        SpanKind.ROUTER,
        RouteFact(chosen=("returns",), inferred=True),
    )


def test_a_chain_that_rewrites() -> None:
    span = ml("CHAIN", {"q": QUESTION}, "shoe returns", name="rewrite_query")
    assert (span.kind, span.refined_query) == (SpanKind.OTHER, "shoe returns")


@pytest.mark.parametrize("kind", ["PARSER", "UNKNOWN", "MEMORY", "MY_OWN", None])
def test_other_types_do_no_stages_work(kind: Any) -> None:
    assert ml(kind, {"a": 1}, {"b": 2}).kind is SpanKind.OTHER


def test_spans_of_another_recorder_keep_its_facts() -> None:
    span = ml("TOOL", {"x": 1}, None, name="execute_tool stock", **{"gen_ai.tool.call.id": "c1"})
    assert span.conventions == ("gen_ai", "mlflow")
    assert span.tool is not None
    assert (span.tool.name, span.tool.arguments) == ("stock", {"x": 1})


def chunks(*values: Any, first: int = 0) -> tuple[RawEvent, ...]:
    return tuple(
        RawEvent(
            name=f"mlflow.chunk.item.{number}",
            time_ns=1_000_000 * (number + 5),
            attributes={"mlflow.chunk.value": json.dumps(value)},
        )
        for number, value in enumerate(values, start=first)
    )


@pytest.mark.parametrize(
    ("events", "text", "first_ms", "content"),
    [
        pytest.param(chunks("30 ", "days"), "30 days", 4.0, "captured", id="texts"),
        pytest.param(
            chunks({"choices": [{"delta": {"content": "30 "}}]}, {"choices": []})
            + chunks({"choices": [{"delta": {"content": "days"}}]}, first=2),
            "30 days",
            4.0,
            "captured",
            id="chat completions",
        ),
        pytest.param(
            chunks({"type": "response.output_text.delta", "delta": "30 days"}),
            "30 days",
            4.0,
            "captured",
            id="responses",
        ),
        pytest.param(
            tuple(reversed(chunks("30 ", "days"))), "30 days", 4.0, "captured", id="out of order"
        ),
        pytest.param(chunks("days", first=3), "days", None, "truncated", id="the first are gone"),
        pytest.param(chunks({"choices": []}), None, 4.0, "not_captured", id="no text"),
        pytest.param((), None, None, "not_captured", id="no chunks"),
    ],
)
@pytest.mark.parametrize("outputs", [{}, {"mlflow.spanOutputs": "null"}])
def test_a_stream_without_its_end(
    events: tuple[RawEvent, ...],
    text: str | None,
    first_ms: float | None,
    content: str,
    outputs: dict[str, Any],
) -> None:
    span = made({"mlflow.spanType": '"AGENT"', **outputs}, events=events, start_ns=1_000_000)
    assert (span.output_text, span.first_output_ms, span.content) == (text, first_ms, content)


def test_a_stream_that_ended_is_told_by_its_outputs() -> None:
    attributes = {"mlflow.spanType": '"AGENT"', "mlflow.spanOutputs": '"30 days."'}
    span = made(attributes, events=chunks("30 "), start_ns=1_000_000)
    assert (span.output_text, span.first_output_ms) == ("30 days.", 4.0)


def test_masked_outputs_stay_masked() -> None:
    attributes = {"mlflow.spanType": '"AGENT"', "mlflow.spanOutputs": '"__REDACTED__"'}
    assert made(attributes, events=chunks("30 ")).output_text is None
