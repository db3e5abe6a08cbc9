"""CSV tables whose rows hold spans, such as exports of Langfuse and ClickHouse.

    id,traceId,type,startTime,input     header ─┐
    o-1,t-1,GENERATION,2026-…,"[{…}]"   row ────┴─▶ object ──shapes──▶ records

A row is an object under the names of the header, so every shape that knows those names
reads it. A cell that holds a JSON object or list is one; an empty cell is null; any other
is the text it is. A row of another length than the header is lost, and so is a table
without spans.
"""

import json
from collections.abc import Iterator

from ingest.batch import Batch
from ingest.csv_records import BOM, Record, csv_records, delimiter_of
from ingest.json_mend import is_json, mended
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape, finish, read_object, shape_of
from ingest.plain_attributes import depth
from ingest.stream import HEAD_BYTES, Chunk, Stream

NAME = "csv"

_LEAST_COLUMNS = 4
_MOST_COLUMNS = 2_000
_BATCH_ROWS = 256
_MOST_DEPTH = 200
_ABSENT = ("", "null")


def recognises(head: bytes, shapes: tuple[Shape, ...]) -> bool:
    """Tell whether a file that begins with *head* is a table whose first row is a span."""
    text = head.removeprefix(BOM).lstrip()
    if text[:1] in {b"", b"{", b"["} or b"\0" in text[:4096]:
        return False
    found = csv_records(iter([text]), HEAD_BYTES, delimiter_of(_first_line(text)))
    names = _names(next(found, Record(0)))
    rows = (row for row in found if row.trouble is None and len(row.fields) == len(names))
    first = next(rows, None) if names else None
    return first is not None and shape_of(_mended(_node(names, first)), shapes) is not None


def read_csv(stream: Stream, shapes: tuple[Shape, ...]) -> Iterator[Batch]:
    """Yield the records of *stream*, some rows at a time."""
    records = Records(stream)
    delimiter = delimiter_of(_first_line(stream.peek(HEAD_BYTES)))
    names: tuple[str, ...] = ()
    rows = 0
    for row in csv_records(_without_bom(stream), stream.limits.record_bytes, delimiter):
        if row.trouble is not None:
            records.lose(row.trouble, row.offset, row.detail)
        elif not names:
            names = _names(row)
            if not names:
                records.lose("bad_header", row.offset, "no names, or one of them twice")
        elif len(row.fields) != len(names):
            columns = "1 column" if len(names) == 1 else f"{len(names)} columns"
            detail = f"{len(row.fields)} of {columns}"
            records.lose("wrong_column_count", row.offset, detail)
        else:
            node = _node(names, row)
            read_object(node, records, shapes)
            rows += 1
            if rows % _BATCH_ROWS == 0:
                yield records.take()
    finish(records, shapes)
    yield records.take()


def _mended(node: Node) -> Node:
    return node.renewed(mended(node.data))


def _first_line(head: bytes) -> bytes:
    return head.removeprefix(BOM).lstrip().partition(b"\n")[0]


def _without_bom(stream: Stream) -> Iterator[Chunk]:
    first = True
    for chunk in stream:
        if first and isinstance(chunk, bytes):
            # As many bytes as it had, so that places stay what they are.
            yield chunk if not chunk.startswith(BOM) else b"\n" * len(BOM) + chunk[len(BOM) :]
            first = False
        else:
            yield chunk


def _names(header: Record) -> tuple[str, ...]:
    """Return the names of the columns; none where the record is no header."""
    names = tuple(name.strip() for name in header.fields)
    if not _LEAST_COLUMNS <= len(names) <= _MOST_COLUMNS or len(set(names)) < len(names):
        return ()
    return names if all(names) else ()


def _node(names: tuple[str, ...], row: Record) -> Node:
    """Return a row as an object; bytes that were no UTF-8 stay so, for others to tell."""
    cells = zip(names, row.fields, strict=True)
    told = [b"%s:%s" % (_text(name), _cell(text)) for name, text in cells]
    return Node(b"{" + b",".join(told) + b"}", row.offset, exact=False)


def _cell(text: str) -> bytes:
    if text in _ABSENT:
        return b"null"
    data = text.strip().encode("utf-8", "surrogateescape")
    if data[:1] in {b"{", b"["} and depth(data, _MOST_DEPTH) <= _MOST_DEPTH and is_json(data):
        return data
    return _text(text)


def _text(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogateescape")
