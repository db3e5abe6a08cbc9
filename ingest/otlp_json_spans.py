"""Spans and log records of OTLP/JSON: the shape they are decoded into, and `RawSpan`.

Attributes stay undecoded bytes. Everything here is one record at a time; what records
stand in is the business of `ingest.otlp_json` and `ingest.otlp_json_walk`.

Source: opentelemetry-proto, trace/v1/trace.proto and logs/v1/logs.proto, in the JSON
mapping of the OTLP specification.
"""

import re
from dataclasses import dataclass, field

import msgspec

from ingest.any_value import value_of
from ingest.attributes import NO_ATTRIBUTES, Attributes, load_json
from ingest.batch import RawLog
from ingest.limits import Limits
from ingest.otlp_fields import (
    SPAN_DIGITS,
    TRACE_DIGITS,
    Enum,
    Time,
    UnreadableError,
    kind_name,
    optional_id,
    span_id,
    status_name,
    time_ns,
    trace_id,
)
from ingest.span import RawEvent, RawLink, RawSpan, SourceRef, Value

_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
NON_FINITE = {"non_finite_number"}
_COUNT = re.compile(r"[0-9]{1,10}")
_OPENERS = (b"[", b"{")
_NOTHING = (b"", b"null")
_LEAST_ATTRIBUTE_BYTES = 16
"""Shorter is no attribute, so shorter lists need no counting."""


class StatusNode(msgspec.Struct, gc=False):
    """`Status`."""

    code: Enum = None
    message: str | None = None


class EventNode(msgspec.Struct, rename="camel", gc=False):
    """`Span.Event`."""

    time_unix_nano: Time = None
    name: str | None = None
    attributes: msgspec.Raw = msgspec.Raw()


class LinkNode(msgspec.Struct, rename="camel", gc=False):
    """`Span.Link`."""

    trace_id: str | None = None
    span_id: str | None = None
    attributes: msgspec.Raw = msgspec.Raw()


class SpanNode(msgspec.Struct, rename="camel", gc=False):
    """`Span`."""

    trace_id: str | None = None
    span_id: str | None = None
    parent_span_id: str | None = None
    name: str | None = None
    kind: Enum = None
    start_time_unix_nano: Time = None
    end_time_unix_nano: Time = None
    attributes: msgspec.Raw = msgspec.Raw()
    dropped_attributes_count: int | str | None = None
    dropped_events_count: msgspec.Raw = msgspec.Raw()
    dropped_links_count: msgspec.Raw = msgspec.Raw()
    events: list[EventNode] | None = None
    links: list[LinkNode] | None = None
    status: StatusNode | None = None


class LogNode(msgspec.Struct, rename="camel", gc=False):
    """`LogRecord`."""

    time_unix_nano: Time = None
    observed_time_unix_nano: Time = None
    event_name: str | None = None
    body: msgspec.Raw = msgspec.Raw()
    attributes: msgspec.Raw = msgspec.Raw()
    trace_id: str | None = None
    span_id: str | None = None


class ScopeNode(msgspec.Struct, gc=False):
    """`InstrumentationScope`."""

    name: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What the records of one scope have in common."""

    source: SourceRef
    limits: Limits
    resource: Attributes = field(default_factory=lambda: NO_ATTRIBUTES)
    scope: ScopeNode | None = None
    inspect: bool = False
    """Look into attributes for numbers that are none; costs a search through them."""
    flags: tuple[str, ...] = ()
    """Oddities of what the records stand in."""


def span_of(node: SpanNode, place: Place, flags: set[str]) -> RawSpan:
    """Return the span that *node* is.

    Args:
        node: The decoded record.
        place: What it stands in.
        flags: Words already known about this span; more are added, and all are kept.

    Raises:
        UnreadableError: It has no usable ids, or more attributes than a span may have.
    """
    status, scope = node.status, place.scope
    parent, dropped = node.parent_span_id, node.dropped_attributes_count
    if _dropped(node.dropped_events_count):
        flags.add("dropped_events")
    if _dropped(node.dropped_links_count):
        flags.add("dropped_links")
    return RawSpan(
        trace_id=trace_id(node.trace_id),
        span_id=span_id(node.span_id),
        parent_id=optional_id(parent, SPAN_DIGITS) if parent else None,
        name=node.name or "",
        otel_kind=kind_name(node.kind),
        start_ns=time_ns(node.start_time_unix_nano, flags),
        end_ns=time_ns(node.end_time_unix_nano, flags),
        status="unset" if status is None else status_name(status.code),
        status_message=(status.message or "") if status is not None else "",
        attributes=attributes_of(node.attributes, place, flags),
        events=tuple([_event(event, place, flags) for event in node.events or ()]),
        links=tuple([_link(link, place, flags) for link in node.links or ()]),
        resource=place.resource,
        scope_name=(scope.name or "") if scope is not None else "",
        scope_version=(scope.version or "") if scope is not None else "",
        dropped_attributes=_count(dropped) if dropped else 0,
        # last: the fields above add to the flags
        flags=tuple(sorted(flags)) if flags else (),
        source=place.source,
    )


def _dropped(raw: msgspec.Raw) -> bool:
    """Tell whether a count is above zero, whatever type it was written as."""
    digits = bytes(raw).strip(b'"')
    return digits.isdigit() and bool(digits.strip(b"0"))


def log_of(node: LogNode, place: Place, flags: set[str]) -> RawLog:
    """Return the log record that *node* is; the arguments are those of `span_of`.

    Raises:
        UnreadableError: It has more attributes than a record may have.
    """
    attributes = attributes_of(node.attributes, place, flags)
    time = time_ns(node.time_unix_nano, flags)
    if time is None:
        time = time_ns(node.observed_time_unix_nano, flags)
    name = node.event_name
    if not name and attributes.mentions(b'"event.name"'):
        named = attributes.get("event.name")
        name = named if isinstance(named, str) else ""
    scope = place.scope
    return RawLog(
        event=RawEvent(
            name=name or "", time_ns=time, attributes=attributes, body=_body(node.body, flags)
        ),
        trace_id=optional_id(node.trace_id, TRACE_DIGITS),
        span_id=optional_id(node.span_id, SPAN_DIGITS),
        resource=place.resource,
        scope_name=(scope.name or "") if scope is not None else "",
        source=place.source,
    )


def attributes_of(raw: msgspec.Raw, place: Place, flags: set[str]) -> Attributes:
    """Return an attribute list, undecoded.

    Raises:
        UnreadableError: It has too many entries.
    """
    data = bytes(raw)
    first = data[:1]
    if first not in _OPENERS:
        if data not in _NOTHING:
            flags.add("bad_attribute")
        return NO_ATTRIBUTES
    if len(data) > place.limits.attributes * _LEAST_ATTRIBUTE_BYTES:
        _check_number(data, first, place.limits.attributes)
    attributes = Attributes(data)
    if place.inspect and attributes.mentions(b'NaN"', b'finity"'):
        flags.update(NON_FINITE & set(attributes.flags))
    return attributes


def _check_number(data: bytes, first: bytes, most: int) -> None:
    """Count attributes without decoding them; those inside of maps count, too.

    Raises:
        UnreadableError: There are too many.
    """
    number = data.count(b'"key"') if first == b"[" else len(_OBJECT.decode(data))
    if number > most:
        raise UnreadableError("too_many_attributes", f"{number}, limit {most}")


def _event(node: EventNode, place: Place, flags: set[str]) -> RawEvent:
    return RawEvent(
        name=node.name or "",
        time_ns=time_ns(node.time_unix_nano, flags),
        attributes=attributes_of(node.attributes, place, flags),
    )


def _link(node: LinkNode, place: Place, flags: set[str]) -> RawLink:
    return RawLink(
        trace_id=optional_id(node.trace_id, TRACE_DIGITS) or "",
        span_id=optional_id(node.span_id, SPAN_DIGITS) or "",
        attributes=attributes_of(node.attributes, place, flags),
    )


def _body(raw: msgspec.Raw, flags: set[str]) -> Value:
    data = bytes(raw)
    if not data:
        return None
    try:
        return value_of(load_json(data), flags)
    except (ValueError, RecursionError):
        flags.add("bad_attribute")
        return None


def _count(value: int | str) -> int:
    if isinstance(value, str):
        value = int(value) if _COUNT.fullmatch(value) else 0
    return max(0, value)
