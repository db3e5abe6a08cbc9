"""Our own tables: the spans of an earlier run, as `spans.parquet` or exported from it.

    trace_id span_id parent_span_id name kind start_ns end_ns status service … attributes

What the run made of a span (its kind, conversation, turn, flags) is not read back: it is
made again from the attributes, which are as they were recorded.
"""

from dataclasses import replace

from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.otlp_json_spans import Place
from ingest.span import RawSpan
from ingest.span_objects import resource_of_service, span_of

_COLUMNS = {"trace_id", "span_id", "parent_span_id", "start_ns", "convention", "attributes"}


def _fits(node: Node) -> bool:
    return node.members.keys() >= _COLUMNS


def _read(node: Node, records: Records) -> None:
    records.add(node, _span)


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    service = node.fields.text("service")
    if service:
        place = replace(place, resource=resource_of_service(service))
    return span_of(node.fields, place, flags)


SHAPE = Shape("stagefault", frozenset({"convention"}), _fits, _read)
