"""One aggregate of a run: every number of every report is read from it.

Three outcomes: passed, failed, not judged. Turns that were not judged are counted with
their reason and enter no rate. Every rate is a share of the judged turns it names, with
a 95 % interval, and None for 0 of 0.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Self, TypeAlias

from analysis.attribution.kinds import RootStage
from analysis.intervals import wilson
from analysis.metrics.metric import Kind, Unit
from analysis.metrics.summary import Summary
from stages.records import Stage

SMALL_HITS: Final = 3
SMALL_TOTAL: Final = 60

Dimension: TypeAlias = Literal["agent", "collection", "tool", "model", "language", "service", "day"]
Part: TypeAlias = Literal["root", "contributing", "downstream", "none", "undetermined"]
"""What one stage had to do with one failing turn; a latent fault is `none`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share of turns with its 95 % interval."""

    hits: int
    n: int
    low: float | None
    """Wilson's bounds on n divided by the design effect; None for 0 of 0."""
    high: float | None
    design_effect: float = 1.0
    """By how much turns of one conversation being alike widens the interval; at least 1."""

    @classmethod
    def of(cls, hits: int, n: int, design_effect: float = 1.0) -> Self:
        """Return a rate with its interval."""
        bounds = wilson(hits, n, design_effect)
        return cls(
            hits=hits,
            n=n,
            low=None if bounds is None else bounds.low,
            high=None if bounds is None else bounds.high,
            design_effect=design_effect,
        )

    @property
    def value(self) -> float | None:
        """The share in [0, 1], None for 0 of 0."""
        return self.hits / self.n if self.n else None

    @property
    def small(self) -> bool:
        """Too few turns to read much into it."""
        return self.hits < SMALL_HITS or self.n < SMALL_TOTAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A rate minus the same rate of the run it is compared with."""

    before: Rate
    difference: float | None
    """None when one of the two is 0 of 0."""
    low: float | None = None
    """Newcombe's bounds of the difference; None where a rate counts fewer than 60 turns."""
    high: float | None = None

    @property
    def clear(self) -> Literal["up", "down"] | None:
        """The direction when the interval excludes zero, else None."""
        if self.low is not None and self.low > 0:
            return "up"
        if self.high is not None and self.high < 0:
            return "down"
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRow:
    """Failing turns with one root kind; for `undetermined`, with one thing missing."""

    kind: str
    rate: Rate
    inherited: int = 0
    """How many of them repeat a failing claim of an earlier turn."""
    change: Change | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """Failing turns with one root stage."""

    stage: RootStage
    rate: Rate
    inherited: int = 0
    kinds: tuple[KindRow, ...] = ()
    """Every kind that occurs, in order of precedence; they add up to the stage."""
    change: Change | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCount:
    """How many turns for one reason."""

    reason: str
    turns: int


def counted_reasons(reasons: Iterable[str]) -> tuple[ReasonCount, ...]:
    """Return how often each reason occurs, most frequent first."""
    ordered = sorted(Counter(reasons).items(), key=lambda item: (-item[1], item[0]))
    return tuple(ReasonCount(reason=reason, turns=number) for reason, number in ordered)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentRow:
    """A fault that caused no symptom: reported, never a failure."""

    stage: Stage
    kind: str
    turns: int
    in_passed: int
    """How many of them passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideRow:
    """A fault of failing turns that is not their root, but is no latent one either."""

    stage: Stage
    kind: str
    role: Literal["contributing", "downstream"]
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PathRow:
    """Failing turns in which the three stages played the same parts."""

    routing: Part
    retrieval: Part
    generation: Part
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One metric over the selected turns, judged or not."""

    stage: str
    """`routing`, `retrieval`, `generation` or `service`."""
    metric: str
    unit: Unit
    kind: Kind
    summary: Summary
    counts: str = ""
    """What its hits and total count, in the singular; empty where a turn has one value only."""
    fault: str | None = None
    """Kind of fault that it counts, by its own verdict."""
    uncounted: int = 0
    """Judged turns that have this fault although the metric does not show it: a probe found it,
    or it is inherited from an earlier turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The turns that share one value: of an agent, a collection, a day."""

    name: str | None
    """None: the trace does not tell."""
    turns: int
    failed: Rate
    cells: Mapping[tuple[RootStage, str | None], Rate] = field(default_factory=dict)
    """By root stage (kind None) and by root stage and kind; what is absent is 0 of n."""

    def cell(self, stage: RootStage, kind: str | None = None) -> Rate:
        """Return the rate of one row in this segment."""
        return self.cells.get((stage, kind)) or Rate.of(0, self.failed.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmentation:
    """The turns cut by one dimension.

    A turn counts in every collection that it searched or should have searched and in every
    tool that it called: those columns may add up to more than all turns.
    """

    by: Dimension
    segments: tuple[Segment, ...]
    """Largest first; days in order."""
    left_out: int = 0
    """Smaller segments that are not listed."""

    @property
    def few(self) -> bool:
        """No segment has turns enough for a rate: only counts say something."""
        return all(one.failed.n < SMALL_TOTAL for one in self.segments)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCell:
    """A rate that differs from the earlier run, after correction for how many were compared."""

    stage: RootStage
    kind: str | None
    by: Dimension | None
    segment: str | None
    rate: Rate
    change: Change
    q: float
    """Smallest false discovery rate at which it counts as changed (Benjamini-Hochberg)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The run that this one is compared with."""

    run_id: str
    failed: Change
    cells_compared: int
    changed: tuple[ChangedCell, ...]
    """At a false discovery rate of 5 %, strongest first."""
    differences: tuple[str, ...] = ()
    """Judge, prompt versions or profile that differ: the runs are not measured alike."""
    notes: tuple[str, ...] = ()
    """Sentences on what else stands between the two runs, or keeps rates from being compared."""
    trend: Segmentation | None = None
    """The earlier run by day; None when no turn of it has a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """What became of the turns of a run, stage by stage."""

    turns: int
    conversations: int
    passed: int
    failed: Rate
    """Of the judged turns; with a filter on roots, only failures that it admits."""
    inherited: int
    not_judged: tuple[ReasonCount, ...]
    """Most frequent first."""
    stages: tuple[StageRow, ...]
    """Routing, retrieval, generation, undetermined: all four, also when empty; with a filter
    on roots, those of them that it admits."""
    notes: tuple[ReasonCount, ...] = ()
    """What could not be looked at in turns that passed (`routing_not_judged`)."""
    latent: tuple[LatentRow, ...] = ()
    beside: tuple[BesideRow, ...] = ()
    """With `latent` and the roots these are all faults of the judged turns."""
    paths: tuple[PathRow, ...] = ()
    metrics: tuple[MetricRow, ...] = ()
    segmentations: tuple[Segmentation, ...] = ()
    trend: Segmentation | None = None
    """By day in UTC; None when no turn has a time."""
    comparison: Comparison | None = None
    filters: str = ""
    roots: str = ""
    """Which root stages and kinds count, as typed; empty: all."""

    @property
    def failed_otherwise(self) -> int:
        """Judged turns that failed by a root which the filter leaves out."""
        return self.failed.n - self.passed - self.failed.hits

    @property
    def judged(self) -> int:
        """Turns that passed or failed."""
        return self.failed.n

    def stage(self, name: RootStage) -> StageRow:
        """Return the row of one root stage; nothing failed in one that is left out."""
        found = (row for row in self.stages if row.stage == name)
        return next(found, StageRow(stage=name, rate=Rate.of(0, self.judged)))

    def _repr_html_(self) -> str:
        from analysis.report.notebook import breakdown_html

        return breakdown_html(self)

    def _repr_markdown_(self) -> str:
        from analysis.report.notebook import breakdown_markdown

        return breakdown_markdown(self)
