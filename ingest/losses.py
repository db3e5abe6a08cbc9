"""The outcome ledger: every input record ends in exactly one outcome.

    read = loaded + repaired + duplicate + rejected

A record is one span or log record where one can be read, otherwise the line, frame or
rest of a file that cannot be read. What is whole and holds none, such as a request of
metrics or one without any span, is no record: its source counts it as `passed_over` or
`empty`.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

_COMPRESSED = (".gz", ".zst", ".zstd")
"""Endings of names whose bytes are not those of the stored file. Only wording hangs on them."""

Outcome: TypeAlias = Literal["repaired", "duplicate", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """One input record that was not loaded as it was."""

    outcome: Outcome
    reason: str
    """One word of the product's vocabulary: `truncated_stream`, `zero_span_id`, …"""
    file: str
    offset: int
    """Byte offset of the record in the decompressed stream."""
    detail: str = ""
    span_id: str | None = None
    """The span at fault, where the record is one and its id could be read."""

    @property
    def place(self) -> str:
        """Where it is, as messages tell it: `FILE, byte N`, or the file that is lost as one."""
        if self.reason in {"not_a_trace_file", "unreadable_file"}:
            return self.file
        inflated = " after inflating" if self.file.lower().endswith(_COMPRESSED) else ""
        return f"{self.file}, byte {self.offset}{inflated}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCounts:
    """How many input records ended in which outcome. Sums of files are sums of counts."""

    loaded: int = 0
    repaired: int = 0
    duplicate: int = 0
    rejected: int = 0

    @property
    def read(self) -> int:
        """All records met, whatever became of them."""
        return self.loaded + self.repaired + self.duplicate + self.rejected

    def __add__(self, other: "RecordCounts") -> "RecordCounts":
        return RecordCounts(
            loaded=self.loaded + other.loaded,
            repaired=self.repaired + other.repaired,
            duplicate=self.duplicate + other.duplicate,
            rejected=self.rejected + other.rejected,
        )


def count_losses(losses: Iterable[Loss], spans_kept: int) -> RecordCounts:
    """Return the counts of a finished read.

    Args:
        losses: Every loss of the read.
        spans_kept: Records that went on into the run, repaired ones included.
    """
    repaired = duplicate = rejected = 0
    for loss in losses:
        repaired += loss.outcome == "repaired"
        duplicate += loss.outcome == "duplicate"
        rejected += loss.outcome == "rejected"
    return RecordCounts(
        loaded=spans_kept - repaired, repaired=repaired, duplicate=duplicate, rejected=rejected
    )


def settle_losses(read: Iterable[Loss], duplicates: Iterable[Loss]) -> list[Loss]:
    """Return all losses of a run, each record once, in order of place and reason.

    A repaired record that turned out to be a duplicate and was dropped is a duplicate.

    Args:
        read: Losses of reading.
        duplicates: Losses of putting traces together.
    """
    dropped = list(duplicates)
    gone = Counter(_record(loss) for loss in dropped)
    kept: list[Loss] = []
    for loss in read:
        if loss.outcome == "repaired" and gone[_record(loss)]:
            gone[_record(loss)] -= 1
        else:
            kept.append(loss)
    return sorted(kept + dropped, key=lambda loss: (*_record(loss), loss.outcome, loss.reason))


def _record(loss: Loss) -> tuple[str, int, str]:
    return loss.file, loss.offset, loss.span_id or ""
