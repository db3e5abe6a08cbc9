"""Datadog LLM Observability: the request of its HTTP API, and what its SDKs send."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.outcome import read_bytes

START = 1_713_889_389_104_152_000


def span(number: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "span_id": f"{number:x}",
        "trace_id": "424242",
        "parent_id": "undefined",
        "name": "desk",
        "start_ns": START,
        "duration": 10_000_000_000,
        "status": "ok",
        "meta": {"kind": "agent", "input": {"value": "Q?"}, "output": {"value": "A."}},
        "metrics": {"input_tokens": 64},
        **fields,
    }


def api(*spans: Any) -> dict[str, Any]:
    attributes = {"ml_app": "bot", "session_id": "s-1", "tags": ["env:x", "service:shop"]}
    return {"data": {"type": "span", "attributes": {**attributes, "spans": list(spans)}}}


def read(document: object, folder: Path) -> Any:
    return read_bytes(folder, json.dumps(document).encode())


def test_a_request_of_the_api_is_read_whole(tmp_path: Path) -> None:
    found = read(api(span(1), span(2, parent_id="1", status="error")), tmp_path)
    root, child = found.spans
    assert found.reading.sources[0].format == "datadog"
    assert (root.span_id, root.parent_id) == ("1", None)
    assert (child.parent_id, child.status) == (root.span_id, "error")
    assert (root.start_ns, root.end_ns) == (START, START + 10_000_000_000)
    assert root.service == "shop"
    assert root.attributes["session_id"] == "s-1"
    assert root.attributes["kind"] == "agent"
    assert root.attributes["metrics"] == {"input_tokens": 64}


@pytest.mark.parametrize(
    "meta", [{"kind": "llm"}, {"span.kind": "llm"}, {"span": {"kind": "llm"}}], ids=str
)
def test_the_kind_stands_in_several_places(tmp_path: Path, meta: dict[str, Any]) -> None:
    intake = {"event_type": "span", "session_id": "s-2", "spans": [span(meta=meta)]}
    (found,) = read(intake, tmp_path).spans
    assert (found.attributes["kind"], found.attributes["session_id"]) == ("llm", "s-2")


def test_one_span_a_line_is_read(tmp_path: Path) -> None:
    lines = "".join(json.dumps(span(number)) + "\n" for number in (1, 2, 3))
    assert len(read_bytes(tmp_path, lines.encode()).spans) == 3


def test_numbers_as_ids_are_read(tmp_path: Path) -> None:
    (found,) = read(api(span(span_id=17, trace_id=9, parent_id=0)), tmp_path).spans
    assert (found.span_id, found.trace_id, found.parent_id) == (
        f"{17:016x}",
        f"{9:032x}",
        None,
    )


@pytest.mark.parametrize(
    "bad", [7, None, {}, {"span_id": "1"}, {**span(), "span_id": ""}, "x"], ids=str
)
def test_a_bad_span_costs_no_other(tmp_path: Path, bad: Any) -> None:
    found = read(api(span(1), bad, span(2)), tmp_path)
    assert len(found.spans) == 2
    assert len(found.losses) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"meta": "no object"},
        {"meta": {"error": "x"}},
        {"duration": "long"},
        {"duration": -3},
        {"start_ns": 0},
        {"metrics": [1]},
        {"tags": 3},
    ],
    ids=str,
)
def test_odd_values_cost_only_themselves(tmp_path: Path, fields: dict[str, Any]) -> None:
    assert len(read(api(span(**fields)), tmp_path).spans) == 1
