"""Exports that are JSON but no OTLP: from text to records, whatever the producer.

    bytes ──json_texts──▶ object ──the shape that knows its keys──▶ spans, logs, losses

A shape is one way to lay spans out in objects. Every object is shown to all of them, so a
file may mix them. One bad record costs that record, and what no shape knows is a loss.
"""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import msgspec

from ingest.attributes import NO_ATTRIBUTES, Attributes
from ingest.batch import Batch, RawLog
from ingest.json_depth import DEPTH_MARK
from ingest.json_mend import mended, repairs_in
from ingest.json_nodes import Node
from ingest.json_records import BOM
from ingest.json_repair import is_utf8
from ingest.json_split import UNFINISHED, members_before_cut, pieces
from ingest.json_texts import are_lines, json_pieces
from ingest.loose_fields import starts
from ingest.otlp_fields import SPAN_DIGITS, UnreadableError, optional_id
from ingest.otlp_json_spans import Place, ScopeNode
from ingest.repairs import repair_losses
from ingest.span import RawSpan
from ingest.span_objects import identity_of
from ingest.stream import Stream

_MOST_HEAD_LINES = 64
_MOST_DETAIL = 200
_TOO_DEEP = "nested beyond any use"

_State = TypeVar("_State")

Build: TypeAlias = Callable[[Node, Place, set[str]], RawSpan | RawLog]
"""Makes a record; raises `UnreadableError` or `msgspec.DecodeError` when it cannot."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to lay spans out in JSON objects."""

    name: str
    keys: frozenset[str]
    """An object that has none of these is not asked any further."""
    fits: Callable[[Node], bool]
    """Looks at the keys of an object, perhaps not all of them, and may raise
    `msgspec.DecodeError` for what it is not."""
    read: Callable[[Node, "Records"], None]
    """Puts everything that the object holds into the records."""
    finish: Callable[["Records"], None] | None = None
    """Adds, at the end of the stream, what `read` has kept back in the records' state."""


class Records:
    """What shapes find in one stream, batch by batch."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.limits = stream.limits
        self._batch = Batch()
        self._states: dict[type, Any] = {}

    def state(self, kind: type[_State]) -> _State:
        """Return what a shape keeps while it reads one stream; made when first asked for."""
        state: _State = self._states.setdefault(kind, kind())
        return state

    @property
    def met(self) -> int:
        """Records and losses since the last `take`."""
        batch = self._batch
        return len(batch.spans) + len(batch.logs) + len(batch.losses)

    def take(self) -> Batch:
        """Return what was found since the last call."""
        batch, self._batch = self._batch, Batch()
        return batch

    def add(
        self,
        node: Node,
        build: Build,
        *,
        resource: Attributes = NO_ATTRIBUTES,
        scope: ScopeNode | None = None,
    ) -> None:
        """Make a record of *node*, or say why none can be made."""
        flags: set[str] = set()
        source = self._stream.at(node.offset)
        place = Place(source=source, limits=self.limits, resource=resource, scope=scope)
        try:
            flags |= _repairs(node.data)
            record = build(node, place, flags)
        except UnreadableError as error:
            self.reject(node, error.reason, error.detail)
        except msgspec.DecodeError as error:
            self.reject(node, "bad_span", str(error))
        except RecursionError:
            self.reject(node, "too_deep", _TOO_DEEP)
        else:
            if isinstance(record, RawSpan):
                self._batch.spans.append(record)
            else:
                self._batch.logs.append(record)
            self._batch.bytes += len(node.data)
            self._batch.losses += repair_losses(flags, self._stream, node.offset, record.span_id)

    def each(self, node: Node, name: str) -> Iterator[Node]:
        """Yield the items of a list member; what should be a list and is none is a loss."""
        raw = node.members.get(name)
        if raw is not None and not starts(raw, b"[n"):
            self.reject(node, "bad_structure", f"{name} is no list")
            return
        for child in node.children(name):
            if not child.is_object:
                self.reject(child, "bad_span", "no object")
            else:
                yield child if is_utf8(child.data) else child.renewed(mended(child.data))

    def lose_strays(self, node: Node, known: Container[str], mark: bytes) -> None:
        """Count what stands in a list of unknown name and bears the *mark* of records below."""
        for name, raw in node.members.items():
            if name not in known and starts(raw, b"[") and mark in bytes(raw):
                self.reject(node, "unknown_field", name)

    def pass_empty(self) -> None:
        """Count an object that is whole and holds no record."""
        self._batch.empty += 1

    def collapse(self, node: Node, span_id: str) -> None:
        """Count a record that only repeats another one of the same document."""
        loss = self._stream.loss("listed_twice", node.offset, span_id=span_id, outcome="duplicate")
        self._batch.losses.append(loss)

    def reject(self, node: Node, reason: str, detail: str = "") -> None:
        """Count a record that cannot be read."""
        self.lose(reason, node.offset, detail, span_id=_span_id(node))

    def lost(self, reason: str) -> bool:
        """Tell whether anything was lost for that reason since the last `take`."""
        return any(loss.reason == reason for loss in self._batch.losses)

    def lose(self, reason: str, offset: int, detail: str, span_id: str | None = None) -> None:
        """Count a lost record by its place."""
        loss = self._stream.loss(reason, offset, detail[:_MOST_DETAIL], span_id=span_id)
        self._batch.losses.append(loss)


def read_shapes(stream: Stream, shapes: tuple[Shape, ...]) -> Iterator[Batch]:
    """Yield the records of *stream*, one batch per object."""
    records = Records(stream)
    for piece in json_pieces(stream, lambda data: shape_of(Node(data), shapes) is not None):
        if piece.trouble is None:
            read_object(Node(piece.data, piece.offset, exact=piece.exact), records, shapes)
        else:
            records.lose(piece.trouble, piece.offset, piece.detail)
        yield records.take()
    finish(records, shapes)
    yield records.take()


def finish(records: Records, shapes: tuple[Shape, ...]) -> None:
    """Add, at the end of a stream, what shapes have kept back."""
    for shape in shapes:
        if shape.finish is not None:
            shape.finish(records)


@lru_cache(maxsize=1)
def first_shape(head: bytes, shapes: tuple[Shape, ...]) -> Shape | None:
    """Return the shape of the first known object in a text that begins with *head*.

    None when there is none, or when such objects are the smaller part of something else.
    """
    text = head.removeprefix(BOM).lstrip()
    lines = text.split(b"\n")[:_MOST_HEAD_LINES] if are_lines(text) else [text]
    orderly = text[:1] in {b"{", b"["}
    first: Shape | None = None
    known = 0
    for line in lines:
        for piece in pieces(line, lambda data: shape_of(Node(data), shapes) is not None):
            cut = piece.trouble == UNFINISHED
            node = Node(members_before_cut(piece.data) if cut else piece.data)
            found = None if piece.trouble and not cut else shape_of(node, shapes)
            first = first or found
            known += len(piece.data) if found else 0
            if first is not None and (orderly or 2 * known > sum(map(len, lines))):
                return first
    return None


def shape_of(node: Node, shapes: tuple[Shape, ...]) -> Shape | None:
    """Return the shape that knows an object, None when none does."""
    for shape in shapes:
        try:
            if not shape.keys.isdisjoint(node.members) and shape.fits(node):
                return shape
        except (msgspec.DecodeError, RecursionError):
            continue
    return None


def read_object(node: Node, records: Records, shapes: tuple[Shape, ...]) -> None:
    """Read whatever an object holds, by the shape that knows it."""
    if not is_utf8(node.data):
        node = node.renewed(mended(node.data))
    shape = shape_of(node, shapes)
    if shape is None:
        records.reject(node, "unknown_record", "no span of any known kind")
        return
    before = records.met
    try:
        shape.read(node, records)
    except msgspec.DecodeError as error:
        records.reject(node, "bad_structure", str(error))
    except RecursionError:
        records.reject(node, "too_deep", _TOO_DEEP)
    else:
        if DEPTH_MARK in node.data and not records.lost("too_deep"):
            records.reject(node, "too_deep", _TOO_DEEP)
        if records.met == before and shape.finish is None:  # else they may come at the end
            records.pass_empty()


def _repairs(data: bytes) -> set[str]:
    """Return the words for what was replaced in a record's text.

    Raises:
        UnreadableError: `too_deep`, when that was a part of it.
    """
    if DEPTH_MARK in data:
        raise UnreadableError("too_deep", _TOO_DEEP)
    return repairs_in(data)


def _span_id(node: Node) -> str | None:
    """Return the id of a span that could not be read, if that can be read."""
    try:
        return optional_id(identity_of(node.fields)[1], SPAN_DIGITS)
    except (msgspec.DecodeError, RecursionError):
        return None
