import json
from typing import Any

import pytest

from ingest.span import (
    HandoffFact,
    Message,
    Span,
    SpanKind,
    ToolFact,
    ToolRequest,
    Usage,
)
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."


def exported(kind: str, **data: Any) -> Span:
    span_data = {"type": kind, **data}
    return made({"openai_agents.span_data": span_data, "openai_agents.group_id": "conv-42"})


def passed_on(template: str, **data: Any) -> Span:
    """Record a span as Logfire passes it on: structures are JSON text."""
    told = {k: v if isinstance(v, str) else json.dumps(v) for k, v in data.items()}
    if "triggered" in data:
        told["triggered"] = data["triggered"]
    return made({"logfire.msg_template": template, "gen_ai.system": "openai", **told})


AGENT = {"name": "triage", "handoffs": ["HR agent", "it_agent"], "tools": ["stock"]}


@pytest.mark.parametrize(
    "span",
    [
        pytest.param(exported("agent", **AGENT), id="exported"),
        pytest.param(passed_on("Agent run: {name!r}", **AGENT), id="by Logfire"),
    ],
)
def test_an_agent_and_what_it_was_offered(span: Span) -> None:
    assert (span.kind, span.agent) == (SpanKind.AGENT, "triage")
    assert [tool.name for tool in span.tools_available or ()] == [
        "stock",
        "transfer_to_hr_agent",
        "transfer_to_it_agent",
    ]


def test_an_agent_that_does_not_tell_what_it_was_offered() -> None:
    assert exported("agent", name="a", tools=None, handoffs=None).tools_available is None
    assert exported("agent", name="a", tools=[], handoffs=[]).tools_available == ()


def test_a_generation() -> None:
    span = exported(
        "generation",
        input=[{"role": "system", "content": "Route."}, {"role": "user", "content": QUESTION}],
        output=[{"type": "function_call", "call_id": "c1", "id": "fc_1", "name": "stock", "arguments": '{"sku": "A"}'}],
        model="m1",
        usage={"input_tokens": 10, "output_tokens": 5},
    )  # fmt: skip
    assert (span.kind, span.model, span.conversation_id) == (SpanKind.LLM, "m1", "conv-42")
    assert span.usage == Usage(input_tokens=10, output_tokens=5)
    assert [m.role for m in span.input_messages or ()] == ["system", "user"]
    wish = ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"})
    assert span.output_messages == (Message(role="assistant", tool_requests=(wish,)),)


def test_a_response_without_texts() -> None:
    span = exported("response", response_id="resp_1")
    assert (span.kind, span.content) == (SpanKind.LLM, "not_captured")


FUNCTION = {"name": "stock", "input": '{"sku": "A"}', "output": "7 left"}


@pytest.mark.parametrize(
    "span",
    [
        pytest.param(exported("function", **FUNCTION), id="exported"),
        pytest.param(passed_on("Function: {name}", **FUNCTION), id="by Logfire"),
    ],
)
def test_a_function(span: Span) -> None:
    assert span.kind is SpanKind.TOOL
    assert span.tool == ToolFact(name="stock", arguments={"sku": "A"}, result="7 left")


def test_a_function_of_an_mcp_server_answers_with_a_text_part() -> None:
    span = exported("function", name="stock", input="{}", output={"type": "text", "text": "7 left"})
    assert span.tool == ToolFact(name="stock", arguments={}, result="7 left")


def test_a_failure_that_the_sdk_turned_into_an_answer() -> None:
    span = passed_on(
        "Function: {name}",
        name="stock",
        input={},
        output="An error occurred while running the tool.",
        error={"message": "Error running tool (non-fatal)", "data": {"error": "no stock"}},
    )
    assert span.tool is not None
    assert (span.error, span.tool.is_error, span.tool.error) == ("no stock", True, "no stock")


@pytest.mark.parametrize(
    ("error", "expected"),
    [({"message": "refused"}, "refused"), ({"message": None}, None), ("oops", None), (None, None)],
)
def test_words_of_an_error(error: Any, expected: str | None) -> None:
    assert exported("custom", error=error).error == expected


@pytest.mark.parametrize(
    "span",
    [
        pytest.param(exported("handoff", from_agent="triage", to_agent="hr"), id="exported"),
        pytest.param(
            passed_on("Handoff: {from_agent} → {to_agent}", from_agent="triage", to_agent="hr"),
            id="by Logfire",
        ),
    ],
)
def test_a_handoff(span: Span) -> None:
    assert span.kind is SpanKind.ROUTER
    assert span.handoff == HandoffFact(target="hr", source="triage")


@pytest.mark.parametrize(
    ("verdict", "flag"), [({"triggered": True}, "off_topic"), ({"triggered": False}, None)]
)
def test_a_guardrail(verdict: dict[str, Any], flag: str | None) -> None:
    for span in (
        exported("guardrail", name="off_topic", **verdict),
        passed_on("Guardrail {name!r} {triggered=}", name="off_topic", **verdict),
    ):
        assert (span.kind, span.policy_flag) == (SpanKind.GUARDRAIL, flag)


def test_a_group_is_a_conversation_and_none_is_none() -> None:
    named = passed_on("OpenAI Agents trace: {name}", name="w", group_id="conv-42")
    assert (named.kind, named.conversation_id) == (SpanKind.OTHER, "conv-42")
    assert passed_on("OpenAI Agents trace: {name}", name="w", group_id=None).conversation_id is None


@pytest.mark.parametrize("kind", ["custom", "mcp_tools", "new_type"])
def test_other_types_do_no_stages_work(kind: str) -> None:
    span = exported(kind, name="turn", data={"usage": {"input_tokens": 10}})
    assert (span.kind, span.usage, span.synthetic) == (SpanKind.OTHER, None, False)


@pytest.mark.parametrize("kind", ["speech", "transcription"])
def test_voices_hold_the_texts_again(kind: str) -> None:
    assert exported(kind, input="…", output=ANSWER).synthetic
