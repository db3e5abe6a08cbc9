"""Stored bytes to inflated bytes, whatever the file is called.

    bytes ──kind_of──▶ plain │ gzip │ zstd ──inflated──▶ chunks and cuts

The kind is told by the first bytes. Every kind passes through the same bounds: a file
that inflates without measure ends in a `Cut`, and so does one that is cut off or
damaged. What stands before is kept, to the last byte that can be inflated.
"""

import zlib
from collections.abc import Generator, Iterator
from typing import Protocol

from ingest.limits import Limits
from ingest.stream import CHUNK_BYTES, Chunk, Cut
from ingest.window import Window
from ingest.zstd_frames import ZSTD_START, unzstd

GZIP_MAGIC = b"\x1f\x8b\x08"
_SALVAGE_STEP = 64


class Reader(Protocol):
    """Where stored bytes come from."""

    bytes_read: int
    """Handed out so far."""

    def read(self, size: int, /) -> bytes:
        """Return up to *size* bytes, none only at the end."""
        ...


class Budget:
    """How much may still be inflated from one file, over all its frames."""

    def __init__(self, reader: Reader, limits: Limits) -> None:
        self._reader = reader
        self._limits = limits
        self._inflated = 0

    def spend(self, size: int) -> Cut | None:
        """Count *size* inflated bytes; return the cut to make when they are too many."""
        limits = self._limits
        self._inflated += size
        if self._inflated > limits.file_bytes:
            return Cut("size_limit", f"more than {limits.file_bytes} bytes inflated")
        if self._inflated > limits.ratio_after_bytes:
            stored = max(1, self._reader.bytes_read)
            if self._inflated > limits.ratio * stored:
                return Cut("ratio_limit", f"more than {limits.ratio} bytes out of one")
        return None


def kind_of(head: bytes) -> str:
    """Return `gzip`, `zstd` or `plain`, by the first bytes."""
    if head.startswith(GZIP_MAGIC):
        return "gzip"
    return "zstd" if ZSTD_START.match(head) else "plain"


def inflated(window: Window, kind: str, budget: Budget, limits: Limits) -> Iterator[Chunk]:
    """Yield the inflated chunks of *window*, none of them empty or larger than 1 MiB.

    Args:
        window: Stored bytes from the start of the file.
        kind: As `kind_of` told.
        budget: Bounds of the whole file.
        limits: What one frame may ask for.
    """
    inflate = {"gzip": _gunzip, "zstd": unzstd, "plain": _as_is}[kind]
    for chunk in inflate(window, limits):
        if isinstance(chunk, bytes):
            cut = budget.spend(len(chunk))
            if cut is not None:
                yield cut
                return
        yield chunk


def _as_is(window: Window, _limits: Limits) -> Iterator[Chunk]:
    while data := window.some():
        yield data


def _gunzip(window: Window, _limits: Limits) -> Iterator[Chunk]:
    while window.peek(len(GZIP_MAGIC)) == GZIP_MAGIC:
        ended = yield from _gunzip_member(window)
        if not ended:
            return
        window.skip_zeros()
    if window.peek(1):
        yield Cut("trailing_garbage", "bytes behind the last gzip member")


def _gunzip_member(window: Window) -> Generator[Chunk, None, bool]:
    """Inflate one member; returns whether another may follow."""
    member = zlib.decompressobj(wbits=31)
    while True:
        data = member.unconsumed_tail or window.take(CHUNK_BYTES)
        before = member.copy()
        try:
            part = member.decompress(data, CHUNK_BYTES) if data else member.flush()
        except zlib.error as error:
            yield from _before_the_damage(before, data)
            yield Cut("corrupt_stream", str(error))
            return False
        if part:
            yield part
        if member.eof:
            window.give_back(member.unused_data)
            return True
        if not data:
            yield Cut("truncated_stream", "gzip data ends before its end mark")
            return False


def _before_the_damage(member: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """Inflate *data* in small steps, and the step that fails byte by byte."""
    for size in (_SALVAGE_STEP, 1):
        while data:
            before = member.copy()
            try:
                part = member.decompress(data[:size])
            except zlib.error:
                member = before
                break
            data = data[size:]
            if part:
                yield part
