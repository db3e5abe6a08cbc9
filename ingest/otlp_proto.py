"""Binary OTLP: export requests of traces and logs, one behind the other.

A request is a list of resource groups, so a file is read one group at a time, whatever
its size. A group that does not parse as a whole is walked record by record: one bad
span costs that span, and a cut file gives everything before the cut.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.logs.v1.logs_pb2 import ResourceLogs
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans

from ingest.batch import Batch
from ingest.otlp_fields import UnreadableError
from ingest.otlp_proto_salvage import BROKEN, salvage
from ingest.otlp_proto_spans import ProtoPlace, attributes_of, log_of, span_of
from ingest.otlp_wire import (
    LENGTH,
    WireError,
    fields,
    is_orderly,
    signal_of,
)
from ingest.stream import Cut, Stream
from ingest.window import StreamPieces, Window

_MOST_PREFIX_BYTES = 20
_UNFINISHED = Cut("truncated_stream", "the data ends in the middle of a record")

_Read: TypeAlias = tuple[Batch, bool]
"""What was read, and whether the next group can be found."""


def read(stream: Stream) -> Iterator[Batch]:
    """Yield the records of *stream*, one batch per resource group."""
    pieces = StreamPieces(stream)
    while True:
        window = Window(pieces, pieces.offset)
        readable = True
        while readable and window.peek(1):
            batch, readable = _next_group(window, stream, lambda: pieces.cut)
            yield batch
        window.skip_all()
        cut = pieces.cut
        if cut is None:
            return
        if readable:
            yield Batch(losses=[stream.loss(cut.reason, window.offset, cut.detail)])
        pieces.resume()


def _next_group(window: Window, stream: Stream, cut: Callable[[], Cut | None]) -> _Read:
    """Read one resource group, or say why there is nothing to go on with."""
    offset = window.offset
    try:
        group = next(fields(window.peek(_MOST_PREFIX_BYTES)))
    except WireError as error:
        return Batch(losses=[stream.loss(BROKEN, offset, str(error))]), False
    if group.number != 1 or group.wire != LENGTH:
        window.skip(group.end)
        return Batch(losses=[stream.loss("unknown_field", offset, f"field {group.number}")]), True
    most = stream.limits.record_bytes
    if group.end > most:
        window.skip(group.end)
        detail = f"{group.end} bytes where {most} are the limit"
        return Batch(losses=[stream.loss("oversize_record", offset, detail)]), True
    data = window.take(group.end)[group.start :]
    if len(data) < group.end - group.start:
        return salvage(data, offset, stream, cut() or _UNFINISHED), False
    return _fast(data, offset, stream) or salvage(data, offset, stream), True


def _fast(data: bytes, offset: int, stream: Stream) -> Batch | None:
    """Read a group in which everything is as it should be; None for any other."""
    batch = Batch(bytes=len(data))
    flags: set[str] = set()
    place = ProtoPlace(source=stream.at(offset), limits=stream.limits)
    try:
        signal = signal_of(data)
        if signal == "log":
            logs = ResourceLogs.FromString(data)
            place = _with_resource(place, logs.resource, flags)
            for scope_logs in logs.scope_logs:
                inner = replace(place, scope=scope_logs.scope)
                batch.logs += [log_of(log, inner, flags) for log in scope_logs.log_records]
            known = _is_known(logs, logs.scope_logs)
        else:
            spans = ResourceSpans.FromString(data)
            known = signal != "metric" and _is_known(spans, spans.scope_spans)
            if signal == "span":
                place = _with_resource(place, spans.resource, flags)
                for scope_spans in spans.scope_spans:
                    inner = replace(place, scope=scope_spans.scope)
                    batch.spans += [span_of(span, inner, flags) for span in scope_spans.spans]
    except (DecodeError, UnreadableError):
        return None
    batch.empty = int(batch.holds_nothing)
    return batch if known and is_orderly(data) and not flags else None


def _with_resource(place: ProtoPlace, resource: Resource, flags: set[str]) -> ProtoPlace:
    return replace(place, resource=attributes_of(resource.attributes, place.limits, flags))


def _is_known(group: Message, scopes: Iterable[Message]) -> bool:
    """Tell whether nothing but what the schema names stands around the records."""
    return not any(len(UnknownFieldSet(message)) for message in (group, *scopes))
