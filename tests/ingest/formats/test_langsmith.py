"""LangSmith runs: complete, in two halves, nested, and as tables hold them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.formats.recorded import duplicates, given, read_whole, values
from tests.ingest.outcome import Outcome, read_bytes, read_paths

ROOT = "d0d84d31-923d-4cb5-94a8-40a0a0087578"
CHILD = "33c08c32-435c-4788-b973-b5bee4a31f87"
ROOT_STEP = f"20260101T000000000001Z{ROOT}"
CHILD_STEP = f"{ROOT_STEP}.20260101T000000000002Z{CHILD}"
OUTPUTS = {"documents": [{"page_content": "25 days", "metadata": {"id": "hr-1"}}]}


def run(**fields: Any) -> dict[str, Any]:
    return {
        "id": CHILD,
        "trace_id": ROOT,
        "parent_run_id": ROOT,
        "dotted_order": CHILD_STEP,
        "name": "search",
        "run_type": "retriever",
        "start_time": "2026-01-01T00:00:00.000002",
        "end_time": "2026-01-01T00:00:01+00:00",
        "inputs": {"query": "days off?"},
        "outputs": OUTPUTS,
        "error": None,
        "status": "success",
        "tags": ["seq:step:1"],
        "extra": {"metadata": {"thread_id": "c-1"}, "invocation_params": {"k": 3}},
        "session_id": "the project",
        "events": [{"name": "start", "time": "2026-01-01T00:00:00.5Z", "kwargs": {"a": 1}}],
        "child_runs": None,
        **fields,
    }


def root(**fields: Any) -> dict[str, Any]:
    return run(
        id=ROOT,
        parent_run_id=None,
        dotted_order=ROOT_STEP,
        name="agent",
        run_type="chain",
        **fields,
    )


def read(document: object, folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps(document).encode())


def test_a_run_is_read_whole(tmp_path: Path) -> None:
    found = read(run(), tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert made.trace_id == ROOT.replace("-", "")
    assert (made.span_id, made.parent_id, made.name) == (CHILD, ROOT, "search")
    assert (made.start_ns, made.end_ns) == (1_767_225_600_000_002_000, 1_767_225_601_000_000_000)
    assert made.status == "ok"
    assert made.attributes == {
        "langsmith.span.kind": "retriever",
        "langsmith.inputs": {"query": "days off?"},
        "langsmith.outputs": OUTPUTS,
        "langsmith.dotted_order": CHILD_STEP,
        "langsmith.span.tags": ["seq:step:1"],
        "langsmith.trace.session_id": "the project",
        "langsmith.metadata.thread_id": "c-1",
        "langsmith.invocation_params": {"k": 3},
    }
    [event] = made.events
    assert (event.name, event.attributes) == ("start", {"a": 1})
    assert [source.format for source in found.reading.sources] == ["langsmith"]


def test_an_error_is_a_status(tmp_path: Path) -> None:
    [made] = read(run(error="TimeoutError()", status="error"), tmp_path).spans
    assert (made.status, made.status_message) == ("error", "TimeoutError()")
    assert made.attributes["langsmith.error"] == "TimeoutError()"


@pytest.mark.parametrize(
    "document",
    [
        pytest.param([root(), run()], id="a list"),
        pytest.param({"runs": [root(), run()], "cursors": {}}, id="a page of the API"),
        pytest.param(root(child_runs=[run()]), id="nested"),
        pytest.param({"post": [root(), run()], "patch": []}, id="a batch"),
        pytest.param({"patch": [root(), run()]}, id="a batch of ends"),
    ],
)
def test_arrangements(document: object, tmp_path: Path) -> None:
    found = read(document, tmp_path)
    assert found.losses == []
    agent, search = found.spans
    assert (agent.span_id, agent.parent_id, agent.name) == (ROOT, None, "agent")
    assert (search.span_id, search.parent_id, search.name) == (CHILD, ROOT, "search")
    text = json.dumps(document)
    for made in found.spans:
        assert made.source is not None
        assert text[made.source.offset :].startswith(f'{{"id": "{made.span_id}"')


def test_two_halves_are_one_run(tmp_path: Path) -> None:
    begun = {
        k: run()[k] for k in ("id", "dotted_order", "name", "run_type", "start_time", "inputs")
    }
    ended = {
        "trace_id": ROOT,
        "dotted_order": CHILD_STEP,
        "end_time": 1_767_225_601_000,
        "outputs": OUTPUTS,
        "inputs": None,
    }
    found = read({"post": [{**begun, "outputs": {}}], "patch": [ended]}, tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.span_id, made.parent_id) == (CHILD, ROOT)
    assert made.end_ns == 1_767_225_601_000_000_000
    assert made.attributes["langsmith.inputs"] == {"query": "days off?"}
    assert made.attributes["langsmith.outputs"] == OUTPUTS


@pytest.mark.parametrize("missing", ["id", "trace_id", "parent_run_id", "start_time"])
def test_the_dotted_order_tells_what_is_missing(missing: str, tmp_path: Path) -> None:
    [made] = read(run(**{missing: None}), tmp_path).spans
    assert made.trace_id == ROOT.replace("-", "")
    assert (made.span_id, made.parent_id) == (CHILD, ROOT)
    assert made.start_ns == 1_767_225_600_000_002_000


def test_tables_hold_objects_as_text(tmp_path: Path) -> None:
    extra = json.dumps(run()["extra"])
    row = run(inputs=json.dumps(run()["inputs"]), outputs=json.dumps(OUTPUTS), extra=extra)
    [made] = read(row, tmp_path).spans
    assert made.attributes["langsmith.inputs"] == {"query": "days off?"}
    assert made.attributes["langsmith.outputs"] == OUTPUTS
    assert made.attributes["langsmith.metadata.thread_id"] == "c-1"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param({"run_type": "llm"}, "bad_trace_id", id="no ids"),
        pytest.param(7, "bad_span", id="a number"),
        pytest.param(run(id="\u00e9", dotted_order=None), "bad_span_id", id="an id that is none"),
    ],
)
def test_a_bad_run_costs_itself(bad: object, reason: str, tmp_path: Path) -> None:
    found = read({"runs": [root(), bad, run()]}, tmp_path)
    assert [made.name for made in found.spans] == ["agent", "search"]
    assert found.reasons == [reason]


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("langsmith_js_wrap_openai_stream", 0),
        ("langsmith_js_wrap_openai_stream_no usage", 0),
        ("langsmith_py_wrap_openai_", 0),
        ("langsmith_py_wrap_openai_stream_no_usage", 11),
    ],
)
def test_recorded_batches(name: str, events: int) -> None:
    path = given(f"langsmith/{name}.json")
    [record] = values(path)
    found = read_whole(path)
    [post], [patch] = record["post"], record["patch"]
    [made] = found.spans
    assert duplicates(path) == 0
    assert (made.trace_id, made.span_id) == (post["id"].replace("-", ""), post["id"])
    assert (made.name, made.parent_id) == ("ChatOpenAI", None)
    assert made.attributes["langsmith.inputs"] == post["inputs"]
    assert made.attributes["langsmith.outputs"] == patch["outputs"]
    assert made.attributes["langsmith.metadata.ls_model_name"] == "gpt-4o-mini"
    assert len(made.events) == events


def test_a_recorded_run() -> None:
    [made] = read_paths(given("langsmith/langsmith_py_wrap_openai_.json")).spans
    assert (made.start_ns, made.end_ns) == (1728680303298773000, 1728680304417106000)


def test_runs_under_a_name_that_is_not_known_are_lost_aloud(tmp_path: Path) -> None:
    found = read({**root(), "childRuns": [run()]}, tmp_path)
    assert [made.name for made in found.spans] == ["agent"]
    assert found.reasons == ["unknown_field"]
