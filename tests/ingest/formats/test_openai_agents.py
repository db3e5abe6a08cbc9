"""The OpenAI Agents SDK's own export: spans wait for what is told of their trace."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ingest import Limits
from tests.ingest.formats.recorded import duplicates, given, one, read_whole, values
from tests.ingest.outcome import Outcome, read_bytes, read_paths

DATA = {"type": "function", "name": "search", "input": '{"query": "days off?"}', "output": "25"}


def span(number: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "object": "trace.span",
        "id": f"span_{number}",
        "trace_id": "trace_1",
        "parent_id": None,
        "started_at": "2026-01-01T00:00:00.000001+00:00",
        "ended_at": "2026-01-01T00:00:01.000000+00:00",
        "span_data": DATA,
        "error": None,
        **fields,
    }


def trace(**fields: Any) -> dict[str, Any]:
    told = {"workflow_name": "support", "group_id": "conv-1", "metadata": {"tenant": "t"}}
    return {"object": "trace", "id": "trace_1", **told, **fields}


def read(records: Sequence[object], folder: Path) -> Outcome:
    return read_bytes(folder, "\n".join(map(json.dumps, records)).encode())


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    error = {"message": "Error running tool", "data": {"tool_name": "search", "error": "late"}}
    found = read([span(2, parent_id="span_1", error=error)], tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.trace_id, made.span_id, made.parent_id) == ("trace_1", "span_2", "span_1")
    assert (made.name, made.status, made.status_message) == (
        "search",
        "error",
        "Error running tool",
    )
    assert (made.start_ns, made.end_ns) == (1_767_225_600_000_001_000, 1_767_225_601_000_000_000)
    assert made.attributes == {"openai_agents.span_data": DATA, "openai_agents.error": error}
    assert [source.format for source in found.reading.sources] == ["openai_agents"]


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([trace(), span(1), span(2)], id="before its spans"),
        pytest.param([span(1), span(2), trace()], id="behind its spans"),
        pytest.param([span(1), trace(), span(2)], id="between its spans"),
    ],
)
def test_what_is_told_of_a_trace_is_told_of_its_spans(records: list[Any], tmp_path: Path) -> None:
    found = read(records, tmp_path)
    assert found.losses == []
    assert [made.span_id for made in found.spans] == ["span_1", "span_2"]
    for made in found.spans:
        assert made.attributes["openai_agents.group_id"] == "conv-1"
        assert made.attributes["openai_agents.workflow_name"] == "support"
        assert made.attributes["openai_agents.metadata"] == {"tenant": "t"}
    [log] = found.logs
    assert (log.event.name, log.trace_id) == ("openai_agents.trace", "trace_1")
    assert log.event.attributes["openai_agents.group_id"] == "conv-1"


def test_traces_are_kept_apart(tmp_path: Path) -> None:
    other = [span(3, trace_id="trace_2"), trace(id="trace_2", group_id="conv-2")]
    found = read([span(1), other[0], trace(), other[1], span(4, trace_id="trace_3")], tmp_path)
    groups = {made.span_id: made.attributes.get("openai_agents.group_id") for made in found.spans}
    assert groups == {"span_1": "conv-1", "span_3": "conv-2", "span_4": None}


def test_spans_do_not_wait_without_bound(tmp_path: Path) -> None:
    lines = [*(json.dumps(span(number)) for number in range(9)), json.dumps(trace())]
    limits = Limits(record_bytes=4 * len(lines[0]))
    found = read_bytes(tmp_path, "\n".join(lines).encode(), limits)
    assert (len(found.spans), found.losses) == (9, [])
    assert "openai_agents.group_id" not in found.spans[0].attributes
    assert found.spans[-1].attributes["openai_agents.group_id"] == "conv-1"


def test_a_response_is_named_after_its_type(tmp_path: Path) -> None:
    [made] = read([span(span_data={"type": "response", "response_id": "resp_1"})], tmp_path).spans
    assert made.name == "response"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param(span(id=None), "bad_span_id", id="no id"),
        pytest.param({"object": "thread"}, "unknown_record", id="another object"),
        pytest.param(trace(id=""), "bad_trace_id", id="a trace without id"),
    ],
)
def test_a_bad_record_costs_itself(bad: Any, reason: str, tmp_path: Path) -> None:
    found = read([span(1), bad, trace(), span(2)], tmp_path)
    assert [made.span_id for made in found.spans] == ["span_1", "span_2"]
    assert found.reasons == [reason]


def test_a_bad_span_is_named_by_its_own_place(tmp_path: Path) -> None:
    records = [span(1), span(id=None), trace()]
    [loss] = read(records, tmp_path).losses
    assert loss.offset == len(json.dumps(records[0])) + 1


def test_recorded_export() -> None:
    path = given("generated-openai-agents/native_export.jsonl")
    raw = list(values(path))
    found = read_whole(path)
    spans = {item["id"]: item for item in raw if item["object"] == "trace.span"}
    assert (len(found.spans), len(found.logs), len(raw)) == (22, 2, 24)
    assert (len(found.traces), duplicates(path)) == (2, 0)
    for made in found.spans:
        item = spans[made.span_id]
        assert (made.trace_id, made.parent_id) == (item["trace_id"], item["parent_id"])
        assert made.attributes["openai_agents.span_data"] == item["span_data"]
        assert made.attributes["openai_agents.group_id"] == "conv-42"


def test_a_recorded_span() -> None:
    found = read_paths(given("generated-openai-agents/native_export.jsonl"))
    handoff = one(found.spans, "span_49609bc5f5e8481bbdbfb45b")
    assert (handoff.start_ns, handoff.end_ns) == (1795987529256651000, 1795987529257272000)
    assert handoff.attributes["openai_agents.span_data"] == {
        "type": "handoff",
        "from_agent": "triage_agent",
        "to_agent": "hr_agent",
    }
