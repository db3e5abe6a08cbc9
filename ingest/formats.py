"""The trace formats, each of them one module.

A format looks at the head of an inflated stream and, when it recognises it, reads all of
it. To add one, write a module with `NAME`, `recognises` and `read` and name it here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ingest import otlp_json, otlp_proto
from ingest.batch import Batch
from ingest.stream import Stream


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which traces are written down."""

    name: str
    recognises: Callable[[bytes], bool]
    """Looks at the first bytes, at most `HEAD_BYTES` of them."""
    read: Callable[[Stream], Iterator[Batch]]
    """Yields everything in the stream; never raises for what the stream holds."""


FORMATS = (
    Format(otlp_json.NAME, otlp_json.recognises, otlp_json.read),
    Format(otlp_proto.NAME, otlp_proto.recognises, otlp_proto.read),
)
"""In the order in which they are asked."""


def recognise(head: bytes) -> Format | None:
    """Return the format of a stream that begins with *head*, None when it is none."""
    return next((known for known in FORMATS if known.recognises(head)), None)
