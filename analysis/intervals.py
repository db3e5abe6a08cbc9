"""Intervals that know that turns of one conversation are not independent.

    rates   Wilson on n / design effect      means   bootstrap over conversations
    changes Newcombe on two such intervals   many    Benjamini-Hochberg

*Clusters* are conversations: two arrays, one entry per conversation, with the sum of what
was measured in it and the number of its units (turns, calls). Nothing is random but the
bootstrap, whose seed is fixed. Clusters are sorted first, so that the same conversations in
any order give the same bounds to the last bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from statistics import NormalDist
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2_000
SEED: Final = 20_260_101
MANY_CLUSTERS: Final = 10_000
"""From here on the bootstrap of a mean is normal for all that its own noise can tell."""

_BATCH: Final = 2_000_000
_ROUNDING: Final = 1e-9
"""Means that differ by less, relative to their size, are the same."""

Numbers: TypeAlias = "Sequence[float] | NDArray[np.integer] | NDArray[np.floating]"
"""One number per conversation."""
_Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided confidence interval, bounds included."""

    low: float
    high: float


class Estimate(Protocol):
    """A share with its interval; None where it is 0 of 0."""

    @property
    def value(self) -> float | None: ...  # noqa: D102
    @property
    def low(self) -> float | None: ...  # noqa: D102
    @property
    def high(self) -> float | None: ...  # noqa: D102


def wilson(
    hits: float, total: float, design_effect: float = 1.0, *, confidence: float = CONFIDENCE
) -> Interval | None:
    """Return Wilson's interval of a share.

    Args:
        hits: What counted, between 0 and *total*.
        total: What could have counted.
        design_effect: By how much clustering inflates the variance; the share is taken as
            one of `total / design_effect` independent observations.
        confidence: Coverage, between 0 and 1.

    Returns:
        None for 0 of 0.

    Raises:
        ValueError: The counts are not a share or the design effect is not positive.

    Source:
        E. Wilson, Probable inference, the law of succession, and statistical inference,
        JASA 22 (1927); without continuity correction. With a design effect: J. Rao,
        A. Scott, A simple method for the analysis of clustered binary data, Biometrics 48
        (1992).
    """
    if not 0 <= hits <= total or design_effect <= 0:
        raise ValueError(f"not a share: {hits} of {total} at design effect {design_effect}")
    if not total:
        return None
    n, p, z = total / design_effect, hits / total, _z(confidence)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # exact at the ends, where rounding would leave 1e-17 or 1 + 2e-16
    return Interval(
        low=max(0.0, middle - half) if hits else 0.0,
        high=min(1.0, middle + half) if hits < total else 1.0,
    )


def design_effect(hits: Numbers, sizes: Numbers) -> float:
    """Return by how much clustering inflates the variance of a share, at least 1.

    Args:
        hits: What counted, by cluster.
        sizes: What could have counted, by cluster; clusters of size 0 say nothing.

    Returns:
        1 when every cluster has one unit, and when nothing varies (all hits or none): how
        alike units of a cluster are cannot be seen then. One cluster of several units counts
        as a single observation: its size. An estimate below 1 is taken as noise.

    Source:
        Rao and Scott (1992), as `wilson`: variance of a ratio estimator over the binomial
        one; for clusters of one unit their m / (m - 1) is left out.
    """
    sums, counts = _clusters(hits, sizes)
    n, total = counts.sum(), sums.sum()
    if counts.size == 0 or counts.max() <= 1:
        return 1.0
    if counts.size == 1:
        return float(n)
    if total in (0, n):
        return 1.0
    p = total / n
    return max(1.0, float(_variance(sums, counts) * n / (p * (1 - p))))


def newcombe(first: Estimate, second: Estimate) -> Interval:
    """Return the interval of *first* minus *second*, two shares of independent samples.

    Takes the design effects along, since both intervals were made with theirs.

    Raises:
        ValueError: One of the two is undefined.

    Source:
        R. Newcombe, Interval estimation for the difference between independent proportions,
        Statistics in Medicine 17 (1998), method 10.
    """
    p, low, high = _defined(first)
    q, other_low, other_high = _defined(second)
    return Interval(
        low=p - q - sqrt((p - low) ** 2 + (other_high - q) ** 2),
        high=p - q + sqrt((high - p) ** 2 + (q - other_low) ** 2),
    )


def bootstrap_mean(
    sums: Numbers,
    sizes: Numbers,
    *,
    share: bool = False,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Return the percentile interval of a mean over units that come in clusters.

    Whole clusters are drawn with replacement, as many as there are; the mean of a draw is
    the sum of its units over their number. Where all clusters have the same mean every draw
    is that mean, however few they are: what does not vary tells nothing of how much it could
    have varied.

    Args:
        sums: Sum of the values, by cluster.
        sizes: Number of values, by cluster; clusters of size 0 say nothing.
        share: Whether every value is known to lie in [0, 1].
        confidence: Coverage, between 0 and 1.
        resamples: Number of draws.

    Returns:
        None for fewer than two clusters, and where nothing varies: they tell nothing of how
        conversations differ. Shares that do not vary have Wilson's interval with whole
        clusters as observations, unequal ones as fewer of equal size: no share of that mean
        varies more. From `MANY_CLUSTERS` clusters on, the normal interval with the standard
        error of the same estimator, within the smallest and the largest cluster mean as every
        draw is.

    Source:
        B. Efron, R. Tibshirani, An introduction to the bootstrap (1993), chapter 13;
        clusters: C. Field, A. Welsh, Bootstrapping clustered data, JRSS B 69 (2007).
        Nothing varies: S. Bowyer, L. Aitchison, D. Ivanova, Position: don't use the CLT in
        LLM evals with fewer than a few hundred datapoints, ICML 2025 (Wilson, where the
        usual interval has no width); R. Bhatia, C. Davis, A better bound on the variance,
        American Mathematical Monthly 107 (2000) (at most p (1 - p)); L. Kish, Survey sampling
        (1965) (how many equal clusters unequal ones are worth).
    """
    totals, counts = _clusters(sums, sizes)
    clusters = counts.size
    if clusters < 2:  # noqa: PLR2004 - two can differ
        return None
    means = totals / counts
    if np.ptp(means) <= _ROUNDING * np.abs(means).max():
        return _unvaried(float(means.max()), counts, confidence) if share else None
    if clusters >= MANY_CLUSTERS:
        return _normal(totals, counts, confidence)
    # The stream of this generator is frozen; that of its successors may change with numpy.
    generator = np.random.RandomState(SEED)
    draws = np.empty(resamples)
    step = max(1, _BATCH // clusters)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = generator.randint(0, clusters, size=(rows, clusters))
        draws[start : start + rows] = totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    return Interval(float(low), float(high))


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return adjusted p-values, in the order given.

    To hold the share of false discoveries at 5 %, keep those that are at most 0.05.

    Raises:
        ValueError: A value is not in [0, 1].

    Source:
        Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, JRSS B 57 (1995).
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"not p-values: {p_values}")
    n = len(p_values)
    falling = sorted(range(n), key=lambda index: -p_values[index])
    scaled = (p_values[index] * n / (n - above) for above, index in enumerate(falling))
    adjusted = dict(zip(falling, accumulate(scaled, min), strict=True))
    return tuple(adjusted[index] for index in range(n))


def _clusters(sums: Numbers, sizes: Numbers) -> tuple[_Floats, _Floats]:
    """Return the clusters that hold something, sorted."""
    totals = np.asarray(sums, np.float64)
    counts = np.asarray(sizes, np.float64)
    if totals.shape != counts.shape:
        raise ValueError(f"{totals.size} sums for {counts.size} clusters")
    order = np.lexsort((totals, counts))
    order = order[counts[order] > 0]
    return totals[order], counts[order]


def _variance(sums: _Floats, counts: _Floats) -> float:
    """Return the variance of the mean over units, from the residuals of the clusters."""
    n, clusters = counts.sum(), counts.size
    residuals = sums - sums.sum() / n * counts
    return float(clusters / (clusters - 1) * (residuals**2).sum() / n**2)


def _normal(sums: _Floats, counts: _Floats, confidence: float) -> Interval:
    mean = float(sums.sum() / counts.sum())
    half = _z(confidence) * sqrt(_variance(sums, counts))
    means = sums / counts
    return Interval(max(float(means.min()), mean - half), min(float(means.max()), mean + half))


def _unvaried(mean: float, counts: _Floats, confidence: float) -> Interval | None:
    """Return Wilson's interval of clusters that all have the same mean."""
    n = float(counts.sum())
    return wilson(mean * n, n, float((counts**2).sum()) / n, confidence=confidence)


def _defined(estimate: Estimate) -> tuple[float, float, float]:
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None:
        raise ValueError("a difference needs two defined shares")
    return value, low, high


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)
