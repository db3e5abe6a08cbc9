"""Names that change within one export: each span is read by its own, whatever its neighbours say."""

import json
from typing import Any

import pytest

from ingest.span import RawSpan, Value
from tests.traces.expectations import Expected, assembled, seen

QUESTION, ANSWER = "How long may I return shoes?", "30 days."


def parts(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


CALLS: dict[str, dict[str, Value]] = {
    "messages": {
        "gen_ai.input.messages": parts("user", QUESTION),
        "gen_ai.output.messages": parts("assistant", ANSWER),
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.output_tokens": 2,
    },
    "leaves": {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": QUESTION,
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": ANSWER,
        "gen_ai.usage.prompt_tokens": 9,
        "gen_ai.usage.completion_tokens": 2,
    },
    "new input, old output": {
        "gen_ai.input.messages": parts("user", QUESTION),
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": ANSWER,
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.completion_tokens": 2,
    },
}  # fmt: skip
TOOLS: dict[str, dict[str, Value]] = {
    "standard": {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "stock",
        "gen_ai.tool.call.arguments": '{"sku": "A"}',
        "gen_ai.tool.call.result": "7",
    },
    "version 2 of pydantic ai": {
        "gen_ai.tool.name": "stock",
        "tool_arguments": '{"sku": "A"}',
        "tool_response": "7",
    },
    "openinference": {
        "openinference.span.kind": "TOOL",
        "tool.name": "stock",
        "input.value": "{'sku': 'A'}",
        "output.value": "7",
    },
}
AGENTS: dict[str, dict[str, Value]] = {
    "standard": {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shop"},
    "openinference": {"openinference.span.kind": "AGENT", "agent.name": "shop"},
    "openllmetry": {"traceloop.span.kind": "agent", "traceloop.entity.name": "shop"},
}


def span(number: int, parent: int | None, attributes: dict[str, Value], name: str) -> RawSpan:
    fields: dict[str, Any] = {"parent_id": None if parent is None else f"s{parent}"}
    start = 10 * number
    return RawSpan(
        trace_id="t1", span_id=f"s{number}", name=name, start_ns=start, end_ns=start + 5,
        attributes=attributes, **fields,
    )  # fmt: skip


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("call", CALLS)
def test_every_span_by_its_own_names(agent: str, tool: str, call: str) -> None:
    model: dict[str, Value] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
    [turn] = assembled(
        [
            span(1, None, AGENTS[agent], "shop"),
            span(2, 1, TOOLS[tool], "execute_tool stock"),
            span(3, 1, model | CALLS[call], "chat m"),
        ]
    )
    assert seen(turn) == Expected(
        question=QUESTION,
        answer=ANSWER,
        agents="shop",
        tools=(("stock", {"sku": "A"}, "ok"),),
        tokens=(9, 2),
    )
