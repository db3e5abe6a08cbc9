"""Spans and log records to whole traces, in bounded memory and in one order.

    batches ──by trace id──▶ memory, beyond a limit sorted runs on disk ──▶ Trace, Trace, …

The traces come sorted by id, the spans of each by start, whatever the order of files and
lines. Spans in = spans out + duplicates: nothing is dropped for being odd. Log records
that hold a model call whose span was not exported make that span, which counts as no
record.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from ingest.attributes import Attributes
from ingest.batch import Batch, RawLog
from ingest.conventions.stray_logs import spans_of_logs
from ingest.losses import Loss
from ingest.oddities import oddities
from ingest.repairs import REPAIRS
from ingest.runs import Entry, Runs
from ingest.span import RawEvent, RawSpan, SourceRef
from ingest.wire import content_of, decode, encode

MEMORY_LIMIT = 256 * 2**20

_REPEAT, _CONFLICT = "duplicate_span", "conflicting_span"
_SPAN_BYTES = 1_000
_EVENT_BYTES = 400
"""What a record costs beside its texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """All spans that share a trace id."""

    trace_id: str
    spans: tuple[RawSpan, ...]
    """Each id once, ordered by start, then id; never empty. Log records are among the
    events of their spans."""
    orphan_logs: tuple[RawLog, ...] = ()
    """Log records of the trace whose span is not in it."""

    @property
    def flags(self) -> Counter[str]:
        """How many spans carry which flag."""
        return Counter(flag for span in self.spans for flag in span.flags)


def group_spans(
    batches: Iterable[Batch],
    memory_limit: int = MEMORY_LIMIT,
    folder: Path | None = None,
) -> "Grouping":
    """Return the traces in *batches*, to be iterated once.

    Args:
        batches: As read; consumed when the first trace is asked for.
        memory_limit: Bytes of records kept in memory before they go to disk. One trace
            is always held whole.
        folder: Where files go, None for the system's place for temporary files.
    """
    return Grouping(batches, memory_limit, folder)


class Grouping(Iterator[Trace]):
    """Traces in order; what was collapsed and counted, once they are exhausted."""

    def __init__(self, batches: Iterable[Batch], memory_limit: int, folder: Path | None) -> None:
        self.losses: list[Loss] = []
        """One `duplicate` for each record that another one stands for; as `conflicting_span`
        where the two contradict each other, which the kept span is flagged with."""
        self.kept = 0
        """Spans and log records that went on."""
        self.logs = 0
        """Log records among them."""
        self.made_spans = 0
        """Spans that were made of log records, and are no records themselves."""
        self.orphan_logs = 0
        """Log records among them that belong to no span."""
        self._memory_limit = memory_limit
        self._runs = Runs(folder)
        self._traces = self._group(batches)

    def __next__(self) -> Trace:
        return next(self._traces)

    def _group(self, batches: Iterable[Batch]) -> Iterator[Trace]:
        collected: dict[str, _Records] = {}
        size = 0
        try:
            for batch in batches:
                size += self._collect(batch, collected)
                if size > self._memory_limit:
                    self._runs.add(_entries(collected))
                    collected, size = {}, 0
            if self._runs:
                self._runs.add(_entries(collected))
                collected = {}
            whole = self._merged() if self._runs else _sorted(collected)
            for trace_id, records in whole:
                trace = self._trace(trace_id, records)
                if trace is not None:
                    yield trace
        finally:
            self._runs.close()

    def _collect(self, batch: Batch, collected: "dict[str, _Records]") -> int:
        """Add the records of *batch* and return about how much memory they take."""
        size = 0
        for span in batch.spans:
            size += _size_of(span)
            records = collected.get(span.trace_id)
            if records is None:
                records = collected[span.trace_id] = _Records()
            records.spans.append(span)
        for log in batch.logs:
            if log.trace_id is None:
                self.kept += 1
                self.logs += 1
                self.orphan_logs += 1
                continue
            size += _SPAN_BYTES + _size_of_event(log.event)
            collected.setdefault(log.trace_id, _Records()).logs.append(log)
        return size

    def _merged(self) -> "Iterator[tuple[str, _Records]]":
        for trace_id, entries in groupby(self._runs.merged(), key=itemgetter(0)):
            records = _Records()
            for _, block in entries:
                spans, logs = decode(block)
                records.spans += spans
                records.logs += logs
            yield trace_id, records

    def _trace(self, trace_id: str, records: "_Records") -> Trace | None:
        spans = self._without_duplicates(records.spans)
        logs = self._without_repeats(records.logs)
        self.kept += len(spans) + len(logs)
        self.logs += len(logs)
        ids = {span.span_id for span in spans}
        orphans = [log for log in logs if log.span_id not in ids]
        made = spans_of_logs(orphans)  # their records become their events below
        self.made_spans += len(made)
        spans = [*spans, *(replace(span, events=()) for span in made)]
        ids.update(span.span_id for span in made)
        orphans = [log for log in orphans if log.span_id not in ids]
        self.orphan_logs += len(orphans)
        if not spans:
            return None
        spans.sort(key=_start)
        if len(orphans) < len(logs):
            spans = _with_logs(spans, logs)
        odd = oddities(spans)
        return Trace(
            trace_id=trace_id,
            spans=tuple(
                [
                    replace(span, flags=(*span.flags, *odd[span.span_id]))
                    if span.span_id in odd
                    else span
                    for span in spans
                ]
            ),
            orphan_logs=tuple(orphans),
        )

    def _without_duplicates(self, spans: list[RawSpan]) -> list[RawSpan]:
        """Keep, of spans with one id, the one that tells most."""
        by_id: dict[str, list[RawSpan]] = {}
        for span in spans:
            by_id.setdefault(span.span_id, []).append(span)
        if len(by_id) == len(spans):
            return spans
        kept: list[RawSpan] = []
        for same in by_id.values():
            best, *others = sorted(same, key=_least_known) if len(same) > 1 else same
            reasons = [_CONFLICT if _contradict(best, other) else _REPEAT for other in others]
            self.losses += [
                _duplicate(other.source, reason, other.span_id)
                for other, reason in zip(others, reasons, strict=True)
            ]
            if _CONFLICT in reasons:
                best = replace(best, flags=(*best.flags, _CONFLICT))
            kept.append(best)
        return kept

    def _without_repeats(self, logs: list[RawLog]) -> list[RawLog]:
        """Keep, of equal log records, one; return them in order of time."""
        if not logs:
            return logs
        by_content: dict[bytes, list[RawLog]] = {}
        for log in logs:
            by_content.setdefault(content_of(log), []).append(log)
        kept: list[tuple[int, bytes, RawLog]] = []
        for content, same in by_content.items():
            first, *others = sorted(same, key=lambda log: _place(log.source))
            kept.append((first.event.time_ns or 0, content, first))
            self.losses += [
                _duplicate(other.source, "duplicate_log", other.span_id) for other in others
            ]
        return [log for _, _, log in sorted(kept, key=itemgetter(0, 1))]


@dataclass(slots=True)
class _Records:
    """What was met of one trace."""

    spans: list[RawSpan] = field(default_factory=list)
    logs: list[RawLog] = field(default_factory=list)


def _sorted(collected: dict[str, _Records]) -> Iterator[tuple[str, _Records]]:
    for trace_id in sorted(collected):
        yield trace_id, collected.pop(trace_id)


def _entries(collected: dict[str, _Records]) -> Iterator[Entry]:
    for trace_id in sorted(collected):
        records = collected[trace_id]
        yield trace_id, encode(records.spans, records.logs)


def _with_logs(spans: list[RawSpan], logs: list[RawLog]) -> list[RawSpan]:
    events: dict[str, list[RawEvent]] = {}
    for log in logs:
        if log.span_id is not None:
            events.setdefault(log.span_id, []).append(log.event)
    return [
        replace(span, events=(*span.events, *events[span.span_id]))
        if span.span_id in events
        else span
        for span in spans
    ]


def _start(span: RawSpan) -> tuple[bool, int, str]:
    return span.start_ns is None, span.start_ns or 0, span.span_id


def _least_known(span: RawSpan) -> tuple[object, ...]:
    """Order spans of one id: first the one to keep, the same for any order of files."""
    return (
        span.end_ns is None,
        -len(span.attributes),
        any(flag in REPAIRS for flag in span.flags),
        -len(span.events),
        content_of(span),
        _place(span.source),
    )


def _contradict(one: RawSpan, other: RawSpan) -> bool:
    """Tell whether two finished spans of one id say different things.

    One that says less, or was written before its end, is an earlier state of the other.
    """
    if one.end_ns is None or other.end_ns is None:
        return False
    if _frame(one) != _frame(other):
        return True
    ours, theirs = one.attributes, other.attributes
    return any(theirs[key] != ours[key] for key in theirs if key in ours)


def _frame(span: RawSpan) -> tuple[object, ...]:
    return span.name, span.parent_id, span.start_ns, span.end_ns, span.status


def _place(source: SourceRef | None) -> tuple[str, int]:
    return ("", 0) if source is None else (source.path, source.offset)


def _duplicate(source: SourceRef | None, reason: str, span_id: str | None) -> Loss:
    file, offset = _place(source)
    return Loss(outcome="duplicate", reason=reason, file=file, offset=offset, span_id=span_id)


def _size_of(span: RawSpan) -> int:
    size = _SPAN_BYTES + _length(span.attributes)
    for event in span.events:
        size += _size_of_event(event)
    return size


def _size_of_event(event: RawEvent) -> int:
    return _EVENT_BYTES + _length(event.attributes)


def _length(attributes: object) -> int:
    return len(attributes.raw) if isinstance(attributes, Attributes) else _SPAN_BYTES
