"""Spans as plain objects: lists out of notebooks, test suites, log stores and databases.

    {"trace_id": …, "span_id": …, "parent_span_id": …, "name": …, "start_time": …,
     "end_time": …, "attributes": {…}, "scope": {…}, "status": {…}, "span_events": […]}

Each by itself, in a list, or under `spans` of an object that may tell more about all of
them; `traces` and `data` are lists of such objects.
"""

from ingest.attributes import NO_ATTRIBUTES, Attributes
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.otlp_json_spans import Place
from ingest.span import RawSpan
from ingest.span_objects import is_span, span_of

_LISTS = ("spans", "traces", "data")
_MOST_LEVELS = 4


def _fits(node: Node, levels: int = _MOST_LEVELS) -> bool:
    if is_span(node.fields) or any(_is_empty(node, name) for name in _LISTS[:2]):
        return True
    if not levels:
        return False
    return any(_fits(item, levels - 1) for name in _LISTS for item in node.leading(name))


def _is_empty(node: Node, name: str) -> bool:
    return name in node.members and memoryview(node.members[name])[:2].tobytes() == b"[]"


def _read(
    node: Node,
    records: Records,
    resource: Attributes = NO_ATTRIBUTES,
    levels: int = _MOST_LEVELS,
) -> None:
    lists = [name for name in _LISTS if name in node.members]
    if not lists or is_span(node.fields):
        records.add(node, _span, resource=resource)
        return
    session = node.fields.text("sessionid")
    if session:
        resource = Attributes.of({"session.id": session})
    for name in lists if levels else ():
        for child in records.each(node, name):
            _read(child, records, resource, levels - 1)


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    return span_of(node.fields, place, flags)


SHAPE = Shape(
    "flat_spans",
    frozenset({"trace_id", "traceId", "context", "context.trace_id", "spanContext", *_LISTS}),
    _fits,
    _read,
)
