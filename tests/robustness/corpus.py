"""A small document in every readable format and container, for others to damage.

Every record is a tree of plain values that a `write` turns into bytes, so that damage can
be done to one record and its neighbours be watched.
"""

import base64
import gzip
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import zstandard
from google.protobuf.json_format import ParseDict, ParseError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.ingest.exports import as_dict, logs
from tests.ingest.formats import (
    test_cloudwatch,
    test_jaeger_tempo,
    test_langfuse,
    test_langsmith,
    test_mlflow,
    test_openai_agents,
    test_parquet,
    test_phoenix,
    test_trail,
)
from tests.ingest.formats.test_every_format import RECORDS

SAMPLES = Path(__file__).parents[2] / "sample_traces"
NUMBERS = range(1, 9)

DEEP, DEEP_LEVELS = '"@deep@"', 2_000
"""A text that stands for lists inside of lists, which no encoder writes by itself."""

Write = Callable[[Sequence[Any]], bytes]


@dataclass(frozen=True, kw_only=True)
class Document:
    """Records, and how they are written down."""

    name: str
    records: tuple[Any, ...]
    write: Write
    isolates: bool = True
    """Damage to one record costs no other; not where one value holds them all."""

    @property
    def data(self) -> bytes:
        """The document as it should be."""
        return self.write(self.records)


def dumps(value: Any, **options: Any) -> bytes:
    """Return JSON, also of what should be none."""
    text = json.dumps(value, **options)
    return text.replace(DEEP, "[" * DEEP_LEVELS + "]" * DEEP_LEVELS).encode(
        "utf-8", "surrogatepass"
    )


def lines(records: Sequence[Any]) -> bytes:
    return b"".join(dumps(record, ensure_ascii=False) + b"\n" for record in records)


def array(records: Sequence[Any]) -> bytes:
    return b"[" + b",\n".join(map(dumps, records)) + b"]"


def pretty(records: Sequence[Any]) -> bytes:
    return b"\n".join(dumps(record, indent=2) for record in records)


def concatenated(records: Sequence[Any]) -> bytes:
    return b"".join(map(dumps, records))


def binary(record: Any) -> bytes:
    """Return a request as protobuf; what protobuf cannot hold becomes a bad byte."""
    try:
        return ParseDict(_base64_ids(record), ExportTraceServiceRequest()).SerializeToString()
    except (ArithmeticError, AttributeError, ParseError, RecursionError, TypeError, ValueError):
        sound = bytearray(b"".join(map(binary, otlp()[:1])))
        chance = random.Random(repr(record)[:500])
        sound[chance.randrange(len(sound))] ^= 1 << chance.randrange(8)
        return bytes(sound)


def _base64_ids(node: Any) -> Any:
    if isinstance(node, list):
        return [_base64_ids(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {}
    for key, value in node.items():
        if key in {"traceId", "spanId", "parentSpanId"} and isinstance(value, str):
            made[key] = base64.b64encode(_id_bytes(value)).decode()
        else:
            made[key] = _base64_ids(value)
    return made


def _id_bytes(value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        return value.encode("utf-8", "replace")


def framed(payloads: Sequence[bytes]) -> bytes:
    return b"".join(len(payload).to_bytes(4, "big") + payload for payload in payloads)


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def table(records: Sequence[Any]) -> bytes:
    """Return rows as Parquet; what has no column type becomes text."""
    import pyarrow as pa
    from pyarrow import parquet

    def written(made: pa.Table) -> bytes:
        sink = pa.BufferOutputStream()
        parquet.write_table(made, sink, row_group_size=2)
        return bytes(sink.getvalue())

    rows = [{str(k): v for k, v in r.items()} if isinstance(r, dict) else {"x": r} for r in records]
    try:
        return written(pa.Table.from_pylist(rows))
    except (pa.ArrowException, OverflowError, UnicodeError, TypeError, ValueError):
        names = list(dict.fromkeys(name for row in rows for name in row))
        cells = {
            name: [dumps(row.get(name)).decode("utf-8", "replace") for row in rows]
            for name in names
        }
        names = [name.encode("utf-8", "replace").decode() for name in names]
        return written(pa.table(dict(zip(names, cells.values(), strict=True))))


@cache
def otlp(file: str = "service-desk-mon-wed.jsonl") -> tuple[dict[str, Any], ...]:
    """Return requests of one span each, made of recorded turns."""
    with (SAMPLES / file).open(encoding="utf-8") as sample:
        request = json.loads(sample.readline())
    [group] = request["resourceSpans"]
    [scope] = group["scopeSpans"]
    return tuple(
        {"resourceSpans": [{**group, "scopeSpans": [{**scope, "spans": [span]}]}]}
        for span in scope["spans"][: len(NUMBERS)]
    )


def _with_logs() -> tuple[dict[str, Any], ...]:
    return (*otlp(), *(as_dict(logs(number, f"body {number}")) for number in range(1, 4)))


def _batches(records: Sequence[Any]) -> bytes:
    """Return requests as Tempo answers: one document."""
    groups = [g for r in records for g in (r.get("resourceSpans") or [r] if _is(r) else [r])]
    return dumps({"batches": groups})


def _is(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("resourceSpans"), list)


def _tempo_v2(records: Sequence[Any]) -> bytes:
    groups = [g for r in records for g in (r.get("resourceSpans") or [r] if _is(r) else [r])]
    return dumps({"trace": {"resourceSpans": groups}}, indent=1)


def _numbered(name: str) -> tuple[Any, ...]:
    return tuple(RECORDS[name](number) for number in NUMBERS)


def _jaeger(records: Sequence[Any]) -> bytes:
    return dumps(test_jaeger_tempo.response(*records))


def _langfuse(records: Sequence[Any]) -> bytes:
    return dumps(test_langfuse.export(*records), indent=2)


def _mlflow_traces() -> tuple[Any, ...]:
    made = []
    for number in NUMBERS:
        trace = test_mlflow.trace()
        for place, span in enumerate(trace["data"]["spans"]):
            span["span_id"] = f"{2 * number + place:016x}"
        trace["data"]["spans"][1]["parent_span_id"] = f"{2 * number:016x}"
        made.append(trace)
    return tuple(made)


def _trail(records: Sequence[Any]) -> bytes:
    return dumps({"trace_id": "0" * 31 + "1", "spans": list(records)})


def _nested_trail() -> tuple[Any, ...]:
    made = [test_trail.span(number) for number in (4, 5, 6)]
    return (test_trail.span(1, test_trail.span(2, *made)), test_trail.span(3))


def _openai() -> tuple[Any, ...]:
    spans = [test_openai_agents.span(number) for number in NUMBERS[:-1]]
    return (test_openai_agents.trace(), *spans)


def _langsmith_trees() -> tuple[Any, ...]:
    return tuple(
        test_langsmith.run(
            id=f"{number:08x}", child_runs=[test_langsmith.run(id=f"{number + 100:08x}")]
        )
        for number in NUMBERS
    )


def _cloudwatch_events() -> tuple[Any, ...]:
    spans = [test_cloudwatch.span(spanId=f"{number:016x}") for number in NUMBERS]
    return tuple(test_cloudwatch.event(record) for record in (*spans, test_cloudwatch.log()))


def _phoenix_rest(records: Sequence[Any]) -> bytes:
    return dumps({"data": list(records), "next_cursor": None})


def _phoenix_rows() -> tuple[Any, ...]:
    return tuple(test_phoenix.row(**{"context.span_id": f"{number:016x}"}) for number in NUMBERS)


def _joined(records: Sequence[Any]) -> bytes:
    return b"".join(map(binary, records))


def _gzip(write: Write, records: Sequence[Any]) -> bytes:
    return gzip.compress(write(records), mtime=0)


def _zstd(write: Write, records: Sequence[Any]) -> bytes:
    return zstd(write(records))


def _framed(encode: Callable[[Any], bytes], records: Sequence[Any]) -> bytes:
    return framed([encode(record) for record in records])


def _zstd_frame(encode: Callable[[Any], bytes], record: Any) -> bytes:
    return zstd(encode(record))


@cache
def documents() -> tuple[Document, ...]:
    """Return one document for every format, in the arrangements in which it is met."""
    own, people = otlp(), otlp("people-desk-wed-fri.jsonl")
    shapes = {
        "console": pretty,
        "clickhouse": lines,
        "zipkin": array,
        "flat_spans": array,
        "phoenix": lines,
        "langfuse": lines,
        "langsmith": lines,
        "cloudwatch": lines,
    }
    made: list[tuple[str, tuple[Any, ...], Write]] = [
        ("otlp lines", own, lines),
        ("otlp lines, openinference", people, lines),
        ("otlp array", own, array),
        ("otlp pretty", people, pretty),
        ("otlp concatenated", own, concatenated),
        ("otlp with logs", _with_logs(), lines),
        ("otlp lines, gzip", own, partial(_gzip, lines)),
        ("otlp lines, zstd", people, partial(_zstd, lines)),
        ("otlp framed", own, partial(_framed, dumps)),
        ("otlp framed, zstd", own, partial(_framed, partial(_zstd_frame, dumps))),
        ("protobuf", own, _joined),
        ("protobuf, gzip", people, partial(_gzip, _joined)),
        ("protobuf framed", own, partial(_framed, binary)),
        ("protobuf framed, zstd", people, partial(_framed, partial(_zstd_frame, binary))),
        ("tempo v1", own, _batches),
        ("tempo v2", people, _tempo_v2),
        ("jaeger", _numbered("jaeger"), _jaeger),
        ("langfuse export", _numbered("langfuse"), _langfuse),
        ("langsmith trees", _langsmith_trees(), array),
        ("mlflow traces", _mlflow_traces(), lines),
        ("mlflow array", _mlflow_traces(), array),
        ("openai agents", _openai(), lines),
        ("cloudwatch events", _cloudwatch_events(), lines),
        ("phoenix rest", _numbered("phoenix"), _phoenix_rest),
        ("trail", _numbered("trail"), _trail),
        ("trail nested", _nested_trail(), _trail),
        *((name, _numbered(name), write) for name, write in shapes.items()),
        ("parquet", tuple(test_parquet.span(number) for number in NUMBERS), table),
        ("parquet, phoenix", _phoenix_rows(), table),
    ]
    return tuple(
        Document(name=name, records=records, write=write, isolates=write is not table)
        for name, records, write in made
    )
