"""Tests of paired differences against values worked out by hand."""

import pytest

from analysis.difference.significance import detectable, sign_flip


@pytest.mark.parametrize(
    ("changes", "p"),
    [
        pytest.param([], 1.0, id="nothing"),
        pytest.param([0, 0], 1.0, id="no change"),
        pytest.param([1], 1.0, id="one discordant pair says nothing"),
        pytest.param([1] * 5, 2 / 32, id="five to none: McNemar exact"),
        pytest.param([-1] * 5, 2 / 32, id="none to five"),
        pytest.param([1] * 8 + [-1] * 2, 2 * (1 + 10 + 45) / 1024, id="eight to two"),
        pytest.param([1, -1], 1.0, id="balanced"),
        # ±3 ±1: sums 4, 2, -2, -4; |sum| >= 4 in two of four
        pytest.param([3, 1], 0.5, id="conversations weigh as much as they changed"),
        # ±3 ±1 with |sum| >= 2: all four
        pytest.param([3, -1], 1.0, id="against each other"),
    ],
)
def test_exact(changes: list[float], p: float) -> None:
    assert sign_flip(changes) == pytest.approx(p)


def test_the_order_changes_no_bit() -> None:
    assert sign_flip([0.5, -0.25, 0.125]) == sign_flip([0.125, 0.5, -0.25])


def test_drawn_is_near_the_exact_share_and_never_zero() -> None:
    # eight changes of one sign: 2 of 256 assignments are as large
    assert sign_flip([0.5] * 8) == pytest.approx(2 / 256, abs=0.004)
    assert sign_flip([0.5] * 60) == pytest.approx(1 / 10_001)


def test_large_counts_take_the_normal_limit() -> None:
    # 100 of 5,000 signs: z = 100 / sqrt(5000) = 1.4142, two-sided p = 0.1573
    assert sign_flip([1] * 2_550 + [-1] * 2_450) == pytest.approx(0.1573, abs=1e-4)


def test_the_smallest_change_that_would_be_found() -> None:
    # changes +1, -1, 0, 0 of one pair each: mean 0, variance 4/3 · 2 / 16 = 1/6
    assert detectable([1, -1, 0, 0], [1, 1, 1, 1]) == pytest.approx(
        2.8016 * (1 / 6) ** 0.5, rel=1e-3
    )


@pytest.mark.parametrize(
    ("changes", "sizes"),
    [([], []), ([1], [3]), ([0, 0], [1, 2]), ([1, 1], [1, 1])],
    ids=["none", "one conversation", "no change", "all alike"],
)
def test_nothing_tells_the_spread(changes: list[float], sizes: list[float]) -> None:
    assert detectable(changes, sizes) is None
