"""A span, or a log record, that is an object of its own, whatever its fields are called.

    trace id   trace_id │ traceId │ context.trace_id │ {"context": {"trace_id": …}} │ …
    start      start_time │ startTimeUnixNano │ startTime │ timestamp │ …
    name       name │ span_name │ operationName

Console exporters, notebooks, test suites and log stores all write such objects. Ids may
be numbers or miss their leading zeros, times may be of any unit.
"""

from functools import lru_cache

import msgspec

from ingest.any_value import plain_value
from ingest.attributes import NO_ATTRIBUTES, Attributes, Form, load_json
from ingest.batch import RawLog
from ingest.json_mend import is_json
from ingest.loose_fields import Fields, starts, text_of
from ingest.moments import MILLISECOND, duration_ns, end_ns
from ingest.otlp_fields import (
    KINDS,
    SPAN_DIGITS,
    TRACE_DIGITS,
    kind_name,
    optional_id,
    span_id,
    status_name,
    trace_id,
)
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import plain_attributes
from ingest.span import RawEvent, RawLink, RawSpan, Status, Value

_CONTEXTS = ("context", "spancontext")
_PARENTS = ("parent", "parentspancontext", "parentcontext")
_STARTS = (
    "starttime",
    "starttimeunixnano",
    "starttimens",
    "starttimestamp",
    "startedat",
    "startns",
    "timestamp",
)
_ENDS = ("endtime", "endtimeunixnano", "endtimens", "endtimestamp", "endedat", "endns")
_EVENT_TIMES = ("timestamp", "time", "timeunixnano", "timeunixnanos", "starttime")
_LOG_TIMES = ("timeunixnano", "timestamp", "observedtimeunixnano")
_MOST_COUNT_DIGITS = 10
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])


def identity_of(fields: Fields) -> tuple[str, str]:
    """Return trace id and span id as they are written; empty where there is none."""
    context = fields.inner(*_CONTEXTS)
    return (
        fields.identity(TRACE_DIGITS, "traceid", "contexttraceid")
        or context.identity(TRACE_DIGITS, "traceid"),
        fields.identity(SPAN_DIGITS, "spanid", "contextspanid")
        or context.identity(SPAN_DIGITS, "spanid"),
    )


def has_parent(fields: Fields) -> bool:
    """Tell whether an object names a parent."""
    return _parent(fields) is not None


def is_span(fields: Fields) -> bool:
    """Tell whether an object is laid out as a span: with both ids and a start."""
    if not any(name in fields for name in _STARTS[:-1]):
        return False
    if "traceid" in fields and "spanid" in fields:
        return True
    context = fields.inner(*_CONTEXTS)
    dotted = "contexttraceid" in fields and "contextspanid" in fields
    return dotted or ("traceid" in context and "spanid" in context)


def span_of(
    fields: Fields, place: Place, flags: set[str], attributes: Attributes | None = None
) -> RawSpan:
    """Return the span that an object is.

    Args:
        fields: Its members.
        place: What it stands in; a resource or scope of its own outranks it.
        flags: Words already known about this span; more are added, and all are kept.
        attributes: To be taken instead of the member that holds them.

    Raises:
        UnreadableError: It has no usable ids, or attributes beyond a limit.
        msgspec.DecodeError: A text in it is no text.
    """
    trace, span = identity_of(fields)
    start = fields.moment_ns(flags, *_STARTS)
    end = fields.moment_ns(flags, *_ENDS)
    scope = fields.inner("scope", "instrumentationscope", "instrumentationlibrary")
    status, message = _status(fields)
    if attributes is None:
        attributes = plain_attributes(fields.raw("attributes", "spanattributes"), place, flags)
    return RawSpan(
        trace_id=trace_id(trace),
        span_id=span_id(span),
        parent_id=_parent(fields),
        name=fields.text("name", "spanname", "operationname"),
        otel_kind=_kind(fields),
        start_ns=start,
        end_ns=_end(fields, start, flags) if end is None else end,
        status=status,
        status_message=message,
        attributes=attributes,
        events=events_of(fields.items("events", "spanevents"), place, flags),
        links=_links(fields.items("links", "spanlinks"), place, flags),
        resource=resource_of(fields, place, flags),
        scope_name=scope.text("name") or fields.text("scope", "scopename"),
        scope_version=scope.text("version") or fields.text("scopeversion"),
        dropped_attributes=_count(fields.text("droppedattributescount", "droppedattributes")),
        # last: the fields above add to the flags
        flags=tuple(sorted(flags)),
        source=place.source,
    )


def log_of(fields: Fields, place: Place, flags: set[str]) -> RawLog:
    """Return the log record that an object is; the arguments are those of `span_of`.

    Raises:
        UnreadableError: It has attributes beyond a limit.
        msgspec.DecodeError: A text in it is no text.
    """
    attributes = plain_attributes(fields.raw("attributes", "logattributes"), place, flags)
    named = attributes.get("event.name")
    trace, span = identity_of(fields)
    scope = fields.inner("scope", "instrumentationscope")
    return RawLog(
        event=RawEvent(
            name=fields.text("eventname") or (named if isinstance(named, str) else ""),
            time_ns=fields.moment_ns(flags, *_LOG_TIMES),
            attributes=attributes,
            body=value_of(fields.raw("body", "message", "value"), flags),
        ),
        trace_id=optional_id(trace, TRACE_DIGITS),
        span_id=optional_id(span, SPAN_DIGITS),
        resource=resource_of(fields, place, flags),
        scope_name=scope.text("name") or fields.text("scope", "scopename"),
        source=place.source,
    )


def events_of(items: list[msgspec.Raw], place: Place, flags: set[str]) -> tuple[RawEvent, ...]:
    """Return the events in a list; what is no object among them is flagged."""
    found: list[RawEvent] = []
    for item in items:
        if not starts(item, b"{"):
            flags.add("bad_attribute")
            continue
        fields = Fields.of(item)
        found.append(
            RawEvent(
                name=fields.text("name", "eventname"),
                time_ns=fields.moment_ns(flags, *_EVENT_TIMES),
                attributes=plain_attributes(fields.raw("attributes"), place, flags),
                body=value_of(fields.raw("body"), flags),
            )
        )
    return tuple(found)


def resource_of(fields: Fields, place: Place, flags: set[str]) -> Attributes:
    """Return the resource that an object names; else that of its place."""
    raw = fields.raw("resource", "resourceattributes")
    if starts(raw, b"{"):
        raw = _OBJECT.decode(raw).get("attributes", raw)
    made = plain_attributes(raw, place, flags)
    if made is not NO_ATTRIBUTES:
        return _shared(made.form, made.raw)
    service = fields.text("servicename")
    return resource_of_service(service) if service else place.resource


def value_of(raw: msgspec.Raw, flags: set[str]) -> Value:
    """Return a plain JSON value, decoded; None where there is none."""
    data = bytes(raw)
    return plain_value(load_json(data), flags) if data else None


def object_of(raw: msgspec.Raw, flags: set[str]) -> dict[str, Value]:
    """Return an object, also one that is written as a text; empty for anything else."""
    text = text_of(raw).strip().encode()
    value = value_of(msgspec.Raw(text) if text[:1] == b"{" and is_json(text) else raw, flags)
    return value if isinstance(value, dict) else {}


def status_of(code: str) -> Status:
    """Return a status that is written as a word or a number, whatever stands before it."""
    word = code.rpartition(".")[2]
    return status_name(int(word) if word in {"0", "1", "2"} else word)


def _parent(fields: Fields) -> str | None:
    text = fields.identity(SPAN_DIGITS, "parentid", "parentspanid", "parent")
    inner = fields.inner(*_PARENTS)
    return optional_id(text or inner.identity(SPAN_DIGITS, "spanid"), SPAN_DIGITS)


def _kind(fields: Fields) -> str:
    text = fields.text("kind", "spankind").rpartition(".")[2]
    if text.isdecimal() and len(text) == 1:
        # Tracers count from INTERNAL on; OTLP has UNSPECIFIED before it.
        return kind_name(int(text) + ("spancontext" in fields))
    name = text.upper().removeprefix("SPAN_KIND_")
    return name if name in KINDS else "UNSPECIFIED"


def _status(fields: Fields) -> tuple[Status, str]:
    inner = fields.inner("status")
    code = inner.text("code", "statuscode") or fields.text("statuscode", "status")
    message = inner.text("message", "description", "statusmessage")
    return status_of(code), message or fields.text("statusmessage", "statusdescription")


def _end(fields: Fields, start: int | None, flags: set[str]) -> int | None:
    """Return the end of a span that tells its duration instead."""
    text = fields.text("duration")
    length = duration_ns(text, 1) if text.startswith("P") else None
    if length is None:
        length = duration_ns(fields.text("durationms"), MILLISECOND)
    if length is None:
        length = duration_ns(fields.text("durationnano", "durationns"), 1)
    return end_ns(start, length, flags)


@lru_cache(maxsize=256)
def _shared(form: Form, raw: bytes) -> Attributes:
    """Return one object for one resource, so that it is decoded once."""
    return Attributes(raw, form)


@lru_cache(maxsize=256)
def resource_of_service(name: str) -> Attributes:
    """Return the resource of a process of which only the service is told."""
    return Attributes.of({"service.name": name})


def _links(items: list[msgspec.Raw], place: Place, flags: set[str]) -> tuple[RawLink, ...]:
    found: list[RawLink] = []
    for item in items:
        fields = Fields.of(item)
        trace, span = identity_of(fields)
        found.append(
            RawLink(
                trace_id=optional_id(trace, TRACE_DIGITS) or "",
                span_id=optional_id(span, SPAN_DIGITS) or "",
                attributes=plain_attributes(fields.raw("attributes"), place, flags),
            )
        )
    return tuple(found)


def _count(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= _MOST_COUNT_DIGITS else 0
