"""Length-framed files, as the Collector's file exporter writes them.

    00 00 02 99 │ 28 b5 2f fd …      4 bytes of length, big-endian, then a zstd frame
    00 00 06 21 │ 0a 9e 0c …         … or protobuf, or JSON

Every frame is one record. A length that cannot be right is not believed: the next place
where a frame fits is searched, so that one damaged frame costs one record.

Source: opentelemetry-collector-contrib, exporter/fileexporter, file format notes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import islice

from ingest.compression import Budget
from ingest.limits import Limits
from ingest.otlp_wire import WireError, fields, looks_like_export
from ingest.stream import HEAD_BYTES, Cut, Stream
from ingest.window import StreamPieces, Window
from ingest.zstd_frames import ZSTD_MAGIC, unzstd

_PREFIX = 4
_SIGNATURE = 64
_SEARCHED_HEAD = 2**16
_MOST_FRAME_BYTES = 2**30
"""A longer length is damage; one between this and the record limit is `oversize_record`."""

_LEAST_TEXT = 0x09090909
"""A length like this may be four characters before JSON: no file is framed because of it."""

_JSON = re.compile(rb'\s{0,8}[\[{]\s{0,8}[{"]')
_CANDIDATE = re.compile(
    rb'(?=[\x00-\x3f].{3}(?:\x28\xb5\x2f\xfd|\x0a|\s{0,8}[\[{]\s{0,8}[{"]))', re.DOTALL
)
_MARKS = (ZSTD_MAGIC, b"\n", b"{", b"[")
"""One of these is in everything that a frame may begin with; looking for them is cheap."""

_MOST_CANDIDATES = 5_000
"""Places tried in one look ahead; where there are more, the bytes are made of them."""

_NEXT_LINE = re.compile(rb'\}\s{0,8},?\r?\n\s{0,8}\{\s{0,8}"')
"""Two objects on two lines: text, in which frames may stand, but no file of frames."""

_FINAL = {"ratio_limit", "size_limit"}


@dataclass(frozen=True, slots=True)
class Frame:
    """One record of a framed file."""

    offset: int
    """Of the length prefix."""
    payload: bytes | Cut
    """Inflated; a cut when it cannot be read."""


def looks_framed(head: bytes) -> bool:
    """Tell whether a file that begins with *head* is length-framed.

    The first frame may be damaged when two behind it fit together.
    """
    first = _length(head, 0)
    if first is not None and first < _LEAST_TEXT:
        return True
    for match in _CANDIDATE.finditer(head, 0, _SEARCHED_HEAD):
        at = match.start()
        if _NEXT_LINE.search(head, 0, at):
            return False
        size = _length(head, at)
        if size is not None and _length(head, at + _PREFIX + size) is not None:
            return True
    return False


def frames(stream: Stream, budget: Budget) -> Iterator[Frame]:
    """Yield the frames of *stream* in order; what cannot be read carries a cut."""
    pieces = StreamPieces(stream)
    while True:
        window = Window(pieces, pieces.offset)
        offset = window.offset
        while window.peek(1):
            offset = window.offset
            payload = _next_payload(window, stream.limits, budget)
            if isinstance(payload, Cut) and pieces.cut is not None and not window.peek(1):
                break
            yield Frame(offset, payload)
            if isinstance(payload, Cut) and payload.reason in _FINAL:
                return
            offset = window.offset
        if pieces.cut is None:
            return
        yield Frame(offset, pieces.cut)
        pieces.resume()


def _length(data: bytes, at: int) -> int | None:
    """Return the length of the frame that begins at *at*, None when none can."""
    payload = data[at + _PREFIX : at + _PREFIX + _SIGNATURE]
    size = int.from_bytes(data[at : at + _PREFIX], "big")
    if not payload or not 0 < size <= _MOST_FRAME_BYTES:
        return None
    known = payload.startswith(ZSTD_MAGIC) or _JSON.match(payload)
    return size if known or looks_like_export(payload[:size], size) else None


def _next_payload(window: Window, limits: Limits, budget: Budget) -> bytes | Cut:
    size = _length(window.peek(_PREFIX + _SIGNATURE), 0)
    if size is not None and size > limits.record_bytes:
        return _pass_oversize(window, size, limits)
    if size is not None and _is_next(window, size, limits):
        return _inflate(window.take(_PREFIX + size)[_PREFIX:], limits, budget)
    return _pass_damage(window, limits, cut=size is not None)


def _is_next(window: Window, size: int, limits: Limits) -> bool:
    """Tell whether the next *size* bytes are a frame, whatever comes behind it."""
    if _ends_well(window, 0, size):
        return True
    near = _find_frame(window, limits)
    if near is not None and near < _PREFIX + size:
        return False
    payload = window.peek(size, ahead=_PREFIX)
    return len(payload) == size and _is_whole(payload, limits)


def _ends_well(window: Window, at: int, size: int) -> bool:
    """Tell whether a frame of *size* at *at* ends where another begins, or the file ends."""
    behind = window.peek(_PREFIX + _SIGNATURE, ahead=at + _PREFIX + size)
    if behind:
        return _length(behind, 0) is not None
    return bool(window.peek(1, ahead=at + _PREFIX + size - 1))


def _is_whole(payload: bytes, limits: Limits) -> bool:
    """Tell whether *payload* by itself ends where its frame says."""
    if payload.startswith(ZSTD_MAGIC):
        inflated = 0
        for chunk in unzstd(Window(BytesIO(payload)), limits):
            if isinstance(chunk, Cut):
                return False
            inflated += len(chunk)
            if inflated > limits.record_bytes:
                break
        return True
    if _JSON.match(payload):
        return payload.rstrip().endswith((b"}", b"]"))
    try:
        return all(field.end <= len(payload) for field in fields(payload))
    except WireError:
        return False


def _pass_oversize(window: Window, size: int, limits: Limits) -> Cut:
    near = _find_frame(window, limits)
    if near is not None and near < _PREFIX + size:
        window.skip(near)
        return Cut("broken_frame", "no frame fits here")
    if window.skip(_PREFIX + size) < _PREFIX + size:
        return Cut("truncated_stream", "the last frame ends too early")
    return Cut("oversize_record", f"a frame of {size} bytes")


def _pass_damage(window: Window, limits: Limits, *, cut: bool) -> Cut:
    """Move on to the next frame, or to the end; return what to call the gap."""
    start = window.offset
    while True:
        if window.offset - start > limits.record_bytes:
            window.skip_all()
            return Cut("broken_frame", f"no frame fits in {limits.record_bytes} bytes")
        at = _find_frame(window, limits)
        if at is not None:
            window.skip(at)
            return Cut("broken_frame", "no frame fits here")
        left = len(window.peek(HEAD_BYTES))
        if left < HEAD_BYTES:
            window.skip(left)
            if cut or left <= _PREFIX:
                return Cut("truncated_stream", "the last frame ends too early")
            return Cut("broken_frame", "no frame fits from here to the end")
        window.skip(HEAD_BYTES - _PREFIX - _SIGNATURE)


def _find_frame(window: Window, limits: Limits) -> int | None:
    """Return how far ahead the next frame begins, None when none does nearby."""
    data = window.peek(HEAD_BYTES)
    if not any(mark in data for mark in _MARKS):
        return None
    for match in islice(_CANDIDATE.finditer(data, 1), _MOST_CANDIDATES):
        size = _length(data, match.start())
        if size is None or size > limits.record_bytes:
            continue
        if _ends_well(window, match.start(), size):
            return match.start()
    return None


def _inflate(payload: bytes, limits: Limits, budget: Budget) -> bytes | Cut:
    if not payload.startswith(ZSTD_MAGIC):
        return payload
    parts: list[bytes] = []
    size = 0
    for chunk in unzstd(Window(BytesIO(payload)), limits):
        if isinstance(chunk, Cut):
            return chunk if chunk.reason in _FINAL else Cut("corrupt_frame", chunk.detail)
        exhausted = budget.spend(len(chunk))
        if exhausted is not None:
            return exhausted
        size += len(chunk)
        if size > limits.record_bytes:
            return Cut("oversize_record", f"a frame that inflates beyond {limits.record_bytes}")
        parts.append(chunk)
    return b"".join(parts)
