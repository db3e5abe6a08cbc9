"""A stream of OTLP/JSON, cut into the requests that it is made of.

    lines      one request per line, as the Collector writes
    requests   pretty-printed, an array, or one object behind the other
    document   anything else that is one JSON value

Requests are found by how they begin, `{"resourceSpans":`: unescaped quotes cannot stand
inside a JSON text, so this never matches inside a span's own content, and damage in one
request cannot hide the start of the next.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import msgspec

from ingest.stream import HEAD_BYTES, Cut, Stream

BOM = b"\xef\xbb\xbf"
REQUEST_START = re.compile(rb'\{\s{0,64}"resource_?(?:[sS]pans|[lL]ogs|[mM]etrics)"\s{0,64}:')
_LINE_REQUEST = re.compile(
    rb'^[ \t]*\{[ \t]*"resource_?(?:[sS]pans|[lL]ogs|[mM]etrics)"[ \t]*:.*\}[ \t\r]*(?:\n|\Z)',
    re.MULTILINE,
)
_SCOPES = re.compile(rb'"(?:scope|instrumentation_?[lL]ibrary)_?(?:[sS]pans|[lL]ogs)"\s{0,64}:')
_BLANK = b" \t\r\n"
_BETWEEN = b" \t\r\n,[]" + BOM
_LEAD = b" \t\r\n,["
_MOST_JOINED = 1_000
"""Requests in one record; more are made, not lost line ends."""

_OVERLAP = 256
"""Longer than any `REQUEST_START`."""


UNFINISHED = Cut("truncated_stream", "the text ends in the middle of a record")
"""Not cut by anything that was noticed; perhaps just not ended by a line end."""


@dataclass(frozen=True, slots=True)
class Record:
    """The bytes of what should be one request."""

    offset: int
    data: bytes
    cut: Cut | None = None
    """Why the bytes end here, when they do not end by themselves."""
    loose: bool = False
    """Only its start is sure: the rest of a damaged neighbour may hang on its end."""


def looks_like_otlp(head: bytes) -> bool:
    """Tell whether a text that begins with *head* holds requests of OTLP/JSON."""
    text = head.removeprefix(BOM).lstrip(_BLANK)
    if text[:1] in {b"{", b"["} and (REQUEST_START.search(text) or _SCOPES.search(text)):
        return True
    # Only the start may be damaged; in prose or code, requests are the smaller part.
    whole = [piece for _, piece in split_requests(text) if _is_json(piece)]
    return 2 * sum(map(len, whole)) > len(text)


def records(stream: Stream) -> Iterator[Record]:
    """Yield the records of *stream* in order; unfinished and oversize ones carry a cut."""
    head = stream.peek(HEAD_BYTES).removeprefix(BOM)
    start = REQUEST_START.search(head)
    leads = start is not None and not head[: start.start()].strip(_LEAD)
    if leads and head.lstrip(_BLANK).startswith(b"["):
        return _requests(stream)
    if _LINE_REQUEST.search(head) or (leads and _is_one_line(head)):
        return lines(stream)
    return _requests(stream) if leads else _document(stream)


def split_requests(data: bytes) -> list[tuple[int, bytes]]:
    """Return the requests in *data* with their positions; empty when *data* is just one.

    Lost line ends join records, and a lost end leaves the rest of one before the next.
    """
    starts = [match.start() for match in islice(REQUEST_START.finditer(data), _MOST_JOINED + 1)]
    if starts and data[: starts[0]].strip(_LEAD):
        starts.insert(0, 0)
    if not 0 < len(starts) <= _MOST_JOINED:
        return []
    ends = [*starts[1:], len(data)]
    pieces = [
        (start, data[start:end].rstrip(_BETWEEN)) for start, end in zip(starts, ends, strict=True)
    ]
    return [] if pieces == [(0, data)] else pieces


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _is_one_line(head: bytes) -> bool:
    return b"\n" not in head and len(REQUEST_START.findall(head)) == 1


def lines(stream: Stream) -> Iterator[Record]:
    """Yield the lines of *stream*, blank ones included; the last may carry a cut."""
    limit = stream.limits.record_bytes
    pending = _Pending(0, limit)
    for chunk in stream:
        if isinstance(chunk, Cut):
            yield pending.record(chunk)
            pending = _Pending(pending.end, limit)
            continue
        first, *others = chunk.split(b"\n")
        pending.add(first)
        if not others:
            continue
        yield pending.record()
        offset = pending.end + 1
        for line in others[:-1]:
            yield _record(offset, line, 0, limit)
            offset += len(line) + 1
        pending = _Pending(offset, limit)
        pending.add(others[-1])
    if pending.size:
        yield pending.record(UNFINISHED)


def _requests(stream: Stream) -> Iterator[Record]:
    limit = stream.limits.record_bytes
    buffer = bytearray()
    offset = dropped = searched = 0
    for chunk in stream:
        if isinstance(chunk, Cut):
            yield _loose(offset, buffer, dropped, limit, chunk)
            offset += dropped + len(buffer)
            buffer.clear()
            dropped = searched = 0
            continue
        buffer += chunk
        while match := REQUEST_START.search(buffer, searched):
            at = match.start()
            if dropped or buffer[:at].strip(_BETWEEN):
                yield _loose(offset, buffer[:at], dropped, limit)
            offset += dropped + at
            del buffer[:at]
            dropped, searched = 0, 1
        searched = max(searched, len(buffer) - _OVERLAP)
        if len(buffer) > limit + _OVERLAP:
            # Too long to be read: only its end is still of interest.
            dropped += searched
            del buffer[:searched]
            searched = 0
    if dropped or buffer.strip(_BETWEEN):
        yield _loose(offset, buffer, dropped, limit, UNFINISHED)


def _document(stream: Stream) -> Iterator[Record]:
    pending = _Pending(0, stream.limits.record_bytes)
    for chunk in stream:
        if isinstance(chunk, Cut):
            yield pending.record(chunk)
            pending = _Pending(pending.end, stream.limits.record_bytes)
        else:
            pending.add(chunk)
    if pending.size:
        yield pending.record(UNFINISHED)


class _Pending:
    """A record that is still growing; beyond the limit only its size is kept."""

    def __init__(self, offset: int, limit: int) -> None:
        self._offset = offset
        self._limit = limit
        self._parts: list[bytes] = []
        self.size = 0

    @property
    def end(self) -> int:
        return self._offset + self.size

    def add(self, data: bytes) -> None:
        self.size += len(data)
        if self.size <= self._limit:
            self._parts.append(data)
        else:
            self._parts.clear()

    def record(self, cut: Cut | None = None) -> Record:
        data = b"".join(self._parts)
        return _record(self._offset, data, self.size - len(data), self._limit, cut)


def _loose(
    offset: int, text: bytearray, dropped: int, limit: int, cut: Cut | None = None
) -> Record:
    record = _record(offset, bytes(text).rstrip(_BETWEEN), dropped, limit, cut)
    return replace(record, loose=True)


def _record(offset: int, data: bytes, dropped: int, limit: int, cut: Cut | None = None) -> Record:
    size = dropped + len(data)
    if size > limit:
        oversize = Cut("oversize_record", f"{size} bytes where {limit} are the limit")
        return Record(offset, b"", oversize if cut in {None, UNFINISHED} else cut)
    return Record(offset, data if offset else data.removeprefix(BOM), cut)
