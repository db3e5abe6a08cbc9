import json
from typing import Any

import pytest

from ingest.span import HandoffFact, Span, SpanKind, ToolFact, ToolRequest, ToolResponse, Usage
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."
REQUEST: dict[str, Any] = {
    "model": "m1",
    "config": {
        "system_instruction": "Be short.",
        "tools": [{"function_declarations": [{"name": "stock", "description": "Looks up stock."}]}],
    },
    "contents": [
        {"role": "user", "parts": [{"text": QUESTION}]},
        {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "stock", "args": {"sku": "A"}}}]},
        {"role": "user", "parts": [{"function_response": {"id": "c1", "name": "stock", "response": {"result": "7 left"}}}]},
    ],
}  # fmt: skip
RESPONSE = {"content": {"role": "model", "parts": [{"text": ANSWER}]}, "finish_reason": "STOP"}


def adk(name: str, **attributes: Any) -> Span:
    told = {f"gcp.vertex.agent.{key}": json.dumps(value) for key, value in attributes.items()}
    return made({"gen_ai.system": "gcp.vertex.agent", **told}, name=name)


def test_a_call() -> None:
    span = made(
        {
            "gcp.vertex.agent.llm_request": json.dumps(REQUEST),
            "gcp.vertex.agent.llm_response": json.dumps(RESPONSE),
            "gcp.vertex.agent.session_id": "conv-42",
            "gen_ai.request.model": "m1",
            "gen_ai.usage.input_tokens": 100,
        },
        name="call_llm",
    )
    assert (span.kind, span.model, span.conversation_id) == (SpanKind.LLM, "m1", "conv-42")
    assert (span.instructions, span.usage) == ("Be short.", Usage(input_tokens=100))
    assert [tool.name for tool in span.tools_available or ()] == ["stock"]
    asked, called, answered = span.input_messages or ()
    assert (asked.role, asked.text) == ("user", QUESTION)
    assert called.tool_requests == (
        ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"}),
    )  # fmt: skip
    assert answered.role == "tool"
    assert answered.tool_responses == (
        ToolResponse(call_id="c1", name="stock", result={"result": "7 left"}),
    )
    assert [m.text for m in span.output_messages or ()] == [ANSWER]


@pytest.mark.parametrize("name", ["call_llm", "generate_content m1"])
def test_content_that_is_switched_off(name: str) -> None:
    span = adk(name, llm_request={}, llm_response={})
    assert (span.kind, span.content) == (SpanKind.LLM, "not_captured")
    assert (span.input_messages, span.output_messages) == (None, None)


@pytest.mark.parametrize(
    ("response", "result"),
    [
        ({"result": "7 left"}, "7 left"),
        ({"result": {"left": 7}}, {"left": 7}),
        ({"result": "a", "more": "b"}, {"result": "a", "more": "b"}),
        ({"left": 7}, {"left": 7}),
    ],
)
def test_a_tool(response: Any, result: Any) -> None:
    span = made(
        {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "stock",
            "gen_ai.tool.call.id": "c1",
            "gcp.vertex.agent.llm_request": "{}",
            "gcp.vertex.agent.tool_call_args": '{"sku": "A"}',
            "gcp.vertex.agent.tool_response": json.dumps(response),
        },
        name="execute_tool stock",
    )
    assert (span.kind, span.tool) == (
        SpanKind.TOOL,
        ToolFact(name="stock", call_id="c1", arguments={"sku": "A"}, result=result),
    )


def test_a_transfer_is_a_handoff() -> None:
    span = adk("execute_tool transfer_to_agent", tool_call_args={"agent_name": "hr_agent"})
    assert span.handoff == HandoffFact(target="hr_agent")


def test_merged_tools_are_recorded_twice() -> None:
    span = adk("execute_tool (merged tools)", tool_response={"a": 1})
    assert (span.kind, span.synthetic) == (SpanKind.TOOL, True)


def test_an_agent_of_older_releases() -> None:
    span = made({}, name="agent_run [hr_agent]")
    assert (span.kind, span.agent) == (SpanKind.AGENT, "hr_agent")


def test_an_invocation_frames() -> None:
    span = made({}, name="invocation", scope_name="gcp.vertex.agent")
    assert (span.kind, span.conventions) == (SpanKind.OTHER, ("google_adk",))
