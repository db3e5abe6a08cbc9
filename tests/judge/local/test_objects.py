from collections.abc import Mapping

import pytest

from judge.local import Library, Passage
from judge.local.elements import elements_of
from judge.local.grading import judge_relevance
from judge.local.objects import Objects
from judge.local.patterns import pattern
from judge.local.thresholds import thresholds

_RULES = (
    "{0}: dogs. Dogs stay on a lead of {1} m at most.",
    "{0}: fires. Fires are lit in the {1} stone rings only.",
    "{0}: quiet hours. Quiet hours begin at {1} p.m. and end at 7 a.m.",
    "{0}: cars. A car pays {1} euros a night beside the tent.",
    "{0}: showers. Showers take tokens, {1} for ten minutes.",
)
_CAMPS: Mapping[str, list[str]] = {
    "camp-birkensee": [rule.format("Birkensee", number) for number, rule in enumerate(_RULES, 2)],
    "camp-dornhalde": [rule.format("Dornhalde", number) for number, rule in enumerate(_RULES, 5)],
    "shop": [
        "Gas bottles are sold from 8 to 12.",
        "Bread is ordered the evening before.",
        "Ice packs are frozen again for free.",
        "Maps of the hiking trails cost 4 euros.",
    ],
}
_PLAIN: Mapping[str, list[str]] = {
    "veska": [rule.format("Veska", number) for number, rule in enumerate(_RULES, 2)],
    "veska-mini": [rule.format("Veska Mini", number) for number, rule in enumerate(_RULES, 5)],
}
BIRKENSEE = Objects.of([_CAMPS])
VESKA = Objects.of([_PLAIN])


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        pytest.param(
            "How long may the lead be at Birkensee?", "dornhalde", id="the other is named"
        ),
        pytest.param("How long may the lead be at Dornhalde?", None, id="this one is named"),
        pytest.param("How long may the lead of my dog be?", None, id="none is named"),
        pytest.param("At Birkensee and Dornhalde, may I light a fire?", None, id="both are named"),
        pytest.param("Are showers cheaper than at Birkensee?", None, id="they are compared"),
    ],
)
def test_a_near_copy_about_another_object_is_told_by_its_name(
    asked: str, about: str | None
) -> None:
    found = BIRKENSEE.other(asked, _CAMPS["camp-dornhalde"][0])
    assert found == (None if about is None else "it is about dornhalde, not birkensee")


def test_a_collection_that_is_no_near_copy_is_no_neighbour() -> None:
    assert [one.called for one in BIRKENSEE.distinctions] == [("birkensee", "dornhalde")]
    assert BIRKENSEE.other("Where is gas sold at Birkensee?", _CAMPS["shop"][0]) is None


@pytest.mark.parametrize(
    ("asked", "chunk", "about"),
    [
        ("May dogs run free with the Veska Mini?", "veska", "it is about veska, not veska mini"),
        ("May dogs run free with the Veska?", "veska-mini", None),
        ("May dogs run free with the Veska?", "veska", None),
        ("A mini tent: may dogs run free?", "veska", None),
    ],
)
def test_a_name_with_an_addition_is_another_than_the_plain_one(
    asked: str, chunk: str, about: str | None
) -> None:
    assert VESKA.other(asked, _PLAIN[chunk][0]) == about


@pytest.mark.parametrize(
    ("question", "before", "loosely", "held"),
    [
        pytest.param("And a fire?", ["I am at Birkensee."], False, ["birkensee"], id="goes on"),
        pytest.param("And at Dornhalde?", ["I am at Birkensee."], False, [], id="names its own"),
        pytest.param(
            "May I light a fire?",
            ["I am at Birkensee.", "And what does my brother pay at Dornhalde?"],
            True,
            [],
            id="two were named, and it goes on from neither",
        ),
        pytest.param(
            "May I light a fire?", ["I am at Birkensee."], True, ["birkensee"], id="one was named"
        ),
        pytest.param(
            "No, at the other camp.", ["A fire at Birkensee?"], False, ["dornhalde"], id="the other"
        ),
        pytest.param(
            "Und gibt es dort Brot?",
            ["Darf ich in Birkensee Feuer machen?", "Ich meinte den anderen Platz."],
            False,
            ["dornhalde"],
            id="the other was meant",
        ),
    ],
)
def test_an_object_holds_on_while_nothing_speaks_against_it(
    question: str, before: list[str], held: list[str], *, loosely: bool
) -> None:
    assert list(BIRKENSEE.carried(question, before, loosely=loosely)) == held


def test_a_name_is_not_the_name_that_is_like_it() -> None:
    camps = {
        f"camp-{name.casefold()}": [rule.format(name, number) for number, rule in enumerate(_RULES)]
        for name in ("Birkenau", "Birkenegg")
    }
    objects = Objects.of([camps])
    (sides,) = objects.named("May I light a fire in Birkenegg?").values()
    assert sides == (False, True)


def test_an_element_with_context_is_about_the_object_that_is_asked_about_now() -> None:
    library = Library(
        Passage(collection=name, title=None, text=text)
        for name, texts in _CAMPS.items()
        for text in texts
    )
    need = "And at Dornhalde? (I am at Birkensee. When do the quiet hours begin?)"

    chunk = {"text": _CAMPS["camp-birkensee"][2], "title": None}
    content = {"need": need, "earlier": [], "chunk": chunk}
    found = judge_relevance(content, library, thresholds())
    assert found is not None
    assert found["reason"] == "it is about birkensee, not dornhalde"
    assert found["grade"] <= 1


def test_a_wish_to_look_again_asks_what_was_asked_before() -> None:
    asked = "What does a night at Birkensee cost, and when does it open?"
    assert elements_of("Could you look that up?", [asked]) == elements_of(asked, [])


@pytest.mark.parametrize(
    ("question", "again"),
    [
        ("Please try again.", True),
        ("Schauen Sie bitte noch einmal nach.", True),
        ("Läuft es jetzt wieder?", True),
        ("Vuelva a buscar otra vez.", True),
        ("Where can I look for tents again?", False),
        ("Do I have to check in there?", False),
        ("Muss ich den Zettel noch einmal ausfüllen?", False),
    ],
)
def test_asking_for_another_try_is_told_from_a_question(question: str, *, again: bool) -> None:
    assert (pattern("once_more").search(question) is not None) is again
