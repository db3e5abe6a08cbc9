import json
from typing import Any

import pytest

from ingest.span import (
    Document,
    Message,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolFact,
    Usage,
)
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."
START_NS = 1_800_000_000_000_000_000


def observation(kind: str, took: Any = None, gave: Any = None, **fields: Any) -> Span:
    told = {"langfuse.observation.type": kind, "session.id": "conv-42", **fields.pop("more", {})}
    for side, value in (("input", took), ("output", gave)):
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value)
            told[f"langfuse.observation.{side}"] = text
    return made(told, **{"parent_id": "p1", **fields})


def test_an_agent() -> None:
    span = observation("agent", QUESTION, ANSWER, name="shop-bot")
    assert (span.kind, span.agent, span.conversation_id) == (SpanKind.AGENT, "shop-bot", "conv-42")
    assert (span.input_text, span.output_text) == (QUESTION, ANSWER)


def test_a_generation() -> None:
    usage = {
        "input": 30,
        "input_cached_tokens": 20,
        "output": 12,
        "output_reasoning_tokens": 5,
        "total": 67,
    }
    span = observation(
        "generation",
        [{"role": "user", "content": QUESTION}],
        {"role": "assistant", "content": ANSWER},
        more={
            "langfuse.observation.model.name": "m1",
            "langfuse.observation.usage_details": json.dumps(usage),
            "langfuse.observation.completion_start_time": '"2027-01-15T08:00:00.250Z"',
        },
        start_ns=START_NS,
    )  # fmt: skip
    assert (span.kind, span.model, span.first_output_ms) == (SpanKind.LLM, "m1", 250.0)
    assert span.usage == Usage(input_tokens=50, output_tokens=17, cached_tokens=20)
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert span.output_messages == (Message(role="assistant", text=ANSWER),)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        pytest.param("2027-01-15T07:59:59Z", 0.0, id="before the span, by another clock"),
        pytest.param("2027-01-15T08:00:00", None, id="of an unknown zone"),
        pytest.param("soon", None, id="no time"),
    ],
)
def test_the_first_token(moment: str, expected: float | None) -> None:
    more = {"langfuse.observation.completion_start_time": moment}
    assert observation("generation", start_ns=START_NS, more=more).first_output_ms == expected


def test_a_generation_that_called_no_model_is_a_step() -> None:
    span = observation("generation", QUESTION, ANSWER, name="handle-chat-message")
    assert (span.kind, span.input_text, span.output_text) == (SpanKind.OTHER, QUESTION, ANSWER)


def test_a_retriever() -> None:
    found = [
        {"page_content": "Shoes: 30 days.", "metadata": {"chunk_id": "r1"}, "type": "Document"}
    ]
    span = observation("retriever", "shoes", found)
    chunk = Document(document_id="r1", text="Shoes: 30 days.", metadata={"chunk_id": "r1"})
    assert span.retrieval == RetrievalFact(query="shoes", collection=None, documents=(chunk,))


def test_a_tool_whose_input_was_printed_and_that_failed() -> None:
    span = observation(
        "tool",
        "{'sku': 'A'}",
        name="stock",
        more={
            "langfuse.observation.level": "ERROR",
            "langfuse.observation.status_message": "backend returned 503",
        },
    )
    assert span.error == "backend returned 503"
    assert span.tool == ToolFact(
        name="stock",
        arguments={"sku": "A"},
        result=None,
        result_capture="not_captured",
        is_error=True,
        error="backend returned 503",
    )


@pytest.mark.parametrize("level", ["DEFAULT", "WARNING", "DEBUG"])
def test_other_levels_are_no_errors(level: str) -> None:
    assert observation("span", more={"langfuse.observation.level": level}).error is None


def test_a_trace_speaks_for_its_root() -> None:
    more = {"langfuse.trace.input": QUESTION, "langfuse.trace.output": ANSWER}
    root = observation("span", more=more, parent_id=None)
    assert (root.input_text, root.output_text) == (QUESTION, ANSWER)
    child = observation("span", more=more)
    assert (child.input_text, child.output_text) == (None, None)


def test_a_step_that_routes_by_its_name() -> None:
    span = observation("span", QUESTION, {"route": "returns"}, name="classify_intent")
    assert span.route == RouteFact(chosen=("returns",), inferred=True)


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({"openinference.span.kind": "TOOL", "tool.name": "stock"}, SpanKind.TOOL),
        ({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "stock"}, SpanKind.TOOL),
    ],
)
def test_another_recorders_span_that_lost_its_content_to_langfuse(
    attributes: dict[str, Any], kind: SpanKind
) -> None:
    span = observation("span", {"sku": "A"}, "7 left", more=attributes)
    assert span.kind is kind
    assert span.tool == ToolFact(name="stock", arguments={"sku": "A"}, result="7 left")
    assert span.conventions[-1] == "langfuse"


def test_messages_need_no_plain_text_beside_them() -> None:
    parts = [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}]
    more = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(parts)}
    span = observation("generation", f"user: {QUESTION}", more=more)
    assert [m.text for m in span.input_messages or ()] == [QUESTION]
    assert span.input_text is None


def test_an_unknown_type_keeps_its_texts() -> None:
    span = observation("evaluator", QUESTION, ANSWER)
    assert (span.kind, span.input_text) == (SpanKind.OTHER, QUESTION)
