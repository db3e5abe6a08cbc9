import json
from typing import Any

import pytest

from ingest.span import (
    Document,
    HandoffFact,
    RawEvent,
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
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."


def monocle(
    kind: str, *entities: dict[str, Any], took: Any = None, gave: Any = None, **fields: Any
) -> Span:
    attributes: dict[str, Any] = {
        "monocle_apptrace.version": "0.7.0",
        "span.type": kind,
        "scope.agentic.session": "conv-42",
        "entity.count": len(entities),
    }
    for position, entity in enumerate(entities, start=1):
        attributes |= {f"entity.{position}.{key}": value for key, value in entity.items()}
    events = [RawEvent(name="metadata", attributes=fields.pop("metadata", {}))]
    if took is not None:
        events.append(RawEvent(name="data.input", attributes={"input": took}))
    if gave is not None:
        events.append(RawEvent(name="data.output", attributes={"response": gave}))
    return made(attributes, events=tuple(events), **fields)


AGENT = {"name": "returns_agent", "type": "agent.langgraph"}


def test_a_turn_and_the_agents_in_it() -> None:
    turn = monocle("agentic.turn", {"type": "agent.langgraph"}, took=[QUESTION], gave=ANSWER)
    assert (turn.kind, turn.agent, turn.conversation_id) == (SpanKind.AGENT, None, "conv-42")
    assert (turn.input_text, turn.output_text) == (QUESTION, ANSWER)
    inner = monocle("agentic.invocation", AGENT, took=QUESTION, gave=ANSWER)
    assert (inner.kind, inner.agent, inner.input_text) == (
        SpanKind.AGENT,
        "returns_agent",
        QUESTION,
    )


def test_entities_in_a_list() -> None:
    attributes = {"span.type": "agentic.invocation", "entity": [AGENT], "entity.count": 1}
    assert made(attributes).agent == "returns_agent"


def test_a_delegation() -> None:
    span = monocle("agentic.delegation", {**AGENT, "from_agent": "triage", "to_agent": "returns"})
    assert (span.kind, span.handoff) == (
        SpanKind.ROUTER,
        HandoffFact(target="returns", source="triage"),
    )


def entries(*told: Any) -> list[str]:
    return [json.dumps(entry) for entry in told]


def test_a_model_call() -> None:
    call = {"tool_id": "c2", "tool_name": "stock", "tool_arguments": '{"sku": "B"}'}
    span = monocle(
        "inference.framework",
        {"type": "inference.openai", "provider_name": "api.openai.com"},
        {"name": "m1", "type": "model.llm.m1"},
        took=entries(
            {"system": "Be short."},
            {"user": [{"type": "text", "text": QUESTION}]},
            {"tool_function": "stock", "tool_arguments": '{"sku": "A"}', "call_id": "c1"},
            {"call_id": "c1", "output": "7 left"},
        ),
        gave=json.dumps({"tools": [call]}),
        metadata={"prompt_tokens": 50, "completion_tokens": 12, "finish_reason": "tool_calls"},
    )
    assert (span.kind, span.model, span.finish_reason) == (SpanKind.LLM, "m1", "tool_calls")
    assert span.usage == Usage(input_tokens=50, output_tokens=12)
    system, asked, called, answered = span.input_messages or ()
    assert (system.role, asked.text) == ("system", QUESTION)
    assert called.tool_requests == (
        ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"}),
    )  # fmt: skip
    assert answered.tool_responses == (ToolResponse(call_id="c1", name=None, result="7 left"),)
    assert [m.tool_requests for m in span.output_messages or ()] == [
        (ToolRequest(call_id="c2", name="stock", arguments={"sku": "B"}),)
    ]


TRANSFER = {"name": "transfer_to_returns", "args": {}, "id": "c1", "type": "tool_call"}


@pytest.mark.parametrize(
    ("gave", "text", "wishes"),
    [
        pytest.param({"assistant": ANSWER}, ANSWER, [], id="a text"),
        pytest.param({"ai": TRANSFER}, None, ["transfer_to_returns"], id="a call"),
        pytest.param({"ai": json.dumps([TRANSFER])}, None, ["transfer_to_returns"], id="calls as text"),
        pytest.param({"model": "[1] and [2] agree."}, "[1] and [2] agree.", [], id="a text in brackets"),
        pytest.param(ANSWER, ANSWER, [], id="a text without a role"),
        pytest.param({"assistant": None}, None, [], id="nothing captured"),
    ],
)  # fmt: skip
def test_what_a_model_wrote(gave: Any, text: str | None, wishes: list[str]) -> None:
    span = monocle("inference", {"type": "inference.openai"}, gave=json.dumps(gave))
    (written,) = span.output_messages or ()
    assert (written.role, written.text) == ("assistant", text)
    assert [request.name for request in written.tool_requests] == wishes


def test_a_call_that_is_recorded_once_more_without_content() -> None:
    bare = made({"span.type": "inference.modelapi", "scope.agentic.session": "conv-42"})
    assert (bare.kind, bare.synthetic) == (SpanKind.LLM, True)
    assert not monocle("inference.modelapi", AGENT, gave='{"ai": "x"}').synthetic


def test_after_an_error_the_response_is_no_answer() -> None:
    words = "(content_filter) The response was filtered."
    span = monocle(
        "inference",
        {"type": "inference.azure"},
        took=[QUESTION],
        gave=words,
        status="error",
        status_message=words,
    )
    assert (span.output_messages, span.error, span.policy_flag) == (None, words, "content_filter")


@pytest.mark.parametrize(
    ("took", "arguments"),
    [
        pytest.param("{'sku': 'A'}", {"sku": "A"}, id="printed"),
        pytest.param(['{"sku": "A"}'], {"sku": "A"}, id="a list of one"),
        pytest.param(
            ["input: {'sku': 'A', 'security_context': {'agent': 'x'}}"], {"sku": "A"}, id="CrewAI"
        ),
        pytest.param("shoes", "shoes", id="a text"),
    ],
)
def test_a_tool(took: Any, arguments: Any) -> None:
    entity = {"name": "stock", "type": "tool.langgraph", "description": "Looks up stock."}
    span = monocle("agentic.tool.invocation", entity, AGENT, took=took, gave="7 left")
    assert (span.kind, span.agent) == (SpanKind.TOOL, "returns_agent")
    assert span.tool == ToolFact(
        name="stock",
        arguments=arguments,
        result="7 left",
        definition=ToolDefinition(name="stock", description="Looks up stock."),
    )


def test_a_tool_and_the_mcp_call_below_it_tell_the_same() -> None:
    part = {"type": "text", "text": '{"left": 7}', "annotations": None, "meta": None}
    outer = monocle(
        "agentic.tool.invocation", {"name": "stock"}, took='{"sku":"A"}', gave=json.dumps(part)
    )
    inner = monocle(
        "agentic.mcp.invocation", {"name": "stock"}, took=['{"sku": "A"}'], gave='{"left": 7}'
    )
    assert outer.tool == inner.tool == ToolFact(name="stock", arguments={"sku": "A"}, result={"left": 7})  # fmt: skip


@pytest.mark.parametrize(
    ("entity", "collection"),
    [
        ({"name": "knowledge_base", "type": "vectorstore.knowledge_base"}, None),
        ({"name": "Chroma", "type": "vectorstore.chroma"}, None),
        ({"name": "returns", "type": "vectorstore.chroma"}, "returns"),
    ],
)
def test_a_retrieval(entity: dict[str, Any], collection: str | None) -> None:
    found = {
        "retrieved_references": [{"content": "Shoes: 30 days.", "metadata": {"chunk_id": "r1"}}]
    }
    span = monocle(
        "retrieval", {"type": "retrieval.aws"}, entity, took=['"shoes"'], gave=json.dumps(found)
    )
    chunk = Document(document_id="r1", text="Shoes: 30 days.", metadata={"chunk_id": "r1"})
    assert span.retrieval == RetrievalFact(query="shoes", collection=collection, documents=(chunk,))  # fmt: skip


def test_a_retrieval_that_tells_only_what_was_made_of_it() -> None:
    span = monocle("retrieval", took=['"shoes"'], gave=json.dumps({"assistant": ANSWER}))
    assert span.retrieval == RetrievalFact(query="shoes", collection=None, documents=None)


def test_a_function_of_the_application() -> None:
    span = monocle(
        "custom",
        took=json.dumps({"args": [], "kwargs": {"question": QUESTION}}),
        gave=json.dumps({"result": "returns"}),
        name="route_question",
    )
    assert (span.kind, span.input_text) == (SpanKind.ROUTER, QUESTION)
    assert span.route == RouteFact(chosen=("returns",), inferred=True)


def test_a_workflow_frames_and_other_types_are_unknown() -> None:
    workflow = monocle("workflow", {"name": "app", "type": "workflow.langgraph"})
    assert (workflow.kind, workflow.agent) == (SpanKind.OTHER, None)
    assert monocle("http.process").conventions == ()
