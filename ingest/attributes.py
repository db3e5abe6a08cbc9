"""Attributes that are decoded when somebody asks, and not before.

Most spans of a production trace are infrastructure: no convention wants them. Their
attributes stay the bytes they came as, and are searched as bytes by `mentions`.

    raw bytes ──mentions──▶ "no convention's word in here": never decoded
        └─────first look-up──▶ dict, once
"""

import json
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import TypeVar, overload

import msgspec

from ingest.any_value import MAX_DIGITS, pairs_of, plain_value
from ingest.span import Value

T = TypeVar("T")


_BETWEEN = "\0"
"""Between keys; one that holds it is looked at once more."""


class Form(IntEnum):
    """How the raw bytes are to be read."""

    OTLP_JSON = 0
    """A JSON list of KeyValue."""
    PROTOBUF = 1
    """An encoded KeyValueList."""
    PLAIN_JSON = 2
    """A JSON object of plain values."""


class Attributes(Mapping[str, Value]):
    """The attributes of a span, event, link or resource; read-only.

    Reading never fails: what cannot be decoded is None and leaves a word in `flags`.
    """

    __slots__ = ("_decoded", "_flags", "_folded", "_names", "form", "raw")

    form: Form
    raw: bytes
    _decoded: dict[str, Value] | None
    _flags: tuple[str, ...]
    _names: str | None
    _folded: bool | None

    def __init__(self, raw: bytes, form: Form = Form.OTLP_JSON) -> None:
        self.raw = raw
        self.form = form
        self._decoded = None
        self._flags = ()
        self._names = None
        self._folded = None

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> "Attributes":
        """Return *values*, ready-made by a reader of another format, as attributes."""
        flags: set[str] = set()
        decoded = {key: plain_value(value, flags) for key, value in values.items()}
        attributes = cls(msgspec.json.encode(decoded), Form.PLAIN_JSON)
        attributes._decoded = decoded
        attributes._flags = tuple(sorted(flags))
        return attributes

    def mentions(self, *needles: bytes) -> bool:
        """Tell whether any needle stands in the raw bytes, keys and values alike.

        A key that is absent from the bytes is absent from the attributes; one that is
        found may turn out to be part of a text.
        """
        raw = self.raw
        return any(needle in raw for needle in needles)

    @property
    def plain(self) -> dict[str, Value]:
        """The decoded values themselves, for many look-ups; nobody may change them."""
        decoded = self._decoded
        return self._values() if decoded is None else decoded

    @property
    def is_folded(self) -> bool:
        """Some value is an object, in which parts of dotted names may be keys; decodes."""
        if self._folded is None:
            self._folded = any(isinstance(value, dict) for value in self._values().values())
        return self._folded

    def begins(self, prefix: str) -> bool:
        """Tell whether any key begins so; decodes."""
        if self._names is None:
            self._names = _BETWEEN + _BETWEEN.join(self._values())
        if _BETWEEN + prefix not in self._names:
            return False
        return any(key.startswith(prefix) for key in self._values())

    @property
    def flags(self) -> tuple[str, ...]:
        """Oddities inside, in words: `duplicate_key`, `non_finite_number`, …; decodes."""
        self._values()
        return self._flags

    def raw_json(self) -> str:
        """Return the attributes as the text of one JSON object, for evidence.

        Keeps nothing decoded that was not decoded before.
        """
        if self.form is Form.PLAIN_JSON:
            return self.raw.decode()
        decoded = self._decoded
        if decoded is None:
            decoded = _decode(self.raw, self.form, set())
        return msgspec.json.encode(decoded).decode()

    def __getitem__(self, key: str) -> Value:
        return self._values()[key]

    @overload
    def get(self, key: str, /) -> Value: ...

    @overload
    def get(self, key: str, default: T, /) -> Value | T: ...

    def get(self, key: str, default: object = None, /) -> object:
        """Return a value, or the default; most look-ups find nothing, so none may raise."""
        decoded = self._decoded
        return (self._values() if decoded is None else decoded).get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._values()

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Attributes) and other.form is self.form and other.raw == self.raw:
            return True
        return isinstance(other, Mapping) and self._values() == dict(other)

    __hash__ = None  # type: ignore[assignment]  # equal to dicts, which have none

    def __repr__(self) -> str:
        return f"Attributes({self._values()!r})"

    def _values(self) -> dict[str, Value]:
        if self._decoded is None:
            flags: set[str] = set()
            self._decoded = _decode(self.raw, self.form, flags)
            self._flags = tuple(sorted(flags))
        return self._decoded


NO_ATTRIBUTES = Attributes(b"[]")


def load_json(raw: bytes) -> object:
    """Return any JSON, with numbers that no decoder takes made harmless.

    Integers of more than 20 digits come back as 2**64, which fits no OTLP type, and
    numbers beyond a double as infinity.

    Raises:
        ValueError: *raw* is no JSON.
        RecursionError: *raw* is nested too deeply to be meant.
    """
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return json.loads(raw, parse_int=_bounded_int)


def _bounded_int(text: str) -> int:
    return int(text) if len(text) <= MAX_DIGITS else 2**64


def _decode(raw: bytes, form: Form, flags: set[str]) -> dict[str, Value]:
    if form is Form.PROTOBUF:
        from ingest.proto_value import pairs_of_bytes

        return pairs_of_bytes(raw, flags)
    try:
        node = load_json(raw) if raw else None
    except (ValueError, RecursionError):
        flags.add("bad_attribute")
        return {}
    if isinstance(node, list):
        return pairs_of(node, flags)
    if isinstance(node, dict):
        return {key: plain_value(value, flags) for key, value in node.items()}
    if node is not None:
        flags.add("bad_attribute")
    return {}
