"""Attributes that are an ordinary JSON object, flat or nested, left undecoded.

Exporters that are no OTLP write them as an object, as a text that holds one, or, a few,
as the list of keys and typed values that OTLP has.
"""

import re
from collections.abc import Mapping

import msgspec

from ingest.attributes import NO_ATTRIBUTES, Attributes, Form
from ingest.json_mend import BEYOND, is_json
from ingest.limits import Limits
from ingest.otlp_fields import UnreadableError
from ingest.otlp_json_spans import NON_FINITE, Place, attributes_of
from ingest.span import Value

_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXT = msgspec.json.Decoder(str)
_LEAST_MEMBER_BYTES = 5
"""Shorter objects of so many members need no counting."""


def plain_attributes(raw: msgspec.Raw, place: Place, flags: set[str]) -> Attributes:
    """Return the attributes that *raw* holds, undecoded.

    Raises:
        UnreadableError: `too_many_attributes` or `too_deep`.
    """
    data = bytes(raw)
    if data[:1] == b'"':
        data = _TEXT.decode(data).strip().encode()
        if data and not is_json(data):
            flags.add("bad_attribute")
            return NO_ATTRIBUTES
    if data[:1] != b"{":
        return attributes_of(msgspec.Raw(data), place, flags)
    _check(data, place.limits)
    attributes = Attributes(data, Form.PLAIN_JSON)
    if BEYOND in data:
        flags.update(NON_FINITE & set(attributes.flags))
    return attributes


def made_attributes(values: Mapping[str, Value], place: Place) -> Attributes:
    """Return attributes that a reader has put together.

    Raises:
        UnreadableError: `too_many_attributes`.
    """
    _check_number(len(values), place.limits)
    return Attributes.of(values) if values else NO_ATTRIBUTES


def depth(data: bytes, most: int) -> int:
    """Return how many lists and objects stand inside each other; not above `most + 1`."""
    if data.count(b"{") + data.count(b"[") <= most:
        return 0
    deepest = opened = 0
    for match in _BRACKET.finditer(data):
        token = match[0]
        if token in {b"{", b"["}:
            opened += 1
            deepest = max(deepest, opened)
            if deepest > most:
                break
        elif token in {b"}", b"]"}:
            opened -= 1
    return deepest


def _check(data: bytes, limits: Limits) -> None:
    if depth(data, limits.depth + 1) > limits.depth + 1:
        raise UnreadableError("too_deep", f"more than {limits.depth} lists and maps in a value")
    if len(data) > limits.attributes * _LEAST_MEMBER_BYTES:
        _check_number(len(_OBJECT.decode(data)), limits)


def _check_number(number: int, limits: Limits) -> None:
    if number > limits.attributes:
        raise UnreadableError("too_many_attributes", f"{number}, limit {limits.attributes}")
