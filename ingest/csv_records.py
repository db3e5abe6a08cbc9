"""CSV as RFC 4180 has it, cut into records without trusting a single quote of it.

    bytes ──csv_records──▶ fields of one record, and where it began
                      └──▶ what is wrong with a record that has none

A record may span lines inside quotes. One whose quotes never close costs its first line:
the lines behind it are read on their own.
"""

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ingest.stream import Chunk, Cut

BOM = b"\xef\xbb\xbf"
_QUOTE = b'"'

csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # records are bounded before they are parsed


@dataclass(frozen=True, slots=True)
class Record:
    """One record, or the lines that yield none."""

    offset: int
    fields: tuple[str, ...] = ()
    trouble: str | None = None
    """Why there are no fields: `oversize_record`, `unclosed_quote`, `invalid_csv`, …"""
    detail: str = ""


def delimiter_of(line: bytes) -> str:
    """Return the delimiter that cuts a header into most fields: comma, semicolon or tab."""
    return max((",", ";", "\t"), key=lambda mark: line.count(mark.encode()))


def csv_records(chunks: Iterator[Chunk], most: int, delimiter: str = ",") -> Iterator[Record]:
    """Yield the records of a file in order, the header as one of them; empty lines are none.

    Args:
        chunks: The bytes, and cuts between them.
        most: Bytes of one record.
        delimiter: Between fields.
    """
    cutter = _Cutter(most)
    for chunk in chunks:
        if isinstance(chunk, Cut):
            pieces = list(cutter.finish())
            last = pieces[-1] if pieces else Record(cutter.offset)
            if isinstance(last, tuple) and not last[1].endswith(b"\n"):
                pieces.pop()  # the record that the cut goes through
                at = last[0]
            else:
                at = cutter.offset
            yield from _read(pieces, delimiter)
            yield Record(at, trouble=chunk.reason, detail=chunk.detail)
        else:
            yield from _read(cutter.feed(chunk), delimiter)
    yield from _read(cutter.finish(), delimiter)


def _read(pieces: Iterable[tuple[int, bytes] | Record], delimiter: str) -> Iterator[Record]:
    for piece in pieces:
        if isinstance(piece, Record):
            yield piece
        elif text := piece[1].strip(b"\r\n"):
            yield _parsed(piece[0], text, delimiter)


def _parsed(offset: int, data: bytes, delimiter: str) -> Record:
    text = data.decode("utf-8", "surrogateescape")
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        return Record(offset, trouble="invalid_csv", detail=str(error))
    if len(rows) != 1:
        return Record(offset, trouble="invalid_csv", detail="a quote inside a field")
    return Record(offset, tuple(rows[0]))


class _Cutter:
    """Finds where records end, and gives up those that do not."""

    def __init__(self, most: int) -> None:
        self.offset = 0
        """Where the record that is being read began."""
        self._most = most
        self._buffer = bytearray()
        self._line = 0
        """Where its last line begins, in the buffer."""
        self._seen = 0
        """How far its last line was searched for an end."""
        self._quoted = False
        """A quote is open at the beginning of its last line."""

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes] | Record]:
        """Yield the records that end in *data*."""
        self._buffer += data
        yield from self._whole()
        while len(self._buffer) > self._most:
            yield self._give_up("oversize_record", f"longer than {self._most} bytes")
            yield from self._whole()

    def finish(self) -> Iterator[tuple[int, bytes] | Record]:
        """Yield what is left at the end of the bytes."""
        yield from self._whole()
        while self._buffer:
            tail = self._buffer.count(_QUOTE, self._line) % 2 == 1
            if self._quoted is tail:
                yield self._taken(len(self._buffer))
            else:
                yield self._give_up("unclosed_quote", "the lines behind it are read")
                yield from self._whole()

    def _whole(self) -> Iterator[tuple[int, bytes] | Record]:
        buffer = self._buffer
        while (end := buffer.find(b"\n", self._seen)) >= 0:
            self._quoted ^= buffer.count(_QUOTE, self._line, end) % 2 == 1
            self._line = self._seen = end + 1
            if not self._quoted:
                yield self._taken(self._line)
        self._seen = len(buffer)

    def _taken(self, size: int) -> tuple[int, bytes] | Record:
        """Take a whole record out of the buffer."""
        if size > self._most:
            return self._lost(size, "oversize_record", f"longer than {self._most} bytes")
        record = (self.offset, bytes(self._buffer[:size]))
        self._drop(size)
        return record

    def _give_up(self, reason: str, detail: str) -> Record:
        """Lose the first line of what is kept."""
        return self._lost(self._buffer.find(b"\n") + 1 or len(self._buffer), reason, detail)

    def _lost(self, size: int, reason: str, detail: str) -> Record:
        lost = Record(self.offset, trouble=reason, detail=detail)
        self._drop(size)
        return lost

    def _drop(self, size: int) -> None:
        del self._buffer[:size]
        self.offset += size
        self._line = self._seen = 0
        self._quoted = False
