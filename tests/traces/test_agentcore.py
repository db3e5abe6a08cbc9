"""Agents in Bedrock AgentCore: spans in one log group, their content in the records of another.

Both as the AWS distribution of OpenTelemetry writes them for Strands: a content is the JSON
text of its parts, inside an object, and a tool's arguments and result are messages, too.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stages.records import Turn
from tests.traces.expectations import Expected, assembled, seen
from tests.traces.loading import read

TRACE = "6a74fd19607936851cc91fef1506624f"
START = 1_767_225_600_000_000_000
QUESTION, ANSWER = "How many boots are left?", "Seven pairs are left."
WISH = [{"toolUse": {"name": "stock", "toolUseId": "c1", "input": {"sku": "A"}}}]


def base(number: int) -> dict[str, Any]:
    return {
        "resource": {"attributes": {"service.name": "shop.DEFAULT"}},
        "scope": {"name": "strands.telemetry.tracer", "version": ""},
        "traceId": TRACE,
        "spanId": f"{number:016x}",
    }


def span(number: int, parent: int | None, name: str, **attributes: Any) -> dict[str, Any]:
    return {
        **base(number),
        "parentSpanId": None if parent is None else f"{parent:016x}",
        "name": name,
        "kind": "INTERNAL",
        "startTimeUnixNano": START + number * 1_000_000,
        "endTimeUnixNano": START + number * 1_000_000 + (900_000 if parent else 9_000_000),
        "attributes": {"session.id": "c-1", "gen_ai.system": "strands-agents", **attributes},
        "status": {"code": "OK"},
    }


def record(number: int, inputs: list[Any], outputs: list[Any]) -> dict[str, Any]:
    return {
        **base(number),
        "timeUnixNano": START + number * 1_000_000 + 900_000,
        "observedTimeUnixNano": START + number * 1_000_000 + 1_000_000,
        "severityNumber": 9,
        "severityText": "",
        "body": {"output": {"messages": outputs}, "input": {"messages": inputs}},
        "attributes": {"event.name": "strands.telemetry.tracer", "session.id": "c-1"},
        "flags": 1,
    }


def said(role: str, key: str, parts: list[Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "content": {key: json.dumps(parts), **more}}


USER = said("user", "content", [{"text": QUESTION}])
SPANS = [
    span(1, None, "invoke_agent shop", **{"gen_ai.operation.name": "invoke_agent"})
    | {"parentSpanId": "00000000000000ff"},  # the runtime's own, not exported
    span(2, 1, "chat", **{"gen_ai.operation.name": "chat", "gen_ai.request.model": "m1"})
    | {"attributes": {"session.id": "c-1", "gen_ai.system": "strands-agents",
                      "gen_ai.operation.name": "chat", "gen_ai.request.model": "m1",
                      "gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 5}},
    span(3, 1, "execute_tool stock", **{"gen_ai.operation.name": "execute_tool",
                                        "gen_ai.tool.name": "stock", "gen_ai.tool.call.id": "c1"}),
    span(4, 1, "chat", **{"gen_ai.operation.name": "chat", "gen_ai.request.model": "m1",
                          "gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 7}),
]  # fmt: skip
SPANS[0]["attributes"]["gen_ai.agent.name"] = "shop"
RESULT = [{"text": "7 left"}]
RECORDS = [
    record(1, [USER], [{"role": "assistant", "content": {"message": ANSWER, "finish_reason": "end_turn"}}]),
    record(2, [USER], [said("assistant", "message", WISH, finish_reason="tool_use")]),
    record(
        3,
        [{"role": "tool", "content": {"content": '{"sku": "A"}', "role": "tool", "id": "c1"}}],
        [{"role": "assistant", "content": {"message": json.dumps(RESULT), "id": "c1"}}],
    ),
    record(4, [USER], [said("assistant", "message", [{"text": ANSWER}], finish_reason="end_turn")]),
]  # fmt: skip
WHOLE = Expected(
    question=QUESTION,
    answer=ANSWER,
    agents="shop",
    tools=(("stock", {"sku": "A"}, "ok"),),
    tokens=(50, 12),
)


def turn_of(folder: Path, *groups: list[dict[str, Any]]) -> Turn:
    for number, group in enumerate(groups):
        text = "\n".join(map(json.dumps, group))
        (folder / f"group-{number}.jsonl").write_text(text, "utf-8")
    [turn] = assembled(read(folder))
    assert turn.conversation_id == "c-1"
    return turn


@pytest.mark.parametrize("reverse", [False, True], ids=["spans first", "records first"])
def test_spans_and_their_records_in_two_files(reverse: bool, tmp_path: Path) -> None:  # noqa: FBT001
    groups = [RECORDS, SPANS] if reverse else [SPANS, RECORDS]
    turn = turn_of(tmp_path, *groups)
    assert seen(turn) == WHOLE
    assert [str(call.result) for call in turn.tool_calls] == ["7 left"]


def test_spans_without_their_records_are_a_state(tmp_path: Path) -> None:
    turn = turn_of(tmp_path, SPANS)
    assert seen(turn) == replace(
        WHOLE, question=None, answer=None, tools=(("stock", None, "unknown"),)
    )
    assert {gap.reason for gap in turn.gaps} >= {"question_not_captured", "answer_not_captured"}


def test_records_without_their_spans_make_the_turn(tmp_path: Path) -> None:
    row = seen(turn_of(tmp_path, RECORDS))
    assert (row.question, row.answer) == (QUESTION, ANSWER)
