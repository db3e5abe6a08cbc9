"""Counts over counts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """How much of how many; the only form in which a share is passed around.

    Sums of ratios pool the counts (micro-average), so a corpus is the sum of its turns in
    any order.
    """

    hits: float
    """What counted. Whole where things are counted, fractional where they are graded: a
    partly supported paragraph is half a hit, a chunk of grade 1 a third."""
    total: int
    """What could have counted; 0 where there was nothing to count."""

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.total:
            raise ValueError(f"not a share: {self.hits} of {self.total}")

    @property
    def value(self) -> float | None:
        """The share in [0, 1], or None when there was nothing to count."""
        return self.hits / self.total if self.total else None

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(self.hits + other.hits, self.total + other.total)

    def __str__(self) -> str:
        if self.value is None:
            return "n/a (0 of 0)"
        return f"{self.value:.3f} ({self.hits:.3g} of {self.total})"


NOTHING = Ratio(0, 0)
"""Nothing to count: undefined, and the zero of sums."""
