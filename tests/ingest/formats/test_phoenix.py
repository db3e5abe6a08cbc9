"""Phoenix: the REST API, stored spans, and rows of its data frames."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.conventions import to_span
from ingest.span import SpanKind
from tests.ingest.outcome import Outcome, read_bytes

TRACE = "97847cb33dff13e46483685930f4e236"
FLAT = {
    "input.value": "days off?",
    "retrieval.documents.0.document.id": "hr-1",
    "retrieval.documents.0.document.content": "25 days",
}
NESTED = {
    "input": {"value": "days off?"},
    "retrieval": {"documents": [{"document": {"id": "hr-1", "content": "25 days"}}]},
}


def span(**fields: Any) -> dict[str, Any]:
    return {
        "id": "U3BhbjoxMg==",
        "name": "retrieve",
        "context": {"trace_id": TRACE, "span_id": "771ce4dcbd861745"},
        "span_kind": "RETRIEVER",
        "parent_id": None,
        "start_time": "2026-01-01T00:00:00.000001+00:00",
        "end_time": "2026-01-01T00:00:01+00:00",
        "status_code": "OK",
        "status_message": "",
        "attributes": FLAT,
        "events": [{"name": "hit", "timestamp": "2026-01-01T00:00:00.5Z", "attributes": {"a": 1}}],
        **fields,
    }


def row(**fields: Any) -> dict[str, Any]:
    """Return a span as a row of a data frame, with columns of other rows."""
    told = span()
    for name in ("id", "context", "attributes"):
        del told[name]
    return {
        "context.trace_id": TRACE,
        "context.span_id": "771ce4dcbd861745",
        **told,
        "attributes.input.value": "days off?",
        "attributes.retrieval.documents": [{"document.id": "hr-1", "document.content": "25 days"}],
        "attributes.llm.model_name": None,
        **fields,
    }


def read(document: object, folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps(document).encode())


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    found = read(
        [span(parent_id="b5aaea6a8c6e066f", status_code="ERROR", status_message="late")], tmp_path
    )
    assert found.losses == []
    [made] = found.spans
    assert (made.trace_id, made.span_id) == (TRACE, "771ce4dcbd861745")
    assert (made.parent_id, made.name) == ("b5aaea6a8c6e066f", "retrieve")
    assert (made.start_ns, made.end_ns) == (1_767_225_600_000_001_000, 1_767_225_601_000_000_000)
    assert (made.status, made.status_message) == ("error", "late")
    assert made.attributes == {"openinference.span.kind": "RETRIEVER", **FLAT}
    [event] = made.events
    assert (event.name, event.attributes) == ("hit", {"a": 1})
    assert [source.format for source in found.reading.sources] == ["phoenix"]


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(span(), id="flat"),
        pytest.param(span(attributes=NESTED), id="folded"),
        pytest.param(row(), id="columns"),
        pytest.param(row(start_time=1_767_225_600_000, end_time=1_767_225_601_000), id="times"),
        pytest.param(row(events=json.dumps(span()["events"])), id="events as text"),
    ],
)
def test_every_form_of_attributes_says_the_same(record: dict[str, Any], tmp_path: Path) -> None:
    found = read(record, tmp_path)
    assert found.losses == []
    [raw] = found.spans
    assert len(raw.events) == 1
    made = to_span(raw)
    assert (made.kind, made.raw.end_ns) == (SpanKind.RETRIEVER, 1_767_225_601_000_000_000)
    assert made.retrieval is not None
    assert made.retrieval.query == "days off?"
    assert made.retrieval.documents is not None
    assert [(d.document_id, d.text) for d in made.retrieval.documents] == [("hr-1", "25 days")]


@pytest.mark.parametrize(
    "arrange",
    [
        pytest.param(json.dumps, id="a list"),
        pytest.param(lambda spans: json.dumps({"data": spans, "next_cursor": None}), id="a page"),
        pytest.param(lambda spans: "\n".join(map(json.dumps, spans)), id="lines"),
    ],
)
def test_arrangements(arrange: Any, tmp_path: Path) -> None:
    spans = [span(), span(context={"trace_id": TRACE, "span_id": "2"})]
    text = arrange(spans)
    found = read_bytes(tmp_path, text.encode())
    assert (found.losses, len(found.spans)) == ([], 2)
    for made in found.spans:
        assert made.source is not None
        assert text[made.source.offset :].startswith('{"id": "U3BhbjoxMg=="')


def test_a_kind_among_the_attributes_stays(tmp_path: Path) -> None:
    told = {"openinference.span.kind": "TOOL"}
    assert read([span(attributes=told)], tmp_path).spans[0].attributes == told


def test_a_bad_span_costs_itself(tmp_path: Path) -> None:
    found = read({"data": [span(), span(context={"trace_id": TRACE}), span()]}, tmp_path)
    assert (len(found.spans), found.reasons) == (2, ["bad_span_id"])
