"""A price in answer to a date: about something else, although it stands in the evidence."""

import pytest

from tests.judge.local.test_answer import judged

DEPOSIT = "The deposit is 30 euros for a tent. Damage is reported within two days."
TENT = "The deposit is 30 euros for a tent."


@pytest.mark.parametrize(
    ("question", "answer", "on_topic"),
    [
        pytest.param("By when do I report damage?", TENT, False, id="a price for a date"),
        pytest.param("How much is the deposit?", TENT, True, id="the price"),
        pytest.param("By when do I report damage?", "Within two days.", True, id="the date"),
        pytest.param("By when do I report damage?", "As soon as you see it.", True, id="in words"),
        pytest.param("Can I report damage when I pay?", TENT, True, id="yes or no"),
        pytest.param(
            "By when do I report damage?", "You need not, below 30 euros.", True, id="denied"
        ),
    ],
)
def test_a_quantity_of_another_kind_answers_something_else(
    question: str, answer: str, *, on_topic: bool
) -> None:
    assert (judged(question, [DEPOSIT], answer)["understanding"] >= 2) is on_topic


def test_where_no_passage_has_the_kind_another_may_answer() -> None:
    assert judged("By when do I report damage?", [TENT], TENT)["understanding"] >= 2
