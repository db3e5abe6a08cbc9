"""Recorded spans for these tests, read in the plainest way.

The readers of the product have tests of their own; here, a line of OTLP/JSON becomes
`RawSpan` with the attributes as they stand, so that a failing test is a convention's.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.conventions import to_span
from ingest.span import RawEvent, RawSpan, Span, Value

SHARED = Path(__file__).parents[3].parent / "shared"


def recorded(name: str) -> list[RawSpan]:
    """Read a file of OTLP/JSON requests below the shared folder; skip where it is absent."""
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    text = path.read_text("utf-8")
    whole = text.lstrip().startswith("[")
    requests = json.loads(text) if whole else map(json.loads, filter(str.strip, text.split("\n")))
    return [
        _raw_span(span, scope_spans.get("scope", {}), resource_spans.get("resource", {}))
        for request in requests
        for resource_spans in request.get("resourceSpans", [])
        for scope_spans in resource_spans["scopeSpans"]
        for span in scope_spans["spans"]
    ]


def converted(name: str) -> list[Span]:
    """Read a file as `recorded` does, and translate its spans."""
    return [to_span(raw) for raw in recorded(name)]


def by_id(spans: list[Span], span_id: str, trace: str = "") -> Span:
    """Return the one span whose span id ends with *span_id*, in a trace ending with *trace*."""
    found = [s for s in spans if s.span_id.endswith(span_id) and s.trace_id.endswith(trace)]
    assert len(found) == 1, [span.span_id for span in found]
    return found[0]


def made(attributes: dict[str, Any], **fields: Any) -> Span:
    """Translate a span made up in a test."""
    raw = RawSpan(trace_id="t1", span_id="a1", attributes=attributes, **fields)
    return to_span(raw)


def _raw_span(span: dict[str, Any], scope: dict[str, Any], resource: dict[str, Any]) -> RawSpan:
    status = span.get("status", {})
    code = status.get("code", 0)
    return RawSpan(
        trace_id=span["traceId"],
        span_id=span["spanId"],
        parent_id=span.get("parentSpanId"),
        name=span["name"],
        start_ns=int(span["startTimeUnixNano"]),
        end_ns=int(span["endTimeUnixNano"]),
        status="error" if code in (2, "STATUS_CODE_ERROR") else "unset",
        status_message=status.get("message", ""),
        attributes=_attributes(span),
        events=tuple(
            RawEvent(
                name=event["name"],
                time_ns=int(event["timeUnixNano"]),
                attributes=_attributes(event),
            )
            for event in span.get("events", [])
        ),
        resource=_attributes(resource),
        scope_name=scope.get("name", ""),
    )


def _attributes(record: dict[str, Any]) -> dict[str, Value]:
    return {pair["key"]: _value(pair["value"]) for pair in record.get("attributes", [])}


def _value(value: dict[str, Any]) -> Value:
    ((kind, content),) = value.items()
    match kind:
        case "intValue":
            return int(content)
        case "doubleValue":
            return content if isinstance(content, int | float) else None
        case "arrayValue":
            return [_value(item) for item in content.get("values", [])]
        case "kvlistValue":
            return {pair["key"]: _value(pair["value"]) for pair in content.get("values", [])}
        case _:
            return content  # type: ignore[no-any-return]
