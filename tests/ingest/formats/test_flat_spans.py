"""Plain span objects in any naming, alone, in lists, and in objects around them."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest import RawSpan
from tests.ingest.formats.recorded import duplicates, given, one, read_whole, values
from tests.ingest.outcome import Outcome, read_bytes, read_paths

START = 1_767_225_600_000_000_001


def span(**fields: Any) -> dict[str, Any]:
    return {
        "trace_id": "97847cb33dff13e46483685930f4e236",
        "span_id": "771ce4dcbd861745",
        "parent_span_id": None,
        "name": "search",
        "start_time": START,
        "end_time": START + 8,
        "attributes": {"query": "days off?"},
        "scope": {"name": "my.tracer", "version": "1.2"},
        "status": {"code": "OK"},
        "span_events": [{"name": "hit", "timestamp": START + 1, "attributes": {"id": "p-1"}}],
        **fields,
    }


def read(document: object, folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps(document).encode())


def only(fields: dict[str, Any], folder: Path) -> RawSpan:
    found = read([fields], folder)
    assert found.losses == []
    [made] = found.spans
    return made


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    made = only(span(parent_span_id="b5aaea6a8c6e066f"), tmp_path)
    assert (made.trace_id, made.span_id) == ("97847cb33dff13e46483685930f4e236", "771ce4dcbd861745")
    assert (made.parent_id, made.name) == ("b5aaea6a8c6e066f", "search")
    assert (made.start_ns, made.end_ns, made.status) == (START, START + 8, "ok")
    assert (made.scope_name, made.scope_version) == ("my.tracer", "1.2")
    assert made.attributes == {"query": "days off?"}
    [event] = made.events
    assert (event.name, event.time_ns, event.attributes) == ("hit", START + 1, {"id": "p-1"})


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(
            {
                "name": "search",
                "context": {"trace_id": 1, "span_id": 9, "is_remote": False},
                "parent": {"trace_id": 1, "span_id": 7, "is_remote": False},
                "start_time": START,
                "end_time": START + 8,
                "attributes": {"query": "days off?"},
            },
            id="snapshots of a test exporter",
        ),
        pytest.param(
            {
                "name": "search",
                "spanContext": {"traceId": "0" * 31 + "1", "spanId": "0" * 15 + "9"},
                "parentSpanContext": {"traceId": "0" * 31 + "1", "spanId": "0" * 15 + "7"},
                "startTime": [START // 10**9, START % 10**9],
                "endTime": [START // 10**9, START % 10**9 + 8],
                "kind": 0,
                "attributes": {"query": "days off?"},
            },
            id="JavaScript's readable spans",
        ),
        pytest.param(
            {
                "traceId": "0" * 31 + "1",
                "spanId": "0" * 15 + "9",
                "parentSpanId": "0" * 15 + "7",
                "name": "search",
                "kind": "INTERNAL",
                "startTimeUnixNano": START,
                "endTimeUnixNano": str(START + 8),
                "attributes": [{"key": "query", "value": {"stringValue": "days off?"}}],
            },
            id="OTLP spans without what is around them",
        ),
        pytest.param(
            {
                "span_name": "search",
                "trace_id": "0x" + "0" * 31 + "1",
                "span_id": "0x9",
                "parent_id": "0x7",
                "start_time": "2026-01-01T00:00:00.000000001Z",
                "end_time": "2026-01-01T00:00:00.000000009Z",
                "attributes": json.dumps({"query": "days off?"}),
            },
            id="a store that writes texts",
        ),
        pytest.param(
            {
                "context.trace_id": "0" * 31 + "1",
                "context.span_id": "0" * 15 + "9",
                "parent_id": "0" * 15 + "7",
                "name": "search",
                "start_time": "2026-01-01T01:00:00.000000001+01:00",
                "end_time": "2026-01-01 00:00:00.000000009",
                "attributes": {"query": "days off?"},
            },
            id="dotted names",
        ),
    ],
)
def test_other_names_say_the_same(fields: dict[str, Any], tmp_path: Path) -> None:
    made = only(fields, tmp_path)
    assert (made.trace_id, made.span_id) == ("0" * 31 + "1", "0" * 15 + "9")
    assert (made.parent_id, made.name) == ("0" * 15 + "7", "search")
    assert (made.start_ns, made.end_ns) == (START, START + 8)
    assert made.attributes == {"query": "days off?"}


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"status": {"code": "ERROR", "message": "late"}}, ("error", "late")),
        ({"status": {"status_code": "StatusCode.ERROR", "description": "late"}}, ("error", "late")),
        ({"status": {"code": 2}}, ("error", "")),
        ({"status": {"code": "ok", "message": None}}, ("ok", "")),
        ({"status": "STATUS_CODE_ERROR"}, ("error", "")),
        ({"status": None, "status_code": "OK", "status_message": "well"}, ("ok", "well")),
        ({"status": {}}, ("unset", "")),
        ({"status": [1]}, ("unset", "")),
    ],
    ids=str,
)
def test_status(status: dict[str, Any], expected: tuple[str, str], tmp_path: Path) -> None:
    made = only(span(**status), tmp_path)
    assert (made.status, made.status_message) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ({"kind": "SpanKind.CLIENT"}, "CLIENT"),
        ({"kind": "SPAN_KIND_CLIENT"}, "CLIENT"),
        ({"span_kind": "Client"}, "CLIENT"),
        ({"kind": 3}, "CLIENT"),
        ({"kind": 2, "spanContext": {}}, "CLIENT"),
        ({"span_kind": "LLM"}, "UNSPECIFIED"),
        ({}, "UNSPECIFIED"),
    ],
    ids=str,
)
def test_kinds(kind: dict[str, Any], expected: str, tmp_path: Path) -> None:
    assert only(span(**kind), tmp_path).otel_kind == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"end_time": None, "duration_ms": 1.5}, START + 1_500_000),
        ({"end_time": None, "duration": "PT1.5S"}, START + 1_500_000_000),
        ({"end_time": None, "durationNano": 8}, START + 8),
        ({"end_time": None}, None),
        ({"end_time": START - 5}, START - 5),
    ],
    ids=str,
)
def test_ends(fields: dict[str, Any], expected: int | None, tmp_path: Path) -> None:
    assert only(span(**fields), tmp_path).end_ns == expected


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        ({"resource": {"attributes": {"service.name": "shop"}, "schema_url": ""}}, "shop"),
        ({"resource": {"service.name": "shop"}}, "shop"),
        ({"resource_attributes": {"service.name": "shop"}}, "shop"),
        ({"service_name": "shop"}, "shop"),
        ({"resource": None}, None),
        ({"resource": "shop"}, None),
    ],
    ids=str,
)
def test_resources(resource: dict[str, Any], expected: str | None, tmp_path: Path) -> None:
    [made] = read([span(**resource)], tmp_path).spans
    assert made.service == expected


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(span(), id="alone"),
        pytest.param([span()], id="a list"),
        pytest.param([[span()], []], id="a list of lists"),
        pytest.param({"trace_id": "x", "total_tokens": 3, "spans": [span()]}, id="a trace"),
        pytest.param([{"test": "t", "spans": [span()]}, {"spans": []}], id="traces"),
        pytest.param({"traces": [{"spans": [span()]}]}, id="an object of traces"),
        pytest.param({"data": [span()], "next_cursor": None}, id="a page"),
    ],
)
def test_arrangements(document: object, tmp_path: Path) -> None:
    found = read(document, tmp_path)
    assert (found.losses, len(found.spans)) == ([], 1)
    assert [source.format for source in found.reading.sources] == ["flat_spans"]


def test_the_session_of_a_list_is_told_of_its_spans(tmp_path: Path) -> None:
    [made] = read({"session_id": "c-1", "spans": [span()]}, tmp_path).spans
    assert made.resource == {"session.id": "c-1"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param(span(span_id=None), "bad_span_id", id="no id"),
        pytest.param(span(trace_id="0" * 32), "zero_trace_id", id="zeros"),
        pytest.param(span(trace_id={"a": 1}), "bad_trace_id", id="an object for an id"),
        pytest.param("text", "bad_span", id="a text"),
        pytest.param(None, "bad_span", id="nothing"),
    ],
)
def test_a_bad_span_costs_itself(bad: object, reason: str, tmp_path: Path) -> None:
    document = {"spans": [span(), bad, span(span_id="2")]}
    found = read(document, tmp_path)
    assert [made.span_id for made in found.spans] == ["771ce4dcbd861745", "2"]
    assert found.reasons == [reason]
    assert json.dumps(document)[found.losses[0].offset :].startswith(json.dumps(bad))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"start_time": "soon"}, "bad_time", id="a time that is none"),
        pytest.param({"end_time": {"s": 1}}, "bad_time", id="a time of another shape"),
        pytest.param({"attributes": "no JSON {"}, "bad_attribute", id="attributes that are none"),
        pytest.param({"attributes": 7}, "bad_attribute", id="a number of attributes"),
        pytest.param({"span_events": ["hit"]}, "bad_attribute", id="an event that is none"),
    ],
)
def test_what_is_odd_is_repaired_and_told(
    fields: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    found = read([span(**fields)], tmp_path)
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [("repaired", reason)]
    assert found.spans[0].flags == (reason,)


@pytest.mark.parametrize(
    "document",
    [
        {"trace_id": "t", "span_id": "s", "message": "a log line", "timestamp": "2026-01-01"},
        {"trace_id": "t", "prompt": "a result", "start_time": 1},
        {"spans": [1, 2]},
        {"spans": {}},
        [{"name": "data.output", "timestamp": "2026-01-01T00:00:00Z", "attributes": {}}],
    ],
    ids=str,
)
def test_other_objects_are_no_spans(document: object, tmp_path: Path) -> None:
    found = read(document, tmp_path)
    assert (found.spans, found.reasons) == ([], ["not_a_trace_file"])


RECORDED = {
    "strands-live/adk_live_spans": (7, 1, 0, 0),
    "strands-live/autogen_live_spans": (3, 2, 0, 0),
    "strands-live/openai_agents_genai_live_spans": (17, 1, 0, 0),
    "strands-live/openai_agents_openinference_live_spans": (19, 1, 0, 0),
    "strands-live/openinference_live_spans": (6, 1, 0, 0),
    "strands-live/pydantic_ai_live_spans": (4, 1, 0, 0),
    "strands-live/smolagents_live_spans": (7, 1, 0, 0),
    "adot-cloudwatch/claude_adot_spans": (8, 1, 0, 0),
    "adot-cloudwatch/otel_genai_convention_spans": (5, 1, 2, 0),
    "monocle/642dbd9d0dfcfdbdc8849f67f34c8a19": (32, 1, 52, 0),
    "monocle/be1db02405333e449c16248d4b7a5057": (14, 1, 22, 0),
    # Every test of a suite begins with the same ids, and means another span.
    "logfire/test_litellm.snapshots": (2, 2, 0, 0),
    "logfire/test_openai.snapshots": (48, 2, 0, 45),
    "logfire/test_openai_agents_mcp.snapshots": (23, 4, 0, 0),
    "logfire/test_pydantic_ai_mcp.snapshots": (16, 2, 0, 0),
    "pydantic-ai/test_instrumented.snapshots": (5, 1, 1, 4),
    "vercel-openinference/ai-embed-doEmbed": (1, 1, 0, 0),
    "vercel-openinference/ai-generateObject": (1, 1, 0, 0),
    "vercel-openinference/ai-generateText": (2, 2, 0, 0),
    "vercel-openinference/ai-streamText-doStream": (1, 1, 2, 0),
}


def records(path: Path) -> list[dict[str, Any]]:
    """Return the span objects in a file, whatever is around them."""
    found: list[dict[str, Any]] = []
    waiting = list(values(path))
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, list):
            waiting = [*value, *waiting]
        elif "spans" in value:
            waiting = [*value["spans"], *waiting]
        else:
            found.append(value)
    return found


@pytest.mark.parametrize(
    ("name", "spans", "traces", "events", "repeated"),
    [(name, *numbers) for name, numbers in RECORDED.items()],
    ids=RECORDED,
)
def test_recorded_spans(name: str, spans: int, traces: int, events: int, repeated: int) -> None:
    path = given(f"{name}.json")
    found = read_whole(path)
    raw = records(path)
    assert len(found.spans) == len(raw) == spans
    assert len(found.traces) == traces
    assert sum(len(made.events) for made in found.spans) == events
    assert duplicates(path) == repeated
    for item, made in zip(raw, found.spans, strict=True):
        assert made.name == item.get("name", item.get("span_name"))
        assert made.attributes == item["attributes"]
        start = item.get("start_time")
        if isinstance(start, int):
            assert (made.start_ns, made.end_ns) == (start, item["end_time"])
        ids = item.get("context") or item.get("spanContext") or item
        trace_id, span_id = (
            v for k, v in ids.items() if k.lower().replace("_", "") in {"traceid", "spanid"}
        )
        if isinstance(trace_id, int):
            trace_id, span_id = f"{trace_id:032x}", f"{span_id:016x}"
        assert {made.trace_id, made.span_id} == {trace_id, span_id}


@pytest.mark.parametrize(
    ("name", "spans", "times"),
    [
        ("logfire/test_google_genai.snapshots", 7, 3),
        ("logfire/test_openai_agents.snapshots", 80, 4),
    ],
)
def test_recorded_times_that_are_placeholders_are_unknown(
    name: str, spans: int, times: int
) -> None:
    found = read_paths(given(f"{name}.json"))
    assert len(found.spans) == len(records(given(f"{name}.json"))) == spans
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [
        ("repaired", "bad_time")
    ] * times


def test_recorded_spans_of_several_producers() -> None:
    adk = one(read_paths(given("strands-live/adk_live_spans.json")).spans, "771ce4dcbd861745")
    assert (adk.parent_id, adk.scope_name) == ("b5aaea6a8c6e066f", "gcp.vertex.agent")
    assert (adk.start_ns, adk.end_ns) == (1784995767655639000, 1784995767656160000)
    stream = given("vercel-openinference/ai-streamText-doStream.json")
    [vercel] = read_paths(stream).spans
    assert vercel.start_ns == 1770132000598000000
    assert [event.time_ns for event in vercel.events] == [1770132001025056459, 1770132005983212750]
    monocle = read_paths(given("monocle/642dbd9d0dfcfdbdc8849f67f34c8a19.json"))
    turn = one(monocle.spans, "5b1be193b4562dee")
    assert (turn.name, turn.start_ns, turn.status) == ("workflow", 1779856061907161000, "ok")


@pytest.mark.parametrize(
    "name",
    [
        "strands-live/codex_session_rollout.json",
        "smoltrace/gpt-3.5-turbo_tool_20251027_192408__results.json",
        "smoltrace/mistral_mistral-small-latest_tool_20251022_205434__results.json",
        "vercel-openinference/capture-results.json",
        "vercel-openinference/openinference_client_span_input_output_only.json",
        "vercel-openinference/otel_genai_deprecated_client_span_tool_calls.json",
        "langsmith/anthropic_managed_builtin_tools.jsonl",
        "langsmith/anthropic_managed_custom_tools.jsonl",
        "langsmith/anthropic_managed_mcp_tools.jsonl",
        "provider-cassettes/test_anthropic_web_search_tool.yaml",
    ],
)
def test_recorded_texts_without_spans(name: str) -> None:
    found = read_paths(given(name))
    assert (found.spans, found.reasons) == ([], ["not_a_trace_file"])
