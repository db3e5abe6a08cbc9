"""Numbers inside words, shares, and numbers that need not be found again."""

import time

import pytest

from judge.local.evidence import Piece, pieces
from judge.local.holding import hold
from judge.local.matching import Rarity
from judge.local.numbers import quantities
from judge.local.thresholds import thresholds


def piece(text: str, **more: str) -> tuple[Piece, ...]:
    told = {"label": "evidence 1", "kind": "chunk", "title": None, "tool": None, "status": None}
    return pieces([{**told, "arguments": None, "text": text, **more}])


def label(claim: str, text: str, question: str = "", **more: str) -> str:
    evidence = piece(text, **more)
    rarity = Rarity.of([one.text for one in evidence])
    return hold(claim, evidence, question, rarity, thresholds()).label


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("Bei einer Viertagewoche", 4 * 1440, "minute"),
        ("eine sechsmonatige Probe", 6, "month"),
        ("20 Wochenstunden", 1200, "minute"),
        ("90 seconds", 1.5, "minute"),
        ("moins 5 pour cent", 5, "percent"),
        ("three fifths of the deposit", 60, "percent"),
        ("die Hälfte der Kaution", 50, "percent"),
        ("The Lynx 3 costs EUR 219.", 219, "euro"),
        ("a six-year guarantee", 72, "month"),
    ],
)
def test_numbers_are_read_out_of_words(text: str, value: float, unit: str) -> None:
    assert (unit, frozenset({float(value)})) in [(one.unit, one.values) for one in quantities(text)]


@pytest.mark.parametrize("text", ["An Feiertagen ruht der Betrieb", "an dem Tag"])
def test_a_german_preposition_is_no_article(text: str) -> None:
    assert quantities(text) == ()


def test_two_amounts_beside_each_other_keep_their_currencies() -> None:
    found = quantities("Basic GBP 1,200 GBP 60")
    assert [(one.unit, max(one.values)) for one in found] == [("pound", 1200), ("pound", 60)]


def test_one_single_thing_is_counted() -> None:
    told = "Im Abteil sind höchstens zwei Koffer erlaubt. Getränke kosten 3 €."
    assert label("Im Abteil ist nur ein Koffer erlaubt.", told) == "contradicted"


def test_shares_are_compared() -> None:
    told = "Whoever leaves early pays a third of the course fee."
    assert label("Whoever leaves early pays half of the course fee.", told) == "contradicted"
    assert label("Whoever leaves early pays one third of the course fee.", told) == "full"


def test_how_far_a_limit_is_need_not_stand_there() -> None:
    told = "The climbing wall is open to children from 9 years on."
    claim = "At eight she is one year too young for the climbing wall, which takes children from 9."
    assert label(claim, told, "She is eight.") in ("full", "partial")


def test_a_period_that_is_later_than_something_must_stand_there() -> None:
    told = "The parcel is packed within 3 days. The courier collects it two days after that."
    claim = "The parcel is packed within 3 days, and the courier collects it eleven days later."
    assert label(claim, told) != "full"


def test_a_guess_reports_no_success() -> None:
    failed = {"kind": "tool_result", "status": "error"}
    assert label("Perhaps it was cancelled.", "ConnectionError: refused", **failed) == "none"
    assert label("It was cancelled.", "ConnectionError: refused", **failed) == "contradicted"


def test_an_ordinal_is_no_share() -> None:
    assert not any(one.unit for one in quantities("They opened a third shop"))
    assert not any(one.unit for one in quantities("in the first half of June"))


def test_seconds_are_parts_of_a_minute_whatever_their_number() -> None:
    told = "Press the button for 20 seconds until the pump stops."
    assert label("Press the button for 30 seconds until the pump stops.", told) == "contradicted"
    assert label("Press the button for 20 seconds until the pump stops.", told) == "full"


def test_shares_are_read_in_a_long_text() -> None:
    start = time.perf_counter()
    assert len(quantities("one third of it " * 20_000)) == 20_000
    assert time.perf_counter() - start < 10  # 0.5 s; a minute where each looks back to the start


def test_seconds_add_up_to_a_minute() -> None:
    told = "Each of the three rounds takes 20 seconds."
    assert label("The three rounds take 60 seconds, 3 × 20 seconds.", told) == "full"


def test_seconds_in_words_are_those_in_digits() -> None:
    told = "Hold the button for 6 seconds. Then you have 2 minutes."
    assert label("Hold the button for six seconds. Then you have two minutes.", told) == "full"
    assert not any(one.unit for one in quantities("They opened a second shop"))
