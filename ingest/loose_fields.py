"""The members of a JSON object under any spelling of their names.

`trace_id`, `traceId`, `TraceID` and `trace.id` are one name: what counts are its letters
and digits. Values are decoded one by one, when somebody asks for them.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from ingest.json_mend import is_json
from ingest.moments import Moment, moment_ns

_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_TEXT = msgspec.json.Decoder(str)
_MOMENT: msgspec.json.Decoder[Moment] = msgspec.json.Decoder(Moment)
_NOTHING = msgspec.Raw()
_MOST_DIGITS = 39
"""Of a 128-bit integer."""


class Fields:
    """An object whose members are asked for by plain names: lower case, letters, digits.

    Where several names are given, the first that is there and not null counts.
    """

    __slots__ = ("_members",)

    def __init__(self, members: Mapping[str, msgspec.Raw]) -> None:
        self._members = {plain(name): raw for name, raw in members.items()}

    @classmethod
    def of(cls, raw: msgspec.Raw) -> "Fields":
        """Return the members of *raw*; none when it is no object."""
        return cls(_OBJECT.decode(raw) if starts(raw, b"{") else {})

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def raw(self, *names: str) -> msgspec.Raw:
        """Return a value undecoded; an empty one where there is none."""
        for name in names:
            raw = self._members.get(name)
            if raw is not None and not starts(raw, b"n"):  # null
                return raw
        return _NOTHING

    def text(self, *names: str) -> str:
        """Return a text, or a number as text; empty for anything else."""
        return text_of(self.raw(*names))

    def inner(self, *names: str) -> "Fields":
        """Return the members of an object; none when the value is no object."""
        return Fields.of(self.raw(*names))

    def items(self, *names: str) -> list[msgspec.Raw]:
        """Return the items of a list, also of one in a text; none when it is no list."""
        raw = self.raw(*names)
        text = text_of(raw).encode()
        if text[:1] == b"[" and is_json(text):
            raw = msgspec.Raw(text)
        return _LIST.decode(raw) if starts(raw, b"[") else []

    def moment_ns(self, flags: set[str], *names: str, unit: int | None = None) -> int | None:
        """Return a time (see `ingest.moments`)."""
        raw = self.raw(*names)
        if not memoryview(raw):
            return None
        try:
            return moment_ns(_MOMENT.decode(raw), flags, unit)
        except msgspec.ValidationError:
            flags.add("bad_time")
            return None

    def identity(self, digits: int, *names: str) -> str:
        """Return an id as text: a number becomes *digits* hex digits."""
        raw = self.raw(*names)
        text = text_of(raw)
        if text and not starts(raw, b'"') and text.isdecimal() and len(text) <= _MOST_DIGITS:
            return format(int(text), f"0{digits}x")
        return text


def text_of(raw: msgspec.Raw) -> str:
    """Return a text, or a number as text; empty for anything else."""
    if starts(raw, b'"'):
        return _TEXT.decode(raw)
    data = memoryview(raw).tobytes()
    return data.decode() if data[:1].isdigit() or data[:1] == b"-" else ""


def starts(raw: msgspec.Raw, firsts: bytes) -> bool:
    """Tell whether a value begins with one of these characters, which tell its type."""
    view = memoryview(raw)
    return bool(view) and view[0] in firsts


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """Return a name without case and punctuation."""
    return "".join(filter(str.isalnum, name)).lower()
