"""The columns of a run that are counted, as arrays, one entry per selected turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from analysis.attribution.kinds import RootStage
from analysis.breakdown.admission import Values, admitted, values_of
from analysis.breakdown.model import Dimension
from analysis.breakdown.rates import Codes, Mask
from analysis.breakdown.roots import ROOT_COLUMNS, Root, roots_of
from analysis.breakdown.selection import Selection

TURN_COLUMNS: Final = (
    "conversation_id",
    "turn_id",
    "outcome",
    "outcome_reason",
    "inherited_from",
    "agent",
    "model",
    "service",
    "language",
    "started_at",
    "collections",
    "found_collections",
    "tools",
    *ROOT_COLUMNS,
)
"""Columns of `turns` that a breakdown reads; bodies of questions and answers are not."""

_DAY_NS = 86_400_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The selected turns, in the order of the table."""

    turn_ids: Sequence[str]
    conversation: Codes
    """One code per conversation."""
    judged: Mask
    failed: Mask
    """Failures that count: of a root that the selection admits."""
    inherited: Mask
    roots: tuple[Root | None, ...]
    """None unless the failure counts."""
    reasons: Sequence[str | None]
    outcomes: Sequence[str]
    table: pa.Table

    def __len__(self) -> int:
        return len(self.turn_ids)

    def values(self, by: Dimension) -> list[Values]:
        """Return the segments that each turn counts in; (None,) when the trace does not tell."""
        if by == "day":
            return [(day,) for day in _days(self.table.column("started_at"))]
        return [values or (None,) for values in values_of(self.table, by)]

    def where(self, stage: RootStage, kind: str | None = None) -> Mask:
        """Return which turns have this root stage, and this root kind if one is named."""
        return np.fromiter(
            (
                root is not None and root[0] == stage and kind in (None, root[1])
                for root in self.roots
            ),
            np.bool_,
            len(self),
        )


def facts_of(turns: pa.Table, selected: Selection) -> Facts:
    """Return the facts of the turns that a selection admits.

    Args:
        turns: The `turns` table with at least `TURN_COLUMNS`.
        selected: Its filters on turns choose the turns; `stage` and `kind` choose which of
            their failures count.
    """
    table = turns.filter(pa.array(admitted(turns, selected))) if selected else turns
    outcomes = table.column("outcome").to_pylist()
    roots = tuple(
        root if root is not None and selected.admits_root(*root) else None
        for root in roots_of(table)
    )
    counted = [root is not None or not selected.on_roots for root in roots]
    return Facts(
        turn_ids=table.column("turn_id").to_pylist(),
        conversation=_codes(table.column("conversation_id")),
        judged=np.array([outcome != "not_judged" for outcome in outcomes], np.bool_),
        failed=np.array([outcome == "failed" for outcome in outcomes], np.bool_)
        & np.array(counted, np.bool_),
        inherited=table.column("inherited_from").is_valid().to_numpy(),
        roots=roots,
        reasons=table.column("outcome_reason").to_pylist(),
        outcomes=outcomes,
        table=table,
    )


def _days(started_at: pa.ChunkedArray) -> list[str | None]:
    """Return the day in UTC, as ISO dates."""
    ns = started_at.cast(pa.int64()).to_pylist()
    days = np.array([(one or 0) // _DAY_NS for one in ns], "datetime64[D]").astype(str)
    return [None if one is None else str(day) for one, day in zip(ns, days, strict=True)]


def _codes(column: pa.ChunkedArray) -> Codes:
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)
