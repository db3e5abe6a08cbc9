"""Binary OTLP, whole and damaged."""

from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from ingest import Limits
from ingest.otlp_wire import WireError, fields, looks_like_export, signal_of, varint
from tests.ingest.exports import SPANS, logs, request
from tests.ingest.outcome import placeless, read_bytes

TRACE, ID = b"\1" * 16, b"\2" * 8


def export(*spans: Span) -> bytes:
    group = ResourceSpans(scope_spans=[ScopeSpans(spans=spans)])
    return ExportTraceServiceRequest(resource_spans=[group]).SerializeToString()


def field(number: int, content: bytes) -> bytes:
    """Return a length-delimited field."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param(Span(trace_id=TRACE, span_id=bytes(8)), "zero_span_id", id="zero span id"),
        pytest.param(Span(trace_id=TRACE), "bad_span_id", id="no span id"),
        pytest.param(Span(span_id=ID), "bad_trace_id", id="no trace id"),
        pytest.param(Span(trace_id=bytes(16), span_id=ID), "zero_trace_id", id="zero trace id"),
        pytest.param(Span(trace_id=b"x" * 65, span_id=ID), "bad_trace_id", id="garbage"),
    ],
)
def test_one_bad_span_costs_itself(bad: Span, reason: str, tmp_path: Path) -> None:
    good = [Span(trace_id=TRACE, span_id=bytes([number]) * 8) for number in (3, 4)]
    found = read_bytes(tmp_path, export(good[0], bad, good[1]))
    assert [span.span_id for span in found.spans] == ["03" * 8, "04" * 8]
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [("rejected", reason)]


def test_a_span_that_is_no_protobuf_costs_itself(tmp_path: Path) -> None:
    name = field(5, b"\xff\xfe")
    spans = [field(1, TRACE) + field(2, bytes([n]) * 8) for n in (3, 4, 5)]
    spans[1] += name
    data = field(1, field(2, b"".join(field(2, span) for span in spans)))
    found = read_bytes(tmp_path, data)
    assert [span.span_id for span in found.spans] == ["03" * 8, "05" * 8]
    assert found.reasons == ["invalid_protobuf"]


def test_a_time_beyond_all_clocks_is_unknown(tmp_path: Path) -> None:
    late = Span(trace_id=TRACE, span_id=ID, start_time_unix_nano=2**63, end_time_unix_nano=5)
    found = read_bytes(tmp_path, export(late))
    [span] = found.spans
    assert (span.start_ns, span.end_ns, span.flags) == (None, 5, ("bad_time",))
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [("repaired", "bad_time")]


def test_numbers_that_are_none_are_flagged(tmp_path: Path) -> None:
    values = [
        KeyValue(key="a", value=AnyValue(double_value=float("inf"))),
        KeyValue(key="b", value=AnyValue(double_value=0.1)),
    ]
    found = read_bytes(tmp_path, export(Span(trace_id=TRACE, span_id=ID, attributes=values)))
    [span] = found.spans
    assert span.attributes == {"a": None, "b": 0.1}
    assert span.flags == ("non_finite_number",)
    assert found.losses == []


def test_too_many_attributes_cost_their_span(tmp_path: Path) -> None:
    values = [KeyValue(key=f"a{n}") for n in range(11)]
    spans = [Span(trace_id=TRACE, span_id=bytes([n]) * 8, attributes=values[:n]) for n in (10, 11)]
    found = read_bytes(tmp_path, export(*spans), Limits(attributes=10))
    assert [len(span.attributes) for span in found.spans] == [10]
    assert found.reasons == ["too_many_attributes"]


@pytest.mark.parametrize(("levels", "kept"), [(40, 2), (64, 1), (5_000, 1)])
def test_values_too_deep_cost_their_span(levels: int, kept: int, tmp_path: Path) -> None:
    value = b"\x18\x01"
    for _ in range(levels):
        value = field(5, field(1, value))
    attribute = field(1, b"a") + field(2, value)
    deep = field(1, TRACE) + field(2, ID) + field(9, attribute)
    good = field(1, TRACE) + field(2, b"\3" * 8)
    found = read_bytes(tmp_path, field(1, field(2, field(2, good) + field(2, deep))))
    assert len(found.spans) == kept
    assert found.reasons == ["invalid_protobuf"] * (2 - kept)


def test_spans_from_before_scopes_are_read(tmp_path: Path) -> None:
    span = field(1, TRACE) + field(2, ID)
    library = field(1, b"old library") + field(2, b"0.1")
    found = read_bytes(tmp_path, field(1, field(1000, field(1, library) + field(2, span))))
    assert found.losses == []
    assert [(s.scope_name, s.scope_version) for s in found.spans] == [("old library", "0.1")]


@pytest.mark.parametrize("layer", ["group", "scope"])
def test_records_under_an_unknown_field_are_lost_aloud(layer: str, tmp_path: Path) -> None:
    span = field(2, field(1, TRACE) + field(2, ID))
    group = field(9, span) if layer == "group" else field(2, field(9, span))
    found = read_bytes(tmp_path, request(1).SerializeToString() + field(1, group))
    assert len(found.spans) == SPANS
    assert found.reasons == ["unknown_field"]


def test_a_cut_file_gives_everything_before_the_cut(tmp_path: Path) -> None:
    data = request(1).SerializeToString() + request(2).SerializeToString()
    found = read_bytes(tmp_path, data[:-10])
    assert len(found.spans) == 2 * SPANS - 1
    [loss] = found.losses
    assert (loss.reason, loss.offset) == (
        "truncated_stream",
        len(request(1).SerializeToString()),
    )


def test_garbage_behind_a_request_is_one_loss(tmp_path: Path) -> None:
    whole = request(1).SerializeToString()
    found = read_bytes(tmp_path, whole + b"\xff" * 100)
    assert len(found.spans) == SPANS
    assert [(x.reason, x.offset) for x in found.losses] == [("invalid_protobuf", len(whole))]


def test_a_group_beyond_the_limit_costs_itself(tmp_path: Path) -> None:
    data = b"".join(request(n, "x" * size).SerializeToString() for n, size in ((1, 5_000), (2, 1)))
    found = read_bytes(tmp_path, data, Limits(record_bytes=4_000))
    assert found.traces == {f"{2:032x}"}
    assert [(x.reason, x.offset) for x in found.losses] == [("oversize_record", 0)]


def test_traces_and_logs_in_one_file(tmp_path: Path) -> None:
    data = request(1).SerializeToString() + logs(1).SerializeToString()
    found = read_bytes(tmp_path, data)
    assert (len(found.spans), len(found.logs), found.losses) == (SPANS, 1, [])


def test_metrics_are_passed_over(tmp_path: Path) -> None:
    metric = field(2, field(2, field(1, b"requests") + field(7, b"")))
    found = read_bytes(tmp_path, request(1).SerializeToString() + field(1, metric))
    assert (len(found.spans), found.losses) == (SPANS, [])


def test_two_requests_in_one_message_are_both_read(tmp_path: Path) -> None:
    joined = request(1)
    joined.MergeFrom(request(2))
    found = read_bytes(tmp_path, joined.SerializeToString())
    apart = read_bytes(tmp_path, request(1).SerializeToString() + request(2).SerializeToString())
    assert placeless(found.spans) == placeless(apart.spans)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(request(1).SerializeToString(), True, id="traces"),
        pytest.param(logs(1).SerializeToString(), True, id="logs"),
        pytest.param(request(1).SerializeToString()[:20], True, id="cut"),
        pytest.param(b"", False, id="empty"),
        pytest.param(b"\n", False, id="a line end"),
        pytest.param(b"\n" * 200, False, id="line ends"),
        pytest.param(b"\n# Title\n\nSome text of a page.\n" * 9, False, id="text"),
        pytest.param(b"\n\x05hello", False, id="another message"),
        pytest.param(b"PK\x03\x04" + bytes(60), False, id="zip"),
        pytest.param(bytes(64), False, id="zeros"),
        pytest.param(b"\x80" * 64, False, id="a number without an end"),
    ],
)
def test_recognising(head: bytes, expected: bool) -> None:  # noqa: FBT001
    assert looks_like_export(head) is expected


def test_wire_fields_and_their_ends() -> None:
    data = b"\x08\x96\x01" + field(2, b"abc") + b"\x19" + bytes(8) + b"\x25" + bytes(4)
    found = [(f.number, f.wire, data[f.start : f.end]) for f in fields(data)]
    assert found == [(1, 0, b"\x96\x01"), (2, 2, b"abc"), (3, 1, bytes(8)), (4, 5, bytes(4))]
    assert varint(b"\x96\x01", 0, 2) == (150, 2)


@pytest.mark.parametrize("data", [b"\x0b", b"\x02\x00", b"\xff\xff", b"\x0a"])
def test_what_is_no_field(data: bytes) -> None:
    with pytest.raises(WireError):
        list(fields(data))


def test_a_group_without_records_has_no_signal() -> None:
    assert signal_of(b"") is None
    assert signal_of(field(3, b"schema")) is None
