"""What can be put right in the text of a JSON record before it is given up.

Each repair leaves a spelling that no exporter writes, so that afterwards the span that
was repaired can be told from its neighbours in the same record.
"""

import codecs
import re

SURROGATE_MARK = rb"\uFfFd"
"""U+FFFD in place of half a surrogate pair."""

BAD_UTF8_MARK = rb"\ufFfD"
"""U+FFFD in place of bytes that are no UTF-8."""

_PIECE = 2**20
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
# A string that never ends is one token to the end: trying again inside it would cost
# the square of its length.
_STRING = rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'
_BARE_NUMBER = re.compile(_STRING + rb"|(-?Infinity|NaN)", re.DOTALL)
_STRUCTURE = re.compile(_STRING + rb"|[\[\]{}]", re.DOTALL)
_CONTAINERS = {b'"arrayValue"', b'"kvlistValue"', b'"array_value"', b'"kvlist_value"'}


def repaired(data: bytes) -> bytes:
    """Return *data* with broken text marked and bare NaN and Infinity quoted."""
    if not is_utf8(data):
        text = data.decode("utf-8", "stagefault.mark")
        data = text.encode()
    data = _ESCAPE.sub(_mark_lone_surrogate, data)
    return _BARE_NUMBER.sub(_quote_number, data)


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


def _mark_lone_surrogate(match: re.Match[bytes]) -> bytes:
    return SURROGATE_MARK if match[1] else match[0]


def _quote_number(match: re.Match[bytes]) -> bytes:
    return b'"' + match[1] + b'"' if match[1] else match[0]


def _mark_bad_utf8(error: UnicodeError) -> tuple[str, int]:
    if isinstance(error, UnicodeDecodeError):
        return BAD_UTF8_MARK.decode(), error.end
    raise error


codecs.register_error("stagefault.mark", _mark_bad_utf8)
