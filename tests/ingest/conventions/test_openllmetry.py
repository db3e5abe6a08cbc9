import json
from typing import Any

import pytest

from ingest.span import (
    Document,
    HandoffFact,
    Message,
    RawEvent,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolDefinition,
    ToolFact,
    Usage,
    Value,
)
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."


def langchain(kind: str, content: str) -> dict[str, Any]:
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", kind],
        "kwargs": {"content": content},
    }


def step(name: str, took: Value, gave: Value, **attributes: Any) -> Span:
    recorded = {
        "traceloop.span.kind": "task",
        "traceloop.entity.name": name,
        "traceloop.association.properties.thread_id": "conv-42",
        "gen_ai.operation.name": "execute_task",
        "traceloop.entity.input": json.dumps({"inputs": took, "tags": [], "metadata": {}, "kwargs": {}}),
        "traceloop.entity.output": json.dumps({"outputs": gave, "kwargs": {"tags": []}}),
    }  # fmt: skip
    return made({**recorded, **attributes}, name=f"execute_task {name}")


NODE = "traceloop.association.properties.langgraph_node"
STATE: Any = {"messages": [langchain("HumanMessage", QUESTION)]}


def test_a_run_of_a_graph() -> None:
    answered: Any = {"messages": [*STATE["messages"], langchain("AIMessage", ANSWER)]}
    span = step(
        "shop_bot",
        STATE,
        answered,
        **{"traceloop.span.kind": "workflow", "gen_ai.operation.name": "invoke_agent",
           "gen_ai.agent.name": "shop_bot"},
    )  # fmt: skip
    assert (span.kind, span.agent, span.conventions) == (
        SpanKind.AGENT,
        "shop_bot",
        ("openllmetry", "gen_ai"),
    )
    assert (span.conversation_id, span.content) == ("conv-42", "captured")
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert [m.text for m in span.output_messages or ()] == [QUESTION, ANSWER]
    assert (span.output_text, span.output_value) == (None, None)


def test_a_node_that_routes_and_its_edge() -> None:
    node = step("router", STATE, {"route": "returns"}, **{NODE: "router"})
    assert (node.kind, node.node) == (SpanKind.ROUTER, "router")
    assert node.route == RouteFact(chosen=("returns",), inferred=True)
    edge = step("RunnableCallable", STATE, "rewrite", **{NODE: "router"})
    assert (edge.kind, edge.route) == (SpanKind.ROUTER, RouteFact(chosen=("rewrite",)))


def test_a_node_that_rewrites_the_query() -> None:
    span = step("rewrite", STATE, {"query": "shoe returns"}, **{NODE: "rewrite"})
    assert (span.kind, span.refined_query) == (SpanKind.OTHER, "shoe returns")


@pytest.mark.parametrize(
    "attributes",
    [
        pytest.param({"gen_ai.operation.name": "vector_db_retrieve"}, id="by its operation"),
        pytest.param({"gen_ai.operation.name": None}, id="by name and documents, older releases"),
    ],
)
def test_a_retriever(attributes: dict[str, Value]) -> None:
    metadata = {"source": "returns/r1.md", "chunk_id": "r1"}
    span = made(
        {
            "traceloop.span.kind": "task",
            "traceloop.entity.name": "ShopRetriever",
            "traceloop.entity.input": '{"query": "shoe returns"}',
            "traceloop.entity.output": json.dumps(
                {"documents": [{"page_content": "Shoes: 30 days.", "metadata": metadata}], "count": 1}
            ),
            **attributes,
        }
    )  # fmt: skip
    assert span.kind is SpanKind.RETRIEVER
    assert span.retrieval == RetrievalFact(
        query="shoe returns",
        collection="returns",
        collection_inferred=True,
        documents=(Document(document_id="r1", text="Shoes: 30 days.", metadata=metadata),),
    )


@pytest.mark.parametrize(
    ("took", "arguments"),
    [
        pytest.param({"input_str": "{'sku': 'A', 'n': None}", "tags": [], "metadata": {}}, {"sku": "A", "n": None}, id="printed"),
        pytest.param({"input_str": "{'sku': 'A'}", "inputs": {"sku": "B"}, "kwargs": {}}, {"sku": "B"}, id="structured beside"),
        pytest.param({"input_str": "shoes", "tags": [], "metadata": {}}, "shoes", id="one text"),
        pytest.param({"input_str": "shoes", "size": 9}, {"input_str": "shoes", "size": 9}, id="an argument of that name"),
        pytest.param({"tags": ["x"], "sku": "A"}, {"tags": ["x"], "sku": "A"}, id="arguments called like parts of it"),
        pytest.param({"args": [], "kwargs": {"sku": "A"}}, {"sku": "A"}, id="decorated function"),
        pytest.param({"sku": "A"}, {"sku": "A"}, id="bare, as agents' own tools are"),
    ],
)  # fmt: skip
def test_arguments_of_a_tool(took: Value, arguments: Value) -> None:
    envelope = json.dumps(took)
    span = made(
        {
            "traceloop.span.kind": "tool",
            "traceloop.entity.name": "stock",
            "gen_ai.tool.description": "Looks up stock.",
            "gen_ai.tool.call.arguments": envelope,
            "traceloop.entity.input": envelope,
            "traceloop.entity.output": '{"output": "7 left", "kwargs": {}}',
        }
    )
    assert span.tool == ToolFact(
        name="stock",
        arguments=arguments,
        result="7 left",
        definition=ToolDefinition(name="stock", description="Looks up stock."),
    )


def test_a_tool_that_answers_with_a_message_and_fails() -> None:
    message = langchain("ToolMessage", "no such sku")
    message["kwargs"] |= {"tool_call_id": "c1", "status": "error"}
    span = made(
        {
            "traceloop.span.kind": "tool",
            "traceloop.entity.name": "stock",
            "traceloop.entity.output": json.dumps({"output": message, "kwargs": {}}),
        }
    )
    assert span.tool is not None
    assert (span.tool.call_id, span.tool.is_error, span.tool.error) == ("c1", True, "no such sku")
    assert span.tool.arguments_capture == "not_captured"


def test_a_failed_tool_without_a_result() -> None:
    span = made(
        {
            "traceloop.span.kind": "tool",
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "create_ticket",
            "gen_ai.task.status": "failure",
            "error.type": "ValueError",
        },
        status="error",
        events=(
            RawEvent(
                name="exception",
                attributes={"exception.type": "ValueError", "exception.message": "backend: 503"},
            ),
        ),
    )
    assert span.tool is not None
    assert (span.tool.is_error, span.tool.error) == (True, "ValueError: backend: 503")
    assert (span.tool.result, span.tool.result_capture) == (None, "not_captured")


def test_a_handoff_is_recorded_before_its_target_is_known() -> None:
    span = made(
        {
            "traceloop.span.kind": "handoff",
            "gen_ai.operation.name": "handoff",
            "gen_ai.handoff.from_agent": "triage",
            "gen_ai.agent.name": "triage",
        }
    )
    assert (span.kind, span.agent) == (SpanKind.ROUTER, "triage")
    assert span.handoff == HandoffFact(target=None, source="triage")


@pytest.mark.parametrize(
    ("kind", "name", "expected", "agent"),
    [
        ("agent", "hr.agent", SpanKind.AGENT, "hr"),
        ("workflow", "ask.workflow", SpanKind.OTHER, None),
        ("task", "clean.task", SpanKind.OTHER, None),
        ("unknown", "odd", SpanKind.OTHER, None),
    ],
)
def test_kinds_of_decorated_functions(
    kind: str, name: str, expected: SpanKind, agent: str | None
) -> None:
    span = made(
        {
            "traceloop.span.kind": kind,
            "traceloop.entity.input": json.dumps({"args": [], "kwargs": {"question": QUESTION}}),
            "traceloop.entity.output": json.dumps(ANSWER),
        },
        name=name,
    )
    assert (span.kind, span.agent) == (expected, agent)
    assert (span.input_text, span.output_text) == (QUESTION, ANSWER)


def test_model_calls_keep_the_standards_names() -> None:
    span = made(
        {
            NODE: "route",
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "unknown",
            "gen_ai.usage.input_tokens": 50,
            "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"{\\"route\\": \\"returns\\"}"}]}]',
        },
        name="M.chat",
    )  # fmt: skip
    assert (span.kind, span.model, span.usage) == (SpanKind.LLM, None, Usage(input_tokens=50))
    assert span.route == RouteFact(chosen=("returns",), inferred=True)


def test_leaves_of_older_releases() -> None:
    span = made(
        {
            "traceloop.workflow.name": "ask",
            "llm.request.type": "chat",
            "gen_ai.request.model": "m1",
            "gen_ai.prompt.0.role": "user",
            "gen_ai.prompt.0.content": QUESTION,
            "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.content": ANSWER,
            "llm.request.functions.0.name": "stock",
            "llm.request.functions.0.parameters": '{"type": "object"}',
        }
    )
    assert span.kind is SpanKind.LLM
    assert [m.text for m in span.input_messages or ()] == [QUESTION]
    assert [m.text for m in span.output_messages or ()] == [ANSWER]
    assert [t.name for t in span.tools_available or ()] == ["stock"]


def test_a_cut_envelope_is_marked() -> None:
    whole = json.dumps({"inputs": {"question": QUESTION}, "tags": [], "kwargs": {}})
    span = made({"traceloop.span.kind": "agent", "traceloop.entity.input": whole[:40]}, name="a")
    assert (span.content, span.flags) == ("truncated", ("truncated",))


def test_without_content() -> None:
    span = made({"traceloop.span.kind": "tool", "traceloop.entity.name": "stock"})
    assert (span.kind, span.content) == (SpanKind.TOOL, "not_captured")
