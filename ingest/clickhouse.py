"""Rows of ClickHouse, as the Collector's exporter writes traces and logs into tables.

    {"Timestamp": "2026-01-01 00:00:00.000000001", "TraceId": …, "SpanId": …, "SpanName": …,
     "SpanAttributes": {"top_k": "3"}, "Duration": "7", "StatusCode": "Error",
     "Events.Timestamp": […], "Events.Name": […], "Events.Attributes": [{…}], …}

One object a line, or under `data` of a whole answer. Every attribute value is a text, and
lists in it are JSON; durations are nanoseconds; what was nested is one list per column.

Source: opentelemetry-collector-contrib, exporter/clickhouseexporter, its table schemas.
"""

import msgspec

from ingest.batch import RawLog
from ingest.json_nodes import Members, Node
from ingest.json_shapes import Records, Shape
from ingest.loose_fields import starts
from ingest.otlp_json_spans import Place
from ingest.span import RawSpan
from ingest.span_objects import log_of, span_of

_SPAN = {"Timestamp", "TraceId", "SpanId", "SpanName"}
_LOG = {"Timestamp", "TraceId", "SpanId", "Body"}
_DATA = "data"
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def _fits(node: Node) -> bool:
    return _is_row(node) or any(map(_is_row, node.leading(_DATA)))


def _is_row(node: Node) -> bool:
    keys = node.members.keys()
    return keys >= _SPAN or keys >= _LOG


def _read(node: Node, records: Records) -> None:
    if _is_row(node):
        records.add(node, _record)
    else:
        for row in records.each(node, _DATA):
            records.add(row, _record)


def _record(node: Node, place: Place, flags: set[str]) -> RawSpan | RawLog:
    if "Body" in node.members and "SpanName" not in node.members:
        return log_of(node.fields, place, flags)
    return span_of(_as_object(node).fields, place, flags)


def _as_object(row: Node) -> Node:
    """Return a span with its columns folded, and its duration told in words."""
    members = dict(row.members)
    duration = members.pop("Duration", None)
    if duration is not None:
        members["durationNano"] = duration
    for name in ("Events", "Links"):
        if f"{name}.Attributes" in members:
            members[name] = msgspec.Raw(msgspec.json.encode(_folded(members, f"{name}.")))
    return row.renewed(msgspec.json.encode(members))


def _folded(members: Members, prefix: str) -> list[dict[str, msgspec.Raw]]:
    """Return the objects that lists of one length hold one member each of."""
    columns = {
        name.removeprefix(prefix): _LIST.decode(raw)
        for name, raw in members.items()
        if name.startswith(prefix) and starts(raw, b"[")
    }
    longest = max(map(len, columns.values()), default=0)
    return [
        {name: items[at] for name, items in columns.items() if at < len(items)}
        for at in range(longest)
    ]


SHAPE = Shape("clickhouse", frozenset({"TraceId", _DATA}), _fits, _read)
