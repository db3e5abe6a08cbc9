"""TRAIL traces: nested spans, with the log records written in them."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest import RecordCounts
from tests.ingest.exports import SHARED
from tests.ingest.formats.recorded import one, read_whole
from tests.ingest.outcome import Outcome, group_paths, read_bytes, read_paths
from tests.traces.expectations import assembled

TRACE = "0035f455b3ff2295167a844f04d85d34"
GIVEN = SHARED / "bench" / "attribution" / "trail_gaia" / "traces"


def log(number: int) -> dict[str, Any]:
    return {
        "timestamp": "2026-01-01T00:00:00.5",
        "trace_id": TRACE,
        "span_id": f"{number:016x}",
        "severity_text": "INFO",
        "body": {"function.name": "main"},
        "resource_attributes": {"service.name": "shop"},
        "scope_name": "my.tracer",
        "log_attributes": {"event.name": "called"},
    }


def span(number: int, *children: Any, **fields: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-01-01T00:00:00.000001Z",
        "trace_id": TRACE,
        "span_id": f"{number:016x}",
        "parent_span_id": None,
        "span_name": "step",
        "span_kind": "Internal",
        "service_name": "shop",
        "resource_attributes": {"service.name": "shop"},
        "scope_name": "my.tracer",
        "scope_version": "1.2",
        "span_attributes": {"openinference.span.kind": "TOOL"},
        "duration": "PT1M0.5S",
        "status_code": "Error",
        "status_message": "late",
        "events": [{"Timestamp": "2026-01-01T00:00:00.25", "Name": "hit", "Attributes": {"a": 1}}],
        "links": [],
        "logs": [],
        "child_spans": list(children),
        **fields,
    }


def read(spans: list[Any], folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps({"trace_id": TRACE, "spans": spans}).encode())


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    found = read([span(1, parent_span_id="f1", logs=[log(1)])], tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.trace_id, made.span_id, made.parent_id) == (TRACE, "0" * 15 + "1", "f1")
    assert (made.name, made.otel_kind, made.service) == ("step", "INTERNAL", "shop")
    assert (made.start_ns, made.end_ns) == (1_767_225_600_000_001_000, 1_767_225_660_500_001_000)
    assert (made.status, made.status_message) == ("error", "late")
    assert (made.scope_name, made.scope_version) == ("my.tracer", "1.2")
    assert made.attributes == {"openinference.span.kind": "TOOL"}
    [event] = made.events
    assert (event.name, event.time_ns, event.attributes) == (
        "hit",
        1_767_225_600_250_000_000,
        {"a": 1},
    )
    [record] = found.logs
    assert (record.trace_id, record.span_id) == (TRACE, made.span_id)
    assert (record.event.name, record.event.body) == ("called", {"function.name": "main"})
    assert [source.format for source in found.reading.sources] == ["trail"]


def test_nested_spans_are_read_parents_first(tmp_path: Path) -> None:
    tree = span(1, span(2, span(3)), span(4))
    found = read([tree, span(5)], tmp_path)
    assert [int(made.span_id, 16) for made in found.spans] == [1, 2, 3, 4, 5]
    text = json.dumps({"trace_id": TRACE, "spans": [tree, span(5)]})
    for made in found.spans:
        assert made.source is not None
        assert made.span_id in text[made.source.offset :][:150]


def test_log_records_become_events_of_their_span(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(
        json.dumps({"spans": [span(1, logs=[log(1), log(2)])]}), "utf-8"
    )
    [trace], losses = group_paths(tmp_path / "t.json")
    assert losses == []
    assert [event.body for event in trace.spans[0].events] == [None, {"function.name": "main"}]
    assert len(trace.orphan_logs) == 1


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param(span(9, span(3), span_id="0" * 16), "zero_span_id", id="zeros"),
        pytest.param(
            span(9, span(3), span_attributes={"a": [[]] * 1}, span_id=None),
            "bad_span_id",
            id="no id",
        ),
    ],
)
def test_a_bad_span_costs_itself_and_none_below_it(bad: Any, reason: str, tmp_path: Path) -> None:
    found = read([span(1, bad, span(2))], tmp_path)
    assert sorted(int(made.span_id, 16) for made in found.spans) == [1, 2, 3]
    assert found.reasons == [reason]


def test_a_cut_trace_gives_the_whole_spans_before_the_cut(tmp_path: Path) -> None:
    text = json.dumps({"trace_id": TRACE, "spans": [span(1), span(2, span(3), span(4))]})
    found = read_bytes(tmp_path, text[: text.index(f"{4:016x}")].encode())
    assert [int(made.span_id, 16) for made in found.spans] == [1, 3]
    assert set(found.reasons) == {"invalid_json", "truncated_stream"}


def test_spans_under_a_damaged_name_are_lost_aloud(tmp_path: Path) -> None:
    text = json.dumps({"spans": [span(1, span(2), span(3)), span(4)]})
    found = read_bytes(tmp_path, text.replace("child_spans", "child_spbns", 1).encode())
    assert [int(made.span_id, 16) for made in found.spans] == [1, 4]
    assert found.reasons == ["unknown_field"]


def test_a_repair_below_is_none_of_the_parent(tmp_path: Path) -> None:
    broken = span(2, span_name="half")
    text = json.dumps({"spans": [span(1, broken)]}).replace("half", "\\ud800")
    found = read_bytes(tmp_path, text.encode())
    assert [made.flags for made in found.spans] == [(), ("surrogate_replaced",)]


def below(spans: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for item in spans:
        yield item
        yield from below(item["child_spans"])


NAMES = sorted(path.stem for path in GIVEN.glob("*.json"))


@pytest.mark.skipif(not NAMES, reason=f"{GIVEN} is not there")
@pytest.mark.parametrize("name", NAMES)
def test_recorded_traces_load_completely(name: str) -> None:
    path = GIVEN / f"{name}.json"
    record = json.loads(path.read_text("utf-8"))
    raw = list(below(record["spans"]))
    found = read_whole(path)
    assert len(found.spans) == len(raw)
    assert len(found.logs) == sum(len(item["logs"]) for item in raw)
    [trace], losses = group_paths(path)
    assert losses == []
    assert (trace.trace_id, len(trace.spans)) == (record["trace_id"], len(raw))
    assert trace.orphan_logs == ()
    text = path.read_bytes()
    for item, made in zip(raw, found.spans, strict=True):
        assert (made.span_id, made.parent_id) == (item["span_id"], item["parent_span_id"])
        assert made.attributes == item["span_attributes"]
        assert len(made.events) == len(item["events"])
        assert made.start_ns is not None
        assert made.end_ns is not None
        assert made.source is not None
        assert text[made.source.offset :].startswith(b"{")
        assert made.flags == ()


def written(path: Path) -> Counter[str]:
    """Count what a file holds by one field of each record, wherever the record stands."""
    count: Counter[str] = Counter()

    def look(found: dict[str, Any]) -> dict[str, Any]:
        count["spans"] += "span_name" in found
        count["logs"] += "log_attributes" in found
        return found

    json.loads(path.read_text("utf-8"), object_hook=look)
    return count


@pytest.mark.skipif(not NAMES, reason=f"{GIVEN} is not there")
def test_all_recorded_traces_together() -> None:
    found = read_paths(GIVEN)
    assert (len(found.spans), len(found.logs), len(found.traces)) == (667, 160, 40)
    assert found.losses == []
    assert found.reading.counts == RecordCounts(loaded=667 + 160)
    assert found.reading.skipped_files == []
    read: dict[str, Counter[str]] = {str(GIVEN / f"{name}.json"): Counter() for name in NAMES}
    for kind, records in (("spans", found.spans), ("logs", found.logs)):
        for record in records:
            assert record.source is not None
            read[record.source.path][kind] += 1
    assert read == {path: +written(Path(path)) for path in read}


@pytest.mark.skipif(not NAMES, reason=f"{GIVEN} is not there")
def test_every_recorded_span_is_in_one_turn() -> None:
    traces, _ = group_paths(GIVEN)
    rows = [
        (turn.trace_ids[0], row.span_id)
        for turn in assembled(span for trace in traces for span in trace.spans)
        for row in turn.spans
    ]
    assert len(rows) == len(set(rows)) == 667
    assert set(rows) == {(span.trace_id, span.span_id) for trace in traces for span in trace.spans}


@pytest.mark.skipif(not NAMES, reason=f"{GIVEN} is not there")
def test_the_outermost_span_of_a_recorded_trace() -> None:
    found = read_paths(GIVEN)
    main = one(found.spans, "77fb7128d6f04862")
    assert (main.name, main.start_ns) == ("main", 1742401928062589000)
    assert main.end_ns == 1742401928062589000 + 108_755_330_000
    assert main.service == "gaia-annotations/app:GAIA-Samples"
