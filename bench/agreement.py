"""How well scores and labels of a judge agree with people's, with bootstrap intervals.

AUROC of the score; balanced accuracy with the threshold chosen on the other folds; quadratic
weighted kappa of the labels. What is undefined (one class only, no label) is None, never 0.
Everything random has a fixed seed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FOLDS: Final = 5
RESAMPLES: Final = 1_000
_SEED: Final = 20_240_501

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Rows of one file, judged."""

    scores: Floats
    positive: Labels
    """1 where people said yes: relevant, fully supported, a tool applies."""
    graded: tuple[tuple[int, int], ...] = ()
    """(people's, judge's) ordered labels of the rows that the judge decided."""
    undecided: int = 0
    """Rows without a label of the judge."""
    unscored: int = 0
    """Rows without a score: a judge that gives labels only has none where it is undecided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row, judged."""

    positive: bool
    score: float | None
    labels: tuple[int, int | None] | None = None
    """(people's, judge's) ordered labels; the judge's is None where it is undecided."""


def sample_of(rows: Sequence[Row]) -> Sample:
    """Return rows as one sample; those without a score are in counts only."""
    scored = [(row.score, row.positive) for row in rows if row.score is not None]
    labels = [row.labels for row in rows if row.labels is not None]
    return Sample(
        scores=np.array([score for score, _ in scored], dtype=np.float64),
        positive=np.array([positive for _, positive in scored], dtype=np.int64),
        graded=tuple((people, judge) for people, judge in labels if judge is not None),
        undecided=sum(judge is None for _, judge in labels),
        unscored=len(rows) - len(scored),
    )


def measure(sample: Sample) -> Mapping[str, Any]:
    """Return n, AUROC, balanced accuracy and kappa of one sample, each with its interval.

    Returns:
        None for a value that is undefined; no `qwk` where the judge gave no label.
    """
    scores, positive = sample.scores, sample.positive
    chosen = cross_validated(scores, positive)
    values: dict[str, Any] = {"n": len(scores) + sample.unscored}
    values.update(_with_interval("auroc", auroc, positive, scores))
    values.update(_with_interval("bacc", balanced_accuracy, positive, chosen.astype(np.float64)))
    if sample.graded:
        people, judge = np.array(sample.graded).T
        values.update(_with_interval("qwk", quadratic_kappa, people, judge.astype(np.float64)))
    if sample.graded or sample.undecided:
        values["undecided"] = sample.undecided
    return values


def share_with_interval(name: str, hits: Sequence[bool]) -> dict[str, Any]:
    """Return a share of rows with its interval, as `measure` returns the other values."""
    everything = np.ones(len(hits), dtype=np.int64)
    return _with_interval(name, _mean, everything, np.array(hits, dtype=np.float64))


def _mean(_: Labels, values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _with_interval(
    name: str, metric: Callable[[Labels, Floats], float], truth: Labels, given: Floats
) -> dict[str, Any]:
    bounds = interval(lambda index: metric(truth[index], given[index]), len(truth))
    value = metric(truth, given)
    return {name: _told(round(value, 4)), f"{name}_ci": [_told(bound) for bound in bounds]}


def _told(value: float) -> float | None:
    """Return what JSON can hold: NaN is no number there."""
    return value if np.isfinite(value) else None


def auroc(positive: Labels, scores: Floats) -> float:
    """Return the chance that a positive row scores above a negative one, ties counting half.

    Source:
        Hanley, McNeil: The Meaning and Use of the Area under a ROC Curve (1982). NaN with
        one class only.
    """
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]
    yes = int(positive.sum())
    no = len(positive) - yes
    if not yes or not no:
        return float("nan")
    return float((rank[positive == 1].sum() - yes * (yes + 1) / 2) / (yes * no))


def balanced_accuracy(positive: Labels, chosen: Floats) -> float:
    """Return the mean of sensitivity and specificity; NaN with one class only."""
    yes, no = positive == 1, positive == 0
    if not yes.any() or not no.any():
        return float("nan")
    return float((chosen[yes].mean() + 1 - chosen[no].mean()) / 2)


def quadratic_kappa(people: Labels, judge: Floats) -> float:
    """Return Cohen's kappa with quadratic weights; NaN where both always say the same.

    Source:
        Cohen: Weighted kappa (1968).
    """
    observed = float(((people - judge) ** 2).mean())
    expected = float(((people[:, None] - judge[None, :]) ** 2).mean())
    return 1 - observed / expected if expected else float("nan")


def cross_validated(scores: Floats, positive: Labels) -> Labels:
    """Return a yes or no per row, by the threshold that is best on the other folds."""
    order = np.random.default_rng(_SEED).permutation(len(scores))
    fold = np.empty(len(scores), dtype=np.int64)
    fold[order] = np.arange(len(scores)) % FOLDS
    chosen = np.zeros(len(scores), dtype=np.int64)
    for held_out in range(FOLDS):
        known = fold != held_out
        cut = best_threshold(scores[known], positive[known])
        chosen[~known] = scores[~known] >= cut
    return chosen


def best_threshold(scores: Floats, positive: Labels) -> float:
    """Return the score from which saying yes gives the best balanced accuracy."""
    cuts = np.unique(scores)
    if not len(cuts):
        return float("inf")
    yes, no = np.sort(scores[positive == 1]), np.sort(scores[positive == 0])
    sensitivity = 1 - np.searchsorted(yes, cuts) / max(len(yes), 1)
    specificity = np.searchsorted(no, cuts) / max(len(no), 1)
    return float(cuts[int(np.argmax(sensitivity + specificity))])


def interval(metric: Callable[[Labels], float], rows: int) -> tuple[float, float]:
    """Return a 95 % bootstrap interval; resamples on which the metric is undefined are left out."""
    random = np.random.default_rng(_SEED)
    found = []
    if not rows:
        return float("nan"), float("nan")
    for _ in range(RESAMPLES):
        value = metric(random.integers(0, rows, rows))
        if np.isfinite(value):
            found.append(value)
    if not found:
        return float("nan"), float("nan")
    low, high = np.quantile(found, [0.025, 0.975])
    return round(float(low), 4), round(float(high), 4)
