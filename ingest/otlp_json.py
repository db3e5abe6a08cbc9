"""OTLP/JSON: requests of traces and logs, in any arrangement.

    bytes ──json_records──▶ one request ─┬─ fast: exactly as specified
                                         └─ otlp_json_walk: everything else

The fast way decodes the frame of a request and leaves attributes as bytes; it hands a
request over to the patient way as soon as anything is unusual. Both give the same spans
for what both can read.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import msgspec

from ingest.batch import Batch
from ingest.json_depth import shallow
from ingest.json_records import (
    UNFINISHED,
    Record,
    records,
    split_requests,
)
from ingest.json_repair import is_utf8, repaired
from ingest.losses import Loss
from ingest.otlp_fields import UnreadableError
from ingest.otlp_json_spans import (
    LogNode,
    Place,
    ScopeNode,
    SpanNode,
    attributes_of,
    log_of,
    span_of,
)
from ingest.otlp_json_walk import walk
from ingest.stream import Cut, Stream

_BROKEN = "invalid_json"
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")
_LIST = b'"values"'
"""Stands in every list and map of attribute values."""

_QUOTED_DOUBLE = re.compile(rb'oubleValue"\s*:\s*"')
"""NaN and infinities come as text, and nothing else should."""


class _Scopes(msgspec.Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    scope: ScopeNode | None = None
    spans: list[SpanNode] | None = None
    log_records: list[LogNode] | None = None
    schema_url: str | None = None


class _Resource(msgspec.Struct, gc=False):
    attributes: msgspec.Raw = msgspec.Raw()


class _Group(msgspec.Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    resource: _Resource | None = None
    scope_spans: list[_Scopes] | None = None
    scope_logs: list[_Scopes] | None = None
    schema_url: str | None = None


class _Request(msgspec.Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    resource_spans: list[_Group] | None = None
    resource_logs: list[_Group] | None = None


_REQUEST = msgspec.json.Decoder(_Request)


def read(stream: Stream) -> Iterator[Batch]:
    """Yield the records of *stream*, one batch per request."""
    for record in records(stream):
        blank = not record.data or record.data.isspace()
        batch = Batch() if blank else _read_request(record, stream)
        cut = record.cut
        if cut is not None and cut is not UNFINISHED:
            _note_cut(batch, cut, record, stream)
        yield batch


def _note_cut(batch: Batch, cut: Cut, record: Record, stream: Stream) -> None:
    """Count what the cut took as one record: the broken one before it, if there is one."""
    place = record.offset + len(record.data)
    if batch.losses and batch.losses[-1].reason in {_BROKEN, UNFINISHED.reason}:
        place = batch.losses.pop().offset
    batch.losses.append(stream.loss(cut.reason, place, cut.detail))


def _read_request(record: Record, stream: Stream) -> Batch:
    batch = _fast(record, stream)
    return _patient(record, stream) if batch is None else batch


def _fast(record: Record, stream: Stream) -> Batch | None:
    """Read a request that is exactly as specified; None for any other."""
    data = record.data
    if (
        (_LIST in data and data.count(_LIST) > stream.limits.depth)
        or _QUOTED_DOUBLE.search(data)
        or not is_utf8(data)
    ):
        return None
    batch = Batch(bytes=len(data))
    flags: set[str] = set()
    source = stream.at(record.offset)
    try:
        request = _REQUEST.decode(data)
        for group in chain(request.resource_spans or (), request.resource_logs or ()):
            _read_group(group, Place(source=source, limits=stream.limits), batch, flags)
    except (msgspec.DecodeError, RecursionError, UnreadableError):
        return None
    # Unknown times may be times under another spelling of their key.
    unusual = flags or any(span.start_ns is None for span in batch.spans)
    return None if unusual or not (batch.spans or batch.logs) else batch


def _read_group(group: _Group, place: Place, batch: Batch, flags: set[str]) -> None:
    if group.resource is not None:
        place = replace(place, resource=attributes_of(group.resource.attributes, place, flags))
    for scope in chain(group.scope_spans or (), group.scope_logs or ()):
        inner = replace(place, scope=scope.scope)
        batch.spans += [span_of(node, inner, flags) for node in scope.spans or ()]
        batch.logs += [log_of(node, inner, flags) for node in scope.log_records or ()]


def _patient(record: Record, stream: Stream) -> Batch:
    """Read whatever can be read, after repairs where the text is broken."""
    data = record.data
    if not is_utf8(data):
        data = repaired(data)
        if not is_utf8(data):
            return Batch(losses=[stream.loss("invalid_utf8", record.offset, "no text at all")])
    try:
        return walk(data, record.offset, stream)
    except msgspec.DecodeError as error:
        trouble: Exception = error
    except RecursionError as error:
        trouble, data = error, shallow(data)
    mended = repaired(data)
    if mended is not record.data:
        try:
            return walk(mended, record.offset, stream)
        except (msgspec.DecodeError, RecursionError):
            pass
    split = split_requests(record.data)
    pieces = split or _loose_end(record, trouble)
    if not pieces:
        return Batch(losses=[_loss(trouble, record, stream)])
    batch = Batch()
    for number, (at, piece) in enumerate(pieces, start=1):
        cut = record.cut if number == len(pieces) else None
        part = Record(record.offset + at, piece, cut, loose=bool(split))
        batch.extend(_read_request(part, stream))
    return batch


def _loose_end(record: Record, trouble: Exception) -> list[tuple[int, bytes]]:
    """Return a request and what hangs on its end, if that is all that is wrong."""
    hanging = _TRAILING.search(str(trouble)) if record.loose else None
    if hanging is None:
        return []
    end = int(hanging[1]) - 1  # the decoder has passed it
    return [(0, record.data[:end]), (end, record.data[end:])]


def _loss(trouble: Exception, record: Record, stream: Stream) -> Loss:
    if isinstance(trouble, RecursionError):
        return stream.loss("too_deep", record.offset, "nested beyond any use")
    detail = str(trouble)
    ended = record.cut is UNFINISHED and "truncated" in detail
    reason = UNFINISHED.reason if ended else _BROKEN
    return stream.loss(reason, record.offset, detail[:200])
