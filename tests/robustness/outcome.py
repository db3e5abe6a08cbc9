"""One damaged file through everything that reads it, up to turns, and what must hold."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ingest import count_losses, group_spans, read_spans, settle_losses
from ingest.conventions import to_span
from stages import TurnDraft, assemble, build_drafts
from tests.robustness.corpus import Document
from tests.robustness.damage import Damaged

MOST_SECONDS = 10
_PATIENCE = 6
"""How much slower a busy machine may be by the clock."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a file."""

    spans: frozenset[str]
    """Ids of those that were kept."""
    read: int
    """Records met, whatever became of them."""
    turns: int


class HangError(AssertionError):
    """Reading took longer than anything may."""


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Stop what works longer, or waits much longer, wherever it is."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise HangError(f"more than {seconds} seconds")

    before = [signal.signal(kind, stop) for kind in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(_PATIENCE * seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


def outcome_of(path: Path) -> Outcome:
    """Read a file to the end and build its turns; checks every sum on the way."""
    reading = read_spans([path])
    grouping = group_spans(reading)
    drafts: dict[str, list[TurnDraft]] = {}
    spans: set[str] = set()
    number = orphans = 0
    for trace in grouping:
        number += len(trace.spans)
        orphans += len(trace.orphan_logs)
        spans.update(span.span_id for span in trace.spans)
        for draft in build_drafts(trace.trace_id, [to_span(span) for span in trace.spans]):
            drafts.setdefault(draft.conversation_id, []).append(draft)
    turns = [turn for key in drafts for turn in assemble(key, drafts[key]).turns]
    assert len(turns) == sum(map(len, drafts.values()))
    losses = settle_losses(reading.losses, grouping.losses)
    counts = count_losses(losses, grouping.kept)
    assert min(counts.loaded, counts.repaired, counts.duplicate, counts.rejected) >= 0
    assert counts.read == reading.counts.read
    assert grouping.kept >= orphans
    places = {(loss.file, loss.offset >= 0, bool(loss.reason)) for loss in losses}
    assert places <= {(str(path), True, True)}
    assert reading.sources or reading.skipped_files
    return Outcome(spans=frozenset(spans), read=counts.read, turns=len(turns))


def check(document: Document, damaged: Damaged, folder: Path) -> Outcome:
    """Read what is left of a document; every record that was not hit must be there."""
    path = folder / "input"
    path.write_bytes(damaged.data)
    with within(MOST_SECONDS):
        found = outcome_of(path)
    if damaged.touched is not None:
        ids = ids_of(document, folder)
        wanted = {
            span for at, spans in enumerate(ids) if at not in damaged.touched for span in spans
        }
        assert wanted <= found.spans, f"lost {sorted(wanted - found.spans)}"
    return found


_ids: dict[str, tuple[frozenset[str], ...]] = {}


def ids_of(document: Document, folder: Path) -> tuple[frozenset[str], ...]:
    """Return the ids of the spans of each record, read by itself."""
    if document.name not in _ids:
        found = []
        for record in document.records:
            path = folder / "record"
            path.write_bytes(document.write([record]))
            found.append(outcome_of(path).spans)
        _ids[document.name] = tuple(found)
    return _ids[document.name]
