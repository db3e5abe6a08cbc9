"""Langfuse exports: a trace with its observations, or observations alone.

    {"trace": {"id": …, "sessionId": …, "observations": […]}, "observations": [
        {"id": …, "traceId": …, "parentObservationId": …, "type": "GENERATION", "input": "…",
         "metadata": {"attributes": {…}, "resourceAttributes": {…}, "scope": {…}}}]}

What came to Langfuse over OTLP is kept by it in the metadata, and is put back: attributes,
resource, scope. What Langfuse made of it stands beside, under the names of its own SDK.
An observation that is listed twice is one.

A row of its table of traces, which has no observations, is the agent's run: it tells what
was asked and answered, and nothing of what lies between.

Source: Langfuse 3, exports of its user interface and its public API.
"""

from functools import partial

import msgspec

from ingest.attributes import NO_ATTRIBUTES, Attributes
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import Fields
from ingest.moments import SECOND, duration_ns, end_ns
from ingest.otlp_fields import SPAN_DIGITS, optional_id, span_id, trace_id
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import made_attributes
from ingest.span import TRACE_ONLY, RawSpan, Value
from ingest.span_objects import object_of, value_of

_TYPES = {
    "SPAN",
    "GENERATION",
    "EVENT",
    "EMBEDDING",
    "AGENT",
    "TOOL",
    "CHAIN",
    "RETRIEVER",
    "EVALUATOR",
    "GUARDRAIL",
}
_OBSERVATION = {
    "input": "input",
    "output": "output",
    "level": "level",
    "statusmessage": "status_message",
    "model": "model.name",
    "modelparameters": "model.parameters",
    "usagedetails": "usage_details",
    "costdetails": "cost_details",
    "completionstarttime": "completion_start_time",
    "promptname": "prompt.name",
    "promptversion": "prompt.version",
    "tooldefinitions": "tool_definitions",
    "toolcalls": "tool_calls",
}
"""Fields of an observation, and what the SDK calls them behind `langfuse.observation.`."""

_TRACE = {"name": "name", "input": "input", "output": "output", "tags": "tags"}
_OLD_USAGE = {"prompttokens": "input", "completiontokens": "output", "totaltokens": "total"}
_RESTORED = ("attributes", "resourceAttributes", "scope")


def _fits(node: Node) -> bool:
    if _is_trace(node):
        return True
    if "observations" in node.members:
        return "trace" in node.members or any(map(_is_observation, node.leading("observations")))
    return _is_observation(node) or any(map(_is_observation, node.leading("data")))


def _is_trace(node: Node) -> bool:
    """Tell a trace that is exported alone: a row of the table of traces."""
    named = all(name in node.fields for name in ("id", "timestamp", "sessionid", "bookmarked"))
    return named and "observations" not in node.members


def _is_observation(node: Node) -> bool:
    named = all(name in node.fields for name in ("id", "traceid", "starttime", "type"))
    return named and node.fields.text("type").upper() in _TYPES


def _read(node: Node, records: Records) -> None:
    if _is_trace(node):
        records.add(node, _run_of)
    elif "observations" in node.members:
        _read_trace(node, records)
    elif _is_observation(node):
        records.add(node, partial(_span, trace=Fields({})))
    else:
        for child in records.each(node, "data"):
            records.add(child, partial(_span, trace=Fields({})))


def _read_trace(node: Node, records: Records) -> None:
    trace = node.inner("trace") if "trace" in node.members else node
    observations = list(records.each(node, "observations"))
    repeats: dict[str, Node] = {}
    for child in records.each(trace, "observations") if trace is not node else ():
        name = child.fields.text("id")
        if name in repeats:
            observations.append(child)
        else:
            repeats[name] = child
    for child in observations:
        repeat = repeats.pop(child.fields.text("id"), None)
        if repeat is not None:
            records.collapse(repeat, child.fields.text("id"))
        whole = child if repeat is None else _merged(child, repeat)
        records.add(whole, partial(_span, trace=trace.fields))
    for child in repeats.values():
        records.add(child, partial(_span, trace=trace.fields))


def _merged(node: Node, more: Node) -> Node:
    """Return *node*, and of *more* what it lacks."""
    known = {name for name, raw in node.members.items() if bytes(raw) != b"null"}
    lacking = {name: raw for name, raw in more.members.items() if name not in known}
    return node.renewed(msgspec.json.encode({**node.members, **lacking})) if lacking else node


def _span(node: Node, place: Place, flags: set[str], trace: Fields) -> RawSpan:
    fields = node.fields
    about = object_of(fields.raw("metadata"), flags)
    attributes, resource, scope = (_inner(about, name) for name in _RESTORED)
    parent = optional_id(fields.text("parentobservationid"), SPAN_DIGITS)
    told = attributes | _observation(fields, about, flags) | _identity(fields) | _identity(trace)
    if parent is None:
        told |= _about_trace(trace, flags)
    level = fields.text("level")
    return RawSpan(
        trace_id=trace_id(fields.text("traceid")),
        span_id=span_id(fields.text("id")),
        parent_id=parent,
        name=fields.text("name"),
        start_ns=fields.moment_ns(flags, "starttime"),
        end_ns=fields.moment_ns(flags, "endtime"),
        status="error" if level == "ERROR" else "unset",
        status_message=fields.text("statusmessage"),
        attributes=made_attributes(told, place),
        resource=Attributes.of(resource) if resource else NO_ATTRIBUTES,
        scope_name=str(scope.get("name") or ""),
        scope_version=str(scope.get("version") or ""),
        flags=tuple(sorted(flags)),
        source=place.source,
    )


def _run_of(node: Node, place: Place, flags: set[str]) -> RawSpan:
    """Return the agent's run that a trace without observations stands for."""
    fields = node.fields
    name = fields.text("id")
    start = fields.moment_ns(flags, "timestamp")
    length = duration_ns(fields.text("latency"), SECOND)
    told = _about_trace(fields, flags) | _identity(fields)
    return RawSpan(
        trace_id=trace_id(name),
        span_id=f"trace-{name}",
        name=fields.text("name"),
        start_ns=start,
        end_ns=end_ns(start, length, flags),
        attributes=made_attributes(told | {"langfuse.observation.type": "agent"}, place),
        flags=tuple(sorted({*flags, TRACE_ONLY})),
        source=place.source,
    )


def _observation(fields: Fields, about: dict[str, Value], flags: set[str]) -> dict[str, Value]:
    told: dict[str, Value] = {"langfuse.observation.type": fields.text("type").lower()}
    for name, own in _OBSERVATION.items():
        value = value_of(fields.raw(name), flags)
        if value not in (None, "", [], {}):
            told[f"langfuse.observation.{own}"] = value
    if "langfuse.observation.usage_details" not in told:
        usage = _usage(fields, flags)
        told |= {"langfuse.observation.usage_details": usage} if usage else {}
    others = {name: value for name, value in about.items() if name not in _RESTORED}
    return told | {f"langfuse.observation.metadata.{name}": v for name, v in others.items()}


def _usage(fields: Fields, flags: set[str]) -> Value:
    """Return the tokens of an older export."""
    usage = value_of(fields.raw("usage"), flags)
    if isinstance(usage, dict):
        return {name: count for name, count in usage.items() if count is not None}
    counts = {own: value_of(fields.raw(name), flags) for name, own in _OLD_USAGE.items()}
    return {name: count for name, count in counts.items() if count}


def _identity(trace: Fields) -> dict[str, Value]:
    told = {"session.id": trace.text("sessionid"), "user.id": trace.text("userid")}
    return {name: value for name, value in told.items() if value}


def _about_trace(trace: Fields, flags: set[str]) -> dict[str, Value]:
    told = {own: value_of(trace.raw(name), flags) for name, own in _TRACE.items()}
    about = object_of(trace.raw("metadata"), flags)
    told |= {f"metadata.{name}": v for name, v in about.items() if name not in _RESTORED}
    return {f"langfuse.trace.{name}": v for name, v in told.items() if v not in (None, "", [])}


def _inner(about: dict[str, Value], name: str) -> dict[str, Value]:
    value = about.get(name)
    return value if isinstance(value, dict) else {}


_KEYS = frozenset({"type", "observations", "data", "bookmarked"})
SHAPE = Shape("langfuse", _KEYS, _fits, _read)
