"""Spans and log records of binary OTLP as `RawSpan` and `RawLog`.

Source: opentelemetry-proto, trace/v1/trace.proto and logs/v1/logs.proto.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope, KeyValue, KeyValueList
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from ingest.attributes import NO_ATTRIBUTES, Attributes, Form
from ingest.batch import RawLog
from ingest.limits import Limits
from ingest.otlp_fields import KINDS, UnreadableError, status_name, time_ns
from ingest.proto_value import value_of_message
from ingest.span import RawEvent, RawLink, RawSpan, SourceRef

_MOST_ID_BYTES = 64
_NON_FINITE = re.compile(rb"\x21.{6}[\xf0-\xff][\x7f\xff]", re.DOTALL)
"""A double whose exponent is all ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtoPlace:
    """What the records of one scope have in common."""

    source: SourceRef
    limits: Limits
    resource: Attributes = field(default_factory=lambda: NO_ATTRIBUTES)
    scope: InstrumentationScope = field(default_factory=InstrumentationScope)
    flags: tuple[str, ...] = ()
    """Oddities of what the records stand in."""


def span_of(span: Span, place: ProtoPlace, flags: set[str]) -> RawSpan:
    """Return a span; *flags* receives words about it, and all are kept.

    Raises:
        UnreadableError: It has no usable ids, or more attributes than a span may have.
    """
    trace_id, span_id = _id(span.trace_id, "trace"), _id(span.span_id, "span")
    start_ns = time_ns(span.start_time_unix_nano, flags)
    end_ns = time_ns(span.end_time_unix_nano, flags)
    attributes = attributes_of(span.attributes, place.limits, flags)
    if span.dropped_events_count:
        flags.add("dropped_events")
    if span.dropped_links_count:
        flags.add("dropped_links")
    events = tuple(
        [
            RawEvent(
                name=event.name,
                time_ns=time_ns(event.time_unix_nano, flags),
                attributes=attributes_of(event.attributes, place.limits, flags),
            )
            for event in span.events
        ]
    )
    links = tuple(
        [
            RawLink(
                trace_id=link.trace_id.hex(),
                span_id=link.span_id.hex(),
                attributes=attributes_of(link.attributes, place.limits, flags),
            )
            for link in span.links
        ]
    )
    return RawSpan(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=_optional_id(span.parent_span_id),
        name=span.name,
        otel_kind=KINDS[span.kind] if 0 <= span.kind < len(KINDS) else KINDS[0],
        start_ns=start_ns,
        end_ns=end_ns,
        status=status_name(span.status.code),
        status_message=span.status.message,
        attributes=attributes,
        events=events,
        links=links,
        resource=place.resource,
        scope_name=place.scope.name,
        scope_version=place.scope.version,
        dropped_attributes=span.dropped_attributes_count,
        flags=tuple(sorted(flags)) if flags else (),
        source=place.source,
    )


def log_of(log: LogRecord, place: ProtoPlace, flags: set[str]) -> RawLog:
    """Return a log record; arguments and errors are those of `span_of`."""
    attributes = attributes_of(log.attributes, place.limits, flags)
    time = time_ns(log.time_unix_nano or log.observed_time_unix_nano, flags)
    name = log.event_name
    if not name and attributes.mentions(b"event.name"):
        named = attributes.get("event.name")
        name = named if isinstance(named, str) else ""
    body = value_of_message(log.body, flags) if log.HasField("body") else None
    return RawLog(
        event=RawEvent(name=name, time_ns=time, attributes=attributes, body=body),
        trace_id=_optional_id(log.trace_id),
        span_id=_optional_id(log.span_id),
        resource=place.resource,
        scope_name=place.scope.name,
        source=place.source,
    )


def attributes_of(pairs: Sequence[KeyValue], limits: Limits, flags: set[str]) -> Attributes:
    """Return an attribute list, undecoded.

    Raises:
        UnreadableError: It has too many entries.
    """
    if not pairs:
        return NO_ATTRIBUTES
    if len(pairs) > limits.attributes:
        raise UnreadableError("too_many_attributes", f"{len(pairs)}, limit {limits.attributes}")
    attributes = Attributes(KeyValueList(values=pairs).SerializeToString(), Form.PROTOBUF)
    if _NON_FINITE.search(attributes.raw):
        flags.update({"non_finite_number"} & set(attributes.flags))
    return attributes


def _id(data: bytes, kind: str) -> str:
    if not data or len(data) > _MOST_ID_BYTES:
        raise UnreadableError(f"bad_{kind}_id", f"{len(data)} bytes" if data else f"no {kind} id")
    if not data.strip(b"\0"):
        raise UnreadableError(f"zero_{kind}_id")
    return data.hex()


def _optional_id(data: bytes) -> str | None:
    return data.hex() if data.strip(b"\0") and len(data) <= _MOST_ID_BYTES else None
