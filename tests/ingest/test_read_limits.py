"""What hostile files cost: bounded time and memory, and a reason."""

import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest import Limits
from tests.ingest.exports import SPANS, line
from tests.ingest.outcome import read_bytes

GOOD = line(1) + b"\n"


def with_attributes(attributes: bytes) -> bytes:
    """Return a line that holds one span with *attributes*."""
    span = b'{"traceId":"%032x","spanId":"%016x","startTimeUnixNano":"1","attributes":%s}'
    head, tail = b'{"resourceSpans":[{"scopeSpans":[{"spans":[', b"]}]}]}\n"
    return head + span % (9, 9, attributes) + tail


def pair(number: int) -> bytes:
    return b'{"key":"k%d","value":{"intValue":"1"}}' % number


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(
            lambda: with_attributes(b"[" * 100_000 + b"]" * 100_000),
            "too_deep",
            id="100,000 levels",
        ),
        pytest.param(
            lambda: b'{"resourceSpans":' + b"[" * 2**20 + b"\n", "invalid_json", id="never closed"
        ),
        pytest.param(
            lambda: with_attributes(b"[" + b",".join(map(pair, range(300_000))) + b"]"),
            "too_many_attributes",
            id="300,000 attributes",
        ),
        pytest.param(
            lambda: with_attributes(
                b"{" + b",".join(b'"k%d":1' % n for n in range(300_000)) + b"}"
            ),
            "too_many_attributes",
            id="300,000 keys",
        ),
        pytest.param(
            lambda: b'{"resourceSpans":["' + b"a" * 80 * 2**20 + b'"]}\n',
            "oversize_record",
            id="a line of 80 MiB",
        ),
        pytest.param(
            lambda: b'{"resourceSpans":["' + b'\\"' * 5 * 2**20 + b"\n",
            "invalid_json",
            id="quotes in a string that never ends",
        ),
        pytest.param(
            lambda: b'{"resourceSpans":["' + b"\\ud800" * 2**20 + b'"]}\n',
            "invalid_json",
            id="a million lone surrogates",
        ),
        pytest.param(
            lambda: b'{"resourceSpans":["' + b"\xffa" * 2**20 + b'"]}\n',
            "invalid_utf8",
            id="a million bytes that are no text",
        ),
        pytest.param(
            lambda: b'{"resourceSpans":[' + b"NaN," * 2**20 + b"1]}\n",
            "invalid_json",
            id="a million times NaN",
        ),
        pytest.param(
            lambda: b'{"resourceSpans":' * 100_000 + b"\n", "too_deep", id="starts in one line"
        ),
    ],
)
def test_a_hostile_line_is_stopped(make: Callable[[], bytes], reason: str, tmp_path: Path) -> None:
    data = GOOD + make() + GOOD
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    found = read_bytes(tmp_path, data)
    assert time.process_time() - started < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400 * 2**10
    assert len(found.spans) == 2 * SPANS, "the next record is still read"
    assert found.reasons == [reason]


def test_a_document_is_read_up_to_the_limit(tmp_path: Path) -> None:
    document = b'{"batches":' + line(1)[len(b'{"resourceSpans":') :]
    assert len(read_bytes(tmp_path, document).spans) == SPANS
    found = read_bytes(tmp_path, document, Limits(record_bytes=1_000))
    assert [(x.reason, x.offset) for x in found.losses] == [("oversize_record", 0)]


def test_a_request_of_an_array_beyond_the_limit_costs_itself(tmp_path: Path) -> None:
    array = b"[" + b",".join([line(1), line(2, "x" * 5_000), line(3)]) + b"]"
    found = read_bytes(tmp_path, array, Limits(record_bytes=4_000))
    assert found.traces == {f"{1:032x}", f"{3:032x}"}
    assert [(x.reason, x.offset) for x in found.losses] == [("oversize_record", len(line(1)) + 2)]


@pytest.mark.parametrize("size", [3_999, 4_000, 4_001])
def test_the_limit_of_a_line_is_exact(size: int, tmp_path: Path) -> None:
    padded = line(1) + b" " * (size - len(line(1)))
    found = read_bytes(tmp_path, padded + b"\n" + line(2), Limits(record_bytes=4_000))
    assert len(found.traces) == 1 + (size <= 4_000)


def test_a_file_of_nothing_but_rejections_is_given_up(tmp_path: Path) -> None:
    data = GOOD + b"x\n" * 50 + GOOD
    found = read_bytes(tmp_path, data, Limits(rejected_per_file=20))
    assert len(found.spans) == SPANS
    assert found.reasons == ["invalid_json"] * 21 + ["too_many_rejected"]
    assert found.reading.sources[0].bytes == len(data)
