"""Jaeger's query JSON: traces with their spans and the processes that wrote them.

    {"data": [{"traceID": …, "processes": {"p1": {"serviceName": …, "tags": […]}}, "spans": [
        {"traceID": …, "spanID": …, "operationName": …, "startTime": 1771237536879614,
         "duration": 57091, "references": [{"refType": "CHILD_OF", "spanID": …}],
         "tags": [{"key": …, "type": "int64", "value": 44}], "logs": […], "processID": "p1"}]}]}

Times are microseconds. Kind, status and scope are tags, `otel.…` where the span came over
OTLP, and stay among the attributes. Stored spans, one a line, hold their process themselves.

Source: Jaeger 1.5 to 2, model/json; its mapping of OTLP.
"""

from collections.abc import Iterable

import msgspec

from ingest.attributes import NO_ATTRIBUTES, Attributes
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import Fields
from ingest.moments import MICROSECOND, duration_ns, end_ns
from ingest.otlp_fields import (
    SPAN_DIGITS,
    TRACE_DIGITS,
    kind_name,
    optional_id,
    span_id,
    status_name,
    trace_id,
)
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import made_attributes
from ingest.span import RawEvent, RawLink, RawSpan, Status, Value
from ingest.span_objects import object_of, value_of

_SCOPES = ("otel.scope", "otel.library")
_EVENT = ("event", "message")
_ENVELOPE = {"data", "total", "limit", "offset", "errors"}
_PARENTS = ("CHILD_OF", "FOLLOWS_FROM")


def _fits(node: Node) -> bool:
    if _is_span(node) or _is_trace(node):
        return True
    if any(_is_trace(item) or _is_span(item) for item in node.leading("data")):
        return True
    return node.members.keys() >= _ENVELOPE and bytes(node.members["data"]) == b"[]"


def _is_span(node: Node) -> bool:
    return {"traceID", "spanID", "operationName"} <= node.members.keys()


def _is_trace(node: Node) -> bool:
    return {"traceID", "spans"} <= node.members.keys()


def _read(node: Node, records: Records) -> None:
    if _is_span(node):
        records.add(node, _span)
    elif _is_trace(node):
        resources = _resources(node.inner("processes"))
        for span in records.each(node, "spans"):
            process = span.fields.text("processid")
            records.add(span, _span, resource=resources.get(process, NO_ATTRIBUTES))
    else:
        for child in records.each(node, "data"):
            if _is_trace(child):
                _read(child, records)
            else:
                records.add(child, _span)


def _resources(processes: Node) -> dict[str, Attributes]:
    return {name: _resource(Fields.of(raw)) for name, raw in processes.members.items()}


def _resource(process: Fields) -> Attributes:
    told: dict[str, Value] = _tags(process.items("tags"), set())
    service = process.text("servicename")
    return Attributes.of({"service.name": service, **told} if service else told)


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    fields = node.fields
    tags = _tags(fields.items("tags"), flags)
    tags |= {k.replace("@", "."): v for k, v in object_of(fields.raw("tag"), flags).items()}
    start = fields.moment_ns(flags, "starttime", unit=MICROSECOND)
    length = duration_ns(fields.text("duration"), MICROSECOND)
    trace = trace_id(fields.text("traceid"))
    parent, links = _references(fields, trace)
    status, message = _status(tags)
    scope = next((name for name in _SCOPES if f"{name}.name" in tags), _SCOPES[0])
    process = fields.inner("process")
    return RawSpan(
        trace_id=trace,
        span_id=span_id(fields.text("spanid")),
        parent_id=parent,
        name=fields.text("operationname"),
        otel_kind=kind_name(_text(tags, "span.kind")),
        start_ns=start,
        end_ns=end_ns(start, length, flags),
        status=status,
        status_message=message,
        attributes=made_attributes(tags, place),
        events=tuple([_event(Fields.of(log), flags) for log in fields.items("logs")]),
        links=links,
        resource=_resource(process) if "servicename" in process else place.resource,
        scope_name=_text(tags, f"{scope}.name"),
        scope_version=_text(tags, f"{scope}.version"),
        flags=tuple(sorted(flags)),
        source=place.source,
    )


def _references(fields: Fields, trace: str) -> tuple[str | None, tuple[RawLink, ...]]:
    """Return the parent, which is the first reference in the same trace, and all others."""
    links: list[RawLink] = []
    kinds: list[str] = []
    for item in fields.items("references"):
        reference = Fields.of(item)
        linked = optional_id(reference.text("traceid"), TRACE_DIGITS) or trace
        span = optional_id(reference.text("spanid"), SPAN_DIGITS)
        if span is not None:
            links.append(RawLink(trace_id=linked, span_id=span))
            kinds.append(reference.text("reftype") if linked == trace else "")
    for kind in _PARENTS:
        if kind in kinds:
            parent = links.pop(kinds.index(kind))
            return parent.span_id, tuple(links)
    own = optional_id(fields.text("parentspanid"), SPAN_DIGITS)
    return own, tuple(links)


def _tags(items: Iterable[msgspec.Raw], flags: set[str]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for item in items:
        tag = Fields.of(item)
        key = tag.text("key")
        if "key" not in tag:
            flags.add("bad_attribute")
            continue
        if key in found:
            flags.add("duplicate_key")
        found[key] = _typed(tag, flags)
    return found


def _typed(tag: Fields, flags: set[str]) -> Value:
    """Return a tag's value; stores that know only text tell its type beside it."""
    value = value_of(tag.raw("value"), flags)
    if not isinstance(value, str):
        return value
    match tag.text("type").lower():
        case "bool":
            return value == "true" if value in {"true", "false"} else value
        case "int64" | "float64":
            return _number(value)
        case _:
            return value


def _number(text: str) -> Value:
    try:
        found: Value = msgspec.json.decode(text, type=int | float)
    except msgspec.DecodeError:
        return text
    return found


def _event(log: Fields, flags: set[str]) -> RawEvent:
    fields = _tags(log.items("fields"), flags)
    key = next((name for name in _EVENT if isinstance(fields.get(name), str)), "")
    return RawEvent(
        name=_text(fields, key),
        time_ns=log.moment_ns(flags, "timestamp", unit=MICROSECOND),
        attributes=Attributes.of({name: v for name, v in fields.items() if name != key}),
    )


def _status(tags: dict[str, Value]) -> tuple[Status, str]:
    status = status_name(_text(tags, "otel.status_code"))
    if status == "unset" and (tags.get("error") is True or tags.get("error") == "true"):
        status = "error"
    return status, _text(tags, "otel.status_description")


def _text(values: dict[str, Value], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""


SHAPE = Shape("jaeger", frozenset({"traceID", "data"}), _fits, _read)
