"""CloudWatch: span and log records of ADOT, as objects and inside log events."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest import group_spans, read_spans
from tests.ingest.outcome import Outcome, read_bytes

TRACE = "6a74fd19607936851cc91fef1506624f"
START = 1_767_225_600_000_000_001
BODY = {
    "input": {"messages": [{"role": "user", "content": "days off?"}]},
    "output": {"messages": [{"role": "assistant", "content": "25 days"}]},
}


def span(**fields: Any) -> dict[str, Any]:
    return {
        "resource": {"attributes": {"aws.local.service": "shop", "service.name": "shop"}},
        "scope": {"name": "strands.telemetry.tracer", "version": "1.0"},
        "traceId": TRACE,
        "spanId": "9ba74ad8363a1acd",
        "parentSpanId": "5c2a984a75d75f78",
        "flags": 256,
        "name": "chat",
        "kind": "INTERNAL",
        "startTimeUnixNano": START,
        "endTimeUnixNano": START + 9,
        "durationNano": 9,
        "attributes": {"session.id": "c-1", "gen_ai.operation.name": "chat"},
        "status": {"code": "OK"},
        **fields,
    }


def log(**fields: Any) -> dict[str, Any]:
    return {
        "resource": {"attributes": {"service.name": "shop"}},
        "scope": {"name": "strands.telemetry.tracer"},
        "timeUnixNano": START + 5,
        "observedTimeUnixNano": START + 6,
        "severityNumber": 9,
        "severityText": "",
        "body": BODY,
        "attributes": {"event.name": "strands.telemetry.tracer", "session.id": "c-1"},
        "flags": 1,
        "traceId": TRACE,
        "spanId": "9ba74ad8363a1acd",
        **fields,
    }


def event(record: object) -> dict[str, Any]:
    message = record if isinstance(record, str) else json.dumps(record)
    return {"timestamp": 1_767_225_600_000, "message": message, "ingestionTime": 1}


def read(document: object, folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps(document).encode())


def test_records_are_read_whole(tmp_path: Path) -> None:
    found = read([span(), log()], tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.trace_id, made.span_id) == (TRACE, "9ba74ad8363a1acd")
    assert (made.parent_id, made.otel_kind, made.status) == ("5c2a984a75d75f78", "INTERNAL", "ok")
    assert (made.start_ns, made.end_ns) == (START, START + 9)
    assert made.attributes == {"session.id": "c-1", "gen_ai.operation.name": "chat"}
    assert made.service == "shop"
    [record] = found.logs
    assert (record.trace_id, record.span_id) == (TRACE, "9ba74ad8363a1acd")
    assert record.event.name == "strands.telemetry.tracer"
    assert (record.event.time_ns, record.event.body) == (START + 5, BODY)
    assert record.scope_name == "strands.telemetry.tracer"
    assert record.resource == {"service.name": "shop"}
    assert [source.format for source in found.reading.sources] == ["cloudwatch"]


@pytest.mark.parametrize(
    "document",
    [
        pytest.param([span(), log()], id="a list"),
        pytest.param({"events": [event(span()), event(log())]}, id="log events"),
        pytest.param(
            {"messageType": "DATA_MESSAGE", "logEvents": [event(span()), event(log())]},
            id="a subscription",
        ),
        pytest.param([event(span()), event(log())], id="events alone"),
        pytest.param(
            {
                "results": [
                    [
                        {"field": "@timestamp", "value": "x"},
                        {"field": "@message", "value": json.dumps(r)},
                    ]
                    for r in (span(), log())
                ]
            },
            id="an answer of Logs Insights",
        ),
    ],
)
def test_arrangements(document: object, tmp_path: Path) -> None:
    found = read(document, tmp_path)
    assert found.losses == []
    assert [made.name for made in found.spans] == ["chat"]
    assert [record.event.body for record in found.logs] == [BODY]
    assert [source.format for source in found.reading.sources] == ["cloudwatch"]


def test_lines_that_begin_with_their_time(tmp_path: Path) -> None:
    lines = [f"2026-01-01T00:00:00.123Z {json.dumps(record)}" for record in (span(), log())]
    found = read_bytes(tmp_path, "\n".join(lines).encode())
    assert (found.losses, len(found.spans), len(found.logs)) == ([], 1, 1)


def test_a_message_in_words_is_a_log_record(tmp_path: Path) -> None:
    found = read(
        {"events": [event("ready to serve"), event(span()), event({"level": "INFO"})]}, tmp_path
    )
    assert (found.losses, len(found.spans)) == ([], 1)
    assert [record.event.body for record in found.logs] == ["ready to serve", '{"level": "INFO"}']
    assert found.logs[0].event.time_ns == 1_767_225_600_000_000_000
    assert (found.logs[0].trace_id, found.logs[0].span_id) == (None, None)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param(event(span(spanId="0" * 16)), "zero_span_id", id="zeros"),
        pytest.param(event(json.dumps(span())[:150]), "invalid_json", id="cut"),
        pytest.param(None, "bad_span", id="nothing"),
    ],
)
def test_a_bad_event_costs_itself(bad: object, reason: str, tmp_path: Path) -> None:
    document = {"events": [event(span()), bad, event(log())]}
    found = read(document, tmp_path)
    assert (len(found.spans), len(found.logs)) == (1, 1)
    assert found.reasons == [reason]
    assert json.dumps(document)[found.losses[0].offset :].startswith(json.dumps(bad))


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"events": [event("only words")]}, id="words"),
        pytest.param({"results": [[{"field": "@message", "value": "words"}]]}, id="rows of words"),
        pytest.param({"results": [1, [2]]}, id="other results"),
        pytest.param({"events": 7}, id="a number of events"),
    ],
)
def test_other_events_are_no_traces(document: object, tmp_path: Path) -> None:
    assert read(document, tmp_path).reasons == ["not_a_trace_file"]


def test_records_become_events_of_their_span_across_files(tmp_path: Path) -> None:
    (tmp_path / "logs.json").write_text(json.dumps(log()), "utf-8")
    (tmp_path / "spans.json").write_text(json.dumps(span()), "utf-8")
    [trace] = group_spans(read_spans([tmp_path]))
    [made] = trace.spans
    assert [event.body for event in made.events] == [BODY]
    assert trace.orphan_logs == ()


def test_records_without_their_span_make_it(tmp_path: Path) -> None:
    other = log(spanId="0000000000000002", body="a line", traceId=TRACE)
    later = log(body="a line", timeUnixNano=START + 7)
    (tmp_path / "logs.json").write_text(json.dumps([log(), later, other]), "utf-8")
    reading = read_spans([tmp_path])
    grouping = group_spans(reading)
    [trace] = grouping
    [made] = trace.spans
    assert (made.trace_id, made.span_id) == (TRACE, "9ba74ad8363a1acd")
    assert (made.start_ns, made.flags) == (START + 5, ("made_of_logs",))
    assert [event.body for event in made.events] == [BODY, "a line"]
    assert made.attributes["session.id"] == "c-1"
    assert [record.span_id for record in trace.orphan_logs] == ["0000000000000002"]
    assert (grouping.kept, grouping.orphan_logs, reading.counts.read) == (3, 1, 3)
