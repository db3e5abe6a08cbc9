"""Langfuse exports: observations with what came over OTLP, listed once or twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.formats.recorded import given, one, values
from tests.ingest.outcome import group_paths, read_bytes, read_paths

METADATA = {
    "attributes": {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": "40"},
    "resourceAttributes": {"service.name": "shop"},
    "scope": {"name": "my.tracer", "version": "1.2"},
    "tenant": "t-1",
}


def observation(**fields: Any) -> dict[str, Any]:
    return {
        "id": "8ffb64580a84a3f0",
        "traceId": "f68601af42c4a35e1d5e4699de569c1f",
        "parentObservationId": None,
        "type": "GENERATION",
        "name": "chat",
        "startTime": "2026-01-01T00:00:00.250Z",
        "endTime": "2026-01-01T00:00:01.000Z",
        "level": "DEFAULT",
        "statusMessage": None,
        "model": "m-1",
        "input": '[{"role": "user", "content": "days off?"}]',
        "output": "25 days",
        "usageDetails": {"input": 40, "output": 9},
        "toolCalls": [],
        "metadata": json.dumps(METADATA),
        **fields,
    }


def export(*observations: dict[str, Any], **trace: Any) -> dict[str, Any]:
    told = {
        "id": "f68601af42c4a35e1d5e4699de569c1f",
        "name": "turn",
        "sessionId": "c-1",
        "userId": "ann",
        "input": '"days off?"',
        "output": '"25 days"',
        "tags": [],
        "metadata": '{"release": "r-1", "scope": {}}',
        **trace,
    }
    return {"trace": told, "observations": list(observations)}


def read(document: object, folder: Path) -> Any:
    return read_bytes(folder, json.dumps(document).encode())


def test_an_observation_is_read_whole(tmp_path: Path) -> None:
    found = read(export(observation()), tmp_path)
    [span] = found.spans
    assert (span.trace_id, span.span_id) == ("f68601af42c4a35e1d5e4699de569c1f", "8ffb64580a84a3f0")
    assert (span.name, span.parent_id, span.status) == ("chat", None, "unset")
    assert (span.start_ns, span.end_ns) == (1_767_225_600_250_000_000, 1_767_225_601_000_000_000)
    assert span.resource == {"service.name": "shop"}
    assert (span.scope_name, span.scope_version) == ("my.tracer", "1.2")
    assert span.attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": "40",
        "langfuse.observation.type": "generation",
        "langfuse.observation.input": '[{"role": "user", "content": "days off?"}]',
        "langfuse.observation.output": "25 days",
        "langfuse.observation.level": "DEFAULT",
        "langfuse.observation.model.name": "m-1",
        "langfuse.observation.usage_details": {"input": 40, "output": 9},
        "langfuse.observation.metadata.tenant": "t-1",
        "session.id": "c-1",
        "user.id": "ann",
        "langfuse.trace.name": "turn",
        "langfuse.trace.input": '"days off?"',
        "langfuse.trace.output": '"25 days"',
        "langfuse.trace.metadata.release": "r-1",
    }
    assert [source.format for source in found.reading.sources] == ["langfuse"]


def test_the_trace_is_told_on_its_top_and_the_session_everywhere(tmp_path: Path) -> None:
    child = observation(id="0000000000000002", parentObservationId="8ffb64580a84a3f0")
    _, span = read(export(observation(), child), tmp_path).spans
    assert span.parent_id == "8ffb64580a84a3f0"
    assert span.attributes["session.id"] == "c-1"
    assert "langfuse.trace.input" not in span.attributes


def test_an_error_is_a_status(tmp_path: Path) -> None:
    [span] = read(export(observation(level="ERROR", statusMessage="late")), tmp_path).spans
    assert (span.status, span.status_message) == ("error", "late")
    assert span.attributes["langfuse.observation.status_message"] == "late"


def test_an_observation_listed_twice_is_one(tmp_path: Path) -> None:
    short = {"id": "8ffb64580a84a3f0", "version": "v-1", "input": "other", "model": "m-2"}
    only = observation(id="0000000000000002")
    document = export(observation(model=None), observations=[short, only])
    found = read(document, tmp_path)
    assert [span.span_id for span in found.spans] == ["8ffb64580a84a3f0", "0000000000000002"]
    assert found.spans[0].attributes["langfuse.observation.model.name"] == "m-2"
    assert found.spans[0].attributes["langfuse.observation.input"].startswith("[")
    [loss] = found.losses
    assert (loss.outcome, loss.reason, loss.span_id) == (
        "duplicate",
        "listed_twice",
        "8ffb64580a84a3f0",
    )
    assert json.dumps(document)[loss.offset :].startswith('{"id": "8ffb64580a84a3f0", "version"')
    assert found.reading.counts.read == 3


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"data": [observation()], "meta": {"page": 1}}, id="the API's observations"),
        pytest.param([observation()], id="a batch export"),
        pytest.param({**export()["trace"], "observations": [observation()]}, id="the API's trace"),
        pytest.param([export(observation())], id="a list of exports"),
        pytest.param(
            {
                key.replace("Id", "_id").replace("Time", "_time"): value
                for key, value in observation().items()
            },
            id="snake case",
        ),
    ],
)
def test_other_arrangements(document: object, tmp_path: Path) -> None:
    found = read(document, tmp_path)
    assert found.losses == []
    [span] = found.spans
    assert (span.span_id, span.scope_name) == ("8ffb64580a84a3f0", "my.tracer")
    assert span.end_ns == 1_767_225_601_000_000_000


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        pytest.param(METADATA, "chat", id="an object"),
        pytest.param(json.dumps(METADATA), "chat", id="a text"),
        pytest.param(json.dumps(METADATA)[:30], None, id="a text that was cut"),
        pytest.param(None, None, id="none"),
        pytest.param([1], None, id="a list"),
    ],
)
def test_metadata_in_any_form(metadata: object, expected: str | None, tmp_path: Path) -> None:
    [span] = read(export(observation(metadata=metadata)), tmp_path).spans
    assert span.attributes.get("gen_ai.operation.name") == expected


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param({"usage": {"input": 4, "output": None}}, {"input": 4}, id="usage"),
        pytest.param({"promptTokens": 4, "completionTokens": 0}, {"input": 4}, id="counts"),
        pytest.param({}, None, id="none"),
    ],
)
def test_older_usage(usage: dict[str, Any], expected: object, tmp_path: Path) -> None:
    [span] = read(export(observation(usageDetails={}, **usage)), tmp_path).spans
    assert span.attributes.get("langfuse.observation.usage_details") == expected


def test_a_bad_observation_costs_itself(tmp_path: Path) -> None:
    document = export(observation(), observation(id=None), observation(id="0000000000000002"))
    found = read(document, tmp_path)
    assert [span.span_id for span in found.spans] == ["8ffb64580a84a3f0", "0000000000000002"]
    assert found.reasons == ["bad_span_id"]
    assert json.dumps(document)[found.losses[0].offset :].startswith('{"id": null')


RECORDED = {
    "agno-2025-06-11.trace": 6,
    "autogen-2025-06-06.trace": 2,
    "beeai-2025-08-01.trace": 29,
    "crewai-2025-07-11.trace": 6,
    "csharp-agent-with-gemini-2026-03-09.trace": 8,
    "google-gemini-2025-08-01.trace": 1,
    "langfuse-1": 5,
    "langfuse-2": 7,
    "llamaindex-2025-06-05.trace": 2,
    "microsoft-agent-2025-12-17.trace": 4,
    "openai-agents-2025-09-30.trace": 5,
    "pydantic-ai-with-gemini-2025-12-24.trace": 1,
    "vertex-ai-2025-08-01.trace": 1,
}


@pytest.mark.parametrize(("name", "spans"), RECORDED.items(), ids=RECORDED)
def test_recorded_exports(name: str, spans: int) -> None:
    path = given(f"langfuse-export/{name}.json")
    [record] = values(path)
    found = read_paths(path)
    assert len(found.spans) == len(record["observations"]) == spans
    assert found.reasons == ["listed_twice"] * spans
    [trace], losses = group_paths(path)
    assert (len(trace.spans), len(losses)) == (spans, spans)
    for raw, span in zip(record["observations"], found.spans, strict=True):
        assert (span.trace_id, span.span_id) == (raw["traceId"], raw["id"])
        assert (span.parent_id, span.name) == (raw["parentObservationId"], raw["name"])
        about = json.loads(raw["metadata"])
        for key, value in about.get("attributes", {}).items():
            if not key.startswith(("langfuse.", "session.", "user.")):
                assert span.attributes[key] == value
        assert span.scope_name == about.get("scope", {}).get("name", "")
        assert span.attributes.get("langfuse.observation.input") == (raw.get("input") or None)
        assert span.attributes.get("session.id") == (
            record["trace"]["sessionId"] or about.get("attributes", {}).get("session.id")
        )


def test_a_recorded_observation() -> None:
    found = read_paths(given("langfuse-export/pydantic-ai-with-gemini-2025-12-24.trace.json"))
    chat = one(found.spans, "8ffb64580a84a3f0")
    assert (chat.start_ns, chat.end_ns) == (1766556077850000000, 1766556079670000000)
    assert (chat.scope_name, chat.scope_version) == ("pydantic-ai", "1.11.0")
    assert chat.attributes["gen_ai.response.id"] == "r4FLad_IHojq1e8Pt6i7GA"
    assert chat.attributes["langfuse.observation.usage_details"] == {
        "input": 40,
        "output": 159,
        "total": 199,
    }
