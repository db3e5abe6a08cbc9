"""Rows of ClickHouse: texts for everything, and one list per nested column."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest import RawLink
from tests.ingest.outcome import Outcome, read_bytes

TRACE = "3e289017fe03ffd7c4145316d2eb3d0d"
OTHER = "0" * 31 + "9"


def row(**fields: Any) -> dict[str, Any]:
    return {
        "Timestamp": "2026-01-01 00:00:00.000000001",
        "TraceId": TRACE,
        "SpanId": "75cdce51ad52a7c8",
        "ParentSpanId": "",
        "TraceState": "",
        "SpanName": "search",
        "SpanKind": "Client",
        "ServiceName": "shop",
        "ResourceAttributes": {"service.name": "shop", "host": "h1"},
        "ScopeName": "my.tracer",
        "ScopeVersion": "1.2",
        "SpanAttributes": {"top_k": "3", "ids": '["p-1","p-2"]'},
        "Duration": "7",
        "StatusCode": "Error",
        "StatusMessage": "late",
        "Events.Timestamp": ["2026-01-01 00:00:00.000000003", "2026-01-01 00:00:00.000000004"],
        "Events.Name": ["hit", "miss"],
        "Events.Attributes": [{"id": "p-1"}, {}],
        "Links.TraceId": [OTHER],
        "Links.SpanId": ["a1"],
        "Links.TraceState": [""],
        "Links.Attributes": [{"why": "follows"}],
        **fields,
    }


def read(document: object, folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps(document).encode())


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    found = read(row(ParentSpanId="e37fdd8f56146d31"), tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.trace_id, made.span_id) == (TRACE, "75cdce51ad52a7c8")
    assert (made.parent_id, made.name) == ("e37fdd8f56146d31", "search")
    assert made.otel_kind == "CLIENT"
    assert (made.start_ns, made.end_ns) == (1_767_225_600_000_000_001, 1_767_225_600_000_000_008)
    assert (made.status, made.status_message) == ("error", "late")
    assert made.attributes == {"top_k": "3", "ids": '["p-1","p-2"]'}
    assert made.resource == {"service.name": "shop", "host": "h1"}
    assert (made.scope_name, made.scope_version) == ("my.tracer", "1.2")
    assert [(event.name, event.time_ns) for event in made.events] == [
        ("hit", 1_767_225_600_000_000_003),
        ("miss", 1_767_225_600_000_000_004),
    ]
    assert [event.attributes for event in made.events] == [{"id": "p-1"}, {}]
    assert made.links == (RawLink(trace_id=OTHER, span_id="a1", attributes={"why": "follows"}),)
    assert [source.format for source in found.reading.sources] == ["clickhouse"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"StatusCode": "STATUS_CODE_OK", "SpanKind": "SPAN_KIND_SERVER"}, ("ok", "SERVER")),
        ({"StatusCode": "Unset", "SpanKind": "Internal"}, ("unset", "INTERNAL")),
        ({"StatusCode": "", "SpanKind": "Unspecified"}, ("unset", "UNSPECIFIED")),
    ],
    ids=str,
)
def test_older_and_newer_words(
    fields: dict[str, str], expected: tuple[str, str], tmp_path: Path
) -> None:
    [made] = read(row(**fields), tmp_path).spans
    assert (made.status, made.otel_kind) == expected


def test_events_may_be_objects(tmp_path: Path) -> None:
    nested = {name: value for name, value in row().items() if not name.startswith("Events.")}
    nested["Events"] = [{"Timestamp": "2026-01-01 00:00:00.5", "Name": "hit", "Attributes": {}}]
    [made] = read(nested, tmp_path).spans
    assert [event.name for event in made.events] == ["hit"]


def test_lists_of_different_length_lose_nothing(tmp_path: Path) -> None:
    [made] = read(
        row(**{"Events.Name": ["hit"], "Events.Attributes": [{}, {}, {"a": "1"}]}), tmp_path
    ).spans
    assert [event.name for event in made.events] == ["hit", "", ""]
    assert made.events[2].attributes == {"a": "1"}


def test_rows_of_logs(tmp_path: Path) -> None:
    log = {
        "Timestamp": "2026-01-01 00:00:00.000000005",
        "TraceId": TRACE,
        "SpanId": "75cdce51ad52a7c8",
        "SeverityText": "INFO",
        "ServiceName": "shop",
        "Body": "25 days",
        "ResourceAttributes": {"service.name": "shop"},
        "ScopeName": "my.tracer",
        "LogAttributes": {"event.name": "gen_ai.choice"},
    }
    [record] = read(log, tmp_path).logs
    assert (record.trace_id, record.span_id) == (TRACE, "75cdce51ad52a7c8")
    assert (record.event.name, record.event.body) == ("gen_ai.choice", "25 days")
    assert record.event.time_ns == 1_767_225_600_000_000_005


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n".join(json.dumps(row()) for _ in range(3)), id="lines"),
        pytest.param(json.dumps({"meta": [], "data": [row()] * 3, "rows": 3}), id="an answer"),
        pytest.param(json.dumps([row()] * 3), id="a list"),
    ],
)
def test_arrangements(text: str, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, text.encode())
    assert (found.losses, len(found.spans)) == ([], 3)
    for made in found.spans:
        assert made.source is not None
        assert text[made.source.offset :].startswith('{"Timestamp"')


def test_a_bad_row_costs_itself(tmp_path: Path) -> None:
    lines = [json.dumps(row()), json.dumps(row(SpanId="")), json.dumps(row())]
    found = read_bytes(tmp_path, "\n".join(lines).encode())
    assert (len(found.spans), found.reasons) == (2, ["bad_span_id"])
    assert found.losses[0].offset == len(lines[0]) + 1
