"""What an answer says it lacks, held against what was found."""

import pytest

from judge.local.declared import has_all, named_words


@pytest.mark.parametrize(
    ("question", "declared", "named"),
    [
        pytest.param(
            "Is there a drum kit in the studio?",
            "I could not find out whether the studio has drums.",
            ["drum", "studio"],
            id="words in another form",
        ),
        pytest.param(
            "Was kostet der Familientarif?",
            "Den Preis des Familientarifs habe ich nicht gefunden.",
            ["kostet", "familientarif"],
            id="the same idea",
        ),
        pytest.param(
            "Does it work with snow chains?", "I found nothing about that.", [], id="nothing named"
        ),
        pytest.param("", "The studio has no drums.", [], id="nothing asked"),
    ],
)
def test_what_an_answer_names(question: str, declared: str, named: list[str]) -> None:
    assert list(named_words(question, declared)) == named


@pytest.mark.parametrize(
    ("wanted", "text", "there"),
    [
        pytest.param(["studio"], "The studio costs 6 euros an hour.", True, id="there"),
        pytest.param(["studio", "drum"], "The studio costs 6 euros.", False, id="one of two"),
        pytest.param(["refund"], "Sie erhalten eine Erstattung.", True, id="in other words"),
        pytest.param([], "The studio costs 6 euros.", True, id="nothing wanted"),
        pytest.param(["studio"], "", False, id="an empty text"),
    ],
)
def test_whether_a_text_has_all(wanted: list[str], text: str, *, there: bool) -> None:
    assert has_all(wanted, text) is there
