"""A resource group of binary OTLP that cannot be read as a whole, record by record.

The group is damaged, cut, older than the scopes of today, or holds a span that must be
rejected. Its records are found by their lengths alone and decoded one at a time.
"""

from dataclasses import replace

from google.protobuf.message import DecodeError
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from ingest.batch import Batch
from ingest.otlp_fields import UnreadableError
from ingest.otlp_proto_spans import ProtoPlace, attributes_of, log_of, span_of
from ingest.otlp_wire import (
    LENGTH,
    OLD_SCOPE_GROUPS,
    RECORDS,
    RESOURCE,
    SCHEMA_URL,
    SCOPE,
    SCOPE_GROUPS,
    Field,
    WireError,
    fields,
    is_address,
    signal_of,
)
from ingest.repairs import repair_losses
from ingest.stream import Cut, Stream

BROKEN = "invalid_protobuf"


def salvage(data: bytes, offset: int, stream: Stream, cut: Cut | None = None) -> Batch:
    """Read what can be read of one resource group.

    Args:
        data: The group, without its own length.
        offset: Where the group stands in the stream.
        stream: What it came from.
        cut: Why *data* ends too early; None when it is whole.
    """
    return _Salvage(data, offset, stream, cut).read()


class _Salvage:
    """One group, and what was found in it."""

    def __init__(self, data: bytes, offset: int, stream: Stream, cut: Cut | None) -> None:
        self._data = data
        self._offset = offset
        self._stream = stream
        self._cut = cut
        self._place = ProtoPlace(source=stream.at(offset), limits=stream.limits)
        self._trouble: UnreadableError | None = None
        self._signal = signal_of(data)
        self._batch = Batch(bytes=len(data))

    def read(self) -> Batch:
        """Walk the group; what stops the walk is one lost record."""
        try:
            resources = [f for f in fields(self._data) if f.number == RESOURCE and f.wire == LENGTH]
            for field in resources[:1]:
                self._resource(field)
            for _ in resources[1:]:
                self._misplaced("resource")
            for field in fields(self._data):
                if field.number in {SCOPE_GROUPS, OLD_SCOPE_GROUPS} and field.wire == LENGTH:
                    self._scope_group(field)
                elif field.number == SCHEMA_URL:
                    self._address(field)
                elif field.number != RESOURCE:
                    self._reject("unknown_field", f"field {field.number} of a resource group")
        except WireError as error:
            if self._cut is None:
                self._reject(BROKEN, str(error))
        batch = self._batch
        if self._cut is not None:
            self._reject(self._cut.reason, self._cut.detail)
        elif not (batch.spans or batch.logs or batch.losses or batch.passed_over):
            self._reject(BROKEN, "a group in which no record can be found")
        return batch

    def _resource(self, field: Field) -> None:
        try:
            resource = Resource.FromString(self._data[field.start : field.end])
            attributes = attributes_of(resource.attributes, self._stream.limits, set())
        except UnreadableError as error:
            self._trouble = error
        except DecodeError:
            self._place = replace(self._place, flags=("bad_resource",))
        else:
            self._place = replace(self._place, resource=attributes)

    def _address(self, field: Field) -> None:
        if not is_address(self._data[field.start : field.end]):
            self._misplaced("schema URL")

    def _misplaced(self, what: str) -> None:
        self._reject(BROKEN, f"something in the place of a {what} that is none")

    def _scope_group(self, group: Field) -> None:
        place = self._place
        scopes = 0
        for field in fields(self._data, group.start, group.end):
            content = self._data[field.start : field.end]
            if field.number not in {SCOPE, RECORDS, SCHEMA_URL} or field.wire != LENGTH:
                self._reject("unknown_field", f"field {field.number} of a scope")
            elif field.number == SCHEMA_URL:
                self._address(field)
            elif field.number == SCOPE:
                scopes += 1
                if scopes > 1:
                    self._misplaced("scope")
                    continue
                try:
                    place = replace(place, scope=InstrumentationScope.FromString(content))
                except DecodeError:
                    place = replace(place, flags=("bad_scope",))
            elif field.number == RECORDS and field.end <= min(group.end, len(self._data)):
                self._record(content, place)
            elif field.number == RECORDS and (self._cut is None or field.end <= len(self._data)):
                self._reject(BROKEN, "a record that runs beyond its scope")

    def _record(self, content: bytes, place: ProtoPlace) -> None:
        if self._signal == "metric":
            self._batch.passed_over = 1
            return
        flags = set(place.flags)
        span_id = None
        try:
            if self._signal == "log":
                log = log_of(LogRecord.FromString(content), place, flags)
                self._batch.logs.append(log)
                span_id = log.span_id
            else:
                record = Span.FromString(content)
                span_id = record.span_id.hex()
                if self._trouble is not None:
                    raise self._trouble
                self._batch.spans.append(span_of(record, place, flags))
        except UnreadableError as error:
            self._reject(error.reason, error.detail, span_id)
        except DecodeError as error:
            self._reject(BROKEN, str(error))
        else:
            self._batch.losses += repair_losses(flags, self._stream, self._offset, span_id)

    def _reject(self, reason: str, detail: str, span_id: str | None = None) -> None:
        loss = self._stream.loss(reason, self._offset, detail[:200], span_id=span_id or None)
        self._batch.losses.append(loss)
