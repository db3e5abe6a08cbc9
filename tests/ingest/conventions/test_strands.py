"""Strands by itself, and its content as AWS keeps it: in log records."""

import json
from typing import Any

import pytest

from ingest.batch import RawLog
from ingest.conventions import to_span
from ingest.conventions.stray_logs import spans_of_logs
from ingest.span import (
    HandoffFact,
    Message,
    RawEvent,
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
USE = {"toolUse": {"toolUseId": "c1", "name": "stock", "input": {"sku": "A"}}}
RESULT = {"toolResult": {"toolUseId": "c1", "status": "success", "content": [{"text": "7 left"}]}}
DETAILS = "gen_ai.client.inference.operation.details"


def strands(operation: str, *events: RawEvent, name: str = "", **attributes: Any) -> Span:
    told = {f"gen_ai.{key.replace('__', '.')}": value for key, value in attributes.items()}
    return made(
        {"gen_ai.system": "strands-agents", "gen_ai.operation.name": operation, **told},
        name=name or operation,
        events=events,
        scope_name="strands.telemetry.tracer",
    )


def event(name: str, time: int, **attributes: Any) -> RawEvent:
    told = {k: v if isinstance(v, str) else json.dumps(v) for k, v in attributes.items()}
    return RawEvent(name=name, time_ns=time, attributes=told)


def test_an_agent() -> None:
    span = strands(
        "invoke_agent",
        event("gen_ai.user.message", 1, content=[{"text": QUESTION}]),
        event("gen_ai.choice", 2, message=ANSWER, finish_reason="end_turn"),
        agent__name="Shop",
        agent__tools=json.dumps(["stock", "search"]),
        agent__system_prompt="Be short.",
        usage__input_tokens=100,
    )
    assert (span.kind, span.agent, span.instructions) == (SpanKind.AGENT, "Shop", "Be short.")
    assert [tool.name for tool in span.tools_available or ()] == ["stock", "search"]
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert [(m.text, m.finish_reason) for m in span.output_messages or ()] == [(ANSWER, "end_turn")]
    assert span.usage == Usage(input_tokens=100)


def test_a_call_in_single_events() -> None:
    span = strands(
        "chat",
        event("gen_ai.user.message", 1, content=[{"text": QUESTION}]),
        event("gen_ai.assistant.message", 2, content=[USE]),
        event("gen_ai.tool.message", 3, content=[RESULT]),
        event("gen_ai.choice", 4, message=[{"text": ANSWER}], finish_reason="end_turn"),
        server__time_to_first_token=250,
    )
    asked, called, answered = span.input_messages or ()
    assert (asked.text, called.tool_requests, answered.tool_responses) == (
        QUESTION,
        (ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"}),),
        (ToolResponse(call_id="c1", name=None, result="7 left"),),
    )
    assert [m.text for m in span.output_messages or ()] == [ANSWER]
    assert span.first_output_ms == 250


WISH = {
    "role": "tool",
    "parts": [{"type": "tool_call", "id": "c1", "name": "stock", "arguments": {"sku": "A"}}],
}
REPLY = {
    "role": "tool",
    "parts": [{"type": "tool_call_response", "id": "c1", "response": [{"text": "7 left"}]}],
}


@pytest.mark.parametrize(
    "events",
    [
        pytest.param(
            (
                event("gen_ai.tool.message", 1, role="tool", content={"sku": "A"}, id="c1"),
                event("gen_ai.choice", 2, message=[{"text": "7 left"}], id="c1"),
            ),
            id="single events",
        ),
        pytest.param(
            (
                event(DETAILS, 1, **{"gen_ai.input.messages": [WISH]}),
                event(DETAILS, 2, **{"gen_ai.output.messages": [REPLY]}),
            ),
            id="whole lists",
        ),
    ],
)  # fmt: skip
def test_a_tool(events: tuple[RawEvent, ...]) -> None:
    span = strands("execute_tool", *events, tool__name="stock", tool__call__id="c1")
    assert span.tool == ToolFact(
        name="stock", call_id="c1", arguments={"sku": "A"}, result="7 left"
    )


def test_a_tool_that_says_it_failed() -> None:
    span = strands(
        "execute_tool",
        event("gen_ai.choice", 2, message=[{"text": "no such sku"}]),
        tool__name="stock",
        tool__status="error",
    )
    assert span.tool is not None
    assert (span.tool.is_error, span.tool.error) == (True, "no such sku")


def test_a_handoff_in_a_swarm() -> None:
    arguments = {"agent_name": "returns", "message": "please"}
    span = strands(
        "execute_tool",
        event("gen_ai.tool.message", 1, content=arguments),
        tool__name="handoff_to_agent",
        agent__name="triage",
    )
    assert span.handoff == HandoffFact(target="returns", source="triage")


def test_a_group_of_agents_is_none() -> None:
    span = strands(
        "invoke_swarm", event("gen_ai.user.message", 1, content=QUESTION), agent__name="swarm"
    )
    assert (span.kind, span.agent) == (SpanKind.OTHER, None)
    assert [m.text for m in span.input_messages or ()] == [QUESTION]


# Log records


def log(span_id: str | None, time: int, body: Any, **attributes: Any) -> RawLog:
    event = RawEvent(
        name="strands.telemetry.tracer", time_ns=time, attributes=attributes, body=body
    )
    return RawLog(event=event, trace_id="t1", span_id=span_id)


BODY: dict[str, Any] = {
    "input": {"messages": [{"role": "user", "content": {"content": json.dumps([{"text": QUESTION}])}}]},
    "output": {
        "messages": [
            {
                "role": "assistant",
                "content": {"message": json.dumps([{"text": ANSWER}]), "finish_reason": "end_turn"},
            }
        ]
    },
}  # fmt: skip


def test_a_record_joined_to_its_span() -> None:
    span = made({"gen_ai.operation.name": "chat"}, events=(log("a1", 5, BODY).event,))
    assert [m.text for m in span.input_messages or ()] == [QUESTION]
    assert [m.text for m in span.output_messages or ()] == [ANSWER]


def test_a_record_without_its_span_is_a_model_call() -> None:
    (raw,) = spans_of_logs([log("a1", 5, BODY, **{"session.id": "conv-42"}), log("a1", 9, BODY)])
    assert (raw.span_id, raw.start_ns, raw.end_ns, raw.flags) == ("a1", 5, 9, ("made_of_logs",))
    span = to_span(raw)
    assert (span.kind, span.conversation_id) == (SpanKind.LLM, "conv-42")
    assert [m.text for m in span.input_messages or ()] == [QUESTION]
    assert [m.text for m in span.output_messages or ()] == [ANSWER]


@pytest.mark.parametrize(
    "stray",
    [
        pytest.param(log(None, 5, BODY), id="of no span"),
        pytest.param(log("a1", 5, "GET /health 200"), id="of anything else"),
        pytest.param(log("a1", 5, {"input": "text"}), id="without messages"),
    ],
)
def test_other_records_are_no_spans(stray: RawLog) -> None:
    assert spans_of_logs([stray]) == ()
