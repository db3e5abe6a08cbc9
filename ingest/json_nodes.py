"""JSON objects with the places where they stand."""

from collections.abc import Iterator, Mapping

import msgspec

from ingest.json_split import elements
from ingest.loose_fields import Fields, starts

Members = Mapping[str, msgspec.Raw]

_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_LEADING = 8


class Node:
    """A JSON object in the input; nothing in it is decoded before somebody asks.

    Every look at what is no object, or no sound text, raises `msgspec.DecodeError`.
    """

    __slots__ = ("_exact", "_fields", "_members", "data", "offset")

    def __init__(self, data: bytes, offset: int = 0, *, exact: bool = True) -> None:
        """Wrap the text of an object.

        Args:
            data: Its text.
            offset: Where it stands.
            exact: Positions in *data* are distances from *offset*; if not, whatever
                stands inside is said to stand at *offset*.
        """
        self.data = data
        self.offset = offset
        self._exact = exact
        self._members: Members | None = None
        self._fields: Fields | None = None

    @property
    def members(self) -> Members:
        """Its members by name, undecoded."""
        if self._members is None:
            self._members = _OBJECT.decode(self.data)
        return self._members

    @property
    def fields(self) -> Fields:
        """Its members by their plain names."""
        if self._fields is None:
            self._fields = Fields(self.members)
        return self._fields

    @property
    def is_object(self) -> bool:
        """Whether it is one at all: lists hold anything."""
        return self.data.startswith(b"{")

    def inner(self, name: str) -> "Node":
        """Return the object that a member is; an empty one where there is none."""
        raw = self.members.get(name, msgspec.Raw())
        if not starts(raw, b"{"):
            return Node(b"{}", self.offset, exact=False)
        data = bytes(raw)
        return self._within(self.data.find(data), data)

    def children(self, name: str) -> Iterator["Node"]:
        """Yield the items of the list that a member is; none where it is no list."""
        raw = self.members.get(name, msgspec.Raw())
        if starts(raw, b"["):
            data = bytes(raw)
            start = self.data.find(data)
            for at, item in elements(data):
                yield self._within(start + at, item)

    def leading(self, name: str) -> Iterator["Node"]:
        """Yield the first objects of the list that a member is, to tell it by them.

        More than one: a damaged record at its head must not hide all behind it.
        """
        raw = self.members.get(name, msgspec.Raw())
        items = _LIST.decode(raw) if starts(raw, b"[") else []
        for item in items[:_LEADING]:
            if starts(item, b"{"):
                yield Node(bytes(item))

    def without(self, name: str) -> "Node":
        """Return this object without a member, such as the spans below it."""
        others = {key: raw for key, raw in self.members.items() if key != name}
        return self.renewed(msgspec.json.encode(others))

    def renewed(self, data: bytes) -> "Node":
        """Return this object with its text mended."""
        return Node(data, self.offset, exact=False)

    def _within(self, at: int, data: bytes) -> "Node":
        return Node(data, self.offset + (at if self._exact else 0), exact=self._exact)
