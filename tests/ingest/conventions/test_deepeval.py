"""DeepEval spans, by hand."""

import json
from typing import Any

from ingest.span import Document, RetrievalFact, Span, SpanKind, ToolDefinition, ToolFact, Usage
from tests.ingest.conventions.recordings import made

QUESTION = "How many vacation days?"
PASSAGE = Document(document_id=None, text="25 days a year.")


def deepeval(kind: str | None, **attributes: Any) -> Span:
    told = {f"confident.{key.replace('__', '.')}": value for key, value in attributes.items()}
    return made({"confident.span.type": kind, **told}, name="step")


def test_an_agent() -> None:
    span = deepeval(
        "agent",
        span__input=QUESTION,
        span__output="25 days.",
        agent__name="hr_agent",
        agent__available_tools=["stock"],
        trace__thread_id="conv-42",
    )
    assert (span.kind, span.agent, span.conversation_id) == (SpanKind.AGENT, "hr_agent", "conv-42")
    assert (span.input_text, span.output_text) == (QUESTION, "25 days.")
    assert span.tools_available == (ToolDefinition(name="stock"),)


def test_an_agent_without_a_name_has_that_of_its_span() -> None:
    assert deepeval("agent", span__name="hr").agent == "hr"
    assert deepeval("agent").agent == "step"


def test_a_model_call() -> None:
    asked = [{"role": "user", "content": QUESTION}]
    span = deepeval(
        "llm",
        span__input=json.dumps(asked),
        span__output="25 days.",
        llm__model="m1",
        llm__input_token_count=50,
        llm__output_token_count=5,
    )
    assert (span.kind, span.model, span.usage) == (
        SpanKind.LLM,
        "m1",
        Usage(input_tokens=50, output_tokens=5),
    )
    assert [m.text for m in span.input_messages or ()] == [QUESTION]
    assert span.output_text == "25 days."


def test_a_retriever() -> None:
    expected = RetrievalFact(query=QUESTION, collection=None, documents=(PASSAGE,))
    returned = deepeval("retriever", span__input=QUESTION, span__output='["25 days a year."]')
    apart = deepeval(
        "retriever", span__input=QUESTION, span__retrieval_context='["25 days a year."]'
    )
    assert returned.retrieval == expected
    assert apart.retrieval == expected


def test_a_tool() -> None:
    span = deepeval(
        "tool",
        tool__name="stock",
        tool__description="Stock of an item.",
        span__input='{"sku": "A"}',
        span__output="7 left",
    )
    assert span.tool == ToolFact(
        name="stock",
        arguments={"sku": "A"},
        result="7 left",
        definition=ToolDefinition(name="stock", description="Stock of an item."),
    )


def test_a_span_without_a_type_frames_others() -> None:
    assert deepeval(None, span__input=QUESTION).kind is SpanKind.OTHER
