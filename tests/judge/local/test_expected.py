import pytest

from judge.local.expected import expected, tells


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much is it?", "money"),
        ("And how much for two?", "money"),
        ("How much luggage may I take?", None),
        ("How much extra leave is there?", None),
        ("Wie viel kostet das?", "money"),
        ("Wie viel Urlaub habe ich?", None),
        ("Was zahle ich dafür?", "money"),
        ("What would I pay for one?", "money"),
        ("Bis wie viel Uhr ist offen?", "date"),
        ("From when does the new price hold?", "date"),
        ("What is the fee when I cancel?", "money"),
        ("Ab wann gilt der neue Preis?", "date"),
        ("How long does it take?", "duration"),
        ("How many tickets are there?", "number"),
        ("Is it open?", None),
    ],
)
def test_what_a_question_asks_for(question: str, kind: str | None) -> None:
    assert expected(question) == kind


@pytest.mark.parametrize(
    "claim", ["It is 3 days.", "Until 5 May.", "As long as you like.", "Sofort."]
)
def test_a_claim_that_may_tell_how_long(claim: str) -> None:
    assert tells(claim, "duration")


@pytest.mark.parametrize("claim", ["It is free.", "Half of the price.", "Nichts.", "3 euros"])
def test_a_claim_that_may_tell_how_much(claim: str) -> None:
    assert tells(claim, "money")


@pytest.mark.parametrize("claim", ["The hall has 40 seats.", "Yes, we lend books."])
def test_a_claim_that_tells_neither(claim: str) -> None:
    assert not tells(claim, "money")
    assert not tells(claim, "duration")
