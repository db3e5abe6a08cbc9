"""Parquet: read by another process, whose end is never the end of the run."""

import json
import pickle
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from ingest import Limits
from ingest.parquet import Child, reader_of
from ingest.parquet_child import LOST
from tests.ingest.formats.test_clickhouse import row as clickhouse_row
from tests.ingest.formats.test_langsmith import run as langsmith_run
from tests.ingest.formats.test_phoenix import row as phoenix_row
from tests.ingest.outcome import Outcome, read_bytes, read_paths

TRACE = "97847cb33dff13e46483685930f4e236"
START = 1_767_225_600_000_000_001


def span(number: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "trace_id": TRACE,
        "span_id": f"{number:016x}",
        "name": "search",
        "start_time": START,
        "end_time": START + 8,
        "attributes": '{"query": "days off?"}',
        **fields,
    }


def write(path: Path, rows: list[dict[str, Any]], schema: Any = None, **options: Any) -> Path:
    parquet.write_table(pa.Table.from_pylist(rows, schema), path, **options)
    return path


def read(rows: list[dict[str, Any]], folder: Path, **options: Any) -> Outcome:
    return read_paths(write(folder / "t.parquet", rows, **options))


def test_rows_are_spans(tmp_path: Path) -> None:
    found = read([span(number) for number in range(1, 700)], tmp_path, row_group_size=300)
    assert (found.losses, len(found.spans)) == ([], 699)
    first = found.spans[0]
    assert (first.trace_id, first.span_id, first.name) == (TRACE, "0" * 15 + "1", "search")
    assert (first.start_ns, first.end_ns) == (START, START + 8)
    assert first.attributes == {"query": "days off?"}
    places = {made.source.offset for made in found.spans if made.source is not None}
    assert len(places) == 3, "a row stands where its row group stands"
    assert [source.format for source in found.reading.sources] == ["parquet"]


def test_rows_of_phoenix(tmp_path: Path) -> None:
    [made] = read([phoenix_row()], tmp_path).spans
    assert made.attributes["openinference.span.kind"] == "RETRIEVER"
    assert made.attributes["input.value"] == "days off?"
    assert made.attributes["retrieval.documents"] == [
        {"document.id": "hr-1", "document.content": "25 days"}
    ]
    assert [event.name for event in made.events] == ["hit"]


def test_rows_of_clickhouse(tmp_path: Path) -> None:
    entries = pa.map_(pa.string(), pa.string())
    moment = pa.timestamp("ns")
    row = clickhouse_row(Timestamp=START, Duration=7)
    row["Events.Timestamp"] = [START + 2, START + 3]
    kinds = {"Timestamp": moment, "Duration": pa.uint64(), "Events.Timestamp": pa.list_(moment)}
    kinds |= {"SpanAttributes": entries, "ResourceAttributes": entries}
    kinds |= {"Events.Attributes": pa.list_(entries), "Links.Attributes": pa.list_(entries)}
    listed = {name for name, value in row.items() if isinstance(value, list)}
    text = {n: pa.list_(pa.string()) if n in listed else pa.string() for n in row}
    schema = pa.schema({**text, **kinds})
    table = pa.table({name: [value] for name, value in _paired(row).items()}, schema)
    parquet.write_table(table, tmp_path / "t.parquet")
    [made] = read_paths(tmp_path / "t.parquet").spans
    assert (made.start_ns, made.end_ns) == (START, START + 7)
    assert made.attributes == {"top_k": "3", "ids": '["p-1","p-2"]'}
    assert made.resource == {"service.name": "shop", "host": "h1"}
    assert [event.time_ns for event in made.events] == [START + 2, START + 3]
    assert [event.attributes for event in made.events] == [{"id": "p-1"}, {}]


def _paired(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its maps as pairs, as Arrow wants them."""
    return {
        name: list(value.items())
        if isinstance(value, dict)
        else [list(item.items()) for item in value]
        if isinstance(value, list) and value and isinstance(value[0], dict)
        else value
        for name, value in row.items()
    }


def test_rows_of_langsmith(tmp_path: Path) -> None:
    started = datetime(2026, 1, 1, 0, 0, 0, 2, tzinfo=UTC)
    row = {**langsmith_run(inputs='{"query": "days off?"}', start_time=started), "child_runs": None}
    [made] = read([row], tmp_path).spans
    assert made.attributes["langsmith.inputs"] == {"query": "days off?"}
    assert made.start_ns == 1_767_225_600_000_002_000


def test_our_own_spans(tmp_path: Path) -> None:
    own = {
        "trace_id": TRACE,
        "span_id": "771ce4dcbd861745",
        "parent_span_id": None,
        "name": "search",
        "kind": "retriever",
        "start_ns": START,
        "end_ns": START + 8,
        "status": "error",
        "service": "shop",
        "conversation_id": "c-1",
        "turn_id": "c-1/1",
        "convention": "gen_ai",
        "flags": ["truncated"],
        "attributes": '{"gen_ai.operation.name": "retrieval"}',
        "stage": "retrieval",
    }
    found = read([own], tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.status, made.service, made.otel_kind) == ("error", "shop", "UNSPECIFIED")
    assert (made.start_ns, made.end_ns, made.flags) == (START, START + 8, ())
    assert made.attributes == {"gen_ai.operation.name": "retrieval"}


def test_ids_may_be_bytes(tmp_path: Path) -> None:
    row = span(trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex("771ce4dcbd861745"))
    [made] = read([row], tmp_path).spans
    assert (made.trace_id, made.span_id) == (TRACE, "771ce4dcbd861745")


def test_a_number_that_is_none_is_unknown(tmp_path: Path) -> None:
    [made] = read([span(attributes={"score": float("nan")})], tmp_path).spans
    assert made.attributes == {"score": None}
    assert made.flags == ("non_finite_number",)


def test_bytes_that_are_no_text_are_repaired_and_told(tmp_path: Path) -> None:
    texts = pa.array([b"days \xff?"], pa.binary()).view(pa.string())
    table = pa.Table.from_pylist([span()]).set_column(2, "name", texts)
    parquet.write_table(table, tmp_path / "t.parquet")
    found = read_paths(tmp_path / "t.parquet")
    assert [made.name for made in found.spans] == ["days \ufffd?"]
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [
        ("repaired", "invalid_utf8_replaced")
    ]


def test_a_bad_row_costs_itself(tmp_path: Path) -> None:
    found = read([span(1), span(0), span(2)], tmp_path)
    assert [made.span_id[-1] for made in found.spans] == ["1", "2"]
    assert found.reasons == ["zero_span_id"]


def test_an_oversize_row_costs_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", [span(1), span(2, name="x" * 5_000), span(3)])
    found = read_paths(path, limits=Limits(record_bytes=1_000))
    assert [made.span_id[-1] for made in found.spans] == ["1", "3"]
    assert found.reasons == ["oversize_record"]


def test_a_table_of_something_else_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "t.parquet", [{"question": "days off?"}] * 9)
    found = read_paths(tmp_path)
    assert found.losses == []
    assert [file.reason for file in found.reading.skipped_files] == ["not_a_trace_file"]
    assert read_paths(tmp_path / "t.parquet").reasons == ["not_a_trace_file"]


def test_an_empty_table_is_no_loss(tmp_path: Path) -> None:
    schema = pa.schema({"trace_id": pa.string()})
    parquet.write_table(schema.empty_table(), tmp_path / "t.parquet")
    assert read_paths(tmp_path / "t.parquet").losses == []


ENDLESS = "it was cut off, or is no Parquet: its end is missing"


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        pytest.param(b"PAR1", ENDLESS, id="nothing but its mark"),
        pytest.param(
            b"PAR1" + b"\x00" * 100 + b"PAR1",
            "its footer, which tells where the rows are, is damaged",
            id="zeros",
        ),
        pytest.param(
            b"PAR1" + b"\xff" * 100 + b"\xff\xff\xff\x7fPAR1", ENDLESS, id="a footer too long"
        ),
        pytest.param(b"PAR1" + b"\x00" * 100 + b"PARE", "it is encrypted", id="encrypted"),
    ],
)
def test_what_is_no_parquet_is_rejected(data: bytes, detail: str, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, data)
    assert found.spans == []
    assert [(loss.reason, loss.detail) for loss in found.losses] == [("corrupt_parquet", detail)]


def test_a_cut_file_is_rejected(tmp_path: Path) -> None:
    data = write(tmp_path / "t.parquet", [span(number) for number in range(1, 50)]).read_bytes()
    found = read_bytes(tmp_path, data[: len(data) // 2])
    assert found.spans == []
    assert [(loss.reason, loss.detail) for loss in found.losses] == [("corrupt_parquet", ENDLESS)]


def test_damage_costs_the_row_group_it_is_in(tmp_path: Path) -> None:
    rows = [span(number, name=f"search {number}") for number in range(1, 301)]
    path = write(tmp_path / "t.parquet", rows, row_group_size=100, compression="gzip")
    second = parquet.ParquetFile(path).metadata.row_group(1).column(1)
    data = bytearray(path.read_bytes())
    start = second.dictionary_page_offset or second.data_page_offset
    data[start : start + 400] = b"\xff" * 400
    found = read_bytes(tmp_path, bytes(data))
    assert {int(made.span_id, 16) for made in found.spans} >= {*range(1, 101), *range(201, 301)}
    assert ("corrupt_row_group", "row group 2 of 3 is damaged") in [
        (loss.reason, loss.detail) for loss in found.losses
    ]


def test_a_table_that_fills_the_memory_costs_its_rows(tmp_path: Path) -> None:
    rows = [span(number, name="x" * 2**22) for number in range(1, 33)]
    path = write(tmp_path / "t.parquet", rows, compression="zstd")
    assert path.stat().st_size < 2**16
    limits = Limits(child_bytes=2**25)
    with Child(reader_of(str(path), limits), limits) as child:
        [(kind, payload, _)] = child.frames()
    assert (kind, child.trouble) == (LOST, None)
    assert json.loads(payload) == [
        "memory_limit",
        "row group 1 needs more memory than is allowed",
    ]


def test_a_table_that_grows_without_bound_is_stopped(tmp_path: Path) -> None:
    path = write(tmp_path / "t.parquet", [span(1)] * 5_000, compression="zstd")
    found = read_paths(path, limits=Limits(ratio=20, ratio_after_bytes=2**16))
    assert found.reasons == ["ratio_limit"]
    assert 0 < len(found.spans) < 5_000


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


def test_a_pickle_by_the_name_of_parquet_is_never_loaded(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    path = tmp_path / "spans.parquet"
    path.write_bytes(pickle.dumps(Trap(marker)))
    assert read_paths(path).reasons == ["not_a_trace_file"]
    assert not marker.exists()


@pytest.mark.parametrize(
    ("script", "reason", "detail"),
    [
        pytest.param("import os; os.abort()", "reader_crash", "signal 6", id="a crash"),
        pytest.param("raise SystemExit(3)", "reader_crash", "status 3", id="an exit"),
        pytest.param("1 / 0", "reader_crash", "ZeroDivisionError", id="an error"),
        pytest.param("print('x' * 100)", "reader_crash", "no frame", id="no frames"),
        pytest.param(
            "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 9))\nwhile True: pass",
            "reader_timeout",
            "seconds",
            id="endless work",
        ),
    ],
)
def test_however_the_reader_ends_is_told(script: str, reason: str, detail: str) -> None:
    with Child([sys.executable, "-c", script], Limits(record_bytes=1_000)) as child:
        assert list(child.frames()) == []
    assert child.trouble is not None
    assert child.trouble.reason == reason
    assert detail in child.trouble.detail


def test_a_reader_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.parquet._WAIT_SECONDS", 0.2)
    limits = Limits(record_bytes=1_000, child_seconds=0)
    with Child([sys.executable, "-c", "import time; time.sleep(60)"], limits) as child:
        assert list(child.frames()) == []
    assert child.trouble is not None
    assert child.trouble.reason == "reader_timeout"
