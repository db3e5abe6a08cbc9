"""The same records in every arrangement and compression give the same spans."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest import read_spans
from tests.ingest.exports import SPANS, as_dict, containers, frame, line, logs, request, zstd
from tests.ingest.outcome import placeless, read_bytes, read_paths

NUMBERS = (1, 2, 3)
CONTAINERS = containers(
    [line(number) for number in NUMBERS],
    [request(number).SerializeToString() for number in NUMBERS],
)


@pytest.mark.parametrize("data", CONTAINERS.values(), ids=CONTAINERS)
def test_every_container_gives_the_same_spans(data: bytes, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, data)
    assert found.losses == []
    assert len(found.traces) == len(NUMBERS)
    expected = read_bytes(tmp_path, CONTAINERS["lines"])
    assert placeless(found.spans) == placeless(expected.spans)


@pytest.mark.parametrize(
    ("name", "format_name", "container"),
    [
        ("lines", "otlp_json", "plain"),
        ("lines, gzip members", "otlp_json", "gzip"),
        ("pretty", "otlp_json", "plain"),
        ("framed json, zstd", "otlp_json", "framed"),
        ("framed protobuf", "otlp_proto", "framed"),
        ("protobuf, zstd", "otlp_proto", "zstd"),
    ],
)
def test_what_was_recognised_is_told(
    name: str, format_name: str, container: str, tmp_path: Path
) -> None:
    [source] = read_bytes(tmp_path, CONTAINERS[name]).reading.sources
    assert (source.format, source.container) == (format_name, container)


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    agent, search, _ = placeless(read_bytes(tmp_path, CONTAINERS["lines"]).spans)[:SPANS]
    assert agent.trace_id == "00000000000000000000000000000001"
    assert (agent.span_id, agent.parent_id) == ("0000000000000001", None)
    assert (agent.status, agent.status_message) == ("error", "late")
    assert agent.otel_kind == "INTERNAL"
    assert agent.attributes == {"gen_ai.operation.name": "invoke_agent", "question": "question 1"}
    assert agent.service == "shop-bot"
    assert (agent.scope_name, agent.scope_version) == ("test.agent", "1.0")
    assert search.parent_id == agent.span_id
    assert search.start_ns == 1_767_225_601_000_000_001
    assert search.end_ns == 1_767_225_601_000_000_002
    assert search.attributes == {"number": 1, "ratio": 0.5, "last": False, "ids": ["p-1", "p-2"]}
    [event] = search.events
    assert (event.name, event.time_ns, event.attributes) == (
        "first token",
        search.start_ns,
        {"index": 0},
    )


def test_a_record_knows_where_it_stood(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, CONTAINERS["lines, gzip"])
    places = {span.source.offset for span in found.spans if span.source}
    assert places == {0, len(line(1)) + 1, len(line(1)) + len(line(2)) + 2}


@pytest.mark.parametrize(
    "join",
    [
        pytest.param(lambda lines: b"\xef\xbb\xbf" + b"\n".join(lines), id="byte-order mark"),
        pytest.param(lambda lines: b"\r\n".join(lines) + b"\r\n", id="CRLF"),
        pytest.param(lambda lines: b"\n\n \t\n".join(lines) + b"\n", id="blank lines"),
        pytest.param(b"\n".join, id="last line not ended"),
        pytest.param(lambda lines: b"[" + b"][".join(lines) + b"]", id="array behind array"),
        pytest.param(lambda lines: b"\n".join(b"[" + x + b"]" for x in lines), id="array a line"),
        pytest.param(b" ".join, id="one line of objects"),
        pytest.param(b",\n".join, id="commas between lines"),
    ],
)
def test_json_in_odd_dress(join: Callable[[list[bytes]], bytes], tmp_path: Path) -> None:
    found = read_bytes(tmp_path, join([line(number) for number in NUMBERS]))
    assert found.losses == []
    assert len(found.spans) == SPANS * len(NUMBERS)


def test_line_separators_inside_a_text_end_no_line(tmp_path: Path) -> None:
    question = "one\u2028two\u2029three\u0085four"
    found = read_bytes(tmp_path, line(1, question) + b"\n" + line(2) + b"\n")
    assert found.losses == []
    assert [s.attributes["question"] for s in found.spans if "question" in s.attributes] == [
        question,
        "question 2",
    ]


@pytest.mark.parametrize("encoding", ["json", "protobuf"])
def test_log_records_are_records(encoding: str, tmp_path: Path) -> None:
    message = logs(4, "body")
    data = json.dumps(as_dict(message)).encode()
    found = read_bytes(tmp_path, data if encoding == "json" else message.SerializeToString())
    assert found.losses == []
    [log] = found.logs
    assert (log.trace_id, log.span_id) == (f"{4:032x}", f"{1:016x}")
    assert (log.event.name, log.event.body) == ("gen_ai.choice", "body")
    assert log.event.time_ns == 1_767_225_600_000_000_007
    assert log.event.attributes == {"finish_reason": "stop"}
    assert log.resource == {"service.name": "shop-bot"}
    assert found.reading.counts.loaded == 1


def test_metrics_in_a_file_of_traces_are_passed_over(tmp_path: Path) -> None:
    metrics = b'{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m"}]}]}]}'
    found = read_bytes(tmp_path, metrics + b"\n" + line(1) + b"\n" + metrics + b"\n")
    assert found.losses == []
    assert len(found.spans) == SPANS


def test_a_request_without_spans_is_nothing_lost(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, b'{"resourceSpans":[]}\n' + line(1) + b"\n")
    assert found.reading.counts.read == SPANS


def test_many_spans_come_in_bounded_batches(tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.write_bytes((line(1) + b"\n") * 1_200)
    sizes = [len(batch.spans) for batch in read_spans([path])]
    assert sum(sizes) == SPANS * 1_200
    assert max(sizes) <= 1_000 + SPANS


def test_a_large_framed_record_after_a_small_one(tmp_path: Path) -> None:
    large = line(2, "é" * 700_000)
    found = read_bytes(tmp_path, frame(zstd(line(1))) + frame(zstd(large)) + frame(line(3)))
    assert found.losses == []
    assert len(found.spans) == 3 * SPANS


def test_reading_twice_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(CONTAINERS["lines"])
    first, second = read_paths(path), read_paths(path)
    assert first.spans == second.spans
    assert first.reading.sources == second.reading.sources
