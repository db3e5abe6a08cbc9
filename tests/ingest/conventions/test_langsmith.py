import json
from typing import Any

import pytest

from ingest.span import Document, RetrievalFact, RouteFact, Span, SpanKind, ToolFact, Usage
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."


def exported(kind: str, took: Any, gave: Any, name: str = "run", **more: Any) -> Span:
    """Record a run as the SDK's exporter does."""
    told = {
        "langsmith.span.kind": kind,
        "langsmith.metadata.thread_id": "conv-42",
        "langsmith.trace.session_id": "project-7",
        "gen_ai.prompt": json.dumps(took),
        "gen_ai.completion": json.dumps(gave),
        **more,
    }
    return made(told, name=name)


def returned(kind: str, took: Any, gave: Any, name: str = "run", **more: Any) -> Span:
    """Record a run as the API returns it."""
    told = {"langsmith.run_type": kind, "langsmith.inputs": took, "langsmith.outputs": gave, **more}
    return made(told, name=name)


@pytest.mark.parametrize("record", [exported, returned])
def test_a_retriever(record: Any) -> None:
    found = {"documents": [{"page_content": "Shoes: 30 days.", "metadata": {"chunk_id": "r1"}}]}
    operation = {"gen_ai.operation.name": "embeddings"}
    span = record("retriever", {"query": "shoes"}, found, **operation)
    chunk = Document(document_id="r1", text="Shoes: 30 days.", metadata={"chunk_id": "r1"})
    assert span.kind is SpanKind.RETRIEVER
    assert span.retrieval == RetrievalFact(query="shoes", collection=None, documents=(chunk,))


def test_a_project_is_no_conversation() -> None:
    assert exported("chain", {}, {}).conversation_id == "conv-42"
    assert made({"langsmith.trace.session_id": "project-7"}).conversation_id is None


@pytest.mark.parametrize("record", [exported, returned])
def test_a_model_of_langchain(record: Any) -> None:
    human = {
        "lc": 1,
        "type": "constructor",
        "id": ["HumanMessage"],
        "kwargs": {"content": QUESTION},
    }
    usage = {"input_tokens": 50, "output_tokens": 12, "input_token_details": {"cache_read": 20}}
    fields = {
        "content": ANSWER,
        "usage_metadata": usage,
        "response_metadata": {"finish_reason": "stop"},
    }
    message = {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": fields}
    span = record(
        "llm",
        {"messages": [[human]]},
        {"generations": [[{"text": ANSWER, "message": message}]], "llm_output": {}},
        **{"langsmith.metadata.ls_model_name": "m1"},
    )
    assert (span.kind, span.model, span.finish_reason) == (SpanKind.LLM, "m1", "stop")
    assert [m.text for m in span.input_messages or ()] == [QUESTION]
    assert [m.text for m in span.output_messages or ()] == [ANSWER]
    assert span.usage == Usage(input_tokens=50, output_tokens=12, cached_tokens=20)  # fmt: skip


def test_a_wrapped_openai_client() -> None:
    tools = [{"type": "function", "function": {"name": "stock"}}]
    span = returned(
        "llm",
        {"model": "m1", "messages": [{"role": "user", "content": QUESTION}], "tools": tools},
        {
            "choices": [{"message": {"role": "assistant", "content": ANSWER}}],
            "usage_metadata": {"input_tokens": 9, "output_tokens": 3},
        },
    )
    assert (span.model, span.usage) == ("m1", Usage(input_tokens=9, output_tokens=3))
    assert [tool.name for tool in span.tools_available or ()] == ["stock"]


def test_tokens_of_the_run_itself() -> None:
    counted: Any = {"langsmith.prompt_tokens": 9, "langsmith.completion_tokens": 3}
    assert returned("llm", {}, {}, **counted).usage == Usage(input_tokens=9, output_tokens=3)


@pytest.mark.parametrize(
    ("took", "arguments"),
    [
        pytest.param({"input": "{'sku': 'A'}"}, {"sku": "A"}, id="printed"),
        pytest.param({"sku": "A"}, {"sku": "A"}, id="structured"),
        pytest.param({"input": "A", "size": 9}, {"input": "A", "size": 9}, id="an argument of that name"),
    ],
)  # fmt: skip
def test_a_tool(took: Any, arguments: Any) -> None:
    message = {"content": "7 left", "type": "tool", "tool_call_id": "c1", "status": "success"}
    span = exported("tool", took, {"output": message}, name="stock")
    assert span.tool == ToolFact(name="stock", call_id="c1", arguments=arguments, result="7 left")


def test_a_chain() -> None:
    span = returned("chain", {"input": QUESTION}, {"output": ANSWER})
    assert (span.kind, span.input_text, span.output_text) == (SpanKind.OTHER, QUESTION, ANSWER)


def test_steps_of_a_graph() -> None:
    node = {"langsmith.metadata.langgraph_node": "router"}
    state = {"messages": [{"type": "human", "content": QUESTION}]}
    router = returned("chain", state, {"route": "returns"}, name="router", **node)
    assert router.route == RouteFact(chosen=("returns",), inferred=True)
    edge = returned("chain", state, {"output": "rewrite"}, name="route_after", **node)
    assert (edge.kind, edge.route) == (SpanKind.ROUTER, RouteFact(chosen=("rewrite",)))


def test_an_agent_is_named_by_metadata() -> None:
    named = {"langsmith.metadata.lc_agent_name": "returns_agent"}
    assert returned("llm", {}, {}, **named).agent == "returns_agent"


def test_a_failed_run() -> None:
    span = made(
        {"langsmith.run_type": "tool", "langsmith.inputs": {"sku": "A"}},
        name="stock",
        status="error",
        status_message="ValueError('no such sku')\n\nTraceback (most recent call last):\n  …",
    )
    assert span.error == "ValueError('no such sku')"
    assert span.tool is not None
    assert (span.tool.is_error, span.tool.result_capture) == (True, "not_captured")


@pytest.mark.parametrize("kind", ["prompt", "parser", "new_type"])
def test_other_types_do_no_stages_work(kind: str) -> None:
    assert returned(kind, {"a": 1}, {"b": 2}).kind is SpanKind.OTHER
