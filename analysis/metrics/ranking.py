"""Measures of one ranked list of grades, best rank first.

A grade is the judge's 0-3 for one chunk. Lists hold distinct chunks and no unjudged ones:
the condensed list of T. Sakai, Alternatives to Bpref, SIGIR 2007.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from math import fsum, log2
from typing import Final

from analysis.metrics.ratio import NOTHING, Ratio

GAINS: Final = (0, 0, 2, 3)
"""Gain by grade: a chunk that is related and of no use gains nothing."""
RELEVANT: Final = 2
"""Lowest grade that is relevant."""
BEST: Final = 3
"""Highest grade."""


def context_relevance(grades: Sequence[int]) -> Ratio:
    """Mean grade of the chunks, as a share of the best grade.

    Returns:
        The sum of grades / 3, out of the number of chunks. Undefined for an empty list.

    Source:
        M. Robbana, Berger-Levrault Research, on evaluating an agent without ground truth,
        section 4.1 (context relevance).
    """
    return Ratio(sum(grades) / BEST, len(grades))


def max_relevance(grades: Sequence[int]) -> Ratio:
    """Best grade among the chunks, as a share of the best grade there is.

    Returns:
        Best grade / 3, out of 1. Undefined for an empty list.

    Source:
        As `context_relevance` (maximum relevance).
    """
    return Ratio(max(grades) / BEST, 1) if grades else NOTHING


def precision_at_k(grades: Sequence[int], k: int) -> Ratio:
    """Share of relevant chunks among the first *k* places.

    A list shorter than *k* is filled up with irrelevant places, so an empty one has 0 of k.

    Raises:
        ValueError: *k* is below 1.

    Source:
        P_k of trec_eval (m_P.c). C. Manning, P. Raghavan, H. Schütze, Introduction to
        Information Retrieval (2008), section 8.4.
    """
    _check_cutoff(k)
    return Ratio(sum(grade >= RELEVANT for grade in grades[:k]), k)


def gains(grades: Iterable[int]) -> tuple[int, ...]:
    """Return the gain of each grade: 0, 0, 2, 3 for 0, 1, 2, 3."""
    return tuple(GAINS[grade] for grade in grades)


def dcg(gained: Sequence[float], k: int | None = None) -> float:
    """Sum of gains, each divided by log2(rank + 1).

    Args:
        gained: Gains in rank order.
        k: Cutoff rank, at least 1; None sums the whole list.

    Raises:
        ValueError: *k* is below 1.

    Source:
        K. Järvelin, J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM
        TOIS 20(4), 2002, with the discount of trec_eval (m_ndcg.c): linear gain, and the
        second rank is discounted too.
    """
    if k is not None:
        _check_cutoff(k)
    # fsum: exactly rounded, so that the ideal order never scores below another one
    return fsum(gain / log2(rank + 1) for rank, gain in enumerate(gained[:k], start=1))


def ndcg(gained: Sequence[float], k: int | None = None) -> float | None:
    """Quality of the order alone: the list's DCG over that of the same list, sorted.

    What was not retrieved does not count, and a list of nothing but good chunks has 1 in
    any order; how good the chunks are is told by other metrics.

    Args:
        gained: Gains in rank order.
        k: Cutoff rank, at least 1; None looks at the whole list. The ideal may move any
            chunk of the whole list above the cutoff.

    Returns:
        A share in [0, 1]. None for fewer than two chunks, which have only one order, and
        for a list without any gain.

    Raises:
        ValueError: *k* is below 1.

    Source:
        As `dcg`. Equals ndcg and ndcg_cut_k of trec_eval with judgements cut to the
        retrieved documents.
    """
    ideal = dcg(sorted(gained, reverse=True), k)
    if len(gained) < 2 or not ideal:  # noqa: PLR2004 - two make an order
        return None
    return dcg(gained, k) / ideal


def mean_ndcg(lists: Iterable[Sequence[float]], k: int | None = None) -> Ratio:
    """Mean nDCG over the lists that have one; undefined when none has."""
    values = [value for value in map(ndcg, lists, repeat(k)) if value is not None]
    return Ratio(fsum(values), len(values))


def _check_cutoff(k: int) -> None:
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
