"""What is no record of a trace: metrics and profiles, and what is whole and holds nothing."""

from pathlib import Path

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import (
    SEVERITY_NUMBER_INFO,
    LogRecord,
    ResourceLogs,
    ScopeLogs,
)
from opentelemetry.proto.metrics.v1.metrics_pb2 import (
    Gauge,
    Metric,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
)
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, TracesData

from ingest.foreign import METRICS
from tests.ingest.exports import SPANS, frame, line, request, zstd
from tests.ingest.outcome import read_bytes, read_paths

EMPTY = b'{"resourceMetrics": []}'
JSON = b'{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m"}]}]}]}'
SIXTEEN = "http.server.time"
"""As long as a trace id, whose field number a name has."""


def metrics(name: str = "m") -> bytes:
    metric = Metric(name=name, unit="s", gauge=Gauge(data_points=[NumberDataPoint(as_int=1)]))
    group = ResourceMetrics(scope_metrics=[ScopeMetrics(metrics=[metric])])
    return ExportMetricsServiceRequest(resource_metrics=[group]).SerializeToString()


ALONE = {
    "no metric": EMPTY,
    "json": JSON,
    "json lines": JSON + b"\n" + EMPTY + b"\n",
    "snake case": b'{"resource_metrics": []}',
    "array": b"[" + JSON + b"]",
    "protobuf": metrics(),
    "name as long as a trace id": metrics(SIXTEEN),
    "framed": frame(zstd(metrics())) + frame(zstd(metrics())),
}


@pytest.mark.parametrize("name", ALONE)
def test_a_file_of_metrics_alone_is_no_trace_file(name: str, tmp_path: Path) -> None:
    named = read_bytes(tmp_path, ALONE[name])
    assert [(loss.reason, loss.detail) for loss in named.losses] == [("not_a_trace_file", METRICS)]
    assert named.reading.counts.read == 1
    in_folder = read_paths(tmp_path).reading
    [skipped] = in_folder.skipped_files
    assert (skipped.reason, skipped.hint) == ("not_a_trace_file", METRICS)
    assert (in_folder.sources, in_folder.losses) == ([], [])


@pytest.mark.parametrize(
    ("data", "passed_over"),
    [
        pytest.param(JSON + b"\n" + line(1) + b"\n" + EMPTY + b"\n", 2, id="lines"),
        pytest.param(request(1).SerializeToString() + metrics(SIXTEEN), 1, id="protobuf"),
        pytest.param(frame(line(1)) + frame(JSON), 1, id="framed"),
        pytest.param(line(1) + b"\n", 0, id="none"),
    ],
)
def test_metrics_among_traces_are_counted_apart(
    data: bytes, passed_over: int, tmp_path: Path
) -> None:
    found = read_bytes(tmp_path, data)
    assert (len(found.spans), found.losses) == (SPANS, [])
    assert [source.passed_over for source in found.reading.sources] == [passed_over]


def test_profiles_alone_are_named(tmp_path: Path) -> None:
    [loss] = read_bytes(tmp_path, b'{"resourceProfiles": []}').losses
    assert loss.reason == "not_a_trace_file"
    assert loss.detail.startswith("OTLP profiles")


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(LogRecord(severity_number=SEVERITY_NUMBER_INFO), id="severity"),
        pytest.param(LogRecord(attributes=[KeyValue(key="a")]), id="attributes"),
    ],
)
def test_a_log_record_without_times_is_one(record: LogRecord, tmp_path: Path) -> None:
    group = ResourceLogs(scope_logs=[ScopeLogs(log_records=[record])])
    data = ExportLogsServiceRequest(resource_logs=[group]).SerializeToString()
    found = read_bytes(tmp_path, data)
    assert (len(found.logs), found.losses) == (1, [])


NO_GROUP = b'{"resourceSpans":[]}'
NO_SPAN = (
    b'{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":{"stringValue":"v"}}]},'
    b'"scopeSpans":[{"scope":{"name":"s"},"spans":[]},{"spans":null}]}]}'
)
NO_PROTO = TracesData(
    resource_spans=[ResourceSpans(scope_spans=[ScopeSpans(scope=InstrumentationScope(name="s"))])]
).SerializeToString()


@pytest.mark.parametrize(
    ("data", "empty", "spans"),
    [
        pytest.param(line(1), 0, SPANS, id="none"),
        pytest.param(NO_GROUP, 1, 0, id="no group, alone"),
        pytest.param(NO_SPAN, 1, 0, id="no span, alone"),
        pytest.param(NO_SPAN + b"\n" + line(1) + b"\n" + NO_GROUP, 2, SPANS, id="lines"),
        pytest.param(b"[" + NO_GROUP + b"," + line(1) + b"]", 1, SPANS, id="array"),
        pytest.param(b'{"resourceLogs":[{"scopeLogs":[{}]}]}', 1, 0, id="no log record"),
        pytest.param(b'{"batches":[]}\n' + line(1), 1, SPANS, id="no batch"),
        pytest.param(NO_PROTO + request(1).SerializeToString(), 1, SPANS, id="protobuf"),
        pytest.param(NO_PROTO, 1, 0, id="protobuf, alone"),
        pytest.param(frame(line(1)) + frame(NO_SPAN), 1, SPANS, id="framed"),
        pytest.param(EMPTY + b"\n" + line(1), 0, SPANS, id="metrics are counted as such"),
        pytest.param(b'{"data":[{"traceID":"1","spans":[],"processes":{}}]}', 1, 0, id="Jaeger"),
    ],
)
def test_what_is_whole_and_holds_no_record_is_counted(
    data: bytes, empty: int, spans: int, tmp_path: Path
) -> None:
    found = read_bytes(tmp_path, data)
    assert (len(found.spans), found.losses) == (spans, [])
    assert [source.empty for source in found.reading.sources] == [empty]
    assert found.reading.counts.read == spans


def test_a_large_request_without_a_span_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    group = b'{"scopeSpans":[{"spans":[]}]}'
    large = b'{"resourceSpans":[' + b",".join([group] * 100_000) + b"]}"
    found = read_bytes(tmp_path, line(1) + b"\n" + large + b"\n")
    assert [source.empty for source in found.reading.sources] == [1]


def test_a_damaged_one_is_a_loss_all_the_same(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, line(1) + b"\n" + NO_SPAN[:-3] + b"\n")
    assert [loss.outcome for loss in found.losses] == ["rejected"]
    assert [source.empty for source in found.reading.sources] == [0]
