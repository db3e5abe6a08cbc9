from collections import defaultdict
from collections.abc import Sequence
from math import log2
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from analysis.metrics.ranking import (
    context_relevance,
    dcg,
    gains,
    max_relevance,
    mean_ndcg,
    ndcg,
    precision_at_k,
)
from analysis.metrics.ratio import NOTHING, Ratio

FORMULAS = Path(__file__).parents[3].parent / "shared" / "bench" / "formulas"

grade_lists = st.lists(st.integers(0, 3), max_size=12)
cutoffs = st.integers(1, 14)


@pytest.mark.parametrize(
    ("grades", "mean", "best"),
    [
        pytest.param([3, 0, 2], Ratio(5 / 3, 3), Ratio(1, 1), id="mixed"),
        pytest.param([1], Ratio(1 / 3, 1), Ratio(1 / 3, 1), id="one chunk"),
        pytest.param([3, 3], Ratio(2, 2), Ratio(1, 1), id="all answer"),
        pytest.param([0, 0], Ratio(0, 2), Ratio(0, 1), id="all unrelated is zero"),
        pytest.param([], NOTHING, NOTHING, id="no chunk is undefined"),
    ],
)
def test_relevance_of_a_list(grades: list[int], mean: Ratio, best: Ratio) -> None:
    assert context_relevance(grades) == mean
    assert max_relevance(grades) == best


@pytest.mark.parametrize(
    ("grades", "k", "expected"),
    [
        pytest.param([3, 0, 2, 0, 0], 5, Ratio(2, 5), id="two of five"),
        pytest.param([2, 1, 0, 0, 0], 5, Ratio(1, 5), id="grade 2 is relevant, grade 1 is not"),
        pytest.param([0, 0, 3], 3, Ratio(1, 3), id="found at the cutoff"),
        pytest.param([0, 0, 3], 2, Ratio(0, 2), id="found below the cutoff"),
        pytest.param([3], 5, Ratio(1, 5), id="a short list has k places all the same"),
        pytest.param([], 5, Ratio(0, 5), id="an empty list has 0 of k"),
    ],
)
def test_precision_at_k(grades: list[int], k: int, expected: Ratio) -> None:
    assert precision_at_k(grades, k) == expected


def test_gain_starts_at_grade_two() -> None:
    assert gains([0, 1, 2, 3]) == (0, 0, 2, 3)


@pytest.mark.parametrize(
    ("gained", "k", "expected"),
    [
        pytest.param([3, 2], None, 3 + 2 / log2(3), id="the first rank has no discount"),
        pytest.param([3, 2], 1, 3.0, id="cut after the first"),
        pytest.param([0, 0, 2], None, 1.0, id="rank 3 counts half"),
        pytest.param([0, 0, 2], 3, 1.0, id="at the cutoff"),
        pytest.param([0, 0, 2], 2, 0.0, id="below the cutoff"),
        pytest.param([], None, 0.0, id="empty"),
    ],
)
def test_dcg(gained: list[int], k: int | None, expected: float) -> None:
    assert dcg(gained, k) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gained", "k", "expected"),
    [
        pytest.param([3, 2, 0], None, 1.0, id="best order"),
        pytest.param([2, 3], None, (2 + 3 / log2(3)) / (3 + 2 / log2(3)), id="swapped"),
        pytest.param([0, 0, 2], None, 0.5, id="best chunk last"),
        pytest.param([0, 3], None, 1 / log2(3), id="two chunks are enough"),
        pytest.param([3, 3, 3], None, 1.0, id="no order is better than another"),
        pytest.param([0, 0, 2], 2, 0.0, id="the ideal moves it above the cutoff"),
        pytest.param([2, 0, 3], 2, 2 / (3 + 2 / log2(3)), id="the ideal is cut too"),
        pytest.param([3], None, None, id="one chunk has no order"),
        pytest.param([], None, None, id="empty"),
        pytest.param([0, 0], None, None, id="nothing to gain"),
    ],
)
def test_ndcg(gained: list[int], k: int | None, expected: float | None) -> None:
    assert ndcg(gained, k) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        pytest.param([(3, 0), (0, 0, 2)], Ratio(1.5, 2), id="mean of both"),
        pytest.param([(3, 0), (0, 0), (3,)], Ratio(1.0, 1), id="undefined ones are left out"),
        pytest.param([(0, 0)], NOTHING, id="none has one"),
        pytest.param([], NOTHING, id="no list"),
    ],
)
def test_mean_ndcg(lists: list[tuple[int, ...]], expected: Ratio) -> None:
    assert mean_ndcg(lists) == expected


def test_mean_ndcg_takes_the_cutoff() -> None:
    assert mean_ndcg([(0, 0, 2), (2, 0, 0)], k=2) == Ratio(1.0, 2)


@pytest.mark.parametrize("k", [0, -1])
def test_cutoffs_start_at_one(k: int) -> None:
    with pytest.raises(ValueError, match=f"at least 1, got {k}"):
        precision_at_k([], k)
    with pytest.raises(ValueError, match=f"at least 1, got {k}"):
        dcg([], k)
    with pytest.raises(ValueError, match=f"at least 1, got {k}"):
        ndcg([], k)


@given(grade_lists, cutoffs)
def test_precision_hits_never_fall_as_k_grows(grades: list[int], k: int) -> None:
    smaller, larger = precision_at_k(grades, k), precision_at_k(grades, k + 1)
    assert smaller.hits <= larger.hits <= smaller.hits + 1


@given(grade_lists, st.integers(0, 11))
def test_moving_a_better_chunk_up_never_lowers_ndcg(grades: list[int], place: int) -> None:
    gained = list(gains(grades))
    if place + 1 >= len(gained) or ndcg(gained) is None:
        return
    low, high = sorted(gained[place : place + 2])
    better, worse = gained.copy(), gained.copy()
    better[place : place + 2] = high, low
    worse[place : place + 2] = low, high
    good, bad = ndcg(better), ndcg(worse)
    assert good is not None
    assert bad is not None
    assert 0 < bad <= good <= 1
    assert (bad < good) == (low < high)


@given(grade_lists)
def test_the_mean_and_the_best_do_not_depend_on_the_order(grades: list[int]) -> None:
    assert context_relevance(grades) == context_relevance(grades[::-1])
    assert max_relevance(grades) == max_relevance(sorted(grades))


# Reference implementation: the same gains, and only the retrieved documents


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12))
def test_the_measures_are_those_of_trec_eval(grades: list[int]) -> None:
    gained = gains(grades)
    reference = _trec_eval(gained, {"ndcg", "ndcg_cut.5", "P.5", "P.10"})
    assert precision_at_k(grades, 5).value == pytest.approx(reference["P_5"])
    assert precision_at_k(grades, 10).value == pytest.approx(reference["P_10"])
    if any(gained):
        assert ndcg(gained) == pytest.approx(reference["ndcg"])
        assert ndcg(gained, 5) == pytest.approx(reference["ndcg_cut_5"])
    else:
        assert ndcg(gained) is None


def _trec_eval(gained: Sequence[int], measures: set[str]) -> dict[str, float]:
    judgements = {f"d{place}": gain for place, gain in enumerate(gained)}
    run = {f"d{place}": float(-place) for place in range(len(gained))}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": judgements}, measures)
    result: dict[str, float] = evaluator.evaluate({"q": run})["q"]
    return result


# Reference values: trec_eval's own test data


@pytest.fixture(scope="module")
def topics() -> list[tuple[list[int], list[int]]]:
    """Gains of the retrieved documents in rank order, and of all judged ones, by topic."""
    if not FORMULAS.is_dir():
        pytest.skip("no reference values beside the repository")
    judged: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in (FORMULAS / "qrels.test").read_text("ascii").splitlines():
        topic, _, document, gain = line.split()
        judged[topic][document] = int(gain)
    found: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for line in (FORMULAS / "results.test").read_text("ascii").splitlines():
        topic, _, document, _, score, _ = line.split()
        found[topic].append((float(score), document))
    return [
        (
            # ties: document names in falling order; unjudged documents gain nothing
            [judged[topic].get(document, 0) for _, document in sorted(found[topic])[::-1]],
            list(judged[topic].values()),
        )
        for topic in sorted(found)
    ]


@pytest.mark.parametrize(("k", "expected"), [(5, 0.2667), (10, 0.3), (30, 0.3333), (1000, 0.0437)])
def test_precision_on_the_test_data_of_trec_eval(
    topics: list[tuple[list[int], list[int]]], k: int, expected: float
) -> None:
    values = [precision_at_k([2 * gain for gain in run], k).value for run, _ in topics]
    assert _mean(values) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("k", "expected"), [(5, 0.2768), (10, 0.3016), (30, 0.3363), (1000, 0.4021), (None, 0.4021)]
)
def test_dcg_on_the_test_data_of_trec_eval(
    topics: list[tuple[list[int], list[int]]], k: int | None, expected: float
) -> None:
    """Over the ideal that trec_eval takes: that of all judged documents."""
    values = [dcg(run, k) / dcg(sorted(judged)[::-1], k) for run, judged in topics]
    assert _mean(values) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("k", "name"), [(10, "ndcg_cut_10"), (None, "ndcg")])
def test_ndcg_on_the_test_data_with_judgements_cut_to_the_retrieved(
    topics: list[tuple[list[int], list[int]]], k: int | None, name: str
) -> None:
    for run, _ in topics:
        reference = _trec_eval(run, {"ndcg", "ndcg_cut.10"})
        assert ndcg(run, k) == pytest.approx(reference[name])


def _mean(values: Sequence[float | None]) -> float:
    assert None not in values
    return sum(value for value in values if value is not None) / len(values)
