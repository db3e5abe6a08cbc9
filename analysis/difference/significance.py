"""Tests of paired differences, for turns that come in conversations.

Were the two runs alike, the sign of what a whole conversation changed by would be a coin
toss. With one pair per conversation and outcomes that are 0 or 1 this is McNemar's exact
test.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from analysis.intervals import SEED, Numbers

EXACT_UP_TO: Final = 4_000
"""Sum of what conversations changed by, in whole turns, up to which the test is exact."""
DRAWS: Final = 10_000
_POWER: Final = 0.8
_ALPHA: Final = 0.05


def sign_flip(changes: Numbers) -> float:
    """Return the two-sided p-value of the sum of changes by conversation.

    Exact for whole numbers of moderate size, by counting all assignments of signs; else by
    10,000 draws, whose p-value is never 0; for large whole numbers by the normal limit.

    Source:
        Q. McNemar, Note on the sampling error of the difference between correlated
        proportions, Psychometrika 12 (1947); R. Fisher, The design of experiments (1935),
        section 21.
    """
    values = np.asarray(changes, dtype=np.float64)
    sizes = np.sort(np.abs(values[values != 0]))  # the order of conversations changes no bit
    if not sizes.size:
        return 1.0
    observed = abs(float(values.sum()))
    if not np.all(sizes == np.round(sizes)):
        return _drawn(sizes, observed)
    if sizes.sum() <= EXACT_UP_TO:
        return _exact([int(size) for size in sizes], round(observed))
    return 2 * NormalDist().cdf(-observed / sqrt(float((sizes**2).sum())))


def _exact(sizes: Sequence[int], observed: int) -> float:
    """Return the share of the assignments of signs whose sum is as large or larger."""
    total = sum(sizes)
    shares = np.zeros(2 * total + 1)
    shares[total] = 1.0
    for size in sizes:
        shares = (np.roll(shares, size) + np.roll(shares, -size)) / 2
    return min(1.0, float(shares[: total - observed + 1].sum() + shares[total + observed :].sum()))


def _drawn(sizes: "np.ndarray[tuple[int], np.dtype[np.float64]]", observed: float) -> float:
    # The stream of this generator is frozen; that of its successors may change with numpy.
    generator = np.random.RandomState(SEED)
    hits = 0
    step = max(1, 2_000_000 // sizes.size)
    for start in range(0, DRAWS, step):
        rows = min(step, DRAWS - start)
        signs = generator.randint(0, 2, size=(rows, sizes.size)) * 2 - 1
        hits += int((np.abs(signs @ sizes) >= observed - 1e-12).sum())
    return (hits + 1) / (DRAWS + 1)


def detectable(changes: Numbers, sizes: Numbers) -> float | None:
    """Return the smallest change of a mean that a test at 5 % finds with 80 % power.

    Args:
        changes: Sum of the changes, by conversation.
        sizes: Pairs, by conversation.

    Returns:
        None for fewer than two conversations, and where none changed differently from the
        others: nothing tells the spread then.
    """
    sums, counts = np.asarray(changes, np.float64), np.asarray(sizes, np.float64)
    clusters, n = sums.size, counts.sum()
    if clusters < 2:  # noqa: PLR2004 - two can differ
        return None
    residuals = sums - sums.sum() / n * counts
    error = sqrt(float(clusters / (clusters - 1) * (residuals**2).sum())) / float(n)
    normal = NormalDist()
    return (normal.inv_cdf(1 - _ALPHA / 2) + normal.inv_cdf(_POWER)) * error or None
