"""The OpenAI Agents SDK's own export: one object a line, spans and what is told of a trace.

    {"object": "trace.span", "id": "span_…", "trace_id": "trace_…", "parent_id": null,
     "started_at": "2026-…", "ended_at": "2026-…", "error": null,
     "span_data": {"type": "function", "name": "search", "input": "…", "output": "…"}}
    {"object": "trace", "id": "trace_…", "workflow_name": "support", "group_id": "conv-42"}

The trace may be told before or after its spans, and its group is their conversation, so
spans wait for it until the end of the stream, or until they fill a record's limit. The
telling itself is kept as a log record.

Source: openai-agents 0.2 to 0.8, `Trace.export` and `Span.export`.
"""

from dataclasses import dataclass, field
from functools import partial

from ingest.batch import RawLog
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.otlp_fields import SPAN_DIGITS, TRACE_DIGITS, optional_id, span_id, trace_id
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import made_attributes
from ingest.span import RawEvent, RawSpan, Value
from ingest.span_objects import value_of

NAME = "openai_agents"

_TRACE, _SPAN = "trace", "trace.span"
_ABOUT = {"workflowname": "workflow_name", "groupid": "group_id", "metadata": "metadata"}
_MOST_TRACES = 100_000


@dataclass(slots=True)
class _Traces:
    """What was told of the traces in a stream, and spans of which nothing was told yet."""

    told: dict[str, dict[str, Value]] = field(default_factory=dict)
    waiting: dict[str, list[Node]] = field(default_factory=dict)
    waiting_bytes: int = 0


def _fits(node: Node) -> bool:
    named = node.fields.text("object")
    if named == _SPAN:
        return "traceid" in node.fields
    return named == _TRACE and ("workflowname" in node.fields or "groupid" in node.fields)


def _read(node: Node, records: Records) -> None:
    traces = records.state(_Traces)
    if node.fields.text("object") == _TRACE:
        name = node.fields.text("id")
        records.add(node, _log)
        if len(traces.told) >= _MOST_TRACES:
            traces.told.clear()
        traces.told[name] = _about(node, set())
        for span in traces.waiting.pop(name, ()):
            traces.waiting_bytes -= len(span.data)
            _add(span, records, traces)
        return
    name = node.fields.text("traceid")
    if name in traces.told:
        _add(node, records, traces)
        return
    traces.waiting.setdefault(name, []).append(node)
    traces.waiting_bytes += len(node.data)
    if traces.waiting_bytes > records.limits.record_bytes:
        _finish(records)


def _finish(records: Records) -> None:
    """Let the spans go whose traces were not told."""
    traces = records.state(_Traces)
    for spans in traces.waiting.values():
        for span in spans:
            _add(span, records, traces)
    traces.waiting.clear()
    traces.waiting_bytes = 0


def _add(node: Node, records: Records, traces: _Traces) -> None:
    about = traces.told.get(node.fields.text("traceid"), {})
    records.add(node, partial(_span, about=about))


def _about(node: Node, flags: set[str]) -> dict[str, Value]:
    told = {own: value_of(node.fields.raw(name), flags) for name, own in _ABOUT.items()}
    return {f"openai_agents.{own}": value for own, value in told.items() if value is not None}


def _span(node: Node, place: Place, flags: set[str], about: dict[str, Value]) -> RawSpan:
    fields = node.fields
    attributes = dict(about)
    for name, own in (("spandata", "span_data"), ("error", "error")):
        value = value_of(fields.raw(name), flags)
        if value is not None:
            attributes[f"openai_agents.{own}"] = value
    data = fields.inner("spandata")
    error = fields.inner("error")
    return RawSpan(
        trace_id=trace_id(fields.text("traceid")),
        span_id=span_id(fields.text("id")),
        parent_id=optional_id(fields.text("parentid"), SPAN_DIGITS),
        name=data.text("name") or data.text("type"),
        start_ns=fields.moment_ns(flags, "startedat"),
        end_ns=fields.moment_ns(flags, "endedat"),
        status="error" if memoryview(fields.raw("error")) else "unset",
        status_message=error.text("message"),
        attributes=made_attributes(attributes, place),
        resource=place.resource,
        flags=tuple(sorted(flags)),
        source=place.source,
    )


def _log(node: Node, place: Place, flags: set[str]) -> RawLog:
    about = _about(node, flags)
    return RawLog(
        event=RawEvent(name="openai_agents.trace", attributes=made_attributes(about, place)),
        trace_id=optional_id(trace_id(node.fields.text("id")), TRACE_DIGITS),
        resource=place.resource,
        source=place.source,
    )


SHAPE = Shape(NAME, frozenset({"object"}), _fits, _read, _finish)
