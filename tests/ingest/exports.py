"""Small exports for the readers: made by the real SDK, serialised by the real exporter.

Every request is one trace of three spans, `invoke_agent`, `search` and `chat`, in which
the number of the request stands in trace id, question and times.
"""

import base64
import gzip
import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import zstandard
from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import Status, StatusCode, set_span_in_context

SHARED = Path(__file__).parents[2].parent / "shared"
EPOCH_NS = 1_767_225_600_000_000_000
SPANS = 3
"""In each request."""


class _Counted(IdGenerator):
    def __init__(self, trace: int) -> None:
        self._trace = trace
        self._spans = count(1)

    def generate_trace_id(self) -> int:
        return self._trace

    def generate_span_id(self) -> int:
        return next(self._spans)


def request(number: int = 1, question: str | None = None) -> ExportTraceServiceRequest:
    """Return one turn as the exporter sends it."""
    exporter = InMemorySpanExporter()
    resource = Resource({"service.name": "shop-bot"})
    provider = TracerProvider(
        id_generator=_Counted(number), resource=resource, shutdown_on_exit=False
    )
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test.agent", "1.0")
    start = EPOCH_NS + number * 1_000_000_000
    question = f"question {number}" if question is None else question
    agent = tracer.start_span(
        "invoke_agent",
        attributes={"gen_ai.operation.name": "invoke_agent", "question": question},
        start_time=start,
    )
    below = set_span_in_context(agent)
    for name, offset in (("search", 1), ("chat", 2)):
        span = tracer.start_span(
            name,
            context=below,
            attributes={
                "number": number,
                "ratio": 0.5,
                "last": name == "chat",
                "ids": ["p-1", "p-2"],
            },
            start_time=start + offset,
        )
        span.add_event("first token", {"index": 0}, timestamp=start + offset)
        span.end(start + offset + 1)
    agent.set_status(Status(StatusCode.ERROR, "late"))
    agent.end(start + 5)
    return encode_spans(exporter.get_finished_spans())


def logs(number: int = 1, body: str = "a log record") -> ExportLogsServiceRequest:
    """Return one log record written inside of span 1 of that turn."""
    from opentelemetry._logs import SeverityNumber
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

    exporter = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    provider = LoggerProvider(
        resource=Resource({"service.name": "shop-bot"}), shutdown_on_exit=False
    )
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    inside = SpanContext(number, 1, is_remote=False, trace_flags=TraceFlags(1))
    provider.get_logger("test.logs").emit(
        timestamp=EPOCH_NS + 7,
        observed_timestamp=EPOCH_NS + 8,
        context=set_span_in_context(NonRecordingSpan(inside)),
        severity_number=SeverityNumber.INFO,
        body=body,
        event_name="gen_ai.choice",
        attributes={"finish_reason": "stop"},
    )
    return encode_logs(exporter.get_finished_logs())


def as_dict(message: ExportTraceServiceRequest | ExportLogsServiceRequest) -> dict[str, Any]:
    """Return a request in OTLP/JSON: ids in hex, enums as numbers."""
    node: dict[str, Any] = MessageToDict(message, use_integers_for_enums=True)
    _hex_ids(node)
    return node


def line(number: int = 1, question: str | None = None) -> bytes:
    """Return one turn as one line of OTLP/JSON, without its end."""
    node = as_dict(request(number, question))
    return json.dumps(node, ensure_ascii=False, separators=(",", ":")).encode()


def frame(payload: bytes) -> bytes:
    """Return *payload* behind its length, as the Collector's file exporter writes it."""
    return len(payload).to_bytes(4, "big") + payload


def zstd(data: bytes, *, checksum: bool = False) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=checksum).compress(data)


def containers(records: Sequence[bytes], binary: Sequence[bytes]) -> dict[str, bytes]:
    """Return the same records in every container: JSON *records*, protobuf *binary*."""
    lines = b"\n".join(records) + b"\n"
    return {
        "lines": lines,
        "lines, gzip": gzip.compress(lines),
        "lines, gzip members": b"".join(gzip.compress(record + b"\n") for record in records),
        "lines, zstd": zstd(lines),
        "lines, zstd frames": b"".join(zstd(record + b"\n") for record in records),
        "array": b"[" + b",\n".join(records) + b"]",
        "concatenated": b"".join(records),
        "pretty": b"\n".join(
            json.dumps(json.loads(record), indent=2).encode() for record in records
        ),
        "framed json": b"".join(map(frame, records)),
        "framed json, zstd": b"".join(frame(zstd(record)) for record in records),
        "framed json, all gzip": gzip.compress(b"".join(map(frame, records))),
        "protobuf": b"".join(binary),
        "protobuf, zstd": zstd(b"".join(binary)),
        "framed protobuf": b"".join(map(frame, binary)),
        "framed protobuf, zstd": b"".join(frame(zstd(record)) for record in binary),
    }


def case(name: str) -> Path:
    """Return a given case file; skips where the folder is absent."""
    path = SHARED / "cases" / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


def _hex_ids(node: Any) -> None:
    if isinstance(node, list):
        for item in node:
            _hex_ids(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in {"traceId", "spanId", "parentSpanId"}:
                node[key] = base64.b64decode(value).hex()
            else:
                _hex_ids(value)
