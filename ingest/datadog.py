"""Datadog LLM Observability: spans as its SDKs and its HTTP API send them.

    {"event_type": "span", "session_id": "c-1", "spans": [
        {"span_id": "17", "trace_id": "9", "parent_id": "undefined", "name": "desk",
         "start_ns": 1713889389104152000, "duration": 10000000000, "status": "ok",
         "meta": {"kind": "agent", "input": {"value": "…"}, "output": {"value": "…"}},
         "metrics": {"input_tokens": 64}}]}

    {"data": {"type": "span", "attributes": {"ml_app": …, "session_id": …, "spans": […]}}}

Fields stay under their names (`meta`, `metrics`, `tags`, `session_id`, `ml_app`), and `kind`
is the kind, wherever it stood. No convention knows them: docs/mapping/datadog.toml does.

Source: documentation of the LLM Observability HTTP API, spans.
"""

from functools import partial

from ingest.attributes import NO_ATTRIBUTES
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import Fields
from ingest.loose_fields import text_of as text_of_raw
from ingest.moments import end_ns
from ingest.otlp_fields import SPAN_DIGITS, TRACE_DIGITS, optional_id, span_id, trace_id
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import made_attributes
from ingest.span import RawSpan, Value
from ingest.span_objects import object_of, resource_of_service, value_of
from ingest.values import count, text_of

_SPANS = "spans"
_COMMON = {"sessionid": "session_id", "mlapp": "ml_app", "tags": "tags"}
_OWN = {**_COMMON, "metrics": "metrics"}
_ROOTS = ("undefined", "0", "")


def _fits(node: Node) -> bool:
    spans = _holder(node).leading(_SPANS)
    return _is_span(node.fields) or any(_is_span(child.fields) for child in spans)


def _is_span(fields: Fields) -> bool:
    return all(name in fields for name in ("spanid", "traceid", "startns", "meta"))


def _holder(node: Node) -> Node:
    return node if _SPANS in node.members else node.inner("data").inner("attributes")


def _read(node: Node, records: Records) -> None:
    if _is_span(node.fields):
        records.add(node, partial(_span, common=Fields({})))
        return
    holder = _holder(node)
    for child in records.each(holder, _SPANS):
        records.add(child, partial(_span, common=holder.fields))


def _span(node: Node, place: Place, flags: set[str], common: Fields) -> RawSpan:
    fields = node.fields
    start = fields.moment_ns(flags, "startns", unit=1)
    length = count(fields.text("duration"))
    parent = fields.identity(SPAN_DIGITS, "parentid")
    meta = object_of(fields.raw("meta"), flags)
    service = fields.text("service") or _service(common) or common.text("mlapp")
    error = meta.get("error")
    return RawSpan(
        trace_id=trace_id(fields.identity(TRACE_DIGITS, "traceid")),
        span_id=span_id(fields.identity(SPAN_DIGITS, "spanid")),
        parent_id=None if parent in _ROOTS else optional_id(parent, SPAN_DIGITS),
        name=fields.text("name"),
        start_ns=start,
        end_ns=end_ns(start, length, flags),
        status="error" if fields.text("status") == "error" else "unset",
        status_message=text_of(error.get("message")) or "" if isinstance(error, dict) else "",
        attributes=made_attributes(_attributes(fields, common, meta, flags), place),
        resource=resource_of_service(service) if service else NO_ATTRIBUTES,
        flags=tuple(sorted(flags)),
        source=place.source,
    )


def _attributes(
    fields: Fields, common: Fields, meta: dict[str, Value], flags: set[str]
) -> dict[str, Value]:
    told: dict[str, Value] = {
        own: value_of(common.raw(name), flags) for name, own in _COMMON.items() if name in common
    }
    told |= {own: value_of(fields.raw(name), flags) for name, own in _OWN.items() if name in fields}
    kind = meta.get("kind") or meta.get("span.kind")
    inner = meta.get("span")
    if kind is None and isinstance(inner, dict):
        kind = inner.get("kind")
    return told | {"kind": kind, "meta": meta}


def _service(common: Fields) -> str:
    """Return the service that a tag names."""
    tags = [text_of_raw(raw) for raw in common.items("tags")]
    named = (tag.partition(":")[2] for tag in tags if tag.startswith("service:"))
    return next(named, "")


SHAPE = Shape("datadog", frozenset({_SPANS, "data", "span_id"}), _fits, _read)
