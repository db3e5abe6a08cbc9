"""The patient way through a record of OTLP/JSON: level by level, span by span.

The fast way in `ingest.otlp_json` takes only what is exactly as the specification wants
it. Everything else comes here: other spellings of keys, older layers, wrappers around
the request, broken text. One bad span costs that span, not its neighbours, and what is
not understood becomes a loss.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, TypeAlias

import msgspec

from ingest.batch import Batch
from ingest.json_depth import DEPTH_MARK
from ingest.json_repair import BAD_UTF8_MARK, SURROGATE_MARK, value_depth
from ingest.otlp_fields import SPAN_DIGITS, UnreadableError, optional_id
from ingest.otlp_json_spans import (
    LogNode,
    Place,
    ScopeNode,
    SpanNode,
    attributes_of,
    log_of,
    span_of,
)
from ingest.repairs import repair_losses
from ingest.stream import Stream

Signal: TypeAlias = Literal["span", "log"]
Object: TypeAlias = dict[str, msgspec.Raw]

_OBJECT = msgspec.json.Decoder(Object)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_SPAN = msgspec.json.Decoder(SpanNode)
_LOG = msgspec.json.Decoder(LogNode)
_SCOPE: msgspec.json.Decoder[ScopeNode | None] = msgspec.json.Decoder(ScopeNode | None)

_NULL = msgspec.Raw(b"null")
_REPAIR_MARKS = (
    ("surrogate_replaced", SURROGATE_MARK),
    ("invalid_utf8_replaced", BAD_UTF8_MARK),
)

_REQUESTS = {"resourceSpans", "batches", "resourceLogs"}
_GROUPS = {
    "scopeSpans",
    "instrumentationLibrarySpans",
    "scopeLogs",
    "instrumentationLibraryLogs",
}
_RECORDS: dict[str, Signal] = {"spans": "span", "logRecords": "log", "logs": "log"}
_WRAPPERS = {"trace", "traces", "request"}
_MOST_WRAPPERS = 4
_TOO_DEEP = "nested beyond any use"
_OTHER_SIGNALS = {"resourceMetrics", "resourceProfiles"}


def walk(data: bytes, offset: int, stream: Stream) -> Batch:
    """Read every span and log record of one JSON value.

    Raises:
        msgspec.DecodeError: *data* is no JSON.
        RecursionError: It is nested too deeply to be meant.
    """
    return _Walk(offset, stream).request(data)


class _Walk:
    """One record of the input, and what was found in it."""

    def __init__(self, offset: int, stream: Stream) -> None:
        self._offset = offset
        self._stream = stream
        self._batch = Batch()
        self._found = False

    def request(self, data: bytes) -> Batch:
        self._batch.bytes = len(data)
        msgspec.json.decode(data, type=msgspec.Raw)
        self._requests(msgspec.Raw(data.strip()))
        if not self._found and not self._batch.losses:
            self._reject("unknown_record", "neither spans nor log records")
        if self._batch.holds_nothing:
            self._batch.empty = 1
        if DEPTH_MARK in data:
            self._tell_depth()
        return self._batch

    def _tell_depth(self) -> None:
        """Name the depth as the reason of what was lost by it, if it is not named yet."""
        losses = self._batch.losses
        if not losses:
            self._reject("too_deep", _TOO_DEEP)
        elif all(loss.reason != "too_deep" for loss in losses):
            losses[0] = replace(losses[0], reason="too_deep", detail=_TOO_DEEP)

    def _requests(self, raw: msgspec.Raw, depth: int = 0) -> None:
        if depth > _MOST_WRAPPERS:
            self._unknown("", raw)
            return
        if bytes(raw)[:1] == b"[":
            for item in self._items(raw):
                self._requests(item, depth + 1)
            return
        node = self._object(raw)
        if _GROUPS & node.keys():
            self._group(raw)
            return
        for key, value in node.items():
            if key in _REQUESTS:
                self._found = True
                for item in self._items(value):
                    self._group(item)
            elif key in _OTHER_SIGNALS:
                self._found = True
                self._batch.passed_over += 1
            elif key in _WRAPPERS:
                self._requests(value, depth + 1)
            else:
                self._unknown(key, value)

    def _group(self, raw: msgspec.Raw) -> None:
        node = self._object(raw)
        place, trouble = self._place(node.pop("resource", None))
        for key, value in node.items():
            if key in _GROUPS:
                self._found = True
                for item in self._items(value):
                    self._scope_group(item, place, trouble)
            else:
                self._unknown(key, value)

    def _scope_group(self, raw: msgspec.Raw, place: Place, trouble: UnreadableError | None) -> None:
        node = self._object(raw)
        named = node.pop("scope", None) or node.pop("instrumentationLibrary", None)
        if named is not None:
            place = _with_scope(place, named)
        for key, value in node.items():
            if key in _RECORDS:
                for item in self._items(value):
                    self._record(item, place, _RECORDS[key], trouble)
            else:
                self._unknown(key, value)

    def _record(
        self, raw: msgspec.Raw, place: Place, signal: Signal, trouble: UnreadableError | None
    ) -> None:
        flags = set(place.flags)
        try:
            if trouble is not None:
                raise trouble
            data = _plain_spelling(_checked(bytes(raw), place, flags))
            if signal == "span":
                span = span_of(_SPAN.decode(data), place, flags)
                self._batch.spans.append(span)
                span_id: str | None = span.span_id
            else:
                log = log_of(_LOG.decode(data), place, flags)
                self._batch.logs.append(log)
                span_id = log.span_id
            self._batch.losses += repair_losses(flags, self._stream, self._offset, span_id)
        except UnreadableError as error:
            self._reject(error.reason, error.detail, _id_in(raw))
        except msgspec.DecodeError as error:
            self._reject(f"bad_{signal}", str(error), _id_in(raw))

    def _place(self, raw: msgspec.Raw | None) -> tuple[Place, UnreadableError | None]:
        """Return where a group's records stand, and what makes all of them unreadable."""
        place = Place(
            source=self._stream.at(self._offset), limits=self._stream.limits, inspect=True
        )
        if raw is None:
            return place, None
        place = replace(place, flags=_marks(bytes(raw)))
        if DEPTH_MARK in bytes(raw):
            return place, UnreadableError("too_deep", "the resource is nested beyond any use")
        node = self._object(raw)
        try:
            resource = attributes_of(node.get("attributes", msgspec.Raw()), place, set())
        except UnreadableError as error:
            return place, error
        return replace(place, resource=resource), None

    def _object(self, raw: msgspec.Raw) -> Object:
        if bytes(raw) == b"null":
            return {}
        try:
            return {camel(key): value for key, value in _OBJECT.decode(raw).items()}
        except msgspec.ValidationError as error:
            self._reject("bad_structure", str(error))
            return {}

    def _items(self, raw: msgspec.Raw) -> Iterator[msgspec.Raw]:
        if bytes(raw) == b"null":
            return
        try:
            items = _LIST.decode(raw)
        except msgspec.ValidationError as error:
            self._reject("bad_structure", str(error))
            return
        yield from items

    def _unknown(self, key: str, raw: msgspec.Raw) -> None:
        """Lists of objects may hold records; other unknown fields hold none."""
        if bytes(raw)[:1] == b"[" and b"{" in bytes(raw):
            self._reject("unknown_field", key)

    def _reject(self, reason: str, detail: str, span_id: str | None = None) -> None:
        loss = self._stream.loss(reason, self._offset, detail[:200], span_id=span_id)
        self._batch.losses.append(loss)


def _with_scope(place: Place, raw: msgspec.Raw) -> Place:
    flags = (*place.flags, *_marks(bytes(raw)))
    try:
        return replace(place, scope=_SCOPE.decode(raw), flags=flags)
    except msgspec.ValidationError:
        return replace(place, flags=(*flags, "bad_scope"))


def _checked(data: bytes, place: Place, flags: set[str]) -> bytes:
    """Return the record's bytes, after a look at what decoding would not show.

    Raises:
        UnreadableError: `too_deep`.
    """
    most = place.limits.depth
    if DEPTH_MARK in data:
        raise UnreadableError("too_deep", _TOO_DEEP)
    if data.count(b'"values"') > most and value_depth(data) > most:
        raise UnreadableError("too_deep", f"more than {most} lists and maps in a value")
    flags.update(_marks(data))
    return data


def _marks(data: bytes) -> tuple[str, ...]:
    """Return what was repaired in *data* before it came here."""
    return tuple([flag for flag, mark in _REPAIR_MARKS if mark in data])


def _plain_spelling(data: bytes) -> bytes:
    """Return a record with snake-case keys in camel case, events and links included."""
    node = _OBJECT.decode(data)
    if not any("_" in key for key in node):
        return data
    renamed = {camel(key): value for key, value in node.items()}
    for key in ("events", "links"):
        if renamed.get(key, _NULL) != _NULL:
            items = [_plain_spelling(bytes(item)) for item in _LIST.decode(renamed[key])]
            renamed[key] = msgspec.Raw(b"[" + b",".join(items) + b"]")
    return msgspec.json.encode(renamed)


def camel(key: str) -> str:
    """Return a field's name as JSON spells it: `resource_spans` is `resourceSpans`."""
    first, *others = key.split("_")
    return first + "".join([word.capitalize() for word in others]) if others else key


def _id_in(raw: msgspec.Raw) -> str | None:
    """Return the span id of a record that could not be read, if that can be read."""
    try:
        node = _SPAN.decode(_plain_spelling(bytes(raw)))
    except msgspec.DecodeError:
        return None
    return optional_id(node.span_id, SPAN_DIGITS)
