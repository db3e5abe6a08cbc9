"""Queries that lose what was asked for, told by the passages and not by shared words."""

import pytest

from judge.answers import TurnRouting
from judge.asking_routing import routing_questions
from judge.local import LocalJudge
from judge.local.library import Library
from judge.local.shelves import Passage
from judge.replies import read_reply
from tests.builders import catalogue, chunk, conversation, retrieval, routing, turn

FEES = "Fees. A plot costs 80 euros a year; the deposit for the key is 25 euros."
WATER = "Water. The tap at the gate runs from April to October, hoses are not allowed."
TEXTS = (
    FEES,
    WATER,
    "Sheds. A shed may cover 6 square metres and be 2.40 metres high.",
    "Fires. Garden waste is not burnt. A grill is allowed on the gravel.",
    "Hedges. They are cut twice a year and may be 1.20 metres high.",
)
LIBRARY = Library(Passage(collection="garden-rules", title=None, text=text) for text in TEXTS)


def judged(question: str, query: str, found: str) -> TurnRouting:
    asked = turn(
        question,
        "Well.",
        retrievals=(retrieval([chunk("c-1", found)], query, collection="garden-rules"),),
        routing=routing(catalogues=(catalogue("host", [], ["garden-rules"]),), refined_query=query),
    )
    (put,) = routing_questions(conversation(asked))
    (reply,) = LocalJudge(LIBRARY).answer([put])
    return read_reply(put, reply.text).turns[-1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("question", "query", "found", "lost"),
    [
        pytest.param(
            "What do you charge me for my bit of land?",
            "plot costs a year",
            FEES,
            (),
            id="in the words of the passages",
        ),
        pytest.param(
            "Ab wann kann ich vorne am Tor Wasser holen?",
            "tap at the gate April",
            WATER,
            (),
            id="in another language",
        ),
        pytest.param(
            "From when can I draw water, and may I use hoses?",
            "costs of a plot and deposit",
            FEES,
            ("water",),
            id="another topic",
        ),
        pytest.param(
            "Do you have goats?", "costs of a plot", FEES, (), id="nothing answers the question"
        ),
    ],
)
def test_a_query_is_lost_where_what_answers_is_farther_from_it(
    question: str, query: str, found: str, lost: tuple[str, ...]
) -> None:
    told = judged(question, query, found)
    assert (told.refined_faithful, sorted(told.lost_constraints)) == (not lost, sorted(lost))
