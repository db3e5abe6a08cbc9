"""From files to spans: what an agent's trace says, in one vocabulary.

    files ──read_spans──▶ Batch ──group_spans──▶ Trace ──conventions──▶ Span
           bytes          RawSpan, losses        whole, in order

Readers know formats and nothing of agents: OTLP as JSON or protobuf, and what backends and
SDKs export, plain, compressed or length-framed, told by content and never by name.
Conventions know what producers call things. Whatever a file holds, every record of it ends
in exactly one outcome, and

    read = loaded + repaired + duplicate + rejected

holds for each of them. Unknown is None, never zero; recorded times are never changed.

The only package that reads trace files. Calls no model and writes nothing but temporary
files.
"""

from ingest.attributes import Attributes
from ingest.batch import Batch, RawLog
from ingest.errors import (
    JudgeError,
    NoTraceError,
    SourceError,
    StagefaultError,
    StoreError,
    UsageError,
)
from ingest.grouping import Grouping, Trace, group_spans
from ingest.limits import DEFAULT_LIMITS, Limits
from ingest.losses import Loss, RecordCounts, count_losses, settle_losses
from ingest.reading import Reading, read_spans
from ingest.sources import SkippedFile, Source
from ingest.span import RawEvent, RawLink, RawSpan, Span, SpanKind, Value

__all__ = [
    "DEFAULT_LIMITS",
    "Attributes",
    "Batch",
    "Grouping",
    "JudgeError",
    "Limits",
    "Loss",
    "NoTraceError",
    "RawEvent",
    "RawLink",
    "RawLog",
    "RawSpan",
    "Reading",
    "RecordCounts",
    "SkippedFile",
    "Source",
    "SourceError",
    "Span",
    "SpanKind",
    "StagefaultError",
    "StoreError",
    "Trace",
    "UsageError",
    "Value",
    "count_losses",
    "group_spans",
    "read_spans",
    "settle_losses",
]
