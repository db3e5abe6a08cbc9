"""Stored bytes to inflated bytes, whatever the file is called.

    bytes ──kind_of──▶ plain │ gzip │ zstd ──inflated──▶ chunks and cuts

The kind is told by the first bytes. Every kind passes through the same bounds: a file
that inflates without measure ends in a `Cut`, and so does one that is cut off or
damaged. What stands before is kept, to the last byte that can be inflated.
"""

import re
import zlib
from collections.abc import Generator, Iterator
from typing import Protocol

from ingest.limits import Limits
from ingest.stream import CHUNK_BYTES, Chunk, Cut
from ingest.window import Window
from ingest.zstd_frames import ZSTD_FRAME, ZSTD_START, unzstd

GZIP_MEMBER = re.compile(rb"\x1f\x8b\x08[\x00-\x1f].{4}[\x00\x02\x04][\x00-\x0d\xff]", re.DOTALL)
"""How a member begins: magic number, flags, time, level and system."""

_GZIP_HEADER_BYTES = 10
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
    if GZIP_MEMBER.match(head):
        return "gzip"
    return "zstd" if ZSTD_START.match(head) else "plain"


def hidden_kind(head: bytes) -> str | None:
    """Return the compression that begins somewhere in *head*, behind a damaged start."""
    if ZSTD_FRAME.search(head):
        return "zstd"
    return "gzip" if GZIP_MEMBER.search(head) else None


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
    while window.peek(1):
        if GZIP_MEMBER.match(window.peek(_GZIP_HEADER_BYTES)):
            whole = yield from _gunzip_member(window)
        else:
            whole = False
            window.skip_zeros()
            if window.peek(1):
                yield Cut("trailing_garbage", "bytes that are no gzip member")
        if not whole and not window.skip_to(GZIP_MEMBER):
            return


def _gunzip_member(window: Window) -> Generator[Chunk, None, bool]:
    """Inflate one member; returns whether another may follow."""
    member = zlib.decompressobj(wbits=31)
    while True:
        data = member.unconsumed_tail or window.take(CHUNK_BYTES)
        before = member.copy()
        try:
            part = member.decompress(data, CHUNK_BYTES) if data else member.flush()
        except zlib.error as error:
            rest = yield from _before_the_damage(before, data)
            window.give_back(rest[1:])
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


def _before_the_damage(member: "zlib._Decompress", data: bytes) -> Generator[Chunk, None, bytes]:
    """Inflate *data* in small steps, the one that fails byte by byte; returns the rest."""
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
    return data
