"""Neighbouring collections: what tells them apart, and which one a conversation is about."""

import pytest

from judge.answers import TurnRouting
from judge.asking_routing import routing_questions
from judge.local import LocalJudge
from judge.local.library import Library
from judge.local.shelves import Passage
from judge.local.subjects import Subjects
from judge.local.thresholds import thresholds
from judge.replies import read_reply
from stages.records import Turn
from tests.builders import assistant, catalogue, chunk, conversation, retrieval, routing, turn, user

RULES = {
    "keys": "The key is handed out from 15:00 on and returned before 10:00.",
    "dogs": "Dogs pay 6 euros a night and stay on the lead.",
    "quiet": "Nobody makes noise after ten in the evening.",
    "deposit": "A deposit of 50 euros is paid on arrival.",
    "boats": "Canoes can be rented for 12 euros an hour.",
    "waste": "Glass and paper are sorted behind the house.",
}
TEXTS = {
    "stay-island": [f"Insel: {name}. {text}" for name, text in RULES.items()],
    "stay-mountain": [f"Bergalm: {name}. {text}" for name, text in RULES.items()],
    "bell-1": [f"Bell Nova: {name}. {text}" for name, text in RULES.items()],
    "bell-1-plus": [f"Bell Nova Plus: {name}. {text}" for name, text in RULES.items()],
    "payroll": ["Wages are paid on the last day of a month."],
}
SUBJECTS = Subjects(TEXTS)
LIBRARY = Library(
    Passage(collection=name, title=None, text=text)
    for name, texts in TEXTS.items()
    for text in texts
)


@pytest.mark.parametrize(
    ("text", "name", "other", "which"),
    [
        pytest.param("What do dogs pay on the island?", "stay-island", "stay-mountain", 1, id="by its name"),
        pytest.param("Was kostet ein Hund auf der Bergalm?", "stay-island", "stay-mountain", -1, id="by what its passages say"),
        pytest.param("Is the Insel or the Bergalm quieter?", "stay-island", "stay-mountain", 0, id="both"),
        pytest.param("What do dogs pay?", "stay-island", "stay-mountain", None, id="neither"),
        pytest.param("Has my Bell Nova Plus a deposit?", "bell-1", "bell-1-plus", -1, id="the longer name"),
        pytest.param("Has my Bell Nova a deposit?", "bell-1", "bell-1-plus", None, id="the shorter name may be short for it"),
        pytest.param("Where is payroll?", "stay-island", "nowhere", None, id="unknown"),
    ],
)  # fmt: skip
def test_which_of_two_neighbours_a_text_names(
    text: str, name: str, other: str, which: int | None
) -> None:
    assert SUBJECTS.leaning(text, name, other) == which


@pytest.mark.parametrize(
    ("asked", "which"),
    [
        pytest.param("May my dog come along on the LakeFerry?", 1, id="whole"),
        pytest.param("May my dog come along on the ferry?", 1, id="by what it is"),
        pytest.param("May my dog come along to the lake?", None, id="by what it only begins with"),
    ],
)
def test_a_joined_name_is_met_whole_or_by_its_last_part(asked: str, which: int | None) -> None:
    lines = Subjects(
        {
            f"fares-{name.lower()}": [f"{name}: {rule}. {text}" for rule, text in RULES.items()]
            for name in ("LakeFerry", "HillTrain")
        }
    )
    assert lines.leaning(asked, "fares-lakeferry", "fares-hilltrain", akin=True) == which


def test_a_large_collection_is_told_by_a_sample_in_any_order() -> None:
    texts = {
        f"stay-{name.lower()}": [
            f"{name}: cabin {number} has {number} beds." for number in range(500)
        ]
        for name in ("Insel", "Bergalm")
    }
    turned = {name: some[::-1] for name, some in texts.items()}
    asked = ("Is the Bergalm quiet?", "How many beds has the Insel?", "Is cabin 499 free?")
    for large in (Subjects(texts), Subjects(turned)):
        told = [large.leaning(one, "stay-insel", "stay-bergalm") for one in asked]
        assert told == [-1, 1, None]


def test_another_language_names_the_same() -> None:
    asked = "Does the south have rules on ladders?"
    sites = Subjects(
        {
            name: [f"{name}: {text}" for text in RULES.values()]
            for name in ("regeln-norden", "regeln-süden")
        }
    )
    assert sites.leaning(asked, "regeln-norden", "regeln-süden") is None
    assert sites.leaning(asked, "regeln-norden", "regeln-süden", akin=True) == -1


def test_neighbours_share_part_of_their_label() -> None:
    assert SUBJECTS.neighbours("stay-island") == ("stay-mountain",)
    assert SUBJECTS.neighbours("payroll") == ()


def searching(question: str, *searches: tuple[str, str], number: int = 1) -> Turn:
    return turn(
        question,
        "Here you are.",
        number=number,
        retrievals=tuple(
            retrieval([chunk("c", TEXTS[name][1], 1, collection=name)], query, collection=name)
            for name, query in searches
        ),
        routing=routing(
            collections=tuple(name for name, _ in searches),
            catalogues=(catalogue("host", [], list(TEXTS)),),
        ),
    )


def judged(*turns: Turn) -> TurnRouting:
    (question,) = routing_questions(conversation(*turns))
    (reply,) = LocalJudge(LIBRARY).answer([question])
    return read_reply(question, reply.text).turns[-1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("question", "collection", "query", "ok"),
    [
        pytest.param("What do dogs pay a night on the Bergalm?", "stay-mountain", "dogs a night", True, id="as named"),
        pytest.param("What do dogs pay a night on the Bergalm?", "stay-island", "dogs a night", False, id="its neighbour"),
        pytest.param("What do dogs pay a night?", "stay-island", "Bergalm dogs a night", False, id="the query names the neighbour"),
        pytest.param("What do dogs pay a night?", "stay-island", "dogs a night", True, id="none is named"),
        pytest.param("Do dogs pay more on the island than on the Bergalm?", "stay-island", "dogs a night", True, id="one of two"),
    ],
)  # fmt: skip
def test_the_neighbour_that_was_named(
    question: str, collection: str, query: str, *, ok: bool
) -> None:
    (found,) = judged(searching(question, (collection, query))).collections
    assert (found.ok, found.fits) == (ok, None if ok else "stay-mountain")


def test_what_was_named_once_holds_on() -> None:
    first = searching("When do I get the key on the Bergalm?", ("stay-mountain", "key handed out"))
    wrong = searching("What do dogs pay a night?", ("stay-island", "dogs a night"), number=2)
    right = searching("What do dogs pay a night?", ("stay-mountain", "dogs a night"), number=2)
    assert [one.ok for one in judged(first, wrong).collections] == [False]
    assert [one.ok for one in judged(first, right).collections] == [True]


def test_which_of_two_that_were_named_may_be_meant() -> None:
    first = searching("When do I get the key on the Bergalm?", ("stay-mountain", "key handed out"))
    other = searching("And on the island?", ("stay-island", "key handed out"), number=2)
    third = searching("What do dogs pay a night?", ("stay-mountain", "dogs a night"), number=3)
    assert [one.ok for one in judged(first, other, third).collections] == [True]


def test_a_part_that_names_the_neighbour_is_left_out() -> None:
    asked = "What do dogs pay on the island and what do they pay on the Bergalm?"
    found = judged(searching(asked, ("stay-island", "dogs a night")))
    assert [(one.kind, one.name) for one in found.missing] == [("collection", "stay-mountain")]
    both = searching(asked, ("stay-island", "dogs a night"), ("stay-mountain", "dogs a night"))
    assert judged(both).missing == ()


def test_what_was_found_before_need_not_be_searched_again() -> None:
    asked = "How many euros do dogs pay a night on the island?"
    first = searching(asked, ("stay-island", "dogs a night"))
    history = (user(asked), assistant("6 euros."))
    again = turn(
        "And do the dogs stay on the lead?",
        "Yes.",
        number=2,
        history=history,
        routing=routing(catalogues=(catalogue("host", [], list(TEXTS)),)),
    )
    assert judged(first, again).missing == ()


@pytest.mark.parametrize(
    ("asked", "conflicts"),
    [
        pytest.param("What do dogs pay a night on the Bergalm?", True, id="the neighbour is named"),
        pytest.param("What do dogs pay a night on the Insel?", False, id="as named"),
        pytest.param("What do dogs pay a night?", False, id="neither"),
        pytest.param("Do dogs pay more on the Insel or on the Bergalm?", False, id="both"),
    ],
)
def test_a_passage_of_the_neighbour_that_was_not_named(asked: str, *, conflicts: bool) -> None:
    text = TEXTS["stay-island"][1]
    found = LIBRARY.standing(LIBRARY.need(asked), text, None, thresholds())
    assert (found.conflict is not None) is conflicts


def test_a_passage_that_both_neighbours_hold_is_about_either() -> None:
    shared = "Guests sort their waste before they leave."
    kept = [(name, shared) for name in ("stay-island", "stay-mountain")]
    told = [(name, text) for name, texts in TEXTS.items() for text in texts]
    both = Library(Passage(collection=name, title=None, text=text) for name, text in told + kept)
    asked = both.need("Who sorts the waste on the Bergalm?")
    assert both.standing(asked, shared, None, thresholds()).conflict is None
