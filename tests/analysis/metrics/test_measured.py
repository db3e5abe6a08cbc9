import pytest

from analysis.metrics.measured import Measured, quantity, share, undefined
from analysis.metrics.ratio import NOTHING, Ratio


def test_a_share_keeps_its_counts() -> None:
    measured = share(Ratio(1, 4), "not_asked", lengths=(4,))
    assert measured == Measured(hits=1, total=4, lengths=(4,))
    assert measured.value == 0.25


def test_nothing_to_count_becomes_a_reason_without_counts() -> None:
    assert share(NOTHING, "nothing_retrieved", lengths=(0,)) == undefined("nothing_retrieved")
    assert (undefined("not_asked").hits, undefined("not_asked").total) == (0, 0)
    assert undefined("not_asked").value is None


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param(130, Measured(hits=130, total=1), id="one measurement"),
        pytest.param(0, Measured(hits=0, total=1), id="zero is a number"),
        pytest.param(None, undefined("not_recorded"), id="not recorded is none"),
    ],
)
def test_a_quantity(number: int | None, expected: Measured) -> None:
    measured = quantity(number, "not_recorded")
    assert measured == expected
    assert measured.value == number


@pytest.mark.parametrize(
    ("total", "reason"),
    [
        pytest.param(0, None, id="neither a value nor a reason"),
        pytest.param(1, "not_asked", id="both"),
    ],
)
def test_there_is_a_value_or_a_reason(total: int, reason: str | None) -> None:
    with pytest.raises(ValueError, match="a value or a reason"):
        Measured(hits=0, total=total, reason=reason)
