"""Ranges that a rule holds for, against what is asked about."""

import pytest

from judge.local.bands import bands, out_of_range, row_meant
from judge.local.numbers import quantities
from tests.judge.local.test_written import label

RULE = "Zelte sind gratis, wenn der Kurs mindestens vier Tage dauert."
PRICES = """Luggage lockers.

| bag | fee |
|---|---|
| season ticket holders | 1.00 € |
| up to 20 kg | 4.00 € |
| up to 35 kg | 7.00 € |
"""


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("from 30 to 59 minutes", 40, 60),
        ("90 minutes and more", 90, 89),
        ("unter 2 Stunden", 119, 120),
        ("more than 3 hours", 181, 180),
        ("zwischen 6:00 und 9:00 Uhr", 480, 600),
    ],
)
def test_ranges_are_read(text: str, inside: float, outside: float) -> None:
    (band,) = bands(text)
    assert band.holds(inside)
    assert not band.holds(outside)


def test_a_limit_counted_back_is_no_range() -> None:
    assert bands("bis 3 Tage vorher") == ()


@pytest.mark.parametrize(("asked", "place"), [("12 kg", 1), ("28 kg", 2), ("50 kg", None)])
def test_the_row_whose_range_has_the_number_is_meant(asked: str, place: int | None) -> None:
    names = ["season ticket holders", "up to 20 kg", "up to 35 kg"]
    assert row_meant(names, quantities(asked)) == place


def test_an_age_needs_no_unit_and_a_bare_number_is_no_range() -> None:
    assert row_meant(["adults", "from 60 years on"], quantities("She is 71.")) == 1
    assert row_meant(["2", "4 and more"], quantities("for 15 people")) is None


def test_the_value_of_another_range_contradicts() -> None:
    question = "What does a bag of 12 kg cost?"
    assert label("A bag like that costs 1 €.", PRICES, question) == "contradicted"
    assert label("A bag like that costs 4 €.", PRICES, question) != "contradicted"


def test_a_rule_does_not_hold_outside_of_its_range() -> None:
    question = "Unser Kurs dauert zwei Tage. Sind die Zelte gratis?"
    assert out_of_range("Ja, die Zelte sind für Ihren Kurs gratis.", question, [RULE], 0.3)
    assert not out_of_range("Nein, die Zelte sind nicht gratis.", question, [RULE], 0.3)
    assert not out_of_range("Die Zelte sind ab vier Tagen gratis.", question, [RULE], 0.3)
    longer = "Unser Kurs dauert fünf Tage. Sind die Zelte gratis?"
    assert not out_of_range("Ja, die Zelte sind für Ihren Kurs gratis.", longer, [RULE], 0.3)


def test_a_blocked_card_cannot_be_used() -> None:
    record = '[{"card_id": "Q-118", "kind": "library card", "state": "blocked"}]'
    told = {"kind": "tool_result", "status": "ok"}
    assert label("The library card Q-118 can still be used.", record, **told) == "contradicted"
    assert label("The library card Q-118 is blocked.", record, **told) != "contradicted"


def test_a_short_answer_is_about_what_was_asked() -> None:
    rule = "The deposit is paid back within six days of the return. Lost keys cost 25 €."
    question = "When will the deposit be paid back after the return?"
    assert label("That takes ten days.", rule, question) == "contradicted"


def test_a_digit_of_another_number_is_not_the_number() -> None:
    (band,) = bands("The 15 places are for children from 5 years.")
    assert (band.unit, band.least) == ("month", 60)


def test_what_is_no_rule_of_one_sentence_is_not_read() -> None:
    assert bands("from 5 days " + "x" * 1_000) == ()


def test_the_number_of_a_rule_must_stand_in_no_other() -> None:
    asked = "We stay for two days."
    rules = ["Tents cost 7 € if the course takes at least four days.", "Beds cost 7 € only then."]
    assert out_of_range("You pay 7 €.", asked, rules[:1], 0.9)
    assert out_of_range("You pay 7 €.", asked, rules, 0.9) is None
