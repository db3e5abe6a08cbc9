"""The first step of every command that takes sources: files to drafts of turns, shelved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.shelf import Shelf
from ingest import (
    Limits,
    Loss,
    RecordCounts,
    SkippedFile,
    Source,
    Span,
    count_losses,
    group_spans,
    read_spans,
    settle_losses,
)
from ingest.conventions import to_spans
from ingest.conventions.mapping import NO_MAPPING, HouseMapping
from stages import TurnDraft, build_drafts


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What was read, once it is all read: read = loaded + repaired + duplicate + rejected."""

    sources: tuple[Source, ...]
    skipped_files: tuple[SkippedFile, ...]
    losses: tuple[Loss, ...]
    """In order of file and place."""
    counts: RecordCounts
    logs: int
    """Log records among those loaded or repaired; the others are spans."""
    orphan_logs: int
    """Of them: those whose span is not in the input, or that name none."""
    made_spans: int
    """Spans that were made of log records, where only those were exported."""

    @property
    def span_records(self) -> int:
        """Spans among the records loaded or repaired."""
        return self.counts.loaded + self.counts.repaired - self.logs


def shelve_drafts(
    sources: Sequence[str],
    limits: Limits,
    drafts: Shelf[TurnDraft],
    watch: Callable[[Sequence[Span]], None],
    mapping: HouseMapping = NO_MAPPING,
    drafted: Callable[[Sequence[Span], TurnDraft], None] | None = None,
) -> Read:
    """Read sources and put the draft of every turn under its conversation.

    Args:
        sources: Files, folders, globs, or `-`.
        limits: Bounds on what is read.
        drafts: Filled.
        watch: Given the spans of each trace.
        mapping: What the house says of its own names.
        drafted: Given the spans of a trace and each turn that was made of them.

    Raises:
        SourceError: A source cannot be opened.
    """
    reading = read_spans(sources, limits)
    grouping = group_spans(reading)
    for trace in grouping:
        spans = to_spans(trace.spans, mapping)
        watch(spans)
        for draft in build_drafts(trace.trace_id, spans):
            if drafted is not None:
                drafted(spans, draft)
            drafts.put(draft.conversation_id, draft)
    losses = settle_losses(reading.losses, grouping.losses)
    return Read(
        sources=tuple(reading.sources),
        skipped_files=tuple(reading.skipped_files),
        losses=tuple(losses),
        counts=count_losses(losses, grouping.kept),
        logs=grouping.logs,
        orphan_logs=grouping.orphan_logs,
        made_spans=grouping.made_spans,
    )
