"""Zipkin's version 2 JSON: every value a text, times in microseconds."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.outcome import Outcome, read_bytes

TRACE = "3e289017fe03ffd7c4145316d2eb3d0d"
START_US = 1_767_225_600_000_001
TAGS = {"otel.scope.name": "my.tracer", "otel.scope.version": "1.2", "top_k": "3"}


def span(**fields: Any) -> dict[str, Any]:
    return {
        "traceId": TRACE,
        "id": "75cdce51ad52a7c8",
        "parentId": "e37fdd8f56146d31",
        "kind": "CLIENT",
        "name": "search",
        "timestamp": START_US,
        "duration": 7,
        "localEndpoint": {"serviceName": "shop", "ipv4": "127.0.0.1"},
        "tags": TAGS,
        "annotations": [{"timestamp": START_US + 2, "value": "hit"}],
        **fields,
    }


def read(document: object, folder: Path) -> Outcome:
    return read_bytes(folder, json.dumps(document).encode())


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    found = read([span()], tmp_path)
    assert found.losses == []
    [made] = found.spans
    assert (made.trace_id, made.span_id) == (TRACE, "75cdce51ad52a7c8")
    assert (made.parent_id, made.name) == ("e37fdd8f56146d31", "search")
    assert (made.otel_kind, made.status) == ("CLIENT", "unset")
    assert (made.start_ns, made.end_ns) == (START_US * 1_000, (START_US + 7) * 1_000)
    assert made.attributes == TAGS
    assert made.resource == {"service.name": "shop"}
    assert (made.scope_name, made.scope_version) == ("my.tracer", "1.2")
    [event] = made.events
    assert (event.name, event.time_ns) == ("hit", (START_US + 2) * 1_000)
    assert [source.format for source in found.reading.sources] == ["zipkin"]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({}, ("unset", "")),
        ({"error": "late"}, ("error", "late")),
        ({"error": "true"}, ("error", "")),
        ({"error": ""}, ("error", "")),
        ({"otel.status_code": "ERROR", "error": "late"}, ("error", "late")),
        ({"otel.status_code": "OK"}, ("ok", "")),
    ],
    ids=str,
)
def test_status(tags: dict[str, str], expected: tuple[str, str], tmp_path: Path) -> None:
    [made] = read([span(tags=tags)], tmp_path).spans
    assert (made.status, made.status_message) == expected


@pytest.mark.parametrize(
    "document",
    [
        pytest.param([span(), span(id="2")], id="spans"),
        pytest.param([[span()], [span(id="2")]], id="traces"),
        pytest.param([[], [span(), span(id="2")]], id="one trace is empty"),
    ],
)
def test_arrangements(document: object, tmp_path: Path) -> None:
    found = read(document, tmp_path)
    assert (found.losses, len(found.spans)) == ([], 2)


def test_little_may_be_told(tmp_path: Path) -> None:
    least = {"traceId": "1" * 16, "id": "a1", "name": "search", "timestamp": 0, "duration": 1}
    [made] = read([least], tmp_path).spans
    assert (made.trace_id, made.start_ns, made.end_ns) == ("1" * 16, None, None)
    assert (made.attributes, made.service, made.parent_id) == ({}, None, None)


def test_a_bad_span_costs_itself(tmp_path: Path) -> None:
    document = [span(), span(id=""), span(id="2")]
    found = read(document, tmp_path)
    assert (len(found.spans), found.reasons) == (2, ["bad_span_id"])
    assert json.dumps(document)[found.losses[0].offset :].startswith(json.dumps(document[1]))
