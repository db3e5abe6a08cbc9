"""What a comparison of two runs by turn comes to."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

FALSE_DISCOVERIES: Final = 0.05
"""Share of the rows told as changed that may be chance."""

Kind: TypeAlias = Literal["outcome", "root", "metric"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number of both runs, over the same pairs of turns."""

    kind: Kind
    name: str
    """`failed`, a root (`routing`, `routing.wrong_tool`), a metric (`generation.faithfulness`)."""
    pairs: int
    """Pairs in which both sides have it."""
    before: float
    """Share of the pairs that failed (so), or mean of the metric."""
    after: float
    low: float | None
    """95 % bounds of *after* minus *before*, conversations drawn as a whole; None for one
    conversation, and where all changed alike."""
    high: float | None
    p: float
    """Of the two-sided sign-flip test by conversation."""
    q: float = 1.0
    """Smallest false discovery rate at which it counts as changed, over the whole table."""
    appeared: int = 0
    """Pairs that fail (so) only after; of a metric, that rose."""
    vanished: int = 0
    """Pairs that failed (so) only before; of a metric, that fell."""

    @property
    def change(self) -> float:
        """After minus before."""
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A turn that failed on one side only."""

    turn_id: str
    """In the run where it failed."""
    root: str
    """`stage.kind`."""
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two runs, paired by turn."""

    before: str
    """Id of the run."""
    after: str
    pairs: int
    """Turns that are in both runs."""
    judged: int
    """Pairs judged on both sides: all that is tested."""
    conversations: int
    """Of the judged pairs."""
    only_before: int
    """Turns without a counterpart."""
    only_after: int
    rows: tuple[Row, ...]
    """The first is `failed`, where any pair was judged."""
    newly_failing: tuple[Moved, ...]
    fixed: tuple[Moved, ...]
    moved: int
    """Pairs that failed on both sides, with different roots."""
    detectable: float | None
    """Smallest change of the failed share that would have been found in four of five such
    comparisons; None where no conversation changed, so that nothing tells the spread."""
    differences: tuple[str, ...] = ()
    """What was not measured alike."""
    notes: tuple[str, ...] = ()
    """Sentences on what else may have moved the numbers."""

    @property
    def changed(self) -> tuple[Row, ...]:
        """The rows that changed at a false discovery rate of 5 %, the surest first."""
        found = [row for row in self.rows if row.q <= FALSE_DISCOVERIES]
        return tuple(sorted(found, key=lambda row: row.q))
