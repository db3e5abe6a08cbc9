from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis import intervals
from analysis.intervals import (
    MANY_CLUSTERS,
    RESAMPLES,
    SEED,
    Interval,
    benjamini_hochberg,
    bootstrap_mean,
    design_effect,
    newcombe,
    wilson,
)

Z = NormalDist().inv_cdf(0.975)
ROUNDING = 1e-12

counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
clusters = st.lists(
    st.integers(1, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    min_size=2,
    max_size=12,
)


@dataclass(frozen=True)
class Share:
    value: float | None
    low: float | None
    high: float | None


def share(hits: int, total: int, effect: float = 1.0) -> Share:
    bounds = wilson(hits, total, effect)
    if bounds is None:
        return Share(None, None, None)
    return Share(hits / total, bounds.low, bounds.high)


# Wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        pytest.param(81, 263, 0.2553, 0.3662, id="a third"),
        pytest.param(15, 148, 0.0624, 0.1605, id="a tenth"),
        pytest.param(0, 20, 0.0, 0.1611, id="none"),
        pytest.param(1, 29, 0.0061, 0.1718, id="one"),
        pytest.param(20, 20, 0.8389, 1.0, id="all"),
    ],
)
def test_wilson_as_published(hits: int, total: int, low: float, high: float) -> None:
    """The first four: Newcombe, Statistics in Medicine 17 (1998), pages 857-872."""
    found = wilson(hits, total)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(counts, st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_as_in_scipy(given_counts: tuple[int, int], confidence: float) -> None:
    hits, total = given_counts
    reference = stats.binomtest(hits, total).proportion_ci(confidence, method="wilson")
    found = wilson(hits, total, confidence=confidence)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=1e-12)


@given(counts, st.floats(1, 20))
def test_wilson_holds_the_share_and_widens_with_the_design_effect(
    given_counts: tuple[int, int], effect: float
) -> None:
    hits, total = given_counts
    narrow, wide = wilson(hits, total), wilson(hits, total, effect)
    assert narrow is not None
    assert wide is not None
    bounds = [0, wide.low, narrow.low, hits / total, narrow.high, wide.high, 1]
    assert all(low <= high + ROUNDING for low, high in pairwise(bounds))


def test_the_ends_are_exact() -> None:
    assert all(found.low == 0 for n in range(1, 99) if (found := wilson(0, n)) is not None)
    assert all(found.high == 1 for n in range(1, 99) if (found := wilson(n, n)) is not None)


def test_rounding_goes_beyond_neither_end() -> None:
    near_none, near_all = wilson(1e-10, 1), wilson(999.9999999, 1_000)
    assert near_none is not None
    assert near_all is not None
    assert near_none.low == 0
    assert near_all.high == 1


def test_a_design_effect_of_two_halves_the_observations() -> None:
    assert wilson(30, 100, 2) == wilson(15, 50)


def test_nothing_of_nothing_has_no_interval() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize(
    ("hits", "total", "effect"), [(3, 2, 1), (-1, 2, 1), (1, 2, 0), (1, 2, -1)]
)
def test_wilson_refuses_what_is_no_share(hits: int, total: int, effect: float) -> None:
    with pytest.raises(ValueError, match=f"not a share: {hits} of {total}"):
        wilson(hits, total, effect)


# Design effect


@pytest.mark.parametrize(
    ("hits", "sizes", "expected"),
    [
        pytest.param([1, 0, 1], [1, 1, 1], 1.0, id="conversations of one turn"),
        pytest.param([1, 0, 1, 0], [1, 1, 1, 0], 1.0, id="and one without any"),
        # p = ½, residuals ±1: variance 10/9 · 10/400, binomial ¼/20
        pytest.param([2, 0] * 5, [2] * 10, 20 / 9, id="both turns always alike"),
        # p = ½, no residuals
        pytest.param([1, 1, 1], [2, 2, 2], 1.0, id="more mixed than chance is noise"),
        # p = 3/6, residuals ½, 0, -½: variance 3/2 · ½/36, binomial ¼/6
        pytest.param([1, 1, 1], [1, 2, 3], 1.0, id="a half is less than one"),
        # p = 4/8, residuals 2, 0, -1, -1: variance 4/3 · 6/64, binomial ¼/8
        pytest.param([4, 0, 0, 0], [4, 0, 2, 2], 4.5, id="uneven conversations"),
        pytest.param([2, 3], [2, 3], 1.0, id="all hits"),
        pytest.param([0, 0], [2, 3], 1.0, id="no hits"),
        pytest.param([3], [5], 5.0, id="one conversation is one observation"),
        pytest.param([5], [5], 5.0, id="also when nothing varies"),
        pytest.param([1], [1], 1.0, id="one turn"),
        pytest.param([], [], 1.0, id="none"),
    ],
)
def test_design_effect(hits: list[int], sizes: list[int], expected: float) -> None:
    assert design_effect(hits, sizes) == pytest.approx(expected)


@given(clusters)
def test_the_design_effect_is_at_least_one_in_any_order(
    given_clusters: list[tuple[int, int]],
) -> None:
    hits, sizes = zip(*given_clusters, strict=True)
    effect = design_effect(hits, sizes)
    assert effect >= 1
    assert effect == design_effect(hits[::-1], sizes[::-1])
    assert effect == design_effect(np.array(hits), np.array(sizes))


@given(clusters)
def test_misses_cluster_as_hits_do(given_clusters: list[tuple[int, int]]) -> None:
    hits, sizes = zip(*given_clusters, strict=True)
    misses = [size - hit for hit, size in given_clusters]
    assert design_effect(misses, sizes) == pytest.approx(design_effect(hits, sizes), abs=1e-9)


def test_clusters_have_a_sum_and_a_size() -> None:
    with pytest.raises(ValueError, match="2 sums for 1 clusters"):
        design_effect([1, 2], [3])


def test_the_interval_covers_where_turns_of_a_conversation_are_alike() -> None:
    """400 runs of 60 conversations with 5 turns each that all fail or all pass."""
    random = np.random.RandomState(7)
    sizes = np.full(60, 5)
    covered = naively = 0
    for _ in range(400):
        hits = 5 * (random.random_sample(60) < 0.3)
        found = wilson(int(hits.sum()), 300, design_effect(hits, sizes))
        naive = wilson(int(hits.sum()), 300)
        assert found is not None
        assert naive is not None
        covered += found.low <= 0.3 <= found.high
        naively += naive.low <= 0.3 <= naive.high
    assert covered / 400 > 0.92
    assert naively / 400 < 0.75


# Newcombe


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        pytest.param((56, 70), (48, 80), 0.0524, 0.3339, id="large"),
        pytest.param((9, 10), (3, 10), 0.1705, 0.8090, id="small"),
        pytest.param((6, 7), (2, 7), 0.0582, 0.8062, id="smaller"),
        pytest.param((5, 56), (0, 29), -0.0381, 0.1926, id="none in the second"),
        pytest.param((0, 10), (0, 20), -0.1611, 0.2775, id="none in both"),
        pytest.param((10, 10), (0, 20), 0.6791, 1.0, id="all and none"),
    ],
)
def test_newcombe_as_published(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    """Newcombe, Statistics in Medicine 17 (1998), pages 873-890, method 10."""
    found = newcombe(share(*first), share(*second))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(counts, counts, st.floats(1, 9))
def test_a_change_read_backwards_has_the_opposite_sign(
    one: tuple[int, int], other: tuple[int, int], effect: float
) -> None:
    first, second = share(*one, effect), share(*other)
    forth, back = newcombe(first, second), newcombe(second, first)
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low), abs=ROUNDING)
    narrow = newcombe(share(*one), second)
    change = (first.value or 0) - (second.value or 0)
    bounds = [forth.low, narrow.low, change, narrow.high, forth.high]
    assert all(low <= high + ROUNDING for low, high in pairwise(bounds))


@pytest.mark.parametrize(
    "open_one",
    [Share(None, 0.1, 0.3), Share(0.2, None, 0.3), Share(0.2, 0.1, None)],
    ids=["no value", "no lower bound", "no upper bound"],
)
def test_there_is_no_change_without_an_interval(open_one: Share) -> None:
    with pytest.raises(ValueError, match="two defined shares"):
        newcombe(open_one, share(1, 2))


def test_there_is_no_change_from_nothing() -> None:
    with pytest.raises(ValueError, match="two defined shares"):
        newcombe(share(0, 0), share(1, 2))
    with pytest.raises(ValueError, match="two defined shares"):
        newcombe(share(1, 2), share(0, 0))


# Bootstrap


@pytest.mark.parametrize(
    ("sums", "sizes", "confidence", "expected"),
    [
        pytest.param([], [], 0.95, None, id="no conversation"),
        pytest.param([2.5], [4], 0.95, None, id="one conversation tells nothing of others"),
        pytest.param([2.5, 0], [4, 0], 0.95, None, id="nor with one that holds nothing"),
        pytest.param([1, 2, 3], [2, 4, 6], 0.95, None, id="all alike tell nothing of others"),
        pytest.param([0.0, 0.0], [1, 2], 0.95, None, id="all alike at zero"),
        pytest.param([0.3, 0.1 + 0.2], [1, 1], 0.95, None, id="alike but for rounding"),
        pytest.param([1, 1 + 1e-6], [1, 1], 0.95, Interval(1, 1 + 1e-6), id="a little apart"),
        # means of two draws: 0 (¼), ½ (½), 1 (¼)
        pytest.param([0, 1], [1, 1], 0.95, Interval(0, 1), id="two that differ"),
        pytest.param([0, 1], [1, 1], 0.4, Interval(0.5, 0.5), id="their middle"),
        # 0 of 6, 1 of 4, 2 of 2
        pytest.param([0, 1], [3, 1], 0.4, Interval(0.25, 0.25), id="turns weigh, not draws"),
    ],
)
def test_bootstrap(
    sums: list[float], sizes: list[int], confidence: float, expected: Interval | None
) -> None:
    assert bootstrap_mean(sums, sizes, confidence=confidence) == expected


@pytest.mark.parametrize(
    ("sums", "sizes", "hits", "observations"),
    [
        pytest.param([1, 1], [1, 1], 2, 2, id="two turns that are right"),
        pytest.param([0, 0, 0], [1, 1, 1], 0, 3, id="three that are wrong"),
        pytest.param([4, 4], [4, 4], 2, 2, id="turns of a conversation are not more of them"),
        pytest.param([0.25, 0.5], [0.5, 1.0], 0.9, 1.8, id="9/5 of equal size"),
        # (1 + 3)² / (1 + 9)
        pytest.param([1, 3], [1, 3], 1.6, 1.6, id="8/5 of equal size"),
        pytest.param([1.0] * 12_000, [1] * 12_000, 12_000, 12_000, id="many"),
    ],
)
def test_shares_that_do_not_vary_have_wilson_s_interval_of_so_many_conversations(
    sums: list[float], sizes: list[float], hits: float, observations: float
) -> None:
    found, expected = bootstrap_mean(sums, sizes, share=True), wilson(hits, observations)
    assert found is not None
    assert expected is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_two_conversations_that_are_right_promise_little() -> None:
    found = bootstrap_mean([1, 1], [1, 1], share=True)
    assert found is not None
    # Wilson's lower bound of n of n: n / (n + z²)
    assert (found.low, found.high) == pytest.approx((2 / (2 + Z * Z), 1))
    less = bootstrap_mean([1, 1], [1, 1], share=True, confidence=0.5)
    assert less is not None
    assert less.low > found.low


def test_shares_that_vary_are_drawn() -> None:
    assert bootstrap_mean([0, 1], [1, 1], share=True) == Interval(0, 1)
    assert bootstrap_mean([0, 1, 1], [1, 1, 1], share=True) == bootstrap_mean([0, 1, 1], [1, 1, 1])


@pytest.mark.parametrize("sums", [[], [1]], ids=["no conversation", "one"])
def test_a_share_of_less_than_two_conversations_has_no_interval(sums: list[float]) -> None:
    assert bootstrap_mean(sums, sums, share=True) is None


def test_the_bootstrap_gives_the_same_bounds_for_any_order() -> None:
    random = np.random.RandomState(3)
    sums, sizes = random.random_sample(50) * 3, random.randint(1, 5, 50)
    shuffled = random.permutation(50)
    found = bootstrap_mean(sums, sizes)
    assert found == bootstrap_mean(sums[shuffled], sizes[shuffled])
    assert found == bootstrap_mean(list(sums), list(sizes))


def test_the_draws_are_always_the_same() -> None:
    found = bootstrap_mean([0.2, 0.9, 1.4, 3.0, 0.0, 1.1], [1, 1, 2, 3, 1, 2])
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.3142857142857143, 0.8735), abs=1e-9)


VARIED = np.random.RandomState(11).random_sample(7)
SIZES = np.array([1, 2, 3, 1, 2, 3, 1])


def test_clusters_are_drawn_in_order_of_size_then_sum() -> None:
    order = np.lexsort((VARIED, SIZES))
    drawn = np.random.RandomState(SEED).randint(0, 7, size=(RESAMPLES, 7))
    sums, sizes = VARIED[order][drawn].sum(axis=1), SIZES[order][drawn].sum(axis=1)
    bounds = np.quantile(sums / sizes, [0.025, 0.975])
    found = bootstrap_mean(VARIED, SIZES)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(bounds), abs=1e-12)


@pytest.mark.parametrize(
    ("batch", "resamples"),
    [
        pytest.param(7 * 4, 25, id="batches of 4, the last of 1"),
        pytest.param(7, 25, id="of one"),
        pytest.param(3, 25, id="more clusters than a batch has room for"),
    ],
)
def test_the_draws_are_the_same_in_batches_of_any_size(
    monkeypatch: pytest.MonkeyPatch, batch: int, resamples: int
) -> None:
    whole = bootstrap_mean(VARIED, SIZES, resamples=resamples)
    monkeypatch.setattr(intervals, "_BATCH", batch)
    assert bootstrap_mean(VARIED, SIZES, resamples=resamples) == whole


def test_equal_sums_of_unequal_conversations_have_one_order() -> None:
    sums, sizes = [0.7, 0.7, 0.7, 0.1, 0.2], [1, 2, 3, 1, 2]
    found = bootstrap_mean(sums, sizes)
    assert found == bootstrap_mean(sums, [3, 2, 1, 1, 2])
    assert found == bootstrap_mean(sums[::-1], sizes[::-1])


def test_the_bootstrap_agrees_with_the_standard_error() -> None:
    values = np.random.RandomState(5).random_sample(400)
    found = bootstrap_mean(values, np.ones(400))
    assert found is not None
    half = Z * values.std(ddof=1) / sqrt(400)
    assert found.low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_conversations_that_are_alike_within_widen_the_interval() -> None:
    values = np.random.RandomState(5).random_sample(60)
    alike = bootstrap_mean(values * 4, np.full(60, 4))
    alone = bootstrap_mean(np.repeat(values, 4), np.ones(240))
    assert alike is not None
    assert alone is not None
    assert (alike.high - alike.low) / (alone.high - alone.low) == pytest.approx(2, abs=0.25)


def test_many_conversations_have_the_normal_interval() -> None:
    values = np.tile([0.0, 1.0], MANY_CLUSTERS // 2)
    found = bootstrap_mean(values, np.ones(MANY_CLUSTERS))
    half = Z * 0.5 / sqrt(MANY_CLUSTERS - 1)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-12)
    drawn = bootstrap_mean(values[:-2], np.ones(MANY_CLUSTERS - 2))
    assert drawn is not None
    assert (drawn.low, drawn.high) == pytest.approx((found.low, found.high), abs=0.1 * half)


def test_the_normal_interval_stays_within_what_was_seen() -> None:
    rare = np.ones(MANY_CLUSTERS)
    rare[0] = 0.9
    found = bootstrap_mean(rare, np.ones(MANY_CLUSTERS))
    assert found is not None
    assert found.high == 1
    assert 0.99 < found.low < 1
    other = bootstrap_mean(1 - rare, np.ones(MANY_CLUSTERS))
    assert other is not None
    assert other.low == 0


def test_turns_weigh_in_the_normal_interval_too() -> None:
    rare = np.full(MANY_CLUSTERS, 2.0)
    rare[0] = 1.9
    found = bootstrap_mean(rare, np.full(MANY_CLUSTERS, 2))
    assert found is not None
    assert found.high == 1


@given(clusters, st.integers(1, 5))
def test_bounds_are_ordered_and_within_what_was_seen(
    given_clusters: list[tuple[int, int]], resamples: int
) -> None:
    sums, sizes = zip(*given_clusters, strict=True)
    means = [total / size for total, size in given_clusters]
    found = bootstrap_mean(sums, sizes, resamples=resamples)
    if max(means) - min(means) <= ROUNDING:
        assert found is None
        return
    assert found is not None
    bounds = [min(means), found.low, found.high, max(means)]
    assert all(low <= high + ROUNDING for low, high in pairwise(bounds))


# Benjamini-Hochberg


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        pytest.param([0.01, 0.04, 0.03, 0.5], [0.04, 0.16 / 3, 0.16 / 3, 0.5], id="in order given"),
        pytest.param([0.02], [0.02], id="one stays as it is"),
        pytest.param([0.04, 0.04], [0.04, 0.04], id="equal values"),
        pytest.param([1.0, 0.9], [1.0, 1.0], id="never above one"),
        pytest.param([0.0, 1.0], [0.0, 1.0], id="the ends"),
        pytest.param([], [], id="none"),
    ],
)
def test_benjamini_hochberg(p_values: list[float], expected: list[float]) -> None:
    assert benjamini_hochberg(p_values) == pytest.approx(tuple(expected))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_as_in_scipy(p_values: list[float]) -> None:
    expected = stats.false_discovery_control(p_values)
    assert benjamini_hochberg(p_values) == pytest.approx(tuple(expected))


@pytest.mark.parametrize("p_values", [[-0.1], [0.5, 1.1], [float("nan")]])
def test_only_p_values_are_adjusted(p_values: list[float]) -> None:
    with pytest.raises(ValueError, match="not p-values"):
        benjamini_hochberg(p_values)
