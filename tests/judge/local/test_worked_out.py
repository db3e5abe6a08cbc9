"""Numbers of a claim that follow from others, and those that only seem to."""

import pytest

from judge.local.numbers import quantities
from judge.local.worked_out import parts_of


def follows(claim: str, source: str, question: str = "") -> bool:
    wanted, *others = quantities(claim)
    stated = [*others, wanted, *quantities(question)]
    return parts_of(wanted, claim, stated, quantities(source)) is not None


@pytest.mark.parametrize(
    ("claim", "source", "question", "expected"),
    [
        pytest.param(
            "110 € in total", "55 € a night", "for two nights?", True, id="a product of money"
        ),
        pytest.param(
            "120 € in total", "55 € a night", "for two nights?", False, id="a wrong product"
        ),
        pytest.param("70 kg over", "It carries 780 kg.", "850 kg?", True, id="what is over"),
        pytest.param("60 kg over", "It carries 780 kg.", "850 kg?", False, id="a wrong difference"),
        pytest.param("70 kg", "It carries 780 to 850 kg.", "", False, id="nothing of it was said"),
        pytest.param("3,790 left", "after 10,000 cycles", "6,210 done", True, id="what is left"),
        pytest.param("3,790", "after 10,000 cycles", "6,210 done", False, id="not called a rest"),
        pytest.param(
            "58 in volume", "", "of 62, and 4", False, id="short, and of others by chance"
        ),
        pytest.param("180 in all, 90 each for two", "90 each", "", True, id="a product, said so"),
        pytest.param("1:50", "begins at 7:50", "six hours before?", True, id="a time before"),
        pytest.param("an hour late", "due at 18:00", "at seven in the evening", True, id="late"),
        pytest.param("two years more", "2025-03-10", "10 March 2027", True, id="between two dates"),
        pytest.param("three years more", "2025-03-10", "10 March 2027", False, id="a wrong span"),
        pytest.param("48 € altogether", "0.32 € per kWh", "150 kWh", True, id="a rate of cents"),
        pytest.param("20 € less", "200 €", "10 % off", True, id="a share"),
        pytest.param("20 €", "200 €", "10 % off", False, id="short, and not said to be worked out"),
        pytest.param(
            "eleven months", "", "February 1, 2025 to December 31, 2025", True, id="both ends"
        ),
        pytest.param("1,500 € a year, 125 € a month", "", "", True, id="twelve months a year"),
        pytest.param("1,400 € a year, 125 € a month", "", "", False, id="no twelve months"),
        pytest.param("210 kWh on average, 2,310 kWh in 11 months", "", "", True, id="a quotient"),
        pytest.param(
            "13 visits: 120 € would pay for twelve, 130 € is more at 10 € each",
            "",
            "",
            True,
            id="how often one amount goes into another",
        ),
        pytest.param("11 visits, so 130 € at 10 € each", "", "", False, id="not as often as that"),
        pytest.param("4 May 2025", "1 May 2025", "2 days", False, id="a wrong date"),
    ],
)
def test_what_follows(claim: str, source: str, question: str, *, expected: bool) -> None:
    assert follows(claim, source, question) is expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        pytest.param("All of them come to 48 €.", True, id="a price times a count of its line"),
        pytest.param("All of them come to 44 €.", False, id="a wrong product"),
        pytest.param("Each costs 48 €.", False, id="not called a total"),
        pytest.param("All of them come to 96 €.", False, id="a count of another line"),
    ],
)
def test_totals_take_both_numbers_from_one_line(claim: str, *, expected: bool) -> None:
    lines = ["Members may order up to 12 parking slips, at 4 € each.", "24 seats are free."]
    offered = [number for line in lines for number in quantities(line)]
    found = parts_of(quantities(claim)[0], claim, quantities(claim), offered, lines)
    assert (found is not None) is expected


@pytest.mark.parametrize(
    ("claim", "source", "question", "expected"),
    [
        pytest.param("until 4 June, 10 days before it", "opens: 2031-06-14", "", True, id="back"),
        pytest.param(
            "until 5 June, 10 days before it", "opens: 2031-06-14", "", False, id="a miss"
        ),
        pytest.param("by 24 December, ten days on", "", "from 14 December", True, id="on"),
        pytest.param("on 14 August, two months later", "", "14 June", True, id="months"),
        pytest.param("by 7 June", "on the 7th day before", "14 June", True, id="the nth day"),
        pytest.param("by 7 June", "7 days before 14 June", "", False, id="nothing of it was said"),
    ],
)
def test_a_date_is_counted_from_another(
    claim: str,
    source: str,
    question: str,
    expected: bool,  # noqa: FBT001
) -> None:
    assert follows(claim, source, question) is expected
