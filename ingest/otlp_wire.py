"""The outermost fields of binary OTLP, read without decoding what is inside them.

Traces, logs and metrics have the same three outer levels:

    export 1▶ resource_… ─┬ 1 resource
                          └ 2▶ scope_… ─┬ 1 scope
                                        └ 2▶ span │ log record │ metric

So the bytes of one span can be found, and its neighbours kept, when another one is
damaged, and a cut file gives everything before the cut.

Source: Protocol Buffers encoding; opentelemetry-proto, field numbers never change.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
"""Wire types."""

RESOURCE, SCOPE_GROUPS, OLD_SCOPE_GROUPS = 1, 2, 1000
SCOPE, RECORDS = 1, 2
SCHEMA_URL = 3
"""Field numbers of the outer levels."""

Signal: TypeAlias = Literal["span", "log", "metric"]

_MOST_VARINT_BYTES = 10
_START_TIME, _END_TIME, _TIME, _OBSERVED_TIME = 7, 8, 1, 11
_SEVERITY, _LOG_ATTRIBUTES = 2, 6
_METRIC_NAME = 1
_METRIC_POINTS = {5, 7, 9, 10, 11}
_METRIC_FIELDS = {_METRIC_NAME, 2, 3, *_METRIC_POINTS, 12}
_FIRST_POINT = b"\x0a"
"""Points are field 1 of what holds them."""

# Message: fields that may come first in it, and the message inside (None: not looked at).
_GRAMMAR: dict[str, dict[int, str | None]] = {
    "export": {1: "resource_group"},
    "resource_group": {1: "resource", 2: "scope_group", 3: None, 1000: "scope_group"},
    "resource": {1: "key_value", 2: None, 3: None},
    "scope_group": {1: "scope", 2: None, 3: None},
    "scope": {1: None, 2: None, 3: "key_value", 4: None},
    "key_value": {1: None, 2: None},
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message."""

    number: int
    wire: int
    start: int
    """Of the content, in the bytes that were walked."""
    end: int
    """Behind the content; may lie behind the bytes when they were cut."""


class WireError(ValueError):
    """These bytes are no protobuf from here on."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"no protobuf field at byte {offset}")
        self.offset = offset


def fields(data: bytes, start: int = 0, end: int | None = None) -> Iterator[Field]:
    """Yield the fields of the message in `data[start:end]`; a cut one comes last.

    Raises:
        WireError: What stands at its `offset` begins no field.
    """
    end = len(data) if end is None else min(end, len(data))
    while start < end:
        tag, at = varint(data, start, end)
        number, wire = tag >> 3, tag & 7
        if wire == LENGTH:
            size, at = varint(data, at, end)
        elif wire == VARINT:
            size = varint(data, at, end)[1] - at
        else:
            size = {FIXED64: 8, FIXED32: 4}.get(wire, -1)
        if size < 0 or not number:
            raise WireError(start)
        yield Field(number, wire, at, at + size)
        start = at + size


def varint(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return a variable-length integer and the position behind it.

    Raises:
        WireError: None ends before *end*.
    """
    value = shift = 0
    for at in range(start, min(end, start + _MOST_VARINT_BYTES)):
        byte = data[at]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004  # the continuation bit
            return value, at + 1
        shift += 7
    raise WireError(start)


def looks_like_export(head: bytes, size: int | None = None) -> bool:
    """Tell whether *head* begins an export request of any signal.

    Args:
        head: The first bytes, perhaps not all.
        size: Of the whole message, None when unknown.
    """
    message: str | None = "export"
    start, end = 0, 2**62 if size is None else size
    while message is not None:
        if start >= len(head):
            return message != "export"
        try:
            field = next(fields(head, start), None)
        except WireError as error:
            return len(head) - error.offset < _MOST_VARINT_BYTES and message != "export"
        if field is None or field.number not in _GRAMMAR[message] or field.end > end:
            return False
        inner = _GRAMMAR[message][field.number]
        if inner is not None and (field.wire != LENGTH or field.start == field.end):
            return field.wire == LENGTH and message != "export"
        message, start, end = inner, field.start, field.end
    return True


def signal_of(resource_group: bytes) -> Signal | None:
    """Return what the first record in a resource group is, None when it holds none.

    Whatever is neither a log record nor a metric beyond doubt is a span: it may be damaged,
    and what is taken for a span is read or counted as lost, never passed over.
    """
    try:
        for group in fields(resource_group):
            if group.number not in {SCOPE_GROUPS, OLD_SCOPE_GROUPS} or group.wire != LENGTH:
                continue
            for record in fields(resource_group, group.start, group.end):
                if record.number == RECORDS and record.wire == LENGTH:
                    return _signal_of_record(resource_group, record)
    except WireError:
        return "span"
    return None


def is_orderly(resource_group: bytes) -> bool:
    """Tell whether nothing beside the records of a group can be a damaged record.

    A group has one resource, each group of a scope in it one scope, and both may have an
    address. One wrong bit in its field number makes a record an address, and no decoder
    minds.
    """
    try:
        outer = list(fields(resource_group))
        groups = [
            list(fields(resource_group, group.start, group.end))
            for group in outer
            if group.number in {SCOPE_GROUPS, OLD_SCOPE_GROUPS} and group.wire == LENGTH
        ]
    except WireError:
        return False
    return all(
        sum(field.number in {RESOURCE, SCOPE} for field in level) <= 1
        and all(
            is_address(resource_group[field.start : field.end])
            for field in level
            if field.number == SCHEMA_URL
        )
        for level in (outer, *groups)
    )


def is_address(content: bytes) -> bool:
    """Tell whether these bytes can be the URL of a schema."""
    return content.isascii() and content.decode("ascii").isprintable()


def _signal_of_record(data: bytes, record: Field) -> Signal:
    wires: dict[int, int] = {}
    whole = True
    try:
        for field in fields(data, record.start, record.end):
            wires[field.number] = field.wire
            whole = whole and field.end <= record.end
    except WireError:
        whole = False
    if FIXED64 in {wires.get(_START_TIME), wires.get(_END_TIME)}:
        return "span"
    if FIXED64 in {wires.get(_TIME), wires.get(_OBSERVED_TIME)}:
        return "log"
    if wires.get(_SEVERITY) == VARINT or wires.get(_LOG_ATTRIBUTES) == LENGTH:
        return "log"
    return "metric" if whole and _is_metric(data, record, wires) else "span"


def _is_metric(data: bytes, record: Field, wires: dict[int, int]) -> bool:
    """Tell whether a record has a metric's name and points, and nothing that no metric has."""
    if set(wires.values()) != {LENGTH} or not wires.keys() <= _METRIC_FIELDS:
        return False
    contents = {
        field.number: data[field.start : field.end]
        for field in fields(data, record.start, record.end)
    }
    name = contents.get(_METRIC_NAME, b"")
    points = [contents[number] for number in _METRIC_POINTS if number in contents]
    return (
        name.isascii()
        and name.decode("ascii").isprintable()
        and any(not content or content.startswith(_FIRST_POINT) for content in points)
    )
