"""LangSmith runs: as the API returns them, as tracers send them, nested or one a line.

    {"id": "d0d8…", "trace_id": "…", "parent_run_id": null, "dotted_order": "2024…Zd0d8…",
     "name": "search", "run_type": "retriever", "start_time": "…", "end_time": "…",
     "inputs": {…}, "outputs": {"documents": […]}, "error": null, "tags": [],
     "extra": {"metadata": {"thread_id": …}, "invocation_params": {…}}, "session_id": "…"}

    {"post": [a run as it begins], "patch": [what is known when it ends]}

A run is named under what LangSmith's own OTLP exporter calls things. `session_id` is its
project; the conversation stands in the metadata. What a begun run does not tell is read
from its dotted order: the ids of its ancestors and the times at which they began.

Source: langsmith 0.1 to 0.15, run schema and batch endpoint.
"""

import msgspec

from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import Fields
from ingest.moments import moment_ns
from ingest.otlp_fields import SPAN_DIGITS, optional_id, span_id, trace_id
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import made_attributes, plain_attributes
from ingest.span import RawEvent, RawSpan, Value
from ingest.span_objects import object_of, value_of

_LISTS = ("runs", "data")
_CHILDREN = "child_runs"
_KNOWN_LISTS = frozenset({_CHILDREN, "events", "inputs", "outputs", "tags"})
_MARK = b'"run_type"'
"""Stands in every run; in a list under another name, too, when the name was damaged."""
_OWN = {
    "runtype": "span.kind",
    "inputs": "inputs",
    "outputs": "outputs",
    "error": "error",
    "dottedorder": "dotted_order",
    "tags": "span.tags",
    "sessionid": "trace.session_id",
    "sessionname": "trace.session_name",
    "prompttokens": "prompt_tokens",
    "completiontokens": "completion_tokens",
    "totaltokens": "total_tokens",
    "totalcost": "total_cost",
    "firsttokentime": "first_token_time",
    "feedbackstats": "feedback_stats",
    "referenceexampleid": "reference_example_id",
}
_ENCODED = {"inputs", "outputs"}
"""Objects that tables hold as text."""

_UUID_CHARACTERS = 36


def _fits(node: Node) -> bool:
    if _is_run(node.fields):
        return True
    if any(_is_run(item.fields) for name in _LISTS for item in node.leading(name)):
        return True
    batches = ("post", "patch")
    return any("dottedorder" in item.fields for name in batches for item in node.leading(name))


def _is_run(fields: Fields) -> bool:
    return "runtype" in fields and ("dottedorder" in fields or "parentrunid" in fields)


def _read(node: Node, records: Records) -> None:
    if _is_run(node.fields):
        _read_run(node, records)
    elif "post" in node.members or "patch" in node.members:
        _read_batch(node, records)
    else:
        for name in _LISTS:
            for child in records.each(node, name):
                _read_run(child, records)


def _read_run(node: Node, records: Records) -> None:
    waiting = [node]
    while waiting:
        run = waiting.pop()
        records.lose_strays(run, _KNOWN_LISTS, _MARK)
        nested = _CHILDREN in run.members
        records.add(run.without(_CHILDREN) if nested else run, _span)
        waiting += reversed(list(records.each(run, _CHILDREN)))


def _read_batch(node: Node, records: Records) -> None:
    """Put what is known when a run ends to what was known when it began."""
    ends: dict[str, Node] = {}
    for run in records.each(node, "patch"):
        name = _ids(run.fields)[-1]
        if name in ends:
            records.add(run, _span)
        else:
            ends[name] = run
    for run in records.each(node, "post"):
        end = ends.pop(_ids(run.fields)[-1], None)
        records.add(run if end is None else _whole(run, end), _span)
    for run in ends.values():
        records.add(run, _span)


def _whole(begun: Node, ended: Node) -> Node:
    known = {name: raw for name, raw in ended.members.items() if bytes(raw) != b"null"}
    return begun.renewed(msgspec.json.encode({**begun.members, **known}))


def _ids(fields: Fields) -> list[str]:
    """Return the ids of a run and its ancestors, the run's own last; one may be empty."""
    steps = fields.text("dottedorder").split(".") if "dottedorder" in fields else []
    ancestors = [step[-_UUID_CHARACTERS:] for step in steps[:-1]]
    parent = fields.text("parentrunid")
    if not ancestors and parent:
        ancestors = [parent]
    own = steps[-1][-_UUID_CHARACTERS:] if steps else ""
    return [*ancestors, fields.text("id") or own]


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    fields = node.fields
    ids = _ids(fields)
    error = fields.text("error")
    start = fields.moment_ns(flags, "starttime")
    if start is None:
        began = fields.text("dottedorder").rpartition(".")[2][:-_UUID_CHARACTERS]
        start = moment_ns(began, flags)
    return RawSpan(
        trace_id=trace_id(fields.text("traceid") or ids[0]),
        span_id=span_id(ids[-1]),
        parent_id=optional_id(fields.text("parentrunid"), SPAN_DIGITS)
        or (ids[-2] if len(ids) > 1 else None),
        name=fields.text("name"),
        start_ns=start,
        end_ns=fields.moment_ns(flags, "endtime"),
        status="error" if error else "ok" if fields.text("status") == "success" else "unset",
        status_message=error,
        attributes=made_attributes(_attributes(fields, flags), place),
        events=tuple([_event(Fields.of(item), place, flags) for item in fields.items("events")]),
        flags=tuple(sorted(flags)),
        source=place.source,
    )


def _attributes(fields: Fields, flags: set[str]) -> dict[str, Value]:
    told: dict[str, Value] = {}
    for name, own in _OWN.items():
        raw = fields.raw(name)
        value: Value = object_of(raw, flags) if name in _ENCODED else None
        value = value or value_of(raw, flags)
        if value not in (None, "", [], {}):
            told[f"langsmith.{own}"] = value
    extra = object_of(fields.raw("extra"), flags)
    metadata = extra.get("metadata")
    if isinstance(metadata, dict):
        told |= {f"langsmith.metadata.{name}": value for name, value in metadata.items()}
    if extra.get("invocation_params"):
        told["langsmith.invocation_params"] = extra["invocation_params"]
    return told


def _event(fields: Fields, place: Place, flags: set[str]) -> RawEvent:
    return RawEvent(
        name=fields.text("name"),
        time_ns=fields.moment_ns(flags, "time"),
        attributes=plain_attributes(fields.raw("kwargs"), place, flags),
    )


SHAPE = Shape("langsmith", frozenset({"run_type", "post", "patch", *_LISTS}), _fits, _read)
