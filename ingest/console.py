"""Spans as the SDK's console exporter prints them, and Monocle's files, which are alike.

    {"name": …, "context": {"trace_id": "0x…", "span_id": "0x…"}, "kind": "SpanKind.INTERNAL",
     "parent_id": null, "start_time": "2025-…Z", "status": {"status_code": "OK"},
     "attributes": {…}, "events": […], "links": […], "resource": {"attributes": {…}}}

One pretty-printed object behind the other, or a list of them.

Source: opentelemetry-sdk, `ReadableSpan.to_json`.
"""

from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.otlp_json_spans import Place
from ingest.span import RawSpan
from ingest.span_objects import span_of


def _fits(node: Node) -> bool:
    return "parent_id" in node.members and "trace_id" in node.inner("context").members


def _read(node: Node, records: Records) -> None:
    records.add(node, _span)


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    return span_of(node.fields, place, flags)


SHAPE = Shape("console", frozenset({"context"}), _fits, _read)
