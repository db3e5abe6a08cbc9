import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.metrics.ratio import NOTHING, Ratio

counts = st.integers(0, 50).flatmap(
    lambda total: st.integers(0, total).map(lambda hits: Ratio(hits, total))
)


@pytest.mark.parametrize(
    ("ratio", "value", "text"),
    [
        pytest.param(Ratio(1, 3), 1 / 3, "0.333 (1 of 3)", id="a share"),
        pytest.param(Ratio(0, 3), 0.0, "0.000 (0 of 3)", id="none of some is zero"),
        pytest.param(Ratio(3, 3), 1.0, "1.000 (3 of 3)", id="all"),
        pytest.param(Ratio(2.5, 4), 0.625, "0.625 (2.5 of 4)", id="half a hit"),
        pytest.param(Ratio(0, 0), None, "n/a (0 of 0)", id="nothing to count is undefined"),
    ],
)
def test_a_ratio_is_a_share_or_undefined(ratio: Ratio, value: float | None, text: str) -> None:
    assert ratio.value == value
    assert str(ratio) == text


@pytest.mark.parametrize(("hits", "total"), [(4, 3), (-1, 3), (1, 0), (0, -1)])
def test_more_hits_than_things_are_no_share(hits: int, total: int) -> None:
    with pytest.raises(ValueError, match=f"not a share: {hits} of {total}"):
        Ratio(hits, total)


@given(st.lists(counts, max_size=6))
def test_the_whole_is_the_sum_of_its_parts_in_any_order(parts: list[Ratio]) -> None:
    whole = sum(parts, NOTHING)
    assert whole == sum(reversed(parts), NOTHING)
    assert whole.hits == sum(part.hits for part in parts)
    assert whole.total == sum(part.total for part in parts)
