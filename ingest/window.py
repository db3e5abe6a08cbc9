"""A look ahead into bytes that come piece by piece."""

import re
from typing import Protocol

from ingest.stream import CHUNK_BYTES, Cut, Stream

_LONGEST_MARK = 16


class Pieces(Protocol):
    """Where the bytes come from."""

    def read(self, size: int, /) -> bytes:
        """Return some bytes, about *size* of them; none only at the end."""
        ...


class Window:
    """Bytes to peek at, take or skip; holds no more than the longest peek needs."""

    def __init__(self, pieces: Pieces, offset: int = 0) -> None:
        self._pieces = pieces
        self._buffer = b""
        self._start = 0
        self.offset = offset
        """Where the next byte stands."""

    def peek(self, size: int, ahead: int = 0) -> bytes:
        """Return *size* bytes from *ahead* on without taking them; fewer only at the end."""
        self._fill(ahead + size)
        return self._buffer[self._start + ahead : self._start + ahead + size]

    def take(self, size: int) -> bytes:
        """Return the next *size* bytes; fewer only at the end."""
        data = self.peek(size)
        self._advance(len(data))
        return data

    def some(self) -> bytes:
        """Return whatever is at hand, without copying; nothing only at the end."""
        data = self._buffer[self._start :] if self._start else self._buffer
        self._buffer, self._start = b"", 0
        data = data or self._pieces.read(CHUNK_BYTES)
        self.offset += len(data)
        return data

    def skip(self, size: int) -> int:
        """Pass over *size* bytes and return how many there were."""
        skipped = 0
        while skipped < size:
            passed = len(self.peek(min(CHUNK_BYTES, size - skipped)))
            if not passed:
                break
            self._advance(passed)
            skipped += passed
        return skipped

    def skip_all(self) -> None:
        """Pass over everything up to the end."""
        while self.some():
            pass

    def skip_to(self, mark: re.Pattern[bytes]) -> bool:
        """Pass over what stands before *mark*; False, at the end, when it never comes."""
        while True:
            data = self.peek(CHUNK_BYTES)
            found = mark.search(data)
            if found:
                self._advance(found.start())
                return True
            if len(data) < CHUNK_BYTES:
                self._advance(len(data))
                return False
            self._advance(CHUNK_BYTES - _LONGEST_MARK)

    def skip_zeros(self) -> None:
        """Pass over padding."""
        while data := self.peek(CHUNK_BYTES):
            zeros = len(data) - len(data.lstrip(b"\0"))
            self._advance(zeros)
            if zeros < len(data):
                return

    def give_back(self, data: bytes) -> None:
        """Undo the taking of the last *data*."""
        self._buffer = data + self._buffer[self._start :]
        self._start = 0
        self.offset -= len(data)

    def _advance(self, size: int) -> None:
        self._start += size
        self.offset += size

    def _fill(self, size: int) -> None:
        have = len(self._buffer) - self._start
        if have >= size:
            return
        pieces = [self._buffer[self._start :]]
        while have < size:
            piece = self._pieces.read(max(CHUNK_BYTES, size - have))
            if not piece:
                break
            pieces.append(piece)
            have += len(piece)
        self._buffer = b"".join(pieces)
        self._start = 0


class StreamPieces:
    """The chunks of a stream, up to one cut at a time."""

    def __init__(self, stream: Stream) -> None:
        self._chunks = iter(stream)
        self.offset = 0
        """Bytes handed out so far."""
        self.cut: Cut | None = None
        """The cut that ended the bytes; None while there may be more, or at the end."""

    def read(self, _size: int, /) -> bytes:
        """Return the next chunk; nothing at a cut and at the end."""
        if self.cut is not None:
            return b""
        chunk = next(self._chunks, b"")
        if isinstance(chunk, Cut):
            self.cut = chunk
            return b""
        self.offset += len(chunk)
        return chunk

    def resume(self) -> None:
        """Go on behind the cut."""
        self.cut = None
