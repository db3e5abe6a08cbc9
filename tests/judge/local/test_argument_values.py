"""Values of tool calls against what was said: days, numbers, and who the user is."""

from typing import Any

import pytest

from judge.local.arguments import check_arguments
from judge.local.said import Said
from judge.local.schemas import Mistake


def mistakes(
    arguments: dict[str, Any],
    question: str,
    said: tuple[Said, ...] = (),
    sent: dict[str, str] | None = None,
) -> list[Mistake]:
    before = {name: Said(where="turn 1", text=text) for name, text in (sent or {}).items()}
    return list(check_arguments(arguments, None, question, said, before).mistakes)


EARLIER = (Said(where="turn 1", text="We are 4 people and arrive at 18:30."),)


@pytest.mark.parametrize(
    ("question", "arguments", "expected"),
    [
        pytest.param("Book the van on 19 May 2026.", {"day": "2026-05-91"}, "19 May 2026", id="no such day"),
        pytest.param("Book the van for Tuesday.", {"day": "2026-13-02"}, None, id="no such month"),
        pytest.param("A room for 3 nights please", {"nights": 2}, "3", id="another number"),
        pytest.param("A room for three nights", {"nights": 5}, "three", id="a number in words"),
        pytest.param("A table at 18:30", {"time": "18:03"}, "18:30", id="another time of day"),
        pytest.param("Ein Zimmer für 3 Nächte", {"nights": "4"}, "3", id="a number as text"),
    ],
)  # fmt: skip
def test_a_value_that_nobody_said_in_the_place_of_one_that_was(
    question: str, arguments: dict[str, Any], expected: str | None
) -> None:
    (found,) = mistakes(arguments, question)
    assert (found.argument, found.expected) == (next(iter(arguments)), expected)
    assert found.known_from == ("question" if expected else "schema")


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        pytest.param("Book the van for Tuesday.", {"day": "2026-05-19"}, id="a day worked out"),
        pytest.param("A room for 3 nights", {"nights": 3}, id="as said"),
        pytest.param("And a table?", {"people": 4}, id="said before"),
        pytest.param("A room in March", {"guests": 2}, id="no number was said"),
        pytest.param("2 rooms for 3 nights", {"beds": 5}, id="either may be meant"),
        pytest.param(
            "A room for 3 nights", {"nights": 3, "beds": 2}, id="all that was said is sent"
        ),
        pytest.param("My 3 last orders", {"limit": 10, "orders": 3}, id="how much to return"),
        pytest.param("My last 3 orders", {"page_size": 10}, id="only how much to return"),
    ],
)
def test_what_cannot_be_refuted(question: str, arguments: dict[str, Any]) -> None:
    assert mistakes(arguments, question, EARLIER) == []


@pytest.mark.parametrize(
    ("question", "name", "value", "expected"),
    [
        pytest.param("How many days off have I left?", "user_id", "anna.k", "jo.m", id="another user"),
        pytest.param("How many days off have I left?", "user_id", "jo.m", None, id="the same"),
        pytest.param("How many days off has anna.k left?", "user_id", "anna.k", None, id="who was asked about"),
        pytest.param("And the Kolibri?", "product", "Kolibri", None, id="not a user"),
        pytest.param("What is on my account?", "account", "anna.k", None, id="never sent before"),
    ],
)  # fmt: skip
def test_who_the_user_is_does_not_change(
    question: str, name: str, value: str, expected: str | None
) -> None:
    found = mistakes({name: value}, question, sent={"user_id": "jo.m", "product": "Falke"})
    assert [(one.expected, one.known_from) for one in found] == (
        [(expected, "turn 1")] if expected else []
    )


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        pytest.param("E-2207", [], id="a form is no number of staff"),
        pytest.param("B3", ["A1"], id="another form"),
    ],
)
def test_a_number_of_another_length_is_not_meant(sent: str, expected: list[str]) -> None:
    found = mistakes({"document": sent}, "Do I need an A1 certificate for my stay?")
    assert [one.expected for one in found] == expected
