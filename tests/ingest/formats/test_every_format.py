"""What holds for every format: mixed in a folder, from a pipe, compressed, damaged."""

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest import group_spans, read_spans
from ingest.wire import decode, encode
from tests.ingest.formats import (
    test_clickhouse,
    test_cloudwatch,
    test_console,
    test_datadog,
    test_flat_spans,
    test_jaeger_tempo,
    test_langfuse,
    test_langsmith,
    test_mlflow,
    test_openai_agents,
    test_phoenix,
    test_trail,
    test_zipkin,
)
from tests.ingest.outcome import read_bytes, read_paths

NUMBERS = range(1, 13)


def _mlflow(number: int) -> dict[str, Any]:
    trace = test_mlflow.trace()
    trace["data"]["spans"] = trace["data"]["spans"][:1]
    trace["data"]["spans"][0]["span_id"] = f"{number:016x}"
    return trace


def _console(number: int) -> dict[str, Any]:
    record: dict[str, Any] = json.JSONDecoder().raw_decode(test_console.printed())[0]
    record["context"]["span_id"] = f"0x{number:016x}"
    return record


def _langsmith(number: int) -> dict[str, Any]:
    return test_langsmith.run(id=f"{number:016x}")


RECORDS: dict[str, Callable[[int], dict[str, Any]]] = {
    "clickhouse": lambda number: test_clickhouse.row(SpanId=f"{number:016x}"),
    "cloudwatch": lambda number: test_cloudwatch.span(spanId=f"{number:016x}"),
    "console": _console,
    "datadog": lambda number: test_datadog.span(number, span_id=f"{number:016x}"),
    "flat_spans": lambda number: test_flat_spans.span(span_id=f"{number:016x}"),
    "jaeger": test_jaeger_tempo.span,
    "langfuse": lambda number: test_langfuse.observation(id=f"{number:016x}"),
    "langsmith": _langsmith,
    "mlflow": _mlflow,
    "openai_agents": lambda number: test_openai_agents.span(id=f"{number:016x}"),
    "phoenix": lambda number: test_phoenix.span(
        context={"trace_id": test_phoenix.TRACE, "span_id": f"{number:016x}"}
    ),
    "trail": test_trail.span,
    "zipkin": lambda number: test_zipkin.span(id=f"{number:016x}"),
}
"""One object each, a span by itself."""

ARRANGEMENTS: dict[str, Callable[[list[Any]], str]] = {
    "lines": lambda records: "\n".join(map(json.dumps, records)),
    "a list": json.dumps,
    "a pretty list": lambda records: json.dumps(records, indent=2),
    "one behind the other": lambda records: "".join(map(json.dumps, records)),
    "pretty ones": lambda records: "\n".join(json.dumps(r, indent=4) for r in records),
}


def text_of(name: str, arrangement: str) -> bytes:
    return ARRANGEMENTS[arrangement]([RECORDS[name](number) for number in NUMBERS]).encode()


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize("name", RECORDS)
def test_every_arrangement_is_read_whole(name: str, arrangement: str, tmp_path: Path) -> None:
    data = text_of(name, arrangement)
    found = read_bytes(tmp_path, data)
    assert found.losses == []
    assert [int(span.span_id, 16) for span in found.spans] == list(NUMBERS)
    assert [source.format for source in found.reading.sources] == [name]
    for span in found.spans:
        assert span.source is not None
        assert span.span_id.encode() in data[span.source.offset :][: len(data) // 6]


@pytest.mark.parametrize("name", RECORDS)
def test_records_travel_unchanged(name: str, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, text_of(name, "lines"))
    assert decode(encode(found.spans, found.logs)) == (found.spans, found.logs)


def test_a_folder_may_mix_them_all(tmp_path: Path) -> None:
    for number, name in enumerate(RECORDS):
        data = text_of(name, list(ARRANGEMENTS)[number % len(ARRANGEMENTS)])
        (tmp_path / f"export-{number}").write_bytes(gzip.compress(data) if number % 2 else data)
    (tmp_path / "notes.json").write_text('{"about": "these exports"}', "utf-8")
    (tmp_path / "README.md").write_text("Spans look like `{...}`.", "utf-8")
    found = read_paths(tmp_path)
    assert found.losses == []
    assert len(found.spans) == len(RECORDS) * len(NUMBERS)
    assert {source.format for source in found.reading.sources} == RECORDS.keys()
    assert len(found.reading.skipped_files) == 2


def test_a_file_may_mix_them_all(tmp_path: Path) -> None:
    records = [RECORDS[name](number) for number in NUMBERS for name in RECORDS]
    found = read_bytes(tmp_path, "\n".join(map(json.dumps, records)).encode())
    assert (found.losses, len(found.spans)) == ([], len(records))


@pytest.mark.parametrize("name", RECORDS)
def test_a_pipe_is_read_as_a_file_is(name: str) -> None:
    script = (
        "from ingest import read_spans\n"
        "reading = read_spans(['-'])\n"
        "print(sum(len(batch.spans) for batch in reading), reading.sources[0].format)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        input=text_of(name, "a pretty list"),
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert run.stdout.decode().split() == [str(len(NUMBERS)), name]


def mutated(data: bytes, seed: int) -> bytes:
    """Return *data* after one accident."""
    chance = random.Random(seed)
    at = chance.randrange(len(data))
    match seed % 6:
        case 0:
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + chance.randrange(1, 9) :]
        case 2:
            return data[:at] + chance.randbytes(chance.randrange(1, 9)) + data[at:]
        case 3:
            return (
                data[:at] + chance.choice([b'"', b"{", b"}", b"[", b"]", b"\\", b"\n"]) + data[at:]
            )
        case 4:
            return data[:at] + b"NaN" + data[at + 3 :]
        case _:
            return data[:at] + data[at : at + 40] + data[at:]


@pytest.mark.parametrize(
    "arrangement", ["lines", "a list", "a pretty list", "one behind the other"]
)
@pytest.mark.parametrize("name", RECORDS)
def test_one_accident_costs_one_record_or_two_that_it_joins(
    name: str, arrangement: str, tmp_path: Path
) -> None:
    data = text_of(name, arrangement)
    for seed in range(60):
        found = read_bytes(tmp_path, mutated(data, seed))
        kept = len(found.spans)
        assert kept >= len(NUMBERS) - 2, f"seed {seed}: {kept} spans, {found.reasons}"
        if kept < len(NUMBERS):
            assert found.losses, f"seed {seed}: {kept} spans and no loss"


@pytest.mark.parametrize("share", [0.0, 0.01, 0.4, 0.77, 0.999])
@pytest.mark.parametrize("arrangement", ["lines", "a list", "a pretty list"])
@pytest.mark.parametrize("name", RECORDS)
def test_a_cut_costs_what_is_behind_it(
    name: str, arrangement: str, share: float, tmp_path: Path
) -> None:
    data = text_of(name, arrangement)
    found = read_bytes(tmp_path, data[: int(len(data) * share)])
    assert len(found.spans) >= int(len(NUMBERS) * share) - 1
    assert len([loss for loss in found.losses if loss.outcome == "rejected"]) <= 2


def test_everything_groups_into_traces(tmp_path: Path) -> None:
    for name in RECORDS:
        (tmp_path / name).write_bytes(text_of(name, "lines"))
    reading = read_spans([tmp_path])
    grouping = group_spans(reading)
    spans = sum(len(trace.spans) for trace in grouping)
    assert spans + len(grouping.losses) == reading.counts.read == len(RECORDS) * len(NUMBERS)
