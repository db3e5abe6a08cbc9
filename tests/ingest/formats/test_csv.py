"""CSV tables of spans: read like the JSON they came from, and damaged row by row."""

import csv
import io
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import Limits, RawSpan, Span
from ingest.conventions import to_span, to_spans
from ingest.csv_records import csv_records
from ingest.stream import Cut
from tests.ingest.formats.test_clickhouse import row as clickhouse_row
from tests.ingest.formats.test_langfuse import observation
from tests.ingest.outcome import group_paths, placeless, read_bytes, read_paths


def cell(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


def table(*rows: dict[str, Any], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows([{name: cell(value) for name, value in row.items()} for row in rows])
    return text.getvalue().encode()


def meanings(spans: list[RawSpan]) -> list[Span]:
    """Return what spans tell, whichever of their values were texts."""
    nothing = RawSpan(trace_id="", span_id="")
    return [replace(to_span(span), raw=nothing) for span in placeless(spans)]


def observations(count: int) -> list[dict[str, Any]]:
    return [observation(id=f"{number:016x}") for number in range(1, count + 1)]


TRACE = {
    "id": "f68601af42c4a35e1d5e4699de569c1f",
    "timestamp": "2026-01-01T00:00:00Z",
    "name": "turn",
    "sessionId": "c-1",
    "bookmarked": "false",
    "input": '{"query": "days off?"}',
    "output": "25 days",
    "latency": "1.5",
}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n\r\n"])
def test_rows_are_the_objects_they_were_made_of(
    tmp_path: Path, delimiter: str, start: bytes
) -> None:
    rows = observations(3)
    found = read_bytes(tmp_path, start + table(*rows, delimiter=delimiter))
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    assert found.reading.sources[0].format == "csv"
    assert found.losses == []
    assert meanings(found.spans) == meanings(read_bytes(tmp_path, lines).spans)


def test_other_tables_are_read_by_the_shape_that_knows_their_names(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, table(clickhouse_row(SpanId="00000000000000aa")))
    assert [span.span_id for span in found.spans] == ["00000000000000aa"]
    assert found.losses == []


def test_a_row_knows_its_place(tmp_path: Path) -> None:
    data = table(*observations(2))
    found = read_bytes(tmp_path, data)
    places = [span.source.offset for span in found.spans if span.source]
    assert [data[place : place + 16] for place in places] == [
        b"0000000000000001",
        b"0000000000000002",
    ]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        pytest.param(b"1,2,3\n", "wrong_column_count", id="too few columns"),
        pytest.param(b"," * 99 + b"\n", "wrong_column_count", id="too many columns"),
        pytest.param(b'x,"no end\n', "unclosed_quote", id="a quote that never closes"),
        pytest.param(b'"a"b,c\n', "invalid_csv", id="text behind a closing quote"),
        pytest.param(b"z" * 50_000 + b"\n", "oversize_record", id="a huge field"),
        pytest.param(b'"' + b"z\n" * 25_000 + b'"\n', "oversize_record", id="a huge quoted field"),
    ],
)
def test_a_bad_row_costs_no_other(tmp_path: Path, damage: bytes, reason: str) -> None:
    header, *rows = table(*observations(20)).splitlines(keepends=True)
    data = b"".join([header, *rows[:10], damage, *rows[10:]])
    found = read_bytes(tmp_path, data, Limits(record_bytes=20_000))
    assert reason in found.reasons
    assert len(found.spans) == 20


def test_bytes_that_are_no_utf8_are_repaired_and_told(tmp_path: Path) -> None:
    data = table(*observations(2)).replace(b"25 days", b"25 \xff days", 1)
    found = read_bytes(tmp_path, data)
    assert len(found.spans) == 2
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [
        ("repaired", "invalid_utf8_replaced")
    ]


def test_a_deep_cell_stays_a_text(tmp_path: Path) -> None:
    deep = observation(input="[" * 100_000)
    begun = time.process_time()
    found = read_bytes(tmp_path, table(deep))
    assert len(found.spans) == 1
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"name,age,city,job\nann,3,rome,none\n", id="no spans"),
        pytest.param(b"id,traceId,startTime,type\n", id="no row"),
        pytest.param(b"id,id,startTime,type\n1,2,3,4\n", id="one name twice"),
        pytest.param(b"just a text, with a comma\nand another line\n", id="prose"),
    ],
)
def test_tables_of_something_else_are_no_traces(tmp_path: Path, data: bytes) -> None:
    assert read_bytes(tmp_path, data).reasons == ["not_a_trace_file"]


def test_a_cut_table_is_read_up_to_the_cut() -> None:
    chunks: Iterator[Any] = iter([b"a,b\n1,2\n3", Cut("truncated_stream", "ends early")])
    found = [(record.fields, record.trouble, record.offset) for record in csv_records(chunks, 100)]
    assert found == [
        (("a", "b"), None, 0),
        (("1", "2"), None, 4),
        ((), "truncated_stream", 8),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1_000])
def test_records_do_not_depend_on_chunks(size: int) -> None:
    data = b'a,b\r\n"x\r\n""y""",2\r\n\r\n3,"4,5"\n6,7'
    chunks = (data[at : at + size] for at in range(0, len(data), size))
    found = [record.fields for record in csv_records(chunks, 100)]
    assert found == [("a", "b"), ('x\r\n"y"', "2"), ("3", "4,5"), ("6", "7")]


def test_open_quotes_cost_linear_time() -> None:
    data = b'"a\n' * 1_001 + b"z,z\n" * 50_000
    begun = time.process_time()
    found = list(csv_records(iter([data]), 2**16))
    assert time.process_time() - begun < 5
    assert sum(record.fields == ("z", "z") for record in found) == 50_000


def test_a_table_of_traces_tells_what_was_asked_and_answered(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, table(TRACE))
    (span,) = (to_span(raw) for raw in found.spans)
    assert (span.kind, span.conversation_id) == ("agent", "c-1")
    assert (span.input_text, span.output_text) == ("days off?", "25 days")
    assert span.duration_ms == 1_500


def test_a_trace_gives_way_to_its_observations(tmp_path: Path) -> None:
    (tmp_path / "observations.csv").write_bytes(table(*observations(2)))
    (tmp_path / "traces.csv").write_bytes(table(TRACE))
    traces, losses = group_paths(tmp_path)
    assert losses == []
    (trace,) = traces
    spans = to_spans(trace.spans)
    alone = next(span for span in spans if span.raw.name == "turn")
    assert (alone.kind, alone.synthetic, alone.conversation_id) == ("other", True, "c-1")
    assert sorted(span.kind for span in spans) == ["llm", "llm", "other"]


def test_a_csv_in_a_folder_of_other_things_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("name,age,city,job\nann,3,rome,none\n")
    (tmp_path / "spans.csv").write_bytes(table(*observations(1)))
    found = read_paths(tmp_path)
    assert len(found.spans) == 1
    assert [Path(skipped.path).name for skipped in found.reading.skipped_files] == ["notes.csv"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.floats(0, 1, exclude_max=True),
            st.sampled_from([b'"', b",", b"\n", b"\r", b"\xff", b"\0", b'"",', b"{", b""]),
            st.integers(0, 40),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_no_damage_makes_a_table_fail_or_vanish(damage: list[tuple[float, bytes, int]]) -> None:
    data = table(*observations(5))
    for place, inserted, removed in damage:
        at = int(place * len(data))
        data = data[:at] + inserted + data[at + removed :]
    with tempfile.TemporaryDirectory() as folder:
        found = read_bytes(Path(folder), data, Limits(record_bytes=5_000))
    assert found.spans or found.losses
