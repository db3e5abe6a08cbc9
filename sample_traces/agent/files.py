"""Trace files as the OpenTelemetry Collector's file exporter leaves them.

Batches of spans in the order in which they ended, one batch a record:

    .jsonl        OTLP/JSON, one record a line, ids in hex
    .binpb        OTLP protobuf, each record behind its length (4 bytes, big-endian)
    .jsonl.zst    OTLP/JSON, each record compressed on its own, behind its length
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import zstandard
from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan

_BATCH = 64
_LENGTH_BYTES = 4
_IDS = ("traceId", "spanId", "parentSpanId")


def write_traces(path: Path, spans: Sequence[ReadableSpan]) -> None:
    """Write the spans to *path*, in the format that its name asks for."""
    encode = _FORMATS["".join(path.suffixes)]
    path.write_bytes(b"".join(encode(request) for request in _requests(spans)))


def write_lines(path: Path, values: Iterable[Mapping[str, Any]]) -> None:
    """Write values to *path* as JSON, one a line."""
    lines = (json.dumps(value, ensure_ascii=False) + "\n" for value in values)
    path.write_text("".join(lines), "utf-8")


def otlp_json(request: ExportTraceServiceRequest) -> dict[str, Any]:
    """Return a request as OTLP/JSON, which has hex ids where protobuf JSON has base64."""
    record: dict[str, Any] = MessageToDict(request, use_integers_for_enums=True)
    for resource in record["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for key in _IDS:
                    if key in span:
                        span[key] = base64.b64decode(span[key]).hex()
    return record


def _requests(spans: Sequence[ReadableSpan]) -> Iterator[ExportTraceServiceRequest]:
    ended = sorted(spans, key=lambda span: span.end_time or 0)
    starts = range(0, len(ended), _BATCH)
    return (encode_spans(ended[start : start + _BATCH]) for start in starts)


def _line(request: ExportTraceServiceRequest) -> bytes:
    text = json.dumps(otlp_json(request), ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


def _framed(record: bytes) -> bytes:
    return len(record).to_bytes(_LENGTH_BYTES, "big") + record


def _compressed(request: ExportTraceServiceRequest) -> bytes:
    return _framed(zstandard.ZstdCompressor(level=3).compress(_line(request).rstrip(b"\n")))


def _binary(request: ExportTraceServiceRequest) -> bytes:
    return _framed(request.SerializeToString(deterministic=True))


_FORMATS: dict[str, Callable[[ExportTraceServiceRequest], bytes]] = {
    ".jsonl": _line,
    ".binpb": _binary,
    ".jsonl.zst": _compressed,
}
