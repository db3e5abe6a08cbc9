"""CloudWatch: spans and log records as ADOT sends them, one object each, and what holds them.

    span   {"traceId": …, "spanId": …, "startTimeUnixNano": 178…, "attributes": {…}, …}
    log    {"traceId": …, "spanId": …, "timeUnixNano": 178…, "severityNumber": 9,
            "attributes": {"event.name": …, "session.id": …},
            "body": {"input": {"messages": […]}, "output": {"messages": […]}}}

As exported from a log group they are texts in the `message` of log events, or in the
`@message` of an answer of Logs Insights. A message that is neither is a log record, too:
some process wrote it, and nobody can say in which span.

Source: AWS Distro for OpenTelemetry; CloudWatch Logs, GetLogEvents and GetQueryResults.
"""

from collections.abc import Iterator
from itertools import islice

import msgspec

from ingest.batch import RawLog
from ingest.json_mend import is_json
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import Fields, starts
from ingest.otlp_json_spans import Place
from ingest.span import RawSpan
from ingest.span_objects import is_span, log_of, span_of

_EVENTS = ("events", "logEvents")
_ROWS = "results"
_LOG = ("timeUnixNano", "observedTimeUnixNano", "time_unix_nano", "observed_time_unix_nano")
_MESSAGE = "@message"
_MARKS = (b'"aws.', b'"AWS::', b'"cloud.platform"')
_FIRST_MESSAGES = 64
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def _fits(node: Node) -> bool:
    if _is_log(node.fields):
        return True
    if is_span(node.fields):
        of_otlp = "starttimeunixnano" in node.fields
        return of_otlp and any(mark in node.data for mark in _MARKS)
    first = islice(_messages(node), _FIRST_MESSAGES)
    return any(_is_record(_inside(event, text).fields) for event, text in first)


def _is_record(fields: Fields) -> bool:
    return _is_log(fields) or is_span(fields)


def _is_log(fields: Fields) -> bool:
    timed = "timeunixnano" in fields or "observedtimeunixnano" in fields
    told = any(name in fields for name in ("body", "eventname", "severitynumber"))
    return timed and told and not is_span(fields)


def _read(node: Node, records: Records) -> None:
    if _is_record(node.fields):
        records.add(node, _record)
        return
    for name in _EVENTS:
        if name in node.members and not starts(node.members[name], b"[n"):
            records.reject(node, "bad_structure", f"{name} is no list")
    for event, text in _messages(node):
        inside = _inside(event, text)
        if _is_record(inside.fields):
            records.add(inside, _record)
        elif text.lstrip().startswith('{"') and not inside.members:
            records.reject(event, "invalid_json", "a message that was cut or damaged")
        else:
            records.add(event, _record)


def _messages(node: Node) -> Iterator[tuple[Node, str]]:
    """Yield log events with their messages; an answer holds rows of named fields instead."""
    if "message" in node.members:
        yield node, node.fields.text("message")
    for name in _EVENTS:
        for event in node.children(name):
            yield event, event.fields.text("message") if event.is_object else ""
    raw = node.members.get(_ROWS, msgspec.Raw())
    for row in _LIST.decode(raw) if starts(raw, b"[") else ():
        for field in _LIST.decode(row) if starts(row, b"[") else ():
            named = Fields.of(field)
            if named.text("field") == _MESSAGE:
                yield node.renewed(bytes(field)), named.text("value")


def _inside(event: Node, text: str) -> Node:
    """Return the object that a message is; an empty one where it is none."""
    data = text.strip().encode()
    return event.renewed(data if data[:1] == b"{" and is_json(data) else b"{}")


def _record(node: Node, place: Place, flags: set[str]) -> RawSpan | RawLog:
    make = span_of if is_span(node.fields) else log_of
    return make(node.fields, place, flags)


SHAPE = Shape(
    "cloudwatch",
    frozenset({"startTimeUnixNano", "start_time_unix_nano", *_LOG, *_EVENTS, _ROWS, "message"}),
    _fits,
    _read,
)
