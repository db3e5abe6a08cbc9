"""TRAIL traces: spans that hold the spans below them, and the log records written in them.

    {"trace_id": …, "spans": [{"span_id": …, "span_name": …, "timestamp": …, "duration": "PT2S",
      "span_attributes": {…}, "logs": [{"body": {…}, "log_attributes": {…}}],
      "child_spans": [{…, "child_spans": […]}]}]}

Source: TRAIL: Trace Reasoning and Agentic Issue Localization (2025), the published traces.
"""

from ingest.batch import RawLog
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.otlp_json_spans import Place
from ingest.span import RawSpan
from ingest.span_objects import identity_of, log_of, span_of

_SPANS, _CHILDREN, _LOGS = "spans", "child_spans", "logs"
_KNOWN_LISTS = frozenset({_CHILDREN, _LOGS, "events", "links"})
_MARK = b'"span_name"'
"""Stands in every span; in a list under another name, too, when the name was damaged."""


def _fits(node: Node) -> bool:
    return _is_span(node) or any(map(_is_span, node.leading(_SPANS)))


def _is_span(node: Node) -> bool:
    return "childspans" in node.fields and all(identity_of(node.fields))


def _read(node: Node, records: Records) -> None:
    if _SPANS in node.members:
        for span in records.each(node, _SPANS):
            _read_tree(span, records)
    else:
        _read_tree(node, records)


def _read_tree(top: Node, records: Records) -> None:
    """Read a span and all below it, parents first."""
    waiting = [top]
    while waiting:
        span = waiting.pop()
        records.add(span.without(_CHILDREN).without(_LOGS), _span)
        records.lose_strays(span, _KNOWN_LISTS, _MARK)
        for log in records.each(span, _LOGS):
            records.add(log, _log)
        waiting += reversed(list(records.each(span, _CHILDREN)))


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    return span_of(node.fields, place, flags)


def _log(node: Node, place: Place, flags: set[str]) -> RawLog:
    return log_of(node.fields, place, flags)


SHAPE = Shape("trail", frozenset({_SPANS, _CHILDREN}), _fits, _read)
