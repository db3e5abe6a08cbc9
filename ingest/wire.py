"""Spans and log records as bytes, for files and processes of our own.

Attributes travel as the bytes they came as, still undecoded; resources and paths, which
most spans share, travel once. Nothing here is a format for others, and nothing runs code.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeAlias, TypeVar

import msgspec

from ingest.attributes import Attributes, Form
from ingest.batch import RawLog
from ingest.span import RawEvent, RawLink, RawSpan, SourceRef, Status, Value

_Bytes: TypeAlias = tuple[int, bytes]
_Key = TypeVar("_Key")


class _Event(msgspec.Struct, array_like=True, gc=False):
    name: str
    time_ns: int | None
    attributes: _Bytes
    body: Value


class _Link(msgspec.Struct, array_like=True, gc=False):
    trace_id: str
    span_id: str
    attributes: _Bytes


class _Span(msgspec.Struct, array_like=True, gc=False):
    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    otel_kind: str
    start_ns: int | None
    end_ns: int | None
    status: Status
    status_message: str
    attributes: _Bytes
    events: list[_Event]
    links: list[_Link]
    resource: int
    scope_name: str
    scope_version: str
    dropped_attributes: int
    flags: tuple[str, ...]
    path: int
    offset: int


class _Log(msgspec.Struct, array_like=True, gc=False):
    event: _Event
    trace_id: str | None
    span_id: str | None
    resource: int
    scope_name: str
    path: int
    offset: int


class _Block(msgspec.Struct, array_like=True):
    resources: list[_Bytes]
    paths: list[str]
    spans: list[_Span]
    logs: list[_Log]


_FORMS = tuple(Form)
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Block)


def encode(spans: Sequence[RawSpan], logs: Sequence[RawLog] = ()) -> bytes:
    """Return records as one block of bytes."""
    resources: _Table[_Bytes] = _Table()
    paths: _Table[str] = _Table()
    span_rows = [_span_row(span, resources, paths) for span in spans]
    log_rows = [_log_row(log, resources, paths) for log in logs]
    return _ENCODER.encode(_Block(list(resources), list(paths), span_rows, log_rows))


def decode(block: bytes) -> tuple[list[RawSpan], list[RawLog]]:
    """Return the records of one block; equal to those that were encoded."""
    read = _DECODER.decode(block)
    resources = [_shared(form, raw) for form, raw in read.resources]
    return (
        [_span(row, resources, read.paths) for row in read.spans],
        [_log(row, resources, read.paths) for row in read.logs],
    )


def content_of(record: RawSpan | RawLog) -> bytes:
    """Return bytes that are equal for equal records, wherever each of them was found."""
    resources: _Table[_Bytes] = _Table()
    paths: _Table[str] = _Table()
    if isinstance(record, RawSpan):
        row: _Span | _Log = _span_row(record, resources, paths)
    else:
        row = _log_row(record, resources, paths)
    row.path = row.offset = -1
    return _ENCODER.encode((row, list(resources)))


class _Table(dict[_Key, int], Generic[_Key]):
    """Values by the position at which they were first met."""

    def __missing__(self, key: _Key) -> int:
        self[key] = position = len(self)
        return position


def _bytes_of(attributes: Mapping[str, Value]) -> _Bytes:
    if not isinstance(attributes, Attributes):
        attributes = Attributes.of(attributes)
    return (attributes.form, attributes.raw)


def _span_row(span: RawSpan, resources: "_Table[_Bytes]", paths: "_Table[str]") -> _Span:
    source = span.source
    return _Span(
        span.trace_id,
        span.span_id,
        span.parent_id,
        span.name,
        span.otel_kind,
        span.start_ns,
        span.end_ns,
        span.status,
        span.status_message,
        _bytes_of(span.attributes),
        [_event_row(event) for event in span.events],
        [_Link(link.trace_id, link.span_id, _bytes_of(link.attributes)) for link in span.links],
        resources[_bytes_of(span.resource)],
        span.scope_name,
        span.scope_version,
        span.dropped_attributes,
        span.flags,
        -1 if source is None else paths[source.path],
        -1 if source is None else source.offset,
    )


def _log_row(log: RawLog, resources: "_Table[_Bytes]", paths: "_Table[str]") -> _Log:
    source = log.source
    return _Log(
        _event_row(log.event),
        log.trace_id,
        log.span_id,
        resources[_bytes_of(log.resource)],
        log.scope_name,
        -1 if source is None else paths[source.path],
        -1 if source is None else source.offset,
    )


def _event_row(event: RawEvent) -> _Event:
    return _Event(event.name, event.time_ns, _bytes_of(event.attributes), event.body)


def _span(row: _Span, resources: list[Attributes], paths: list[str]) -> RawSpan:
    return RawSpan(
        trace_id=row.trace_id,
        span_id=row.span_id,
        parent_id=row.parent_id,
        name=row.name,
        otel_kind=row.otel_kind,
        start_ns=row.start_ns,
        end_ns=row.end_ns,
        status=row.status,
        status_message=row.status_message,
        attributes=_attributes(row.attributes),
        events=tuple([_event(event) for event in row.events]),
        links=tuple(
            [
                RawLink(
                    trace_id=link.trace_id,
                    span_id=link.span_id,
                    attributes=_attributes(link.attributes),
                )
                for link in row.links
            ]
        ),
        resource=resources[row.resource],
        scope_name=row.scope_name,
        scope_version=row.scope_version,
        dropped_attributes=row.dropped_attributes,
        flags=row.flags,
        source=_source(row.path, row.offset, paths),
    )


def _log(row: _Log, resources: list[Attributes], paths: list[str]) -> RawLog:
    return RawLog(
        event=_event(row.event),
        trace_id=row.trace_id,
        span_id=row.span_id,
        resource=resources[row.resource],
        scope_name=row.scope_name,
        source=_source(row.path, row.offset, paths),
    )


def _event(row: _Event) -> RawEvent:
    return RawEvent(
        name=row.name,
        time_ns=row.time_ns,
        attributes=_attributes(row.attributes),
        body=row.body,
    )


def _attributes(pair: _Bytes) -> Attributes:
    return Attributes(pair[1], _FORMS[pair[0]])


@lru_cache(maxsize=256)
def _shared(form: int, raw: bytes) -> Attributes:
    """Return one object for one resource, so that it is decoded once."""
    return Attributes(raw, _FORMS[form])


def _source(path: int, offset: int, paths: list[str]) -> SourceRef | None:
    return None if path < 0 else SourceRef(path=paths[path], offset=offset)
