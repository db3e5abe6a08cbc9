"""Plain JSON that no strict decoder takes, made readable without hiding what it was.

NaN, -Infinity            1e999, -1e999: numbers that are read as None
half a surrogate pair     U+FFFD in a spelling that no exporter writes
bytes that are no UTF-8   likewise
"""

import re
from itertools import islice

import msgspec

from ingest.json_repair import BAD_UTF8_MARK, SURROGATE_MARK, repaired

BEYOND = b"1e999"
"""A number that fits no double."""

_MOST_NUMBERS = 100_000
# A string that never ends is one token to the end: trying again inside it would cost
# the square of its length.
_BARE_NUMBER = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|(NaN|Infinity)', re.DOTALL)


def mended(data: bytes) -> bytes:
    """Return *data* with everything replaced that accidents leave; itself when sound."""
    return repaired(_with_numbers(data))


def repairs_in(data: bytes) -> set[str]:
    """Return the words for what was replaced in a piece of mended text."""
    found: set[str] = set()
    if SURROGATE_MARK in data:
        found.add("surrogate_replaced")
    if BAD_UTF8_MARK in data:
        found.add("invalid_utf8_replaced")
    return found


def is_json(data: bytes) -> bool:
    """Tell whether *data* is one JSON value; bytes inside its texts are not looked at."""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def is_too_deep(data: bytes) -> bool:
    """Tell whether JSON text is nested so deeply that no decoder follows."""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    except RecursionError:
        return True
    return False


def _with_numbers(data: bytes) -> bytes:
    if b"NaN" not in data and b"Infinity" not in data:
        return data
    bare = (match for match in _BARE_NUMBER.finditer(data) if match[1])
    found = list(islice(bare, _MOST_NUMBERS))
    if not found or len(found) == _MOST_NUMBERS:
        return data
    parts: list[bytes] = []
    copied = 0
    for match in found:
        parts += (data[copied : match.start()], BEYOND)
        copied = match.end()
    return b"".join((*parts, data[copied:]))
