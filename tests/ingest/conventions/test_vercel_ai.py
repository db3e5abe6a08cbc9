import json
from typing import Any

import pytest

from ingest.span import (
    Message,
    RouteFact,
    Span,
    SpanKind,
    ToolFact,
    ToolRequest,
    ToolResponse,
    Usage,
)
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."


def ai(operation: str, **attributes: Any) -> Span:
    told = {key.replace("__", "."): value for key, value in attributes.items()}
    return made(
        {"ai.operationId": operation, **{f"ai.{key}": value for key, value in told.items()}},
        name=operation,
        scope_name="ai",
    )


def test_the_outer_span_of_a_call() -> None:
    span = ai(
        "ai.generateText",
        prompt=json.dumps({"system": "Be short.", "messages": [{"role": "user", "content": QUESTION}]}),
        model__id="m1",
        telemetry__functionId="shop-bot",
        telemetry__metadata__sessionId="conv-42",
        response__text=ANSWER,
        response__finishReason="stop",
        usage__promptTokens=100,
        usage__completionTokens=20,
    )  # fmt: skip
    assert (span.kind, span.agent, span.conversation_id) == (SpanKind.LLM, "shop-bot", "conv-42")
    assert (span.model, span.instructions, span.finish_reason) == ("m1", "Be short.", "stop")
    assert span.usage == Usage(input_tokens=100, output_tokens=20)
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert span.output_messages == (Message(role="assistant", text=ANSWER),)
    assert span.conventions == ("vercel_ai",)


def test_a_prompt_of_one_text() -> None:
    span = ai("ai.generateText", prompt=json.dumps({"prompt": QUESTION}), response__text=ANSWER)
    assert (span.input_messages, span.input_text) == (None, QUESTION)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        pytest.param({"args": {"sku": "A"}}, {"result": "7 left"}, id="version 4"),
        pytest.param({"input": {"sku": "A"}}, {"output": {"type": "text", "value": "7 left"}}, id="version 5"),
        pytest.param({"args": '{"sku": "A"}'}, {"result": "7 left"}, id="arguments as text"),
    ],
)  # fmt: skip
def test_the_inner_span_of_a_call(arguments: Any, result: Any) -> None:
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "stock", **arguments}
    answered = {"type": "tool-result", "toolCallId": "c1", "toolName": "stock", **result}
    messages = [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
        {"role": "assistant", "content": [call]},
        {"role": "tool", "content": [answered]},
    ]
    span = ai(
        "ai.streamText.doStream",
        prompt__messages=json.dumps(messages),
        prompt__tools=[json.dumps({"type": "function", "name": "stock", "inputSchema": {}})],
        response__text=ANSWER,
        response__toolCalls=json.dumps([{**call, "toolCallId": "c2"}]),
        response__msToFirstChunk=250.5,
        usage__inputTokens=100,
        usage__outputTokens=20,
        usage__cachedInputTokens=64,
    )
    wish = ToolRequest(call_id="c2", name="stock", arguments={"sku": "A"})
    assert [m.role for m in span.input_messages or ()] == ["system", "user", "assistant", "tool"]
    assert (span.input_messages or ())[3].tool_responses == (
        ToolResponse(call_id="c1", name="stock", result="7 left"),
    )
    assert span.output_messages == (
        Message(role="assistant", text=ANSWER, tool_requests=(wish,)),
    )  # fmt: skip
    assert [tool.name for tool in span.tools_available or ()] == ["stock"]
    assert span.usage == Usage(input_tokens=100, output_tokens=20, cached_tokens=64)
    assert span.first_output_ms == 250.5


def test_an_object_is_what_the_model_wrote() -> None:
    span = ai(
        "ai.generateObject",
        prompt=json.dumps({"prompt": QUESTION}),
        response__object='{"route":"returns"}',
        telemetry__functionId="route-question",
    )
    assert [m.text for m in span.output_messages or ()] == ['{"route":"returns"}']
    assert span.route == RouteFact(chosen=("returns",), inferred=True)


def test_a_tool() -> None:
    span = ai(
        "ai.toolCall",
        toolCall__name="stock",
        toolCall__id="c1",
        toolCall__args='{"sku":"A"}',
        toolCall__result='"7 left"',
    )
    assert (span.kind, span.tool) == (
        SpanKind.TOOL,
        ToolFact(name="stock", call_id="c1", arguments={"sku": "A"}, result="7 left"),
    )


def test_a_reranker_names_positions() -> None:
    documents = [json.dumps({"id": "r1", "text": "a"}), json.dumps("just a text")]
    ranking = [
        '{"originalIndex":1,"relevanceScore":0.9}',
        '{"index":0,"score":0.1}',
        '{"originalIndex":7}',
    ]
    inner = ai("ai.rerank.doRerank", documents=documents, ranking=ranking)
    assert (inner.kind, inner.synthetic) == (SpanKind.RERANKER, False)
    assert inner.rerank is not None
    assert [d.text for d in inner.rerank.documents_in or ()] == ["a", "just a text"]
    assert [(d.text, d.score) for d in inner.rerank.documents_out or ()] == [
        ("just a text", 0.9),
        ("a", 0.1),
    ]
    outer = ai("ai.rerank", documents=documents)
    assert outer.synthetic
    assert outer.rerank is not None
    assert outer.rerank.documents_out is None  # fmt: skip


def test_citations_of_a_provider() -> None:
    grounding = {
        "groundingChunks": [{"web": {"uri": "https://shop.example/r"}}],
        "groundingSupports": [{"segment": {"text": "30 days"}, "groundingChunkIndices": [0]}],
    }
    span = ai(
        "ai.generateText.doGenerate",
        response__text=ANSWER,
        response__providerMetadata=json.dumps({"google": {"groundingMetadata": grounding}}),
    )
    assert [(c.start, c.end, c.target_id) for c in span.citations] == [
        (0, 7, "https://shop.example/r")
    ]


@pytest.mark.parametrize("operation", ["ai.embed", "ai.embedMany.doEmbed"])
def test_embeddings(operation: str) -> None:
    assert ai(operation, value='"shoes"').kind is SpanKind.EMBEDDING


def test_a_filtered_answer_is_a_refusal() -> None:
    span = ai("ai.generateText", response__finishReason="content-filter")
    assert (span.finish_reason, span.policy_flag) == ("content-filter", "content_filter")


def test_without_content() -> None:
    span = ai("ai.generateText", model__id="m1")
    assert (span.kind, span.content, span.input_messages, span.output_messages) == (
        SpanKind.LLM,
        "not_captured",
        None,
        None,
    )


def test_other_names_of_that_prefix_are_not_recognised() -> None:
    assert ai("ai.somethingNew", prompt="x").conventions == ()
