"""A fact that is said in other words or worked out rightly contradicts nothing.

Each row has a claim that follows from its source, and one like it that does not.
"""

from typing import Any

import pytest

from judge.answers import Support
from judge.local.expected import gives
from judge.local.numbers import matched, quantities
from tests.judge.local.test_support import evidence, judged


def label(claim: str, source: dict[str, Any], question: str = "What about it?") -> str:
    answer = judged(claim, source, question=question)
    assert isinstance(answer, Support)
    return answer.label


@pytest.mark.parametrize(
    ("chunk", "right", "wrong"),
    [
        pytest.param(
            "Two short beeps: the battery is low, about 30 minutes are left.",
            "Two short beeps: the battery is low, about half an hour is left.",
            "Two short beeps: the battery is low, about an hour is left.",
            id="half of a unit",
        ),
        pytest.param(
            "Two short beeps mean that the battery is low and 30 minutes are left.",
            "Two short beeps mean that the battery is low and half an hour is left.",
            "Two short beeps mean that the battery is low and half a day is left.",
            id="half of another unit",
        ),
        pytest.param(
            "The charger connects to two phones at once and needs Bluetooth 5.3.",
            "The charger connects to phones and needs Bluetooth 5.3 at least.",
            "The charger connects to phones and needs Bluetooth 5.2 at least.",
            id="a decimal that ends a sentence",
        ),
    ],
)
def test_another_number_contradicts_and_the_same_does_not(
    chunk: str, right: str, wrong: str
) -> None:
    assert label(right, evidence(chunk)) in ("full", "partial")
    assert label(wrong, evidence(chunk)) == "contradicted"


def test_a_rate_times_a_number_word_is_worked_out() -> None:
    chunk = "Meals are paid as an allowance: EUR 14 for more than 8 hours, EUR 28 for a full day."
    claim = "You get an allowance of EUR 28 for a full day, which makes EUR {} for two days."
    question = "What do I get for two days?"
    assert label(claim.format(56), evidence(chunk), question) in ("full", "partial")
    assert label(claim.format(66), evidence(chunk), question) == "contradicted"


def test_an_article_in_another_case_is_one() -> None:
    chunk = "Eine BahnCard 50 zahlt die Firma, wenn sie sich innerhalb eines Jahres rechnet."
    claim = "Eine BahnCard 50 übernimmt die Firma, sofern sie sich binnen {} rechnet."
    assert label(claim.format("zwölf Monaten"), evidence(chunk)) in ("full", "partial")
    assert label(claim.format("zwei Monaten"), evidence(chunk)) == "contradicted"


def test_the_sign_of_a_unit_is_no_subject() -> None:
    chunk = "Charge the device between +10 °C and +35 °C only."
    assert label("Lagern dürfen Sie es bei bis zu 60 °C.", evidence(chunk)) != "contradicted"


@pytest.mark.parametrize(
    ("claim", "contradicted"),
    [
        pytest.param("SO-48231 is being processed and has not been shipped yet.", False, id="en"),
        pytest.param("SO-48231 wurde noch nicht geliefert.", False, id="de"),
        pytest.param("SO-48231 has been shipped.", True, id="another state"),
    ],
)
def test_a_denied_state_is_none_that_a_record_is_in(claim: str, *, contradicted: bool) -> None:
    record = '{"order_no": "SO-48231", "status": "processing", "shipped": null}'
    source = evidence(record, kind="tool_result", tool="get_order", status="ok")
    assert (label(claim, source) == "contradicted") is contradicted


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        pytest.param("half an hour", 30.0, id="en"),
        pytest.param("eine halbe Stunde", 30.0, id="de"),
        pytest.param("une demi-heure", 30.0, id="fr"),
        pytest.param("media hora", 30.0, id="es"),
        pytest.param("mezz'ora", 30.0, id="it"),
        pytest.param("een half uur", 30.0, id="nl"),
        pytest.param("half a day", 720.0, id="of a day"),
    ],
)
def test_half_of_a_unit(text: str, minutes: float) -> None:
    assert [(one.unit, set(one.values)) for one in quantities(text)] == [("minute", {minutes})]


def test_a_day_that_may_be_a_decimal_agrees_with_both() -> None:
    (written,) = quantities("It needs Bluetooth 5.3.")
    assert matched(written, quantities("Bluetooth 5.3 is needed"))
    assert matched(written, quantities("5 March"))
    assert not matched(written, quantities("Bluetooth 5.4 is needed"))


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        pytest.param("Replace it monthly.", True, id="en"),
        pytest.param("Wechseln Sie ihn wöchentlich.", True, id="de"),
        pytest.param("Replace it when the sound is faint.", False, id="no time"),
    ],
)
def test_how_often_is_told_in_a_word(claim: str, *, told: bool) -> None:
    assert gives(claim, "duration") is told
