"""MLflow's traces: as it wrote them, in older versions and in tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.formats.recorded import duplicates, given, one, read_whole, values
from tests.ingest.outcome import read_bytes

OUTPUTS = [{"page_content": "25 days", "metadata": {"chunk_id": "hr-1", "score": 0.5}}]
METADATA = {"mlflow.trace.session": "conv-1", "mlflow.traceInputs": "cut sh", "mlflow.user": "ann"}


def trace() -> dict[str, Any]:
    """Return a trace as version 3 writes it."""
    root: dict[str, Any] = {
        "trace_id": "EoW3IQY28QGZsr/uQTlQeA==",
        "span_id": "3mz+mER1S7M=",
        "parent_span_id": None,
        "name": "agent",
        "start_time_unix_nano": 1_767_225_600_000_000_001,
        "end_time_unix_nano": 1_767_225_600_000_000_009,
        "events": [],
        "status": {"code": "STATUS_CODE_OK", "message": ""},
        "attributes": {"mlflow.spanType": '"AGENT"', "mlflow.spanInputs": '{"q": "days off?"}'},
        "links": [],
    }
    search = {
        **root,
        "span_id": "Hwu7uVqatY8=",
        "parent_span_id": "3mz+mER1S7M=",
        "name": "search",
        "status": {"code": "STATUS_CODE_ERROR", "message": "late"},
        "attributes": {
            "mlflow.spanType": '"RETRIEVER"',
            "mlflow.spanOutputs": json.dumps(OUTPUTS),
            "mlflow.spanLogLevel": "20",
            "plain": "no JSON",
            "text": '"{\\"a\\": 1}"',
        },
        "events": [
            {
                "name": "exception",
                "time_unix_nano": 1_767_225_600_000_000_005,
                "attributes": {"exception.message": "late"},
            }
        ],
    }
    info = {"trace_id": "tr-1285", "trace_metadata": METADATA, "tags": {"golden.id": "g-1"}}
    return {"info": info, "data": {"spans": [root, search]}}


def test_a_trace_is_read_whole(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, json.dumps(trace()).encode())
    assert found.losses == []
    agent, search = found.spans
    assert (agent.trace_id, agent.span_id) == (
        "1285b7210636f10199b2bfee41395078",
        "de6cfe9844754bb3",
    )
    assert search.parent_id == agent.span_id
    assert (search.start_ns, search.end_ns) == (
        1_767_225_600_000_000_001,
        1_767_225_600_000_000_009,
    )
    assert (search.status, search.status_message) == ("error", "late")
    assert search.events[0].attributes == {"exception.message": "late"}
    assert [source.format for source in found.reading.sources] == ["mlflow"]


def test_values_are_decoded_once(tmp_path: Path) -> None:
    _, search = read_bytes(tmp_path, json.dumps(trace()).encode()).spans
    assert search.attributes == {
        "mlflow.spanType": "RETRIEVER",
        "mlflow.spanOutputs": OUTPUTS,
        "mlflow.spanLogLevel": 20,
        "plain": "no JSON",
        "text": '{"a": 1}',
    }


def test_what_is_told_of_the_trace_is_told_of_its_spans(tmp_path: Path) -> None:
    agent, search = read_bytes(tmp_path, json.dumps(trace()).encode()).spans
    assert agent.resource == search.resource == {**METADATA, "golden.id": "g-1"}
    assert agent.attributes == {
        "mlflow.trace.session": "conv-1",
        "mlflow.user": "ann",
        "golden.id": "g-1",
        "mlflow.spanType": "AGENT",
        "mlflow.spanInputs": {"q": "days off?"},
    }


def test_version_2(tmp_path: Path) -> None:
    span: dict[str, Any] = {
        "name": "agent",
        "context": {
            "span_id": "0xde6cfe9844754bb3",
            "trace_id": "0x1285b7210636f10199b2bfee41395078",
        },
        "parent_id": None,
        "start_time": 1_767_225_600_000_000_001,
        "end_time": 1_767_225_600_000_000_009,
        "status_code": "OK",
        "status_message": "",
        "attributes": {"mlflow.spanType": '"AGENT"'},
        "events": [],
    }
    info = {
        "request_id": "tr-1",
        "request_metadata": {"mlflow.trace.session": "conv-1"},
        "tags": {},
    }
    document = {"info": info, "data": {"spans": [span], "request": "{}", "response": "{}"}}
    [agent] = read_bytes(tmp_path, json.dumps(document).encode()).spans
    assert (agent.trace_id, agent.span_id) == (
        "1285b7210636f10199b2bfee41395078",
        "de6cfe9844754bb3",
    )
    assert (agent.status, agent.start_ns) == ("ok", 1_767_225_600_000_000_001)
    assert agent.attributes == {"mlflow.trace.session": "conv-1", "mlflow.spanType": "AGENT"}


@pytest.mark.parametrize(
    "document",
    [
        pytest.param([trace(), trace()], id="a list"),
        pytest.param({"trace_id": "tr-1", "trace": json.dumps(trace()), "state": "OK"}, id="a row"),
        pytest.param({"spans": trace()["data"]["spans"]}, id="stored spans"),
    ],
)
def test_other_arrangements(document: Any, tmp_path: Path) -> None:
    found = read_bytes(tmp_path, json.dumps(document).encode())
    assert found.losses == []
    assert {span.attributes["mlflow.spanType"] for span in found.spans} == {"AGENT", "RETRIEVER"}
    assert [source.format for source in found.reading.sources] == ["mlflow"]


def test_a_bad_span_costs_itself(tmp_path: Path) -> None:
    document = trace()
    document["data"]["spans"].insert(1, {**document["data"]["spans"][1], "span_id": "AAAAAAAAAAA="})
    document["data"]["spans"].append(None)
    text = json.dumps(document)
    found = read_bytes(tmp_path, text.encode())
    assert [span.name for span in found.spans] == ["agent", "search"]
    assert found.reasons == ["zero_span_id", "bad_span"]
    assert json.JSONDecoder().raw_decode(text[found.losses[0].offset :])[0]["name"] == "search"
    assert text[found.losses[1].offset :].startswith("null")


def test_a_cut_document_gives_the_spans_before_the_cut(tmp_path: Path) -> None:
    text = json.dumps(trace())
    found = read_bytes(tmp_path, text[: text.index('"search"')].encode())
    assert [span.attributes["mlflow.spanType"] for span in found.spans] == ["AGENT"]
    assert found.reasons == ["truncated_stream"]


def test_a_broken_line_costs_itself(tmp_path: Path) -> None:
    lines = [json.dumps(trace())] * 3
    lines[1] = lines[1].replace('"name": "agent"', '"name": agent')
    found = read_bytes(tmp_path, "\n".join(lines).encode())
    assert [span.name for span in found.spans] == ["agent", "search", "search", "agent", "search"]
    assert found.reasons == ["invalid_json"]


def test_recorded_traces() -> None:
    path = given("generated-mlflow/traces.to_json.jsonl")
    records = list(values(path))
    found = read_whole(path)
    assert len(found.spans) == sum(len(record["data"]["spans"]) for record in records) == 9
    assert (len(found.traces), duplicates(path)) == (3, 0)
    for record in records:
        trace_id = record["info"]["trace_id"].removeprefix("tr-")
        spans = [span for span in found.spans if span.trace_id == trace_id]
        assert [span.start_ns for span in spans] == [
            span["start_time_unix_nano"] for span in record["data"]["spans"]
        ]
        for span, raw in zip(spans, record["data"]["spans"], strict=True):
            for key, value in raw["attributes"].items():
                assert span.attributes[key] == json.loads(value)
            session = record["info"]["trace_metadata"]["mlflow.trace.session"]
            assert span.resource["mlflow.trace.session"] == session
            assert span.attributes.get("mlflow.trace.session") == (
                None if span.parent_id else session
            )
    retrieve = one(found.spans, "5bc516fceb84d2bf")
    assert (retrieve.name, retrieve.parent_id) == ("retrieve", "de6cfe9844754bb3")
    assert retrieve.source is not None
    assert path.read_bytes()[retrieve.source.offset :].startswith(b'{"trace_id": "EoW3IQY28QGZsr')
