"""Requests that are not exactly as specified: what is read, and what is counted as lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest import Limits
from ingest.json_repair import repaired, value_depth
from tests.ingest.exports import SPANS, as_dict, line, logs, request
from tests.ingest.outcome import Outcome, placeless, read_bytes

TRACE = f"{1:032x}"


def span(**fields: Any) -> dict[str, Any]:
    """Return a span that is right but for *fields*; a field of `...` is left out."""
    node = {
        "traceId": TRACE,
        "spanId": f"{1:016x}",
        "name": "work",
        "startTimeUnixNano": "1767225600000000000",
        "endTimeUnixNano": "1767225600000000001",
    } | fields
    return {key: value for key, value in node.items() if value is not ...}


def wrapped(*spans: Any) -> bytes:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


def read(folder: Path, data: bytes) -> Outcome:
    """Read one line of a file that is a trace for sure."""
    found = read_bytes(folder, line(9) + b"\n" + data + b"\n" + line(8) + b"\n")
    spans = [s for s in found.spans if s.trace_id not in {f"{9:032x}", f"{8:032x}"}]
    assert len(found.spans) - len(spans) == 2 * SPANS, "a neighbour was lost"
    return Outcome(reading=found.reading, spans=spans, logs=found.logs)


def snake(node: Any) -> Any:
    """Return a request with every key in snake case."""
    if isinstance(node, list):
        return [snake(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        "".join("_" + c.lower() if c.isupper() else c for c in key): snake(value)
        for key, value in node.items()
    }


def older(node: dict[str, Any]) -> dict[str, Any]:
    """Return a request as OTLP wrote it before scopes."""
    text = json.dumps(node).replace('"scopeSpans"', '"instrumentationLibrarySpans"')
    old: dict[str, Any] = json.loads(text.replace('"scope"', '"instrumentationLibrary"'))
    return old


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(snake, id="snake case"),
        pytest.param(older, id="before scopes"),
        pytest.param(lambda node: snake(older(node)), id="before scopes, snake case"),
        pytest.param(lambda node: {"batches": node["resourceSpans"]}, id="Tempo"),
        pytest.param(lambda node: {"trace": node}, id="Tempo, version 2"),
        pytest.param(lambda node: [node], id="array"),
        pytest.param(lambda node: node["resourceSpans"], id="array of resource groups"),
        pytest.param(lambda node: node["resourceSpans"][0], id="a resource group"),
        pytest.param(lambda node: node | {"note": "x", "size": 3}, id="unknown fields beside"),
        pytest.param(lambda node: node | {"resourceLogs": None}, id="null beside"),
    ],
)
def test_other_shapes_give_the_same_spans(change: Any, tmp_path: Path) -> None:
    node = as_dict(request(1))
    usual = read(tmp_path, json.dumps(node).encode())
    unusual = read(tmp_path, json.dumps(change(node)).encode())
    assert unusual.losses == []
    assert placeless(unusual.spans) == placeless(usual.spans)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"name": None}, {"name": ""}, id="name null"),
        pytest.param({"name": ...}, {"name": ""}, id="name absent"),
        pytest.param({"kind": "SPAN_KIND_CLIENT"}, {"otel_kind": "CLIENT"}, id="kind by name"),
        pytest.param({"parentSpanId": ""}, {"parent_id": None}, id="parent empty"),
        pytest.param({"parentSpanId": "0" * 16}, {"parent_id": None}, id="parent of zeros"),
        pytest.param({"endTimeUnixNano": ...}, {"end_ns": None}, id="not ended"),
        pytest.param({"startTimeUnixNano": 0}, {"start_ns": None}, id="no start"),
        pytest.param({"droppedAttributesCount": "3"}, {"dropped_attributes": 3}, id="count, text"),
        pytest.param({"droppedEventsCount": 2}, {"flags": ("dropped_events",)}, id="events"),
        pytest.param({"droppedLinksCount": "1"}, {"flags": ("dropped_links",)}, id="links"),
        pytest.param({"droppedEventsCount": 0}, {"flags": ()}, id="no events"),
        pytest.param({"droppedEventsCount": [1.5]}, {"flags": ()}, id="a count that is none"),
        pytest.param({"attributes": None}, {"attributes": {}}, id="attributes null"),
        pytest.param({"attributes": {"a": 1}}, {"attributes": {"a": 1}}, id="attributes, object"),
        pytest.param({"status": {"code": "2"}}, {"status": "error"}, id="status as digit"),
        pytest.param({"status": {}}, {"status": "unset"}, id="status empty"),
        pytest.param({"events": None, "links": None}, {"events": (), "links": ()}, id="no lists"),
        pytest.param({"newField": {"x": [1]}}, {"name": "work"}, id="unknown field"),
    ],
)
def test_a_span_with_odd_fields(
    fields: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    found = read(tmp_path, wrapped(span(**fields)))
    assert found.losses == []
    [only] = found.spans
    assert {name: getattr(only, name) for name in expected} == expected


def test_links_are_read(tmp_path: Path) -> None:
    link = {"traceId": "0x" + "a" * 32, "spanId": "b" * 16, "attributes": []}
    [only] = read(tmp_path, wrapped(span(links=[link]))).spans
    assert [(x.trace_id, x.span_id) for x in only.links] == [("a" * 32, "b" * 16)]


@pytest.mark.parametrize(
    ("bad", "reason", "span_id"),
    [
        pytest.param(span(spanId="0" * 16), "zero_span_id", None, id="span id of zeros"),
        pytest.param(span(spanId=...), "bad_span_id", None, id="no span id"),
        pytest.param(span(traceId=...), "bad_trace_id", f"{1:016x}", id="no trace id"),
        pytest.param(span(traceId="\u00e9"), "bad_trace_id", f"{1:016x}", id="garbage for an id"),
        pytest.param(span(traceId="0" * 32), "zero_trace_id", f"{1:016x}", id="trace id of zeros"),
        pytest.param(span(traceId=7), "bad_span", None, id="a number for an id"),
        pytest.param(span(name=["x"]), "bad_span", None, id="a list for a name"),
        pytest.param(span(events=3), "bad_span", None, id="a number for a list"),
        pytest.param("text", "bad_span", None, id="no object"),
        pytest.param(None, "bad_span", None, id="null"),
    ],
)
def test_one_bad_span_costs_itself(
    bad: Any, reason: str, span_id: str | None, tmp_path: Path
) -> None:
    good = [span(spanId=f"{number:016x}") for number in (2, 3)]
    found = read(tmp_path, wrapped(good[0], bad, good[1]))
    assert [s.span_id for s in found.spans] == [f"{2:016x}", f"{3:016x}"]
    [loss] = found.losses
    assert (loss.outcome, loss.reason, loss.span_id) == ("rejected", reason, span_id)
    assert loss.offset == len(line(9)) + 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"startTimeUnixNano": "yesterday"}, "bad_time", id="start is no time"),
        pytest.param({"endTimeUnixNano": -1}, "bad_time", id="end before the epoch"),
        pytest.param({"events": [{"timeUnixNano": "x"}]}, "bad_time", id="event"),
        pytest.param({"attributes": "a=b"}, "bad_attribute", id="attributes are a text"),
    ],
)
def test_a_span_that_is_loaded_with_a_hole(
    fields: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    found = read(tmp_path, wrapped(span(**fields)))
    [only] = found.spans
    assert only.flags == (reason,)
    [loss] = found.losses
    assert (loss.outcome, loss.reason, loss.span_id) == ("repaired", reason, f"{1:016x}")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(line(1)[:-1], "invalid_json", id="cut"),
        pytest.param(line(1) + b"}", "invalid_json", id="too much"),
        pytest.param(line(1)[1:], "invalid_json", id="begun too late"),
        pytest.param(b"\0\0\0", "invalid_json", id="zeros"),
        pytest.param(b"{}", "unknown_record", id="empty object"),
        pytest.param(b"[]", "unknown_record", id="empty array"),
        pytest.param(b"null", "unknown_record", id="null"),
        pytest.param(b'{"level":"info"}', "unknown_record", id="another log"),
        pytest.param(b'{"resourceSpans":3}', "bad_structure", id="no list"),
        pytest.param(b'{"resourceSpans":[3]}', "bad_structure", id="no group"),
        pytest.param(
            line(1).replace(b"scopeSpans", b"scopeSpanz"), "unknown_field", id="layer renamed"
        ),
        pytest.param(line(1).replace(b'"spans"', b'"spanz"'), "unknown_field", id="list renamed"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, "too_deep", id="100,000 levels"),
        pytest.param(
            b'{"resourceSpans":' + b"[" * 5_000 + b"]" * 5_000 + b"}", "too_deep", id="5,000 levels"
        ),
    ],
)
def test_a_line_that_yields_nothing_is_one_loss(data: bytes, reason: str, tmp_path: Path) -> None:
    found = read(tmp_path, data)
    assert found.spans == []
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [("rejected", reason)]


def test_a_lost_line_end_joins_nothing(tmp_path: Path) -> None:
    found = read(tmp_path, line(1) + line(2))
    assert found.losses == []
    assert len(found.spans) == 2 * SPANS


def test_the_rest_of_a_record_before_another_costs_only_itself(tmp_path: Path) -> None:
    found = read(tmp_path, line(1)[:200] + line(2))
    assert found.traces == {f"{2:032x}"}
    assert found.reasons == ["invalid_json"]


def test_one_bad_span_of_many_lines_is_exact(tmp_path: Path) -> None:
    lines = [line(1)] * 500
    lines[250] = lines[250].replace(b'"name":"chat"', b'"name":chat')
    found = read_bytes(tmp_path, b"\n".join(lines))
    assert len(found.spans) == SPANS * 499
    assert [(x.reason, x.offset) for x in found.losses] == [
        ("invalid_json", 250 * (len(line(1)) + 1))
    ]


def test_a_lone_surrogate_is_repaired_where_it_is(tmp_path: Path) -> None:
    spans = [span(spanId=f"{n:016x}", name=name) for n, name in enumerate("abc", start=1)]
    data = wrapped(*spans).replace(b'"b"', rb'"b \ud83e end \ud83d\ude00 \\ud83e"')
    found = read(tmp_path, data)
    assert [s.name for s in found.spans] == ["a", "b \ufffd end 😀 \\ud83e", "c"]
    assert [s.flags for s in found.spans] == [(), ("surrogate_replaced",), ()]
    assert [(x.outcome, x.span_id) for x in found.losses] == [("repaired", f"{2:016x}")]


@pytest.mark.parametrize("layer", ["resource", "scope"])
def test_what_records_stand_in_is_repaired_for_all_of_them(layer: str, tmp_path: Path) -> None:
    node = json.loads(wrapped(span(), span(spanId=f"{2:016x}")))
    group = node["resourceSpans"][0]
    group["resource"] = {"attributes": [{"key": "service.name", "value": {"stringValue": "R"}}]}
    group["scopeSpans"][0]["scope"] = {"name": "S"}
    mark = b'"R"' if layer == "resource" else b'"S"'
    found = read(tmp_path, json.dumps(node).encode().replace(mark, rb'"x\ud83e"'))
    assert [s.flags for s in found.spans] == [("surrogate_replaced",)] * 2
    assert [x.outcome for x in found.losses] == ["repaired"] * 2
    assert "x\ufffd" in {found.spans[0].service, found.spans[0].scope_name}


def test_logs_and_spans_may_share_a_request(tmp_path: Path) -> None:
    node = json.loads(wrapped(span()))
    node["resourceLogs"] = as_dict(logs(1))["resourceLogs"]
    node["resourceSpans"][0]["scopeLogs"] = node["resourceLogs"][0]["scopeLogs"]
    found = read(tmp_path, json.dumps(node).encode())
    assert (len(found.spans), len(found.logs), found.losses) == (1, 2, [])


def test_bytes_that_are_no_utf8_are_repaired_where_they_are(tmp_path: Path) -> None:
    spans = [span(spanId=f"{n:016x}", name=name) for n, name in enumerate("abc", start=1)]
    found = read(tmp_path, wrapped(*spans).replace(b'"b"', b'"b \xff\xfe \xed\xa0\x80"'))
    assert [s.name for s in found.spans] == ["a", "b \ufffd \ufffd", "c"]
    assert [x.reason for x in found.losses] == ["invalid_utf8_replaced"]


def test_bare_nan_is_unknown(tmp_path: Path) -> None:
    values = [{"key": k, "value": {"doubleValue": v}} for k, v in (("a", float("nan")), ("b", 2.5))]
    [only] = read(tmp_path, wrapped(span(attributes=values, name="NaN"))).spans
    assert (only.name, only.attributes) == ("NaN", {"a": None, "b": 2.5})
    assert only.flags == ("non_finite_number",)


def nested(levels: int) -> dict[str, Any]:
    return {"arrayValue": {"values": [nested(levels - 1)]}} if levels else {"intValue": 1}


@pytest.mark.parametrize(("levels", "kept"), [(64, 2), (65, 1), (200, 1)])
def test_values_too_deep_cost_their_span(levels: int, kept: int, tmp_path: Path) -> None:
    deep = span(spanId=f"{7:016x}", attributes=[{"key": "a", "value": nested(levels)}])
    found = read(tmp_path, wrapped(span(), deep))
    assert len(found.spans) == kept
    assert found.reasons == ["too_deep"] * (2 - kept)


def test_many_lists_side_by_side_are_not_deep(tmp_path: Path) -> None:
    values = [{"key": f"a{n}", "value": nested(1)} for n in range(100)]
    found = read(tmp_path, wrapped(span(attributes=values)))
    assert found.losses == []
    assert len(found.spans[0].attributes) == 100


def test_too_many_attributes_cost_their_span(tmp_path: Path) -> None:
    def many(number: int) -> list[dict[str, Any]]:
        return [{"key": f"a{n}", "value": {"intValue": str(n)}} for n in range(number)]

    spans = [span(spanId=f"{n:016x}", attributes=many(n)) for n in (999, 1_000, 1_001)]
    limits = Limits(attributes=1_000)
    found = read_bytes(tmp_path, wrapped(*spans), limits)
    assert [len(s.attributes) for s in found.spans] == [999, 1_000]
    assert [(x.reason, x.detail) for x in found.losses] == [
        ("too_many_attributes", "1001, limit 1000")
    ]


def test_a_resource_with_too_many_attributes_costs_its_spans(tmp_path: Path) -> None:
    node = json.loads(wrapped(span(), span(spanId=f"{2:016x}")))
    node["resourceSpans"][0]["resource"] = {
        "attributes": [{"key": f"a{n}", "value": {"intValue": 1}} for n in range(1_001)]
    }
    found = read_bytes(tmp_path, json.dumps(node).encode(), Limits(attributes=1_000))
    assert found.spans == []
    assert found.reasons == ["too_many_attributes"] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(rb'"\ud83e"', rb'"\uFfFd"', id="lone high half"),
        pytest.param(rb'"\ude00"', rb'"\uFfFd"', id="lone low half"),
        pytest.param(rb'"\ud83d\ude00"', rb'"\ud83d\ude00"', id="a pair"),
        pytest.param(rb'"\ud83d\ud83d\ude00"', rb'"\uFfFd\ud83d\ude00"', id="half and pair"),
        pytest.param(rb'"\\ud83e"', rb'"\\ud83e"', id="an escaped backslash"),
        pytest.param(rb'"\\\ud83e"', rb'"\\\uFfFd"', id="escaped backslash, then half"),
        pytest.param(b'"a\xffb"', rb'"a\ufFfDb"', id="no UTF-8"),
        pytest.param('"é"'.encode(), '"é"'.encode(), id="UTF-8"),
        pytest.param(b"[NaN, -Infinity]", b'["NaN", "-Infinity"]', id="bare numbers"),
        pytest.param(b'{"NaN": "\\"NaN"}', b'{"NaN": "\\"NaN"}', id="NaN inside texts"),
        pytest.param(b'"never ended NaN', b'"never ended NaN', id="open string"),
    ],
)
def test_repairs(text: bytes, expected: bytes) -> None:
    assert repaired(text) == expected


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        (b"", 0),
        (b'{"intValue":1}', 0),
        (json.dumps(nested(3)).encode(), 3),
        (b'{"kvlistValue" : {"values":[{"key":"a","value":{"arrayValue":{"values":[]}}}]}}', 2),
        (b'[{"arrayValue":{}},{"arrayValue":{}}]', 1),
        (b'"{\\"arrayValue\\":{\\"arrayValue\\":{"', 0),
    ],
)
def test_value_depth(text: bytes, depth: int) -> None:
    assert value_depth(text) == depth


def test_a_span_from_either_way_is_the_same(tmp_path: Path) -> None:
    usual = read(tmp_path, line(1))
    patient = read(tmp_path, line(1).replace(b'"resource"', b'"note":null,"resource"', 1))
    assert placeless(patient.spans) == placeless(usual.spans)
