"""Pydantic AI in the versions of its instrumentation."""

import json
from typing import Any

import pytest

from ingest.span import Message, RawEvent, Span, SpanKind, ToolFact, Usage
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."
CALL = {"id": "c1", "type": "function", "function": {"name": "stock", "arguments": '{"sku": "A"}'}}


def event(role: str, **fields: Any) -> dict[str, Any]:
    return {"event.name": f"gen_ai.{role}.message", "role": role, **fields}


def pydantic(attributes: dict[str, Any], **fields: Any) -> Span:
    return made(attributes, **{"scope_name": "pydantic-ai", **fields})


def test_an_agent_run_of_version_1() -> None:
    events = [
        event("user", content="Hello"),
        event("assistant", content="How may I help?"),
        event("user", content=QUESTION),
        event("assistant", tool_calls=[CALL]),
        event("tool", content="7 left", id="c1"),
        event("assistant", content=ANSWER),
    ]
    span = pydantic(
        {
            "agent_name": "shop_bot",
            "model_name": "m1",
            "all_messages_events": json.dumps(events),
            "final_result": ANSWER,
            "gen_ai.usage.input_tokens": 100,
            "gen_ai.usage.output_tokens": 20,
            "logfire.msg": "shop_bot run",
        },
        name="agent run",
    )
    assert (span.kind, span.agent, span.model) == (SpanKind.AGENT, "shop_bot", "m1")
    users = [m.text for m in span.input_messages or () if m.role == "user"]
    assert users == ["Hello", QUESTION]
    assert [m.text for m in span.output_messages or ()] == [ANSWER]
    assert (span.output_text, span.usage) == (ANSWER, Usage(input_tokens=100, output_tokens=20))


@pytest.mark.parametrize("mode", ["attributes", "logs"])
def test_a_chat_of_version_1(mode: str) -> None:
    choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": ANSWER}}
    if mode == "attributes":
        listed = [event("user", content=QUESTION), {"event.name": "gen_ai.choice", **choice}]
        span = pydantic({"gen_ai.operation.name": "chat", "events": json.dumps(listed)})
    else:
        logs = (
            RawEvent(name="gen_ai.user.message", body={"content": QUESTION, "role": "user"}),
            RawEvent(name="gen_ai.choice", body=choice),
        )
        span = pydantic({"gen_ai.operation.name": "chat"}, events=logs)
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert [m.text for m in span.output_messages or ()] == [ANSWER]


@pytest.mark.parametrize(
    ("name", "arguments", "response"),
    [
        pytest.param("running tool", "tool_arguments", "tool_response", id="version 2"),
        pytest.param(
            "execute_tool stock",
            "gen_ai.tool.call.arguments",
            "gen_ai.tool.call.result",
            id="version 3 and later",
        ),
    ],
)
def test_a_tool(name: str, arguments: str, response: str) -> None:
    span = pydantic(
        {
            "gen_ai.tool.name": "stock",
            "gen_ai.tool.call.id": "c1",
            arguments: '{"sku": "A"}',
            response: "7 left",
        },
        name=name,
    )
    assert span.kind is SpanKind.TOOL
    assert span.tool == ToolFact(
        name="stock", call_id="c1", arguments={"sku": "A"}, result="7 left"
    )


def test_the_tools_of_one_step_are_no_tool() -> None:
    span = pydantic({"tools": ["stock"], "logfire.msg": "running 1 tool"}, name="running tools")
    assert (span.kind, span.tool) == (SpanKind.OTHER, None)


def test_a_structured_result() -> None:
    attributes = {"agent_name": "a", "final_result": '{"answer": "30 days", "sources": ["r1"]}'}
    span = pydantic({**attributes, "gen_ai.operation.name": "invoke_agent"})
    assert span.output_text == "30 days"
    assert span.output_value == {"answer": "30 days", "sources": ["r1"]}
