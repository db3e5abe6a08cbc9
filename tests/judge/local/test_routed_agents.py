"""Was it the right agent: by what it looked up and says, and what only others reach."""

import pytest

from judge.answers import TurnRouting
from judge.asking_routing import routing_questions
from judge.local import LocalJudge
from judge.local.library import Library
from judge.local.shelves import Passage, Reach
from judge.replies import read_reply
from stages.records import Turn
from tests.builders import catalogue, conversation, definition, routing, tool_call, turn

PASSAGES = {
    "kitchen": [
        "The oven is cleaned with citric acid once a month.",
        "The mixer takes two litres of dough at most.",
    ],
    "garden": [
        "Tomatoes are watered every morning, in hot weather in the evening as well.",
        "The lawn mower is serviced in March by the workshop.",
    ],
}
LIBRARY = Library(
    (Passage(collection=name, title=None, text=one) for name, some in PASSAGES.items() for one in some),
    [Reach(agent="cook", collection="kitchen"), Reach(agent="gardener", collection="garden")],
)  # fmt: skip
GET_SHIFT = definition(
    "get_shift",
    "Shift of one helper.",
    {"type": "object", "properties": {"no": {"type": "string", "pattern": "H-[0-9]{3}"}}},
)
CATALOGUES = (
    catalogue("cook", [GET_SHIFT], ["kitchen"]),
    catalogue("gardener", [], ["garden"]),
)
TOMATOES = "How often are the tomatoes watered in hot weather?"


def judged(*turns: Turn) -> TurnRouting:
    (question,) = routing_questions(conversation(*turns))
    (reply,) = LocalJudge(LIBRARY).answer([question])
    return read_reply(question, reply.text).turns[-1]  # type: ignore[union-attr]


def by(agent: str, question: str, answer: str, number: int = 1, *, called: bool = False) -> Turn:
    calls = (tool_call("get_shift", {"no": "H-104"}, {"day": "Monday"}),) if called else ()
    own = tuple(one for one in CATALOGUES if one.agent == agent)
    return turn(
        question,
        answer,
        number=number,
        tool_calls=calls,
        routing=routing((agent,), catalogues=own),
    )


@pytest.mark.parametrize(
    ("agent", "question", "answer", "called", "ok"),
    [
        pytest.param("cook", TOMATOES, "I do not know, sorry.", False, False, id="only another reaches it"),
        pytest.param("cook", TOMATOES, "Twice a day.", False, False, id="and it is made up"),
        pytest.param("cook", TOMATOES, "Do you mean those in the greenhouse?", False, True, id="asks back"),
        pytest.param("cook", TOMATOES, "I do not know, sorry.", True, False, id="what it called does not tell"),
        pytest.param("cook", "When is the shift of H-104?", "It is on Monday.", True, True, id="looked up and stated"),
    ],
)  # fmt: skip
def test_agent(agent: str, question: str, answer: str, *, called: bool, ok: bool) -> None:
    found = judged(by(agent, question, answer, called=called))
    assert (found.agent_ok, found.fitting_agent) == (ok, None if ok else "gardener")


def test_who_goes_on_from_its_own_answer_is_right() -> None:
    first = by("cook", "When is the shift of H-104?", "It is on Monday.", called=True)
    again = by("cook", "Is that a hot morning to water tomatoes?", "It is on Monday.", number=2)
    assert judged(first, again).agent_ok is True


@pytest.mark.parametrize(
    ("question", "answer", "missing"),
    [
        pytest.param("I'd like the shift of a helper.", "Which helper do you mean?", False, id="asks back for what it needs"),
        pytest.param("I'd like the shift of helper H-104.", "Which helper do you mean?", True, id="asks for what it was told"),
        pytest.param("I'd like the shift of a helper, H-104.", "It is on Monday.", True, id="answers from nothing"),
    ],
)  # fmt: skip
def test_an_answer_that_asks_back_misses_no_look_up(
    question: str, answer: str, *, missing: bool
) -> None:
    found = judged(
        by("cook", "The shift of H-203?", "On Tuesday.", called=True),
        by("cook", question, answer, 2),
    )
    assert bool(found.missing) == missing


@pytest.mark.parametrize(
    ("question", "answer", "fitting"),
    [
        pytest.param("Can I book a room with a view of the lake?", "I cannot find that, sorry.", "rooms", id="another is for that"),
        pytest.param("Can I book a room with a view of the lake?", "For which nights do you mean?", None, id="it asks back"),
        pytest.param("Which wine goes with trout?", "I cannot find that, sorry.", None, id="its own task"),
        pytest.param("May I park a caravan?", "I cannot find that, sorry.", None, id="nobody is for that"),
    ],
)  # fmt: skip
def test_who_finds_nothing_gives_way_to_who_is_described_for_it(
    question: str, answer: str, fitting: str | None
) -> None:
    agents = (
        definition("menu", "Dishes and wines of the restaurant, allergies"),
        definition("rooms", "Booking rooms of the hotel, their beds and views"),
    )
    own = (catalogue("menu", [], ["dishes"]),)
    found = judged(
        turn(question, answer, routing=routing(("menu",), candidates=agents, catalogues=own))
    )
    assert (found.agent_ok is False, found.fitting_agent) == (fitting is not None, fitting)
