r"""JSON text cut into the objects that it is made of, whatever stands around them.

    {…}\n{…}       lines                    {…}{…}      one behind the other
    [{…}, {…}]    a list                   {"…": […]}  one document

Where the text is damaged, a wanted object is searched for behind the damage, also inside
of what was opened there: one bad record costs that record, and a text that ends too
early gives everything before its end.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import msgspec

from ingest.cut_json import parse_prefix
from ingest.json_depth import shallow
from ingest.json_mend import is_json, is_too_deep, mended

Wanted: TypeAlias = Callable[[bytes], bool]
"""Tells whether the text of an object is a record, or holds some."""

BROKEN, UNFINISHED, TOO_DEEP = "invalid_json", "truncated_stream", "too_deep"

_STRUCTURE = re.compile(rb'"(?:[^"\\\n]++|\\.)*+"|[{}\[\]"]', re.DOTALL)
_STRUCTURE_AND_COMMAS = re.compile(_STRUCTURE.pattern + rb"|,", re.DOTALL)
_OPENERS = {b"}": b"{", b"]": b"["}
_CANDIDATE = re.compile(rb'\{\s{0,64}"')
_BETWEEN = re.compile(
    rb"(?:[\s,\[\]\x1e\xef\xbb\xbf]|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z(?=\s))*+"
)
"""Also the time that a log store puts before each line."""

_IDENTITY = re.compile(rb'"(?:context\.)?(?:trace|span|event|run)?[_.]?[iI][dD]"\s{0,8}:')
"""What every record has, by some name."""

_SPAN_ID = re.compile(rb'"(?:context\.)?[sS]pan_?[iI][dD]"\s{0,8}:')
"""What nothing has that only stands around spans."""

_MOST_OPEN = 256
_MOST_LEAD = 2**20
_WORK = 16
"""How many times a damaged text is looked at before the rest of it is given up."""

_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_LENIENT = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Piece:
    """An object, or a text in which none could be read."""

    offset: int
    """In the text that was cut up."""
    data: bytes
    trouble: str | None = None
    """Why this is no object; such a piece stands for one lost record."""
    detail: str = ""
    exact: bool = True
    """Positions in `data` are positions in the text: mending moved nothing."""


def pieces(text: bytes, wanted: Wanted) -> Iterator[Piece]:
    """Yield what *text* is made of, in order, damage included (see `counted`)."""
    first = text.lstrip()[:1]
    sound = first in {b"{", b"["} and is_json(text)
    if not sound and is_too_deep(text):
        text = shallow(text)
        sound = is_json(text)
    if sound and first == b"{":
        yield Piece(0, text)
    elif sound and first == b"[":
        yield from _objects(text, 0)
    else:
        yield from _Split(text, wanted).pieces()


def counted(found: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces without the damage that holds no record; some damage is always told.

    What is unfinished in the middle of a text was broken by something else than its end.
    """
    spare: Piece | None = None
    last: Piece | None = None
    told = False
    for piece in found:
        if last is not None:
            yield replace(last, trouble=BROKEN)
            last = None
        if piece.trouble is None:
            yield piece
        elif not _holds_a_record(piece.data):
            spare = piece
        elif piece.trouble == UNFINISHED:
            last, told = piece, True
        else:
            told = True
            yield piece
    if last is not None:
        yield last
    elif spare is not None and not told:
        yield spare


def may_begin(text: bytes) -> bool:
    """Tell whether an object may begin anywhere in *text*."""
    return b"{" in text and _CANDIDATE.search(text) is not None


def elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the items of a JSON list, each with its position in *data*.

    Raises:
        msgspec.DecodeError: *data* is no list.
    """
    at = data.find(b"[") + 1
    for item in _LIST.decode(data):
        element = bytes(item)
        at = data.find(element, at)
        yield at, element
        at += len(element)


def members_before_cut(text: bytes) -> bytes:
    """Return the whole members of an object that is cut off, as an object of their own."""
    depth, end = 0, 1
    for match in _STRUCTURE_AND_COMMAS.finditer(text):
        token = match[0]
        if token == b"," and depth == 1:
            end = match.start()
        elif token in {b"{", b"["}:
            depth += 1
        elif token in _OPENERS:
            depth -= 1
        elif token == b'"':
            break
    return text[:end] + b"}"


def _objects(text: bytes, offset: int) -> Iterator[Piece]:
    for at, item in elements(text):
        if item[:1] == b"[":
            yield from _objects(item, offset + at)
        else:
            yield Piece(offset + at, item)


def _holds_a_record(gap: bytes) -> bool:
    """Tell a lost record from what only stands around records."""
    if not _IDENTITY.search(gap):
        return False
    if len(gap) > _MOST_LEAD or not gap.rstrip().endswith(b"[") or _SPAN_ID.search(gap):
        return True
    return parse_prefix(gap.decode("utf-8", "replace"), _LENIENT) is None


class _Split:
    """One pass over a text that is more, or less, than one JSON value."""

    def __init__(self, text: bytes, wanted: Wanted) -> None:
        self._text = text
        self._wanted = wanted
        self._work = _WORK * len(text)
        self._last_line = text.rfind(b"\n")
        self._seen = 0
        self._open_lists = 0
        self._trouble = BROKEN

    def pieces(self) -> Iterator[Piece]:
        text = self._text
        at = self._next(0)
        if at == len(text) and text.strip():
            yield Piece(0, text, BROKEN)  # brackets and commas around nothing
        while at < len(text):
            self._trouble = BROKEN
            end = self._end(at) if text[at] == ord("{") else None
            data = None if end is None else _sound(text[at:end])
            if end is not None and data is not None:
                yield Piece(at, data, exact=len(data) == end - at)
                at = self._next(end)
                continue
            trouble, start = self._trouble, at
            found = self._search(start + 1)
            if found is None or (end is not None and found >= end):
                stop = len(text) if end is None else end
                at = self._next(stop)
            else:
                stop = at = found
            yield Piece(start, text[start:stop], trouble)
        if self._open_lists > 0:
            yield Piece(len(text), b"", UNFINISHED)

    def _next(self, at: int) -> int:
        """Return where something begins at or behind *at*."""
        match = _BETWEEN.match(self._text, at)
        if match is None:
            return at
        self._open_lists += match[0].count(b"[") - match[0].count(b"]")
        return match.end()

    def _search(self, start: int) -> int | None:
        """Return where the next wanted object begins."""
        while self._work > 0 and (match := _CANDIDATE.search(self._text, start)):
            end = self._end(match.start())
            data = None if end is None else _sound(self._text[match.start() : end])
            if data is not None and self._wanted(data):
                return match.start()
            # Nothing that begins inside of what is too deep is any record.
            start = self._seen if self._trouble is TOO_DEEP else match.start() + 1
        return None

    def _end(self, start: int) -> int | None:
        """Return where the object that begins at *start* ends, None when it does not."""
        opened: list[bytes] = []
        at = start
        self._trouble = UNFINISHED
        for match in _STRUCTURE.finditer(self._text, start):
            token, at = match[0], match.end()
            if token in {b"{", b"["}:
                opened.append(token)
                if len(opened) > _MOST_OPEN:
                    self._trouble = TOO_DEEP
                    break
            elif token in _OPENERS:
                if opened.pop() != _OPENERS[token]:
                    self._trouble = BROKEN
                    break
                if not opened:
                    self._trouble = BROKEN
                    self._work -= at - start
                    return at
            elif token == b'"':
                if at <= self._last_line:
                    self._trouble = BROKEN
                break
        self._work -= at - start
        self._seen = at
        return None


def _sound(data: bytes) -> bytes | None:
    """Return the text of an object that can be decoded, mended if need be."""
    if is_json(data):
        return data
    whole = mended(data)
    return whole if is_json(whole) else None
