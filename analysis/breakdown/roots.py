"""Root stage and root kind of a turn, as breakdowns and lists name them."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import pyarrow as pa

from analysis.attribution.kinds import KINDS, STAGES, RootStage

ROOT_STAGES: Final[tuple[RootStage, ...]] = (*STAGES, "undetermined")
UNTOLD: Final = "unknown"
"""What stands for a kind, a missing thing or a reason that a run does not name."""

ROOT_COLUMNS: Final = ("root_stage", "root_kind", "missing")

Root: TypeAlias = tuple[RootStage, str]
"""Root stage and root kind; for `undetermined`, what is missing first."""


def roots_of(turns: pa.Table) -> tuple[Root | None, ...]:
    """Return the root of each turn, None for those that did not fail.

    Args:
        turns: The `turns` table with at least `ROOT_COLUMNS`.
    """
    columns = (turns.column(name).to_pylist() for name in ROOT_COLUMNS)
    return tuple(root_of(*cells) for cells in zip(*columns, strict=True))


def root_of(
    stage: RootStage | None, kind: str | None, missing: Sequence[str] | None
) -> Root | None:
    """Return the root of one turn."""
    if stage is None:
        return None
    if stage == "undetermined":
        return stage, missing[0] if missing else UNTOLD
    return stage, kind or UNTOLD


def ordered_kinds(stage: RootStage, kinds: Iterable[str]) -> list[str]:
    """Return kinds in order of precedence, unknown ones last by name."""
    known: Sequence[str] = () if stage == "undetermined" else KINDS[stage]
    rank = {kind: number for number, kind in enumerate(known)}
    return sorted(set(kinds), key=lambda kind: (rank.get(kind, len(rank)), kind))
