"""What became of some bytes when they were read."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ingest import (
    DEFAULT_LIMITS,
    Limits,
    Loss,
    RawLog,
    RawSpan,
    Reading,
    Trace,
    count_losses,
    group_spans,
    read_spans,
    settle_losses,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything that a read gave."""

    reading: Reading
    spans: list[RawSpan]
    logs: list[RawLog]

    @property
    def losses(self) -> list[Loss]:
        return self.reading.losses

    @property
    def reasons(self) -> list[str]:
        return [loss.reason for loss in self.losses]

    @property
    def traces(self) -> set[str]:
        return {span.trace_id for span in self.spans}


def read_paths(*paths: Path, limits: Limits = DEFAULT_LIMITS) -> Outcome:
    """Read files to the end; checks that the numbers agree."""
    reading = read_spans(paths, limits)
    spans: list[RawSpan] = []
    logs: list[RawLog] = []
    losses: list[Loss] = []
    for batch in reading:
        spans += batch.spans
        logs += batch.logs
        losses += batch.losses
    counts = reading.counts
    assert reading.losses == losses
    assert min(counts.loaded, counts.repaired, counts.rejected) >= 0
    assert counts.loaded + counts.repaired == len(spans) + len(logs)
    assert counts.rejected == sum(loss.outcome == "rejected" for loss in losses)
    return Outcome(reading=reading, spans=spans, logs=logs)


def read_bytes(folder: Path, data: bytes, limits: Limits = DEFAULT_LIMITS) -> Outcome:
    """Read *data* as a file of *folder*."""
    path = folder / "input"
    path.write_bytes(data)
    return read_paths(path, limits=limits)


def group_paths(*paths: Path, memory_limit: int = 2**28) -> tuple[list[Trace], list[Loss]]:
    """Read and group files; checks that no record is lost between the two."""
    reading = read_spans(paths)
    grouping = group_spans(reading, memory_limit)
    traces = list(grouping)
    losses = settle_losses(reading.losses, grouping.losses)
    assert count_losses(losses, grouping.kept).read == reading.counts.read
    return traces, losses


def placeless(spans: Iterable[RawSpan]) -> list[RawSpan]:
    """Return spans without where they stood, in order of their ids."""
    return sorted(
        (replace(span, source=None) for span in spans),
        key=lambda span: (span.trace_id, span.span_id),
    )
