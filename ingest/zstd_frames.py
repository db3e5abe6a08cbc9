"""Zstandard streams, walked block by block.

The decoder is fed exactly one block at a time. That bounds what one call can inflate
(128 KiB), keeps everything before a damaged block, and shows where a frame ends: a
decoder that is fed a cut stream returns short data without any error.

Source: RFC 8878, sections 3.1.1 (frames, blocks) and 3.1.2 (skippable frames).
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import zstandard

from ingest.limits import Limits
from ingest.stream import Chunk, Cut
from ingest.window import Window

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
ZSTD_FRAME = re.compile(re.escape(ZSTD_MAGIC))
ZSTD_START = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
"""How a frame or a skippable frame begins."""

_RLE, _RESERVED = 1, 3
_DICTIONARY_BYTES = (0, 1, 2, 4)
_CONTENT_SIZE_BYTES = (0, 2, 4, 8)
_MOST_HEADER_BYTES = 18
_SKIPPABLE_HEADER_BYTES = 8
_BLOCK_HEADER_BYTES = 3
_CHECKSUM_BYTES = 4
_MOST_BLOCK_BYTES = 2**17 + _BLOCK_HEADER_BYTES
_SIZE_WITH_OFFSET = 2


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """What the first bytes of a frame tell."""

    size: int
    """Of the header itself, magic number included."""
    window: int
    """Bytes of memory that decoding needs."""
    checksum: bool
    content_size: int | None
    """Inflated bytes, None where the writer did not know."""


def read_header(head: bytes) -> FrameHeader | None:
    """Read a frame header, None when *head* is too short for one.

    *head* begins with the magic number.
    """
    if len(head) < len(ZSTD_MAGIC) + 2:
        return None
    descriptor = head[4]
    single_segment = bool(descriptor & 0x20)
    at = 5
    window = 0
    if not single_segment:
        exponent, mantissa = head[at] >> 3, head[at] & 7
        base = 1 << (10 + exponent)
        window = base + (base >> 3) * mantissa
        at += 1
    at += _DICTIONARY_BYTES[descriptor & 3]
    flag = descriptor >> 6
    width = 1 if single_segment and not flag else _CONTENT_SIZE_BYTES[flag]
    if len(head) < at + width:
        return None
    content_size = None
    if width:
        offset = 256 if width == _SIZE_WITH_OFFSET else 0
        content_size = int.from_bytes(head[at : at + width], "little") + offset
    if single_segment:
        window = content_size or 0
    return FrameHeader(
        size=at + width,
        window=window,
        checksum=bool(descriptor & 4),
        content_size=content_size,
    )


def unzstd(window: Window, limits: Limits) -> Iterator[Chunk]:
    """Yield what the frames of *window* inflate to, and a cut where one is broken.

    What stands behind damage is searched for the next frame, which is read again.
    """
    while magic := window.peek(len(ZSTD_MAGIC)):
        if magic == ZSTD_MAGIC:
            whole = yield from _frame(window, limits)
        elif ZSTD_START.match(magic):
            whole = yield from _skippable(window)
        else:
            whole = False
            window.skip_zeros()
            if window.peek(1):
                yield Cut("trailing_garbage", "bytes that are no zstd frame")
        if not whole and not window.skip_to(ZSTD_FRAME):
            return


def _skippable(window: Window) -> Generator[Chunk, None, bool]:
    size = int.from_bytes(window.take(_SKIPPABLE_HEADER_BYTES)[4:], "little")
    if window.skip(size) < size:
        yield Cut("truncated_stream", "skippable zstd frame ends too early")
        return False
    return True


def _frame(window: Window, limits: Limits) -> Generator[Chunk, None, bool]:
    """Inflate one frame; returns False where it was left before its end."""
    header = read_header(window.peek(_MOST_HEADER_BYTES))
    if header is None:
        window.skip(len(ZSTD_MAGIC))
        yield Cut("truncated_stream", "zstd frame ends in its header")
        return False
    if header.window > limits.window_bytes:
        window.skip(len(ZSTD_MAGIC))
        yield Cut("window_limit", f"the frame asks for {header.window} bytes of memory")
        return False
    decoder = zstandard.ZstdDecompressor(max_window_size=limits.window_bytes).decompressobj()
    start = window.take(header.size)
    damage = yield from _blocks(window, decoder, start)
    if damage is None and header.checksum:
        damage = _checksum(window, decoder)
    if damage is not None:
        yield damage
    return damage is None


def _blocks(
    window: Window, decoder: "zstandard.ZstdDecompressionObj", start: bytes
) -> Generator[Chunk, None, Cut | None]:
    """Inflate the blocks behind the header *start*; returns what is wrong with them.

    Damage leaves *window* where the next frame may begin: a header whose first block is
    no block may itself be made of the frame behind it.
    """
    last = False
    while not last:
        last, size = _block(window.peek(_BLOCK_HEADER_BYTES))
        block = window.peek(size) if size <= _MOST_BLOCK_BYTES else b""
        damage = None
        if size > _MOST_BLOCK_BYTES:
            damage = Cut("corrupt_stream", "zstd block of an unknown type or size")
        elif len(block) < max(size, _BLOCK_HEADER_BYTES):
            damage = Cut("truncated_stream", "zstd data ends before its last block")
        else:
            try:
                part = decoder.decompress(start + block)
            except zstandard.ZstdError as error:
                damage = Cut("corrupt_stream", str(error))
            else:
                if part:
                    yield part
        if damage is not None:
            window.give_back(start[len(ZSTD_MAGIC) :])
            return damage
        window.skip(size)
        start = b""
    return None


def _checksum(window: Window, decoder: "zstandard.ZstdDecompressionObj") -> Cut | None:
    checksum = window.take(_CHECKSUM_BYTES)
    if len(checksum) < _CHECKSUM_BYTES:
        return Cut("truncated_stream", "zstd data ends before its checksum")
    try:
        decoder.decompress(checksum)
    except zstandard.ZstdError as error:
        return Cut("corrupt_stream", str(error))
    return None


def _block(header: bytes) -> tuple[bool, int]:
    """Return whether the block is the frame's last, and its bytes with its header."""
    word = int.from_bytes(header, "little")
    kind, size = word >> 1 & 3, word >> 3
    if kind == _RESERVED:
        size = _MOST_BLOCK_BYTES
    return bool(word & 1), _BLOCK_HEADER_BYTES + (1 if kind == _RLE else size)
