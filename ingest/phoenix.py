"""Phoenix: spans of its REST API, of its stored datasets and of data frames.

    {"name": …, "span_kind": "LLM", "context": {"trace_id": …, "span_id": …}, "parent_id": …,
     "start_time": …, "status_code": "OK", "attributes": {"llm.model_name": …}, "events": […]}
    {"context.span_id": …, "span_kind": "LLM", "attributes.llm.model_name": …, …}

Attributes come flat, folded into objects, or spread over columns, and are left so: the
OpenInference convention reads all of them. The span's kind is put back among them.

Source: Phoenix 4 to 11, REST API, `get_spans_dataframe` and `TraceDataset`.
"""

import msgspec

from ingest.attributes import Attributes, Form
from ingest.json_nodes import Node
from ingest.json_shapes import Records, Shape
from ingest.otlp_json_spans import Place
from ingest.plain_attributes import plain_attributes
from ingest.span import RawSpan
from ingest.span_objects import span_of

_LIST = "data"
_COLUMN = "attributes."
_KIND = "openinference.span.kind"
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _fits(node: Node) -> bool:
    return _is_span(node) or any(map(_is_span, node.leading(_LIST)))


def _is_span(node: Node) -> bool:
    fields = node.fields
    named = "spankind" in fields and "statuscode" in fields and "parentid" in fields
    return named and ("context" in fields or "contextspanid" in fields)


def _read(node: Node, records: Records) -> None:
    if _is_span(node):
        records.add(node, _span)
    else:
        for child in records.each(node, _LIST):
            records.add(child, _span)


def _span(node: Node, place: Place, flags: set[str]) -> RawSpan:
    raw = node.fields.raw("attributes")
    whole = raw if memoryview(raw) else _columns(node)
    attributes = _with_kind(plain_attributes(whole, place, flags), node.fields.text("spankind"))
    return span_of(node.fields, place, flags, attributes)


def _columns(node: Node) -> msgspec.Raw:
    """Return the attributes that columns of a data frame hold; most are empty in a row."""
    told = {
        name.removeprefix(_COLUMN): raw
        for name, raw in node.members.items()
        if name.startswith(_COLUMN) and bytes(raw) != b"null"
    }
    return msgspec.Raw(msgspec.json.encode(told))


def _with_kind(attributes: Attributes, kind: str) -> Attributes:
    if not kind or attributes.mentions(_KIND.encode()):
        return attributes
    if attributes.form is not Form.PLAIN_JSON:
        return Attributes.of({_KIND: kind, **attributes})
    members = _OBJECT.decode(attributes.raw)
    named = {_KIND: msgspec.Raw(msgspec.json.encode(kind)), **members}
    return Attributes(msgspec.json.encode(named), Form.PLAIN_JSON)


SHAPE = Shape("phoenix", frozenset({"span_kind", "spanKind", _LIST}), _fits, _read)
