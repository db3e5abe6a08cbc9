"""Length-framed files: every frame is one record, and damage costs no neighbour."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ingest import Limits
from ingest.framing import looks_framed
from tests.ingest.exports import SPANS, frame, line, request, zstd
from tests.ingest.outcome import read_bytes

KINDS: dict[str, Callable[[int], bytes]] = {
    "json": line,
    "json, zstd": lambda number: zstd(line(number)),
    "protobuf": lambda number: request(number).SerializeToString(),
    "protobuf, zstd": lambda number: zstd(request(number).SerializeToString()),
}
NUMBERS = range(1, 7)
FRAMES = {kind: [frame(make(number)) for number in NUMBERS] for kind, make in KINDS.items()}
kinds = pytest.mark.parametrize("frames", FRAMES.values(), ids=FRAMES)


def found_numbers(folder: Path, data: bytes) -> tuple[list[int], int]:
    """Return the requests that were read whole, and how many records were lost."""
    found = read_bytes(folder, data)
    traces = [span.trace_id for span in found.spans]
    whole = [n for n in NUMBERS if traces.count(f"{n:032x}") == SPANS]
    return whole, found.reading.counts.rejected


@kinds
def test_all_frames_are_read(frames: list[bytes], tmp_path: Path) -> None:
    assert found_numbers(tmp_path, b"".join(frames)) == (list(NUMBERS), 0)
    assert found_numbers(tmp_path, frames[0]) == ([1], 0)


@kinds
@pytest.mark.parametrize("damaged", [0, 2, 5], ids=["first", "middle", "last"])
@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("flip", [0x01, 0x80])
def test_a_damaged_length_costs_its_frame(
    frames: list[bytes], damaged: int, position: int, flip: int, tmp_path: Path
) -> None:
    broken = bytearray(frames[damaged])
    broken[position] ^= flip
    changed = [*frames[:damaged], bytes(broken), *frames[damaged + 1 :]]
    whole, lost = found_numbers(tmp_path, b"".join(changed))
    assert set(NUMBERS) - {damaged + 1} <= set(whole)
    assert lost <= 2


@kinds
@pytest.mark.parametrize(
    "break_frame",
    [
        pytest.param(lambda data: data[:4] + b"\xff" * (len(data) - 4), id="overwritten"),
        pytest.param(lambda data: data[: len(data) // 2], id="second half missing"),
        pytest.param(lambda data: data[len(data) // 2 :], id="first half missing"),
        pytest.param(lambda data: b"", id="missing"),
        pytest.param(lambda data: data + b"more", id="bytes behind it"),
        pytest.param(lambda data: bytes(4), id="a frame of nothing"),
    ],
)
def test_a_damaged_frame_costs_itself(
    frames: list[bytes], break_frame: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    changed = [*frames[:2], break_frame(frames[2]), *frames[3:]]
    whole, _ = found_numbers(tmp_path, b"".join(changed))
    assert set(whole) | {3} == set(NUMBERS)


@kinds
@pytest.mark.parametrize("missing", [1, 40])
def test_a_cut_file_loses_its_last_frame(frames: list[bytes], missing: int, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, b"".join(frames)[:-missing])
    assert len(found.traces) == len(frames) - 1
    assert [(x.reason, x.offset) for x in found.losses] == [
        ("truncated_stream", len(b"".join(frames[:-1])))
    ]


@kinds
def test_records_stand_at_their_frame(frames: list[bytes], tmp_path: Path) -> None:
    found = read_bytes(tmp_path, b"".join(frames))
    places = sorted({span.source.offset for span in found.spans if span.source})
    assert places == [len(b"".join(frames[:number])) for number in range(len(frames))]


@pytest.mark.parametrize("kind", ["json", "json, zstd"])
def test_a_frame_beyond_the_limit_costs_itself(kind: str, tmp_path: Path) -> None:
    large = line(1, "x" * 5_000)
    data = frame(zstd(large) if "zstd" in kind else large) + FRAMES[kind][1]
    found = read_bytes(tmp_path, data, Limits(record_bytes=4_000))
    assert found.traces == {f"{2:032x}"}
    assert [(x.reason, x.offset) for x in found.losses] == [("oversize_record", 0)]


def test_a_frame_that_is_a_bomb_is_stopped(tmp_path: Path) -> None:
    bomb = zstd(line(1) + b" " * 2**28)
    found = read_bytes(tmp_path, FRAMES["json, zstd"][1] + frame(bomb))
    assert found.traces == {f"{2:032x}"}
    assert found.reasons == ["ratio_limit"]


def test_frames_of_another_format_are_counted(tmp_path: Path) -> None:
    other = frame(b'{"level":"info"}')
    found = read_bytes(tmp_path, FRAMES["json"][0] + other + FRAMES["json"][1])
    assert len(found.traces) == 2
    assert found.reasons == ["unknown_record"]


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\0\0",
        bytes(64),
        line(1),
        request(1).SerializeToString(),
        zstd(line(1)),
        b"\0\0\0\x08plain text",
    ],
)
def test_what_is_not_framed(head: bytes) -> None:
    assert not looks_framed(head)


def test_frames_in_a_file_of_lines_do_not_make_it_framed(tmp_path: Path) -> None:
    stray = b"".join(frame(zstd(line(number))) for number in (7, 8))
    found = read_bytes(tmp_path, b"\n".join([line(1), line(2), stray, line(3)]) + b"\n")
    assert {f"{number:032x}" for number in (1, 2, 3)} <= found.traces


def test_a_number_before_the_first_line_is_no_length(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, b"1.5\n" + line(1) + b"\n" + line(2) + b"\n")
    assert found.traces == {f"{number:032x}" for number in (1, 2)}
