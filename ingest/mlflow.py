r"""MLflow's own traces: `Trace.to_json`, its stored spans, and tables of them.

    {"info": {"trace_id": "tr-…", "trace_metadata": {"mlflow.trace.session": …}, "tags": {…}},
     "data": {"spans": [{"span_id": "3mz+mER1S7M=",
                         "attributes": {"mlflow.spanType": "\"LLM\""}}]}}

Every attribute value is JSON in a text and is decoded here, once. What is told about the
trace becomes the resource of its spans and stands among the attributes of those without
a parent, as it would had MLflow exported it.

Source: MLflow 2.14 to 3.17, `Trace.to_dict` and `Span.to_dict`.
"""

import msgspec

from ingest.attributes import NO_ATTRIBUTES, Attributes
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import starts
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import plain_attributes
from ingest.span import RawSpan, Value
from ingest.span_objects import has_parent, is_span, span_of, value_of

_MARK = b'"mlflow.'
_METADATA = ("trace_metadata", "request_metadata", "tags")
_REPEATED = {"mlflow.traceInputs", "mlflow.traceOutputs"}
"""What the spans themselves tell, perhaps cut short."""

_TEXT = msgspec.json.Decoder(str)
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _fits(node: Node) -> bool:
    if "info" in node.members and "data" in node.members:
        return bool(node.inner("info").members.keys() & {"trace_id", "request_id", *_METADATA})
    if "trace" in node.members and starts(node.members["trace"], b'"'):
        return _fits(_told(node))
    return _is_span(node) or any(map(_is_span, node.leading("spans")))


def _is_span(node: Node) -> bool:
    if _MARK not in node.data or not is_span(node.fields):
        return False
    return _MARK in bytes(node.fields.raw("attributes"))


def _read(node: Node, records: Records) -> None:
    if is_span(node.fields):
        records.add(node, _span)
    elif "info" in node.members:
        resource, inner = _resource(node.inner("info")), node.inner("data")
        if "spans" not in inner.members:
            records.reject(node, "bad_structure", "a trace without a list of spans")
        for span in records.each(inner, "spans"):
            records.add(span, _span, resource=resource)
    elif "spans" in node.members:
        for span in records.each(node, "spans"):
            records.add(span, _span)
    else:
        _read(_told(node), records)


def _told(row: Node) -> Node:
    """Return the trace that a row of a table holds as text."""
    return row.renewed(_TEXT.decode(row.members["trace"]).encode())


def _resource(info: Node) -> Attributes:
    told: dict[str, Value] = {}
    for name in _METADATA:
        found = value_of(info.members.get(name, msgspec.Raw()), set())
        told |= found if isinstance(found, dict) else {}
    if "assessments" in info.members:
        told["mlflow.assessments"] = value_of(info.members["assessments"], set())
    return Attributes.of(told) if told else NO_ATTRIBUTES


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    attributes = _decoded(node, place, flags)
    if place.resource and not has_parent(node.fields):
        about = {key: value for key, value in place.resource.items() if key not in _REPEATED}
        attributes = Attributes.of({**about, **attributes})
    return span_of(node.fields, place, flags, attributes)


def _decoded(node: Node, place: Place, flags: set[str]) -> Attributes:
    raw = node.fields.raw("attributes")
    encoded = plain_attributes(raw, place, flags)
    if not starts(raw, b"{"):
        return encoded
    members = _OBJECT.decode(encoded.raw)
    return Attributes.of({key: _value(item, flags) for key, item in members.items()})


def _value(raw: msgspec.Raw, flags: set[str]) -> Value:
    """Return what stands in a text of JSON; the text itself where it is none."""
    if not starts(raw, b'"'):
        return value_of(raw, flags)
    text = _TEXT.decode(raw)
    try:
        return value_of(msgspec.Raw(text.encode()), flags)
    except (ValueError, RecursionError):
        return text


SHAPE = Shape("mlflow", frozenset({"info", "trace", "spans", "attributes"}), _fits, _read)
