"""What an answer says it lacks, held against what was found."""

import pytest

from judge.local.claims import Claim
from judge.local.coverage import Covered
from judge.local.declared import by_declarations, has_all, named_words
from judge.local.matching import Rarity
from judge.local.needs import need_of
from judge.local.resting import Rested
from judge.local.sought import Element


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


def covered(question: str, status: str) -> Covered:
    need = need_of(question, (), Rarity.of(()))
    element = Element(
        text=question, need=need, own=need.weights, leans=False, sources=(), in_evidence=False
    )
    return Covered(element=element, status=status, paragraphs=(1,), strength=0.0)  # type: ignore[arg-type]


def told(text: str, act: str) -> Rested:
    claim = Claim(paragraph=1, verbatim=text, text=text, act=act)  # type: ignore[arg-type]
    return Rested(claim=claim, held=None)


def test_a_declaration_is_for_the_element_that_it_is_about() -> None:
    elements = [
        covered("How much is a seat in the stalls?", "declared_missing"),
        covered("May I bring my bicycle into the foyer?", "answered"),
    ]
    claims = [
        told("The stalls are 24 € each.", "fact"),
        told("On bicycles in the foyer I found nothing.", "unknown"),
    ]
    found = [one.status for one in by_declarations(elements, claims)]
    assert found == ["answered", "declared_missing"]
    assert [one.status for one in by_declarations(elements, claims[:1])] == [
        "declared_missing",
        "answered",
    ]
