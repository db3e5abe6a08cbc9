"""The pieces of a JSON stream, with their places in it: line by line, or as a whole.

A text that is no lines is held whole up to the record limit. Beyond it, a window moves
over the text, and only an object that is itself longer is lost.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ingest.json_mend import is_json
from ingest.json_records import BOM, lines
from ingest.json_records import UNFINISHED as NO_LINE_END
from ingest.json_split import BROKEN, UNFINISHED, Piece, Wanted, counted, may_begin, pieces
from ingest.stream import HEAD_BYTES, Cut, Stream
from ingest.window import StreamPieces, Window

_OVERSIZE = "oversize_record"
_FIRST_LINES = 8
_STEP = 2**20
_SPREAD = re.compile(rb"^\{[ \r]*\n[ \t]*\"", re.MULTILINE)
"""An object that is written over several lines, the first member in the second."""
_OVERLAP = 128
"""Longer than how any object begins."""


def json_pieces(stream: Stream, wanted: Wanted) -> Iterator[Piece]:
    """Yield the pieces of *stream* in order; their offsets are places in it."""
    if are_lines(stream.peek(HEAD_BYTES)):
        return _of_lines(stream, wanted)
    return _of_text(stream, wanted)


def are_lines(head: bytes) -> bool:
    """Tell whether a text that begins with *head* has one JSON value in each line."""
    text = head.removeprefix(BOM).lstrip()
    first, *others = text.split(b"\n", _FIRST_LINES)[:_FIRST_LINES]
    if is_json(first):
        # a record that shrank to one line, as `null`, does not make lines of those after it
        spread = _SPREAD.search(b"\n".join(others))
        return spread is None and (text[:1] == b"{" or any(map(bytes.strip, others)))
    if text[:1] == b"[" or first.rstrip() == b"{":
        return False
    return any(line[:1] == b"{" and is_json(line) for line in others)


def _of_lines(stream: Stream, wanted: Wanted) -> Iterator[Piece]:
    for record in lines(stream):
        cut = None if record.cut is NO_LINE_END else record.cut
        found = _moved(counted(pieces(record.data, wanted)), record.offset)
        if record.cut is None:
            for piece in found:  # its end is where it should be
                yield replace(piece, trouble=BROKEN) if piece.trouble == UNFINISHED else piece
        elif cut is None:
            yield from found
        else:
            yield from _with_cut(list(found), cut, record.offset + len(record.data))


def _of_text(stream: Stream, wanted: Wanted) -> Iterator[Piece]:
    source = StreamPieces(stream)
    while True:
        window = Window(source, source.offset)
        last: list[Piece] = []
        for piece in counted(_windows(window, stream.limits.record_bytes, wanted)):
            yield from last
            last = [piece]
        if source.cut is None:
            yield from last
            return
        yield from _with_cut(last, source.cut, window.offset)
        source.resume()


def _windows(window: Window, size: int, wanted: Wanted) -> Iterator[Piece]:
    """Yield the pieces of a text of any length, *size* bytes of it at a time."""
    dropping = False
    while text := window.take(size + 1):
        start = window.offset - len(text)
        if start == 0 and text.startswith(BOM):
            text, start = text.removeprefix(BOM), len(BOM)
        more = len(text) > size
        if dropping and more and not may_begin(text):
            window.give_back(text[-_OVERLAP:])
            _pass_over(window)
            continue
        for piece in pieces(text, wanted):
            unfinished = bool(more and piece.trouble) and _end(piece) == len(text)
            if piece.trouble and piece.offset == 0 and dropping:
                # Still the object that was too long; the next may begin near the end.
                dropping = unfinished
                window.give_back(text[size // 2 :] if unfinished else b"")
                continue
            if unfinished and piece.offset:
                window.give_back(piece.data)
                continue
            dropping = unfinished
            trouble = _OVERSIZE if unfinished else piece.trouble
            yield replace(piece, offset=start + piece.offset, trouble=trouble)


def _pass_over(window: Window) -> None:
    """Move on to where an object may begin, or to the end, without holding what is between."""
    while text := window.take(_STEP):
        if may_begin(text):
            window.give_back(text)
            return
        if len(text) == _STEP:
            window.give_back(text[-_OVERLAP:])


def _end(piece: Piece) -> int:
    return piece.offset + len(piece.data)


def _moved(found: Iterable[Piece], offset: int) -> Iterator[Piece]:
    for piece in found:
        yield replace(piece, offset=offset + piece.offset)


def _with_cut(found: list[Piece], cut: Cut, end: int) -> list[Piece]:
    """Count what a cut took as one record: the broken one before it, if there is one."""
    if found and found[-1].trouble:
        return [*found[:-1], replace(found[-1], trouble=cut.reason, detail=cut.detail)]
    return [*found, Piece(end, b"", trouble=cut.reason, detail=cut.detail)]
