"""What can be put right in the text of a JSON record before it is given up.

Each repair leaves a spelling that no exporter writes, so that afterwards the span that
was repaired can be told from its neighbours in the same record.
"""

import codecs
import re
from itertools import islice

SURROGATE_MARK = rb"\uFfFd"
"""U+FFFD in place of half a surrogate pair."""

BAD_UTF8_MARK = rb"\ufFfD"
"""U+FFFD in place of bytes that are no UTF-8."""

_PIECE = 2**20
_MOST_REPAIRS = 100_000
_NO_UTF8 = re.compile(r"[\udc80-\udcff]+")
"""Bytes that were none, as `surrogateescape` keeps them in a text."""

# Whole pairs are found, too, so that their halves are not; group 1 is half a pair.
_SURROGATE = re.compile(
    rb"(?<!\\)(?:\\\\)*+(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2}))"
)
# A string that never ends is one token to the end: trying again inside it would cost
# the square of its length.
_STRING = rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'
_BARE_NUMBER = re.compile(_STRING + rb"|(-?Infinity|NaN)", re.DOTALL)
_STRUCTURE = re.compile(_STRING + rb"|[\[\]{}]", re.DOTALL)
_CONTAINERS = {b'"arrayValue"', b'"kvlistValue"', b'"array_value"', b'"kvlist_value"'}


def repaired(data: bytes) -> bytes:
    """Return *data* with broken text marked and bare NaN and Infinity quoted.

    What needs more repairs than accidents do comes back as it is.
    """
    return _with_quoted_numbers(_with_whole_surrogates(_as_utf8(data)))


def _as_utf8(data: bytes) -> bytes:
    if is_utf8(data):
        return data
    text = data.decode("utf-8", "surrogateescape")
    if sum(1 for _ in islice(_NO_UTF8.finditer(text), _MOST_REPAIRS)) == _MOST_REPAIRS:
        return data
    return _NO_UTF8.sub(lambda _: BAD_UTF8_MARK.decode(), text).encode()


def _with_whole_surrogates(data: bytes) -> bytes:
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    halves = (match.start(1) for match in _SURROGATE.finditer(data) if match[1])
    lone = list(islice(halves, _MOST_REPAIRS))
    if not lone or len(lone) == _MOST_REPAIRS:
        return data
    mended = bytearray(data)
    for start in lone:
        # Mark and escape are equally long, so positions stay.
        mended[start : start + len(SURROGATE_MARK)] = SURROGATE_MARK
    return bytes(mended)


def _with_quoted_numbers(data: bytes) -> bytes:
    if b"NaN" not in data and b"Infinity" not in data:
        return data
    bare = (match for match in _BARE_NUMBER.finditer(data) if match[1])
    found = list(islice(bare, _MOST_REPAIRS))
    if not found or len(found) == _MOST_REPAIRS:
        return data
    mended = bytearray()
    copied = 0
    for match in found:
        mended += data[copied : match.start()] + b'"' + match[1] + b'"'
        copied = match.end()
    return bytes(mended + data[copied:])


def is_utf8(data: bytes) -> bool:
    """Tell whether *data* is valid UTF-8, without holding it as text."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _PIECE):
            decoder.decode(data[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def value_depth(data: bytes) -> int:
    """Return how many lists and maps of attribute values stand inside each other."""
    brackets = deepest = 0
    opened: list[int] = []
    in_container = False
    for match in _STRUCTURE.finditer(data):
        token = match[0]
        if token in {b"{", b"["}:
            brackets += 1
            if in_container:
                opened.append(brackets)
                deepest = max(deepest, len(opened))
        elif token in {b"}", b"]"}:
            if opened and opened[-1] == brackets:
                opened.pop()
            brackets -= 1
        in_container = token in _CONTAINERS
    return deepest
