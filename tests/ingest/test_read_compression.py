"""Compressed files: whole, joined, cut, damaged, and bombs."""

import gzip
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ingest import Limits
from ingest.zstd_frames import read_header
from tests.ingest.exports import SPANS, line, zstd
from tests.ingest.outcome import read_bytes

LINES = [line(number) + b"\n" for number in range(1, 41)]
TEXT = b"".join(LINES)
SKIPPABLE = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"notes"


def unsized(data: bytes) -> bytes:
    """Return a zstd frame that does not tell how large it is inflated."""
    compressor = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    return compressor.compress(data) + compressor.flush()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(gzip.compress(TEXT), id="gzip"),
        pytest.param(b"".join(map(gzip.compress, LINES)), id="gzip members"),
        pytest.param(gzip.compress(TEXT) + bytes(1024), id="gzip padded with zeros"),
        pytest.param(gzip.compress(b"") + gzip.compress(TEXT), id="empty member first"),
        pytest.param(zstd(TEXT), id="zstd"),
        pytest.param(zstd(TEXT, checksum=True), id="zstd with checksum"),
        pytest.param(unsized(TEXT), id="zstd without size"),
        pytest.param(unsized(LINES[0]) + zstd(TEXT[len(LINES[0]) :]), id="two zstd frames"),
        pytest.param(SKIPPABLE + zstd(TEXT) + SKIPPABLE, id="skippable frames"),
        pytest.param(zstd(b"") + zstd(TEXT), id="empty frame first"),
        pytest.param(zstd(TEXT) + bytes(1024), id="zstd padded with zeros"),
    ],
)
def test_whole_streams(data: bytes, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, data)
    assert found.losses == []
    assert len(found.traces) == len(LINES)


@pytest.mark.parametrize("compress", [gzip.compress, zstd, unsized])
@pytest.mark.parametrize("keep", [0.99, 0.5, 0.2])
def test_cut_streams(compress: Callable[[bytes], bytes], keep: float, tmp_path: Path) -> None:
    data = compress(TEXT)
    found = read_bytes(tmp_path, data[: int(len(data) * keep)])
    assert found.reasons == ["truncated_stream"]
    assert len(found.spans) % SPANS == 0
    assert found.losses[0].offset == len(b"".join(LINES[: len(found.traces)]))


def test_a_cut_at_a_line_end_is_still_a_loss(tmp_path: Path) -> None:
    compressor = zstandard.ZstdCompressor().compressobj()
    data = compressor.compress(TEXT) + compressor.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    found = read_bytes(tmp_path, data)
    assert len(found.traces) == len(LINES)
    assert [(x.reason, x.offset) for x in found.losses] == [("truncated_stream", len(TEXT))]


@pytest.mark.parametrize(
    ("data", "kept", "reason"),
    [
        pytest.param(gzip.compress(TEXT) + b"garbage", 40, "trailing_garbage", id="gzip, garbage"),
        pytest.param(zstd(TEXT) + b"garbage", 40, "trailing_garbage", id="zstd, garbage"),
        pytest.param(
            gzip.compress(TEXT)[:-8] + b"\1\2\3\4" + gzip.compress(TEXT)[-4:],
            40,
            "corrupt_stream",
            id="gzip, wrong checksum",
        ),
        pytest.param(
            zstd(TEXT, checksum=True)[:-1] + b"\0", 40, "corrupt_stream", id="zstd, wrong checksum"
        ),
        pytest.param(gzip.compress(TEXT)[:-8], 40, "truncated_stream", id="gzip, no trailer"),
        pytest.param(
            gzip.compress(LINES[0]) + b"garbage" + gzip.compress(LINES[1]),
            2,
            "trailing_garbage",
            id="garbage between gzip members",
        ),
        pytest.param(
            zstd(LINES[0]) + b"garbage" + zstd(LINES[1]),
            2,
            "trailing_garbage",
            id="garbage between zstd frames",
        ),
        pytest.param(
            b"garbage" + zstd(TEXT), 40, "trailing_garbage", id="garbage before a zstd frame"
        ),
        pytest.param(b"\x1f\x8b\x08" + bytes(7) + b"garbage", 0, "corrupt_stream", id="no deflate"),
        pytest.param(zstd(TEXT)[:5], 0, "truncated_stream", id="half a header"),
        pytest.param(SKIPPABLE[:-1], 0, "truncated_stream", id="half a skippable frame"),
    ],
)
def test_damaged_streams(data: bytes, kept: int, reason: str, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, data)
    assert len(found.traces) == kept
    assert found.reasons == [reason]


@pytest.mark.parametrize("damaged", range(5))
def test_a_damaged_frame_costs_its_lines(damaged: int, tmp_path: Path) -> None:
    frames = [zstd(record) for record in LINES[:5]]
    frames[damaged] = frames[damaged][:-20] + b"\xff" * 20
    found = read_bytes(tmp_path, b"".join(frames))
    expected = {f"{number:032x}" for number in range(1, 6) if number != damaged + 1}
    assert found.traces == expected
    assert found.reading.counts.rejected >= 1


def test_damage_keeps_what_stands_before_it(tmp_path: Path) -> None:
    noise = [
        line(n, "".join(chr(97 + (n * k * k) % 26) for k in range(2_000))) for n in range(1, 400)
    ]
    data = bytearray(gzip.compress(b"\n".join(noise)))
    data[len(data) // 2] ^= 0x55
    found = read_bytes(tmp_path, bytes(data))
    assert len(found.traces) > 150
    assert found.reading.counts.rejected >= 1


@pytest.mark.parametrize("compress", [zstd, gzip.compress], ids=["zstd", "gzip"])
def test_a_bomb_is_stopped(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = compress(LINES[0] + bytes(2**27))
    started = time.process_time()
    found = read_bytes(tmp_path, data)
    assert time.process_time() - started < 5
    assert len(found.spans) == SPANS
    assert found.reasons == ["ratio_limit"]
    [source] = found.reading.sources
    assert source.bytes == len(data)


def test_a_file_that_inflates_beyond_measure_is_stopped(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, gzip.compress(TEXT), Limits(file_bytes=len(TEXT) // 2))
    assert found.reasons == ["size_limit"]


def test_a_regular_file_may_inflate_well_while_it_is_short(tmp_path: Path) -> None:
    text = LINES[0] * 3_000
    data = zstd(text)
    assert 200 * len(data) < len(text) < 16 * 2**20
    found = read_bytes(tmp_path, data)
    assert found.losses == []
    assert len(found.spans) == SPANS * 3_000


def test_a_frame_that_asks_for_too_much_memory(tmp_path: Path) -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=22)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = compressor.compress(TEXT) + compressor.flush()
    found = read_bytes(tmp_path, data + zstd(LINES[0]), Limits(window_bytes=2**21))
    assert len(found.spans) == SPANS
    assert found.reasons == ["window_limit"]


def test_a_frame_header_is_read() -> None:
    header = read_header(zstd(b"x" * 300, checksum=True))
    assert header is not None
    assert (header.content_size, header.window, header.checksum) == (300, 300, True)
    streamed = read_header(unsized(TEXT))
    assert streamed is not None
    assert (streamed.content_size, streamed.checksum) == (None, False)
    assert streamed.window >= 2**17
    assert read_header(b"\x28\xb5\x2f\xfd\xe0") is None
