"""What a report prints: the facts of a run and its breakdown, before any rendering."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from analysis.breakdown import EVERYTHING, Breakdown, Dimension, Selection
from analysis.breakdown.admission import admitted
from analysis.breakdown.facts import TURN_COLUMNS
from analysis.breakdown.roots import Root, roots_of
from analysis.run import Run
from analysis.tables.run_info import RunInfo

EXAMPLES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingTurn:
    """One failing turn as a report names it."""

    turn_id: str
    stage: str
    kind: str | None
    """None when the stage is undetermined."""
    sentence: str
    question: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that a rendering may print."""

    info: RunInfo
    breakdown: Breakdown
    failing: tuple[FailingTurn, ...] = ()
    """Examples: one of each of the most frequent kinds first."""
    selected: Selection = EVERYTHING
    """Which turns count; a rendering that cuts them further starts from here."""
    words: tuple[str, ...] = ()
    """Options that name the run on a command line, each with its value; empty: by its id."""


def report_of(
    run: Run,
    *,
    by: Iterable[Dimension] = (),
    selected: Selection = EVERYTHING,
    vs: Run | None = None,
    across_judges: bool = False,
    examples: int = EXAMPLES,
) -> Report:
    """Return the report of a run.

    Args:
        run: The run.
        by: Dimensions to cut the turns by.
        selected: Which turns count.
        vs: An earlier run to compare with.
        across_judges: Compare although the runs were not measured alike.
        examples: Number of failing turns to name.

    Raises:
        UsageError: The runs were not measured alike.
        StoreError: A table cannot be read.
    """
    breakdown = run.breakdown(by, selected=selected, vs=vs, across_judges=across_judges)
    return Report(
        info=run.info,
        breakdown=breakdown,
        failing=tuple(_examples(run, breakdown, selected, examples)),
        selected=selected,
        words=run.words,
    )


def _examples(
    run: Run, breakdown: Breakdown, selected: Selection, most: int
) -> Iterable[FailingTurn]:
    """Return failing turns, taking turns among the kinds, most frequent kind first."""
    turns = run.table("turns", TURN_COLUMNS, {"outcome": ["failed"]})
    frequency = {
        (row.stage, kind.kind): -kind.rate.hits for row in breakdown.stages for kind in row.kinds
    }
    seen: Counter[Root] = Counter()
    ranked = []
    for place, (keep, root) in enumerate(
        zip(admitted(turns, selected, roots=True), roots_of(turns), strict=True)
    ):
        if keep and root is not None:
            ranked.append((seen[root], frequency.get(root, 0), place))
            seen[root] += 1
    ids = turns.column("turn_id")
    wanted = [ids[place].as_py() for _, _, place in sorted(ranked)[:most]]
    columns = ("turn_id", "root_stage", "root_kind", "sentence", "question")
    rows = {row["turn_id"]: row for row in run.rows("turns", columns, {"turn_id": wanted})}
    for turn_id in wanted:
        row = rows[turn_id]
        yield FailingTurn(
            turn_id=turn_id,
            stage=row["root_stage"],
            kind=row["root_kind"],
            sentence=row["sentence"] or "",
            question=row["question"],
        )
