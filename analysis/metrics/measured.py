"""What a metric says about one turn: a number with its counts, or why there is none."""

from dataclasses import dataclass

from analysis.metrics.ratio import Ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One metric of one turn. `value` is always `hits / total`.

    A share counts hits among `total`; a quantity (tokens, milliseconds) is one measurement,
    `hits` of 1. An undefined metric has no counts, so that sums over turns leave it out by
    themselves, and a reason.
    """

    hits: float = 0
    total: int = 0
    reason: str | None = None
    """Why there is no value, a word of `analysis.metrics.reasons` or an `unjudged_reason`;
    None when there is one."""
    lengths: tuple[int, ...] = ()
    """Lengths of the ranked lists behind the value, one per search; empty for metrics whose
    meaning does not hang on them."""

    def __post_init__(self) -> None:
        if (self.total > 0) == (self.reason is not None):
            raise ValueError(f"a value or a reason: {self.hits} of {self.total}, {self.reason}")

    @property
    def value(self) -> float | None:
        """The number, None when it is undefined."""
        return self.hits / self.total if self.total else None


def share(ratio: Ratio, otherwise: str, lengths: tuple[int, ...] = ()) -> Measured:
    """Return a ratio as a measurement, or *otherwise* as the reason when it is 0 of 0."""
    if ratio.value is None:
        return undefined(otherwise)
    return Measured(hits=ratio.hits, total=ratio.total, lengths=lengths)


def quantity(number: float | None, otherwise: str) -> Measured:
    """Return a number as one measurement, or *otherwise* as the reason when it is None."""
    return undefined(otherwise) if number is None else Measured(hits=number, total=1)


def undefined(reason: str) -> Measured:
    """Return a metric without a value."""
    return Measured(reason=reason)
