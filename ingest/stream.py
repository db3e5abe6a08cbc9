"""The inflated bytes of one source, in bounded chunks, with a look at the head.

A `Cut` between two chunks says that bytes are missing there and why. Readers finish
what stands before it and go on behind it; it is never an exception, so that nothing
that was read is thrown away.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ingest.limits import Limits
from ingest.losses import Loss, Outcome
from ingest.span import SourceRef

CHUNK_BYTES = 2**18
"""Read and inflated at once; small enough to stay in the processor's cache."""

HEAD_BYTES = 2**20
"""What a format may look at before it is chosen."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Bytes are missing here."""

    reason: str
    """`truncated_stream`, `corrupt_stream`, `trailing_garbage`, `ratio_limit`, …"""
    detail: str = ""


Chunk: TypeAlias = bytes | Cut


class Stream:
    """Chunks of one source, and where they stand."""

    def __init__(
        self, path: str, chunks: Iterable[Chunk], limits: Limits, place: int | None = None
    ) -> None:
        """Wrap *chunks*.

        Args:
            path: The source as losses and spans will name it.
            chunks: Inflated bytes in order, with cuts between them.
            limits: What a reader of this stream accepts.
            place: Offset that stands for every record, where the stream is one frame
                of a larger one; None when offsets are positions in this stream.
        """
        self.path = path
        self.limits = limits
        self._place = place
        self._chunks = iter(chunks)
        self._head: deque[Chunk] = deque()

    def peek(self, size: int) -> bytes:
        """Return up to *size* of the next bytes, over cuts, without taking them."""
        seen = [chunk for chunk in self._head if isinstance(chunk, bytes)]
        missing = size - sum(map(len, seen))
        while missing > 0:
            chunk = next(self._chunks, b"")
            if not chunk:
                break
            self._head.append(chunk)
            if isinstance(chunk, bytes):
                seen.append(chunk)
                missing -= len(chunk)
        return b"".join(seen)[:size]

    def next_cut(self) -> Cut | None:
        """Return the cut that stands right here, None where bytes or nothing stand."""
        self.peek(1)
        first = self._head[0] if self._head else None
        return first if isinstance(first, Cut) else None

    def __iter__(self) -> Iterator[Chunk]:
        while self._head:
            yield self._head.popleft()
        yield from self._chunks

    def at(self, offset: int) -> SourceRef:
        """Return *offset* as a place in the source."""
        return SourceRef(path=self.path, offset=self._offset(offset))

    def loss(
        self,
        reason: str,
        offset: int,
        detail: str = "",
        *,
        span_id: str | None = None,
        outcome: Outcome = "rejected",
    ) -> Loss:
        """Return the loss of one record that stands at *offset*."""
        return Loss(
            outcome=outcome,
            reason=reason,
            file=self.path,
            offset=self._offset(offset),
            detail=detail,
            span_id=span_id,
        )

    def _offset(self, offset: int) -> int:
        return offset if self._place is None else self._place
