"""Metrics and profiles beside traces: named when they are all, passed over when they are not."""

from pathlib import Path

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
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
