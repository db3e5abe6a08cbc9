"""Zipkin's version 2 JSON: a list of spans, or of lists of them, one for each trace.

    {"traceId": …, "id": …, "parentId": …, "kind": "CLIENT", "name": "search",
     "timestamp": 1767225600000001, "duration": 7, "localEndpoint": {"serviceName": "shop"},
     "tags": {"otel.status_code": "ERROR", "top_k": "3"}, "annotations": [{"value": "hit"}]}

Times are microseconds and all values of tags are texts. Status and scope are tags, named
by the OpenTelemetry exporters, and stay among the attributes.

Source: Zipkin API, version 2; OpenTelemetry, transformation to Zipkin.
"""

from ingest.attributes import Attributes
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import Fields
from ingest.moments import MICROSECOND, duration_ns, end_ns
from ingest.otlp_fields import (
    SPAN_DIGITS,
    kind_name,
    optional_id,
    span_id,
    status_name,
    trace_id,
)
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import plain_attributes
from ingest.span import RawEvent, RawSpan, Status
from ingest.span_objects import resource_of_service

_OWN = {"localEndpoint", "tags", "annotations"}
_SCOPES = ("otel.scope", "otel.library")


def _fits(node: Node) -> bool:
    keys = node.members.keys()
    if not keys >= {"traceId", "id"} or "startTime" in keys:
        return False
    return bool(keys & _OWN) or keys >= {"name", "timestamp", "duration"}


def _read(node: Node, records: Records) -> None:
    records.add(node, _span)


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    fields = node.fields
    tags = plain_attributes(fields.raw("tags"), place, flags)
    start = fields.moment_ns(flags, "timestamp", unit=MICROSECOND)
    length = duration_ns(fields.text("duration"), MICROSECOND)
    status, message = _status(tags)
    scope = next((name for name in _SCOPES if f"{name}.name" in tags), _SCOPES[0])
    service = fields.inner("localendpoint").text("servicename")
    return RawSpan(
        trace_id=trace_id(fields.text("traceid")),
        span_id=span_id(fields.text("id")),
        parent_id=optional_id(fields.text("parentid"), SPAN_DIGITS),
        name=fields.text("name"),
        otel_kind=kind_name(fields.text("kind")),
        start_ns=start,
        end_ns=end_ns(start, length, flags),
        status=status,
        status_message=message,
        attributes=tags,
        events=tuple([_event(Fields.of(item), flags) for item in fields.items("annotations")]),
        resource=resource_of_service(service) if service else place.resource,
        scope_name=_text(tags, f"{scope}.name"),
        scope_version=_text(tags, f"{scope}.version"),
        flags=tuple(sorted(flags)),
        source=place.source,
    )


def _event(annotation: Fields, flags: set[str]) -> RawEvent:
    time = annotation.moment_ns(flags, "timestamp", unit=MICROSECOND)
    return RawEvent(name=annotation.text("value"), time_ns=time)


def _status(tags: Attributes) -> tuple[Status, str]:
    """Return what the tags tell; a tag `error` holds the message, or no more than `true`."""
    told = _text(tags, "error")
    message = _text(tags, "otel.status_description") or (told if told != "true" else "")
    status = status_name(_text(tags, "otel.status_code"))
    return ("error" if "error" in tags and status == "unset" else status), message


def _text(tags: Attributes, name: str) -> str:
    value = tags.get(name)
    return value if isinstance(value, str) else ""


SHAPE = Shape("zipkin", frozenset({"traceId"}), _fits, _read)
