"""Jaeger's query JSON and stored spans; Tempo's API, which is OTLP in older words."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest import RawLink
from tests.ingest.formats.recorded import duplicates, given, one, read_whole, values
from tests.ingest.outcome import Outcome, read_bytes, read_paths

TRACE = "3e289017fe03ffd7c4145316d2eb3d0d"
START_US = 1_767_225_600_000_001


def tag(key: str, value: object, kind: str = "string") -> dict[str, Any]:
    return {"key": key, "type": kind, "value": value}


def reference(span: str, kind: str = "CHILD_OF", trace: str = TRACE) -> dict[str, str]:
    return {"refType": kind, "traceID": trace, "spanID": span}


def span(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "traceID": TRACE,
        "spanID": f"{number:016x}",
        "operationName": "search",
        "references": [],
        "startTime": START_US,
        "duration": 7,
        "tags": [tag("span.kind", "client")],
        "logs": [],
        "processID": "p1",
        "warnings": None,
        **fields,
    }


def response(*spans: Any) -> dict[str, Any]:
    processes = {"p1": {"serviceName": "shop", "tags": [tag("host", "h1")]}}
    trace = {"traceID": TRACE, "spans": list(spans), "processes": processes, "warnings": None}
    return {"data": [trace], "total": 0, "limit": 0, "offset": 0, "errors": None}


def read(document: object, folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps(document).encode())


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    tags = [
        tag("otel.scope.name", "my.tracer"),
        tag("otel.scope.version", "1.2"),
        tag("otel.status_code", "ERROR"),
        tag("otel.status_description", "late"),
        tag("span.kind", "server"),
        tag("top_k", 3, "int64"),
        tag("score", 0.5, "float64"),
        tag("cached", value=False, kind="bool"),
    ]
    log = {"timestamp": START_US + 2, "fields": [tag("event", "hit"), tag("id", "p-1")]}
    found = read(response(span(2, tags=tags, logs=[log], references=[reference("f1")])), tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.trace_id, made.span_id, made.parent_id) == (TRACE, "0000000000000002", "f1")
    assert (made.name, made.otel_kind) == ("search", "SERVER")
    assert (made.start_ns, made.end_ns) == (START_US * 1_000, (START_US + 7) * 1_000)
    assert (made.status, made.status_message) == ("error", "late")
    assert (made.scope_name, made.scope_version) == ("my.tracer", "1.2")
    assert made.attributes == {item["key"]: item["value"] for item in tags}
    assert made.resource == {"service.name": "shop", "host": "h1"}
    [event] = made.events
    assert (event.name, event.time_ns) == ("hit", (START_US + 2) * 1_000)
    assert event.attributes == {"id": "p-1"}
    assert [source.format for source in found.reading.sources] == ["jaeger"]


OTHER = "0" * 31 + "9"


@pytest.mark.parametrize(
    ("references", "parent", "links"),
    [
        pytest.param([], None, [], id="none"),
        pytest.param([reference("f1")], "f1", [], id="a parent"),
        pytest.param([reference("f1", "FOLLOWS_FROM")], "f1", [], id="what it follows"),
        pytest.param(
            [reference("f1", "FOLLOWS_FROM"), reference("f2")], "f2", [(TRACE, "f1")], id="both"
        ),
        pytest.param([reference("f1"), reference("f2")], "f1", [(TRACE, "f2")], id="two parents"),
        pytest.param([reference("f1", trace=OTHER)], None, [(OTHER, "f1")], id="another trace"),
        pytest.param([reference("")], None, [], id="an empty one"),
    ],
)
def test_references(
    references: list[dict[str, str]],
    parent: str | None,
    links: list[tuple[str, str]],
    tmp_path: Path,
) -> None:
    [made] = read(response(span(2, references=references)), tmp_path).spans
    assert made.parent_id == parent
    assert made.links == tuple(RawLink(trace_id=trace, span_id=name) for trace, name in links)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (tag("x", "44", "int64"), 44),
        (tag("x", "0.5", "float64"), 0.5),
        (tag("x", "true", "bool"), True),
        (tag("x", "yes", "bool"), "yes"),
        (tag("x", "many", "int64"), "many"),
        (tag("x", "44"), "44"),
        (tag("x", None), None),
        (tag("x", "AAE=", "binary"), "AAE="),
        ({"key": "x", "value": "44"}, "44"),
    ],
)
def test_typed_tags(item: dict[str, Any], expected: object, tmp_path: Path) -> None:
    [made] = read(response(span(2, tags=[item])), tmp_path).spans
    assert made.attributes == {"x": expected}


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ([], "unset"),
        ([tag("error", value=True, kind="bool")], "error"),
        ([tag("error", "true")], "error"),
        ([tag("error", value=False, kind="bool")], "unset"),
        ([tag("error", [])], "unset"),
        ([tag("otel.status_code", "OK")], "ok"),
        ([tag("otel.status_code", "OK"), tag("error", value=True, kind="bool")], "ok"),
    ],
)
def test_status(tags: list[dict[str, Any]], expected: str, tmp_path: Path) -> None:
    assert read(response(span(2, tags=tags)), tmp_path).spans[0].status == expected


def test_an_empty_response_is_no_loss(tmp_path: Path) -> None:
    found = read({**response(), "data": []}, tmp_path)
    assert (found.spans, found.losses) == ([], [])
    assert [source.format for source in found.reading.sources] == ["jaeger"]


def test_stored_spans_hold_their_process(tmp_path: Path) -> None:
    stored = {**span(2), "process": {"serviceName": "shop", "tags": []}, "tag": {"a@b": 1}}
    found = read_bytes(tmp_path, "\n".join([json.dumps(stored)] * 2).encode())
    assert [made.service for made in found.spans] == ["shop", "shop"]
    assert found.spans[0].attributes["a.b"] == 1


@pytest.mark.parametrize(
    "bad",
    [span(0), None, {}, "text", span(3, traceID=None), span(3, traceID="\u00e9")],
    ids=str,
)
def test_a_bad_span_costs_itself(bad: object, tmp_path: Path) -> None:
    document = response(span(1), bad, span(2))
    found = read(document, tmp_path)
    assert [made.span_id[-1] for made in found.spans] == ["1", "2"]
    [loss] = found.losses
    assert loss.outcome == "rejected"
    assert json.dumps(document)[loss.offset :].startswith(json.dumps(bad))


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        pytest.param('"duration": 7', '"duration": seven', 1, id="a bare word"),
        pytest.param('"operationName": "', '"operationName": ', 1, id="a quote is lost"),
        pytest.param('"startTime"', "NaN", 1, id="a key that is none"),
        pytest.param('"duration": 7', '"duration": NaN', 2, id="a number that is none"),
    ],
)
def test_damage_costs_the_span_it_is_in(old: str, new: str, kept: int, tmp_path: Path) -> None:
    text = json.dumps(response(span(1), span(2)))
    at = text.index(old)
    found = read_bytes(tmp_path, (text[:at] + new + text[at + len(old) :]).encode())
    assert len(found.spans) == kept
    assert len(found.losses) == 2 - kept


def test_a_cut_response_gives_the_spans_before_the_cut(tmp_path: Path) -> None:
    text = json.dumps(response(*map(span, range(1, 6))))
    found = read_bytes(tmp_path, text[: text.index("0000000000000004") + 5].encode())
    assert [made.span_id[-1] for made in found.spans] == ["1", "2", "3"]
    assert found.reasons == ["truncated_stream"]


@pytest.mark.parametrize(
    ("name", "spans", "events", "errors", "services"),
    [
        ("helm", 96, 7, 1, {"helm_agent"}),
        ("helm_2", 72, 3, 1, {"helm_agent"}),
        ("helm_3", 125, 35, 1, {"helm_agent"}),
    ],
)
def test_recorded_responses(
    name: str, spans: int, events: int, errors: int, services: set[str]
) -> None:
    path = given(f"jaeger-tempo/{name}.json")
    [record] = values(path)
    raw = record["data"][0]["spans"]
    found = read_whole(path)
    assert len(found.spans) == len(raw) == spans
    assert (len(found.traces), duplicates(path)) == (1, 0)
    assert sum(len(made.events) for made in found.spans) == events
    assert sum(made.status == "error" for made in found.spans) == errors
    assert {made.service for made in found.spans} == services
    text = path.read_bytes()
    for item, made in zip(raw, found.spans, strict=True):
        assert (made.trace_id, made.span_id) == (item["traceID"], item["spanID"])
        assert made.parent_id == next((r["spanID"] for r in item["references"]), None)
        assert made.attributes == {t["key"]: t["value"] for t in item["tags"]}
        assert made.start_ns == item["startTime"] * 1_000
        assert made.end_ns == (item["startTime"] + item["duration"]) * 1_000
        assert made.source is not None
        assert json.JSONDecoder().raw_decode(text[made.source.offset :].decode())[0] == item


def test_a_recorded_span() -> None:
    found = read_paths(given("jaeger-tempo/helm.json"))
    tool = one(found.spans, "75cdce51ad52a7c8")
    assert (tool.name, tool.parent_id) == ("execute_tool helm_list_releases", "e37fdd8f56146d31")
    assert (tool.scope_name, tool.scope_version) == ("gcp.vertex.agent", "1.22.1")
    assert tool.attributes["gen_ai.tool.call.id"] == "call_P09kjRKHTTJA02oB9HIe4u5t"
    assert tool.resource == {"service.name": "helm_agent", "service.namespace": "kagent"}


def test_recorded_tempo() -> None:
    path = given("jaeger-tempo/tempo_export_with_batches.json")
    [record] = values(path)
    raw = [
        item
        for batch in record["batches"]
        for scope in batch["instrumentationLibrarySpans"]
        for item in scope["spans"]
    ]
    found = read_whole(path)
    assert [source.format for source in found.reading.sources] == ["otlp_json"]
    assert len(found.spans) == len(raw) == 86
    assert duplicates(path) == 0
    for item, made in zip(raw, found.spans, strict=True):
        assert made.name == item["name"]
        assert made.start_ns == int(item["startTimeUnixNano"])
        assert len(made.attributes) == len(item["attributes"])


@pytest.mark.parametrize(
    "name", ["eval_set_helm", "evalset_helm_3_2026-02-23", "evalset_k8s_2026-02-20"]
)
def test_evaluation_sets_are_no_traces(name: str) -> None:
    found = read_paths(given(f"jaeger-tempo/{name}.json"))
    assert (found.spans, found.reasons) == ([], ["not_a_trace_file"])
