"""The columns of a run that are counted, as arrays, one entry per selected turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from analysis.attribution.kinds import KINDS, STAGES, RootStage
from analysis.breakdown.model import Dimension
from analysis.breakdown.rates import Codes, Mask
from analysis.breakdown.selection import TURN_FILTERS, Selection

ROOT_STAGES: Final[tuple[RootStage, ...]] = (*STAGES, "undetermined")
UNTOLD: Final = "unknown"
"""What stands for a missing thing or reason that a run does not name."""

TURN_COLUMNS: Final = (
    "conversation_id",
    "turn_id",
    "outcome",
    "outcome_reason",
    "root_stage",
    "root_kind",
    "inherited_from",
    "agent",
    "model",
    "service",
    "language",
    "started_at",
    "collections",
    "found_collections",
    "tools",
    "missing",
)
"""Columns of `turns` that a breakdown reads; bodies of questions and answers are not."""

_COUNTED = tuple(set(TURN_COLUMNS) - {"conversation_id", "started_at"})
_DAY_NS = 86_400_000_000_000

Root = tuple[RootStage, str]
"""Root stage and root kind; for `undetermined`, what is missing first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The selected turns, in the order of the table."""

    turn_ids: tuple[str, ...]
    conversation: Codes
    """One code per conversation."""
    judged: Mask
    failed: Mask
    inherited: Mask
    roots: tuple[Root | None, ...]
    """None unless failed."""
    reasons: tuple[str | None, ...]
    outcomes: tuple[str, ...]
    _columns: Mapping[str, Sequence[Any]]
    _root_numbers: Mapping[Root, int]
    _root_codes: Codes
    """Number of the turn's root, -2 unless failed."""

    def __len__(self) -> int:
        return len(self.turn_ids)

    def values(self, by: Dimension) -> Sequence[tuple[str | None, ...]]:
        """Return the segments that each turn counts in; (None,) when the trace does not tell."""
        columns = self._columns
        match by:
            case "collection":
                return [
                    tuple(dict.fromkeys([*(searched or ()), *(found or ())])) or (None,)
                    for searched, found in zip(
                        columns["collections"], columns["found_collections"], strict=True
                    )
                ]
            case "tool":
                return [tuple(tools or ()) or (None,) for tools in columns["tools"]]
            case "day":
                return [(day,) for day in columns["day"]]
            case _:
                return [(value,) for value in columns[by]]

    def where(self, stage: RootStage, kind: str) -> Mask:
        """Return which turns have this root."""
        return np.equal(self._root_codes, self._root_numbers.get((stage, kind), -1))

    def in_stage(self, stage: RootStage) -> Mask:
        """Return which turns have this root stage."""
        numbers = [number for root, number in self._root_numbers.items() if root[0] == stage]
        return np.isin(self._root_codes, numbers)


def facts_of(turns: pa.Table, selected: Selection) -> Facts:
    """Return the facts of the turns that a selection admits.

    Args:
        turns: The `turns` table with at least `TURN_COLUMNS`.
        selected: Its filters on turns count here; `stage` and `kind` do not.
    """
    table = turns.select(list(TURN_COLUMNS))
    if selected:
        keep = [_admitted(row, selected) for row in table.to_pylist()]
        table = table.filter(pa.array(keep, pa.bool_()))
    columns = {name: table.column(name).to_pylist() for name in _COUNTED}
    columns["day"] = _days(table.column("started_at"))
    outcomes = tuple(columns.pop("outcome"))
    roots = tuple(
        _root(stage, kind, missing)
        for stage, kind, missing in zip(
            columns["root_stage"], columns["root_kind"], columns["missing"], strict=True
        )
    )
    numbers = {root: number for number, root in enumerate(sorted({r for r in roots if r}))}
    return Facts(
        turn_ids=tuple(columns.pop("turn_id")),
        conversation=_codes(table.column("conversation_id")),
        judged=np.array([outcome != "not_judged" for outcome in outcomes], np.bool_),
        failed=np.array([outcome == "failed" for outcome in outcomes], np.bool_),
        inherited=np.array([one is not None for one in columns["inherited_from"]], np.bool_),
        roots=roots,
        reasons=tuple(columns.pop("outcome_reason")),
        outcomes=outcomes,
        _columns=columns,
        _root_numbers=numbers,
        _root_codes=np.array([-2 if root is None else numbers[root] for root in roots], np.int64),
    )


def admits(row: dict[str, Any], selected: Selection) -> bool:
    """Tell whether a row of `turns` passes every filter, those on its root included."""
    root = _root(row["root_stage"], row["root_kind"], row["missing"])
    stage, kind = root or (None, None)
    return (
        _admitted(row, selected)
        and selected["stage"].admits((stage,))
        and selected["kind"].admits((kind,))
    )


def _admitted(row: dict[str, Any], selected: Selection) -> bool:
    return all(selected[name].admits(_values(row, name)) for name in TURN_FILTERS)


def _values(row: dict[str, Any], name: str) -> Iterator[str | None]:
    match name:
        case "collection":
            yield from row["collections"] or ()
            yield from row["found_collections"] or ()
        case "tool":
            yield from row["tools"] or ()
        case _:
            yield row[name]


def _root(stage: RootStage | None, kind: str | None, missing: Sequence[str] | None) -> Root | None:
    if stage is None:
        return None
    if stage == "undetermined":
        return stage, missing[0] if missing else UNTOLD
    return stage, kind or UNTOLD


def _days(started_at: pa.ChunkedArray) -> list[str | None]:
    """Return the day in UTC, as ISO dates."""
    ns = started_at.cast(pa.int64()).to_pylist()
    known = np.array([(one or 0) // _DAY_NS for one in ns], "datetime64[D]").astype(str)
    return [None if one is None else str(day) for one, day in zip(ns, known, strict=True)]


def _codes(column: pa.ChunkedArray) -> Codes:
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)


def ordered_kinds(stage: RootStage, kinds: Iterable[str]) -> list[str]:
    """Return kinds in order of precedence, unknown ones last by name."""
    known: Sequence[str] = () if stage == "undetermined" else KINDS[stage]
    rank = {kind: number for number, kind in enumerate(known)}
    return sorted(set(kinds), key=lambda kind: (rank.get(kind, len(rank)), kind))
