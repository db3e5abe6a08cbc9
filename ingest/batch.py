"""What readers hand on: spans, log records and losses, a few at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ingest.attributes import NO_ATTRIBUTES
from ingest.losses import Loss
from ingest.span import RawEvent, RawSpan, SourceRef, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLog:
    """A log record; it becomes an event of its span when traces are put together."""

    event: RawEvent
    trace_id: str | None = None
    """None when the record was not written inside a span."""
    span_id: str | None = None
    resource: Mapping[str, Value] = field(default_factory=lambda: NO_ATTRIBUTES)
    scope_name: str = ""
    source: SourceRef | None = None


@dataclass(slots=True, kw_only=True)
class Batch:
    """A bounded handful of records, in the order of the input.

    Every input record is exactly once in `spans` or `logs`, or a `rejected` loss; a
    `repaired` loss says more about one that is in `spans` or `logs`.
    """

    spans: list[RawSpan] = field(default_factory=list)
    logs: list[RawLog] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    bytes: int = 0
    """Inflated input behind the records, to bound what is kept at once."""
    passed_over: int = 0
    """Requests of metrics or profiles, which are no records of traces."""
    empty: int = 0
    """Requests, documents and groups of spans that are whole and hold no record."""

    @property
    def holds_nothing(self) -> bool:
        """Tell whether nothing of the input was counted here."""
        counted = (self.spans, self.logs, self.losses, self.passed_over, self.empty)
        return not any(counted)

    def extend(self, other: "Batch") -> None:
        """Take over the records of *other*."""
        self.spans += other.spans
        self.logs += other.logs
        self.losses += other.losses
        self.bytes += other.bytes
        self.passed_over += other.passed_over
        self.empty += other.empty
