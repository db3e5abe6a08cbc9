"""Random damage: never an exception, the numbers agree, neighbours live."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ingest import Attributes, count_losses, group_spans, read_spans, settle_losses
from ingest.compression import kind_of
from tests.ingest.exports import SPANS, containers, frame, line, request, zstd
from tests.ingest.outcome import read_bytes

NUMBERS = range(1, 5)
LINES = [line(number) for number in NUMBERS]
BINARY = [request(number).SerializeToString() for number in NUMBERS]
CONTAINERS = containers(LINES, BINARY)

Mutation = Callable[[bytes], bytes]
places = st.floats(0, 1, exclude_max=True)
pieces = st.one_of(
    st.binary(min_size=1, max_size=40),
    st.sampled_from(
        [b"\n", b'"', b"{", b"}", b"[", b"]", b"\\", b"\0", b"\xff", b"NaN", b"\\ud800"]
    ),
)


@st.composite
def mutations(draw: st.DrawFn) -> Mutation:
    """Draw one of: flip a bit, insert, delete, overwrite, cut, repeat a part."""
    kind = draw(st.sampled_from(["flip", "insert", "delete", "overwrite", "cut", "repeat"]))
    at, other = draw(places), draw(places)
    piece, bit = draw(pieces), draw(st.integers(0, 7))
    size = draw(st.sampled_from([1, 2, 30, 1_000]))

    def mutate(data: bytes) -> bytes:
        start, source = int(at * len(data)), int(other * len(data))
        match kind:
            case "flip":
                flipped = bytes([data[start] ^ 1 << bit]) if data else b""
                return data[:start] + flipped + data[start + 1 :]
            case "insert":
                return data[:start] + piece + data[start:]
            case "delete":
                return data[:start] + data[start + size :]
            case "overwrite":
                return data[:start] + piece + data[start + len(piece) :]
            case "cut":
                return data[:start]
            case _:
                return data[:start] + data[source : source + size] + data[start:]

    return mutate


@pytest.mark.parametrize("name", CONTAINERS)
@settings(max_examples=60)
@given(st.lists(mutations(), min_size=1, max_size=3))
def test_damaged_files_are_read_to_the_end(name: str, damage: list[Mutation]) -> None:
    data = CONTAINERS[name]
    for mutate in damage:
        data = mutate(data)
    with tempfile.TemporaryDirectory() as folder:
        found = read_bytes(Path(folder), data)
        for span in found.spans:
            assert isinstance(span.attributes, Attributes)
            assert json.loads(span.attributes.raw_json()).keys() == span.attributes.keys()
        assert found.spans or found.logs or found.losses or found.reading.skipped_files
        grouping = group_spans(read_spans([Path(folder) / "input"]), memory_limit=4_000)
        kept = sum(len(trace.spans) for trace in grouping)
        settled = settle_losses(found.losses, grouping.losses)
        # a span can be damaged into a log record, which is kept as an event
        assert found.logs or kept == grouping.kept
        assert count_losses(settled, grouping.kept).read == found.reading.counts.read


def one_per_line(records: list[bytes]) -> bytes:
    return b"\n".join(records) + b"\n"


ISOLATING: dict[str, tuple[list[bytes], Callable[[list[bytes]], bytes]]] = {
    "lines": (LINES, one_per_line),
    "lines, zstd": (LINES, lambda records: zstd(one_per_line(records))),
    "array": (LINES, lambda records: b"[" + b",".join(records) + b"]"),
    "framed json, zstd": ([frame(zstd(record)) for record in LINES], b"".join),
    "framed protobuf, zstd": ([frame(zstd(record)) for record in BINARY], b"".join),
}


@pytest.mark.parametrize("name", ISOLATING)
@settings(max_examples=60)
@given(st.integers(0, len(NUMBERS) - 1), mutations())
def test_damage_to_one_record_costs_no_other(name: str, damaged: int, mutate: Mutation) -> None:
    records, join = ISOLATING[name]
    changed = list(records)
    changed[damaged] = mutate(records[damaged])
    # a file that begins like a compressed one is taken for one
    assume(kind_of(changed[0]) == kind_of(records[0]))
    with tempfile.TemporaryDirectory() as folder:
        found = read_bytes(Path(folder), join(changed))
    traces = [span.trace_id for span in found.spans]
    for number in NUMBERS:
        if number != damaged + 1:
            assert traces.count(f"{number:032x}") >= SPANS


@pytest.mark.parametrize("name", ["lines", "framed json, zstd", "framed protobuf, zstd"])
def test_one_bad_record_of_a_thousand(name: str, tmp_path: Path) -> None:
    records, join = ISOLATING[name]
    many = records * 250
    many[500] = many[500][: len(many[500]) - 9] + b"\xff" * 9
    found = read_bytes(tmp_path, join(many))
    counts = found.reading.counts
    assert (counts.loaded, counts.rejected) == (999 * SPANS, 1)
