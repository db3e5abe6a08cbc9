"""Haystack's own tracer, by hand."""

import json
from typing import Any

import pytest

from ingest.conventions import to_span
from ingest.span import (
    Document,
    HandoffFact,
    Message,
    RawSpan,
    RerankFact,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolDefinition,
    ToolFact,
    ToolRequest,
    ToolResponse,
    Usage,
)

QUESTION = "How many vacation days?"
ANSWER = "You get 25 days. [1]"
META = {
    "model": "m1",
    "finish_reason": "stop",
    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
}
EMPTY = {"blob": None, "embedding": None, "sparse_embedding": None}
STORED = [
    {"collection": "hr", "id": "hr-001", "content": "25 days.", "score": 0.9, **EMPTY},
    {"collection": "hr", "id": "hr-002", "content": "Ask first.", "score": 0.6, **EMPTY},
]
FOUND = (
    Document(
        document_id="hr-001",
        text="25 days.",
        score=0.9,
        metadata={"collection": "hr"},
        collection="hr",
    ),
    Document(
        document_id="hr-002",
        text="Ask first.",
        score=0.6,
        metadata={"collection": "hr"},
        collection="hr",
    ),
)


def span_of(name: str, **attributes: Any) -> Span:
    told = {
        key.replace("__", "."): json.dumps(v) if isinstance(v, dict | list) else v
        for key, v in attributes.items()
    }
    return to_span(RawSpan(trace_id="t", span_id="s", name=name, attributes=told))


def component(kind: str, took: Any = None, gave: Any = None, **more: Any) -> Span:
    sides = {"input": took, "output": gave}
    told = {f"haystack__component__{k}": v for k, v in sides.items() if v is not None}
    return span_of(
        "haystack.component.run",
        haystack__component__name="step",
        haystack__component__type=kind,
        **told,
        **more,
    )


def said(role: str, part: dict[str, Any], **meta: Any) -> dict[str, Any]:
    return {"role": role, "meta": meta, "name": None, "content": [part]}


CALL = {"tool_name": "stock", "arguments": {"sku": "A"}, "id": "c1"}
ASKED = said("user", {"text": "How many of A?"})
CALLED = said("assistant", {"tool_call": CALL}, finish_reason="tool_calls")
REPLIED = said("tool", {"tool_call_result": {"result": "7 left", "origin": CALL, "error": False}})
ANSWERED = said("assistant", {"text": "7 are left."}, **META)
REQUEST = ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"})
RESPONSE = ToolResponse(call_id="c1", name="stock", result="7 left")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("OpenAIChatGenerator", SpanKind.LLM),
        ("HuggingFaceLocalGenerator", SpanKind.LLM),
        ("QdrantHybridRetriever", SpanKind.RETRIEVER),
        ("SerperDevWebSearch", SpanKind.RETRIEVER),
        ("TransformersSimilarityRanker", SpanKind.RERANKER),
        ("OpenAITextEmbedder", SpanKind.EMBEDDING),
        ("ConditionalRouter", SpanKind.ROUTER),
        ("FileTypeRouter", SpanKind.OTHER),
        ("Agent", SpanKind.AGENT),
        ("PromptBuilder", SpanKind.OTHER),
        ("DocumentJoiner", SpanKind.OTHER),
        ("ToolInvoker", SpanKind.OTHER),
    ],
)
def test_kinds_by_the_last_word_of_the_type(kind: str, expected: SpanKind) -> None:
    assert component(kind).kind is expected


def test_a_router() -> None:
    branches = {"hr": {"type": "str", "receivers": ["retriever"]}, "it": {"type": "str"}}
    span = component(
        "ConditionalRouter",
        {"query": QUESTION},
        {"hr": QUESTION},
        haystack__component__output_spec=branches,
    )
    candidates = (ToolDefinition(name="hr"), ToolDefinition(name="it"))
    assert span.route == RouteFact(chosen=("hr",), candidates=candidates)


def test_a_router_by_a_model() -> None:
    span = component("LLMMessagesRouter", None, {"chat_generator_text": "safe", "safe": [ASKED]})
    assert span.route == RouteFact(chosen=("safe",))


def test_a_retriever() -> None:
    span = component("InMemoryBM25Retriever", {"query": QUESTION}, {"documents": STORED})
    assert span.retrieval == RetrievalFact(
        query=QUESTION, collection="hr", collection_inferred=True, documents=FOUND
    )


def test_a_ranker() -> None:
    took = {"query": QUESTION, "documents": STORED}
    span = component("CohereRanker", took, {"documents": STORED[::-1]})
    assert span.rerank == RerankFact(query=QUESTION, documents_in=FOUND, documents_out=FOUND[::-1])


def test_a_generator() -> None:
    span = component("OpenAIGenerator", {"prompt": QUESTION}, {"replies": [ANSWER], "meta": [META]})
    assert (span.input_text, span.output_text) == (QUESTION, ANSWER)
    assert (span.model, span.finish_reason) == ("m1", "stop")
    assert span.usage == Usage(input_tokens=10, output_tokens=5)


def test_a_chat_generator() -> None:
    tool = {"type": "haystack.tools.tool.Tool", "data": {"name": "stock", "parameters": {}}}
    span = component(
        "OpenAIChatGenerator",
        {"messages": [ASKED, CALLED, REPLIED], "tools": [tool]},
        {"replies": [ANSWERED]},
    )
    assert span.input_messages == (
        Message(role="user", text="How many of A?"),
        Message(role="assistant", tool_requests=(REQUEST,), finish_reason="tool_calls"),
        Message(role="tool", tool_responses=(RESPONSE,)),
    )
    assert span.output_messages == (
        Message(role="assistant", text="7 are left.", finish_reason="stop"),
    )
    assert [tool.name for tool in span.tools_available or ()] == ["stock"]
    assert (span.model, span.usage) == ("m1", Usage(input_tokens=10, output_tokens=5))


def test_a_printed_input_is_none() -> None:
    span = component("OpenAIChatGenerator", "{'messages': [ChatMessage(_role=<ChatRole.", {})
    assert (span.input_messages, span.input_text) == (None, None)


def test_a_generator_that_rewrites_the_query() -> None:
    told = {"haystack.component.name": "query_rewriter"} | {
        "haystack.component.type": "OpenAIGenerator",
        "haystack.component.output": json.dumps({"replies": ["vacation days per year"]}),
    }
    span = to_span(RawSpan(trace_id="t", span_id="s", attributes=told))
    assert span.refined_query == "vacation days per year"


def test_a_tool() -> None:
    span = component("ToolInvoker", None, {"tool_messages": [REPLIED]})
    assert span.tool == ToolFact(
        name="stock", call_id="c1", arguments={"sku": "A"}, result="7 left"
    )


def test_a_tool_that_failed() -> None:
    result = {"result": "No such item.", "origin": CALL, "error": True}
    failed = said("tool", {"tool_call_result": result})
    span = component("ToolInvoker", None, {"tool_messages": [failed]})
    assert span.tool is not None
    assert (span.tool.is_error, span.tool.error) == (True, "No such item.")


def test_a_tool_that_hands_over() -> None:
    result = {"result": "", "origin": {"tool_name": "transfer_to_hr"}, "error": False}
    span = component(
        "ToolInvoker", None, {"tool_messages": [said("tool", {"tool_call_result": result})]}
    )
    assert span.handoff == HandoffFact(target="hr")


def test_several_tools_in_one_span_are_told_by_messages() -> None:
    span = component("ToolInvoker", None, {"tool_messages": [REPLIED, REPLIED]})
    assert (span.kind, span.tool) == (SpanKind.OTHER, None)


def test_an_agent() -> None:
    span = span_of(
        "haystack.agent.run",
        haystack__agent__tools=[{"type": "Tool", "data": {"name": "stock"}}],
        haystack__agent__input={"messages": [ASKED]},
        haystack__agent__output={"messages": [ASKED, CALLED, REPLIED, ANSWERED]},
    )
    assert (span.kind, span.agent) == (SpanKind.AGENT, None)
    assert span.input_messages == (Message(role="user", text="How many of A?"),)
    assert [m.role for m in span.output_messages or ()] == ["assistant", "tool", "assistant"]
    assert [tool.name for tool in span.tools_available or ()] == ["stock"]


def test_an_agent_in_a_pipeline_has_the_name_of_its_component() -> None:
    span = component("Agent", {"messages": [ASKED], "system_prompt": "Be short."}, {})
    assert (span.agent, span.instructions) == ("step", "Be short.")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"router": {"query": QUESTION}}, id="one component"),
        pytest.param({"router": {"query": QUESTION}, "prompt": {"query": QUESTION}}, id="two"),
    ],
)
def test_a_pipeline(data: dict[str, Any]) -> None:
    span = span_of(
        "haystack.pipeline.run",
        haystack__pipeline__input_data=data,
        haystack__pipeline__output_data={},
    )
    assert (span.kind, span.input_text, span.output_text) == (SpanKind.OTHER, QUESTION, None)


def test_a_pipeline_of_one_agent() -> None:
    data = {"agent": {"messages": [ASKED]}}
    span = span_of("haystack.pipeline.run", haystack__pipeline__input_data=data)
    assert span.input_messages == (Message(role="user", text="How many of A?"),)
