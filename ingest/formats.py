"""The trace formats, each of them one module.

A format looks at the head of an inflated stream and, when it recognises it, reads all of
it. To add one, write a module with the two functions and name it here. What is JSON but no
OTLP needs even less: a shape (see `ingest.json_shapes`), named in `SHAPES`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ingest import (
    clickhouse,
    cloudwatch,
    console,
    csv_tables,
    datadog,
    flat_spans,
    jaeger,
    langfuse,
    langsmith,
    mlflow,
    openai_agents,
    own_parquet,
    parquet,
    phoenix,
    trail,
    zipkin,
)
from ingest.batch import Batch
from ingest.json_records import looks_like_otlp
from ingest.json_shapes import Shape, first_shape, read_shapes
from ingest.otlp_json import read as read_otlp_json
from ingest.otlp_wire import looks_like_export
from ingest.stream import Stream


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which traces are written down."""

    name: str
    recognises: Callable[[bytes], bool]
    """Looks at the first bytes, at most `HEAD_BYTES` of them."""
    read: Callable[[Stream], Iterator[Batch]]
    """Yields everything in the stream; never raises for what the stream holds."""


def _read_otlp_proto(stream: Stream) -> Iterator[Batch]:
    from ingest.otlp_proto import read  # protobuf is slow to load and seldom needed

    return read(stream)


SHAPES: tuple[Shape, ...] = (
    own_parquet.SHAPE,
    mlflow.SHAPE,
    datadog.SHAPE,
    langfuse.SHAPE,
    jaeger.SHAPE,
    openai_agents.SHAPE,
    langsmith.SHAPE,
    cloudwatch.SHAPE,
    zipkin.SHAPE,
    clickhouse.SHAPE,
    phoenix.SHAPE,
    trail.SHAPE,
    console.SHAPE,
    flat_spans.SHAPE,
)
"""In the order in which they are asked: the more an object has to tell, the earlier."""


def _begins_with(shape: Shape, head: bytes) -> bool:
    return first_shape(head, SHAPES) is shape


FORMATS = (
    Format("otlp_json", looks_like_otlp, read_otlp_json),
    Format("otlp_proto", looks_like_export, _read_otlp_proto),
    Format(parquet.NAME, parquet.recognises, partial(parquet.read_parquet, shapes=SHAPES)),
    *(
        Format(shape.name, partial(_begins_with, shape), partial(read_shapes, shapes=SHAPES))
        for shape in SHAPES
    ),
    Format(
        csv_tables.NAME,
        partial(csv_tables.recognises, shapes=SHAPES),
        partial(csv_tables.read_csv, shapes=SHAPES),
    ),
)
"""In the order in which they are asked."""


def recognise(head: bytes) -> Format | None:
    """Return the format of a stream that begins with *head*, None when it is none."""
    return next((known for known in FORMATS if known.recognises(head)), None)
