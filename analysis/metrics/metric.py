"""A metric: its name, what it costs, how it adds up, and how it is computed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from analysis.judged import JudgedTurn
from analysis.metrics.measured import Measured
from judge.question import QuestionKind

MetricStage: TypeAlias = Literal["routing", "retrieval", "generation", "service"]
Kind: TypeAlias = Literal["rate", "mean"]
"""How turns add up: a `rate` pools their counts, a `mean` averages their values."""
Unit: TypeAlias = Literal["share", "tokens", "ms"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One row of the table of metrics."""

    name: str
    stage: MetricStage
    compute: Callable[[JudgedTurn], Measured]
    """Pure and total: every turn gets a value or a reason."""
    needs: tuple[QuestionKind, ...] = ()
    """Questions whose stored verdicts it reads; empty for metrics that need no judge."""
    unit: Unit = "share"
    better: Literal["higher", "lower"] | None = "higher"
    """Which direction is an improvement; None where neither is."""
    counts: str = ""
    """What hits and total count, in the singular; empty where a turn has one value only."""
    fault: str | None = None
    """Kind of fault that a turn has where this metric is not at its best, by the same verdict."""

    on_request: bool = False
    """Its question is asked only where somebody wants it; without it there is no row."""

    @property
    def kind(self) -> Kind:
        """How turns add up, as the name tells."""
        return kind_of(self.name)


def kind_of(name: str) -> Kind:
    """Return how the turns of a metric add up: names that end in `_rate` pool counts."""
    return "rate" if name.endswith("_rate") else "mean"
