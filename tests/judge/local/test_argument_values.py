"""Values of tool calls against what was said: days, numbers, and who the user is."""

from typing import Any

import pytest

from judge.local.arguments import check_arguments
from judge.local.said import Said, fields_of
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
        pytest.param("Make it two hours", {"end": "16:00"}, id="an hour that was worked out"),
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


def test_a_year_of_an_earlier_message_where_the_question_names_another() -> None:
    before = (Said(where="turn 1", text="What did I earn in 2023?"),)
    (found,) = mistakes({"year": 2023}, "And in 2024?", before)
    assert (found.value, found.expected, found.known_from) == ("2023", "2024", "question")
    assert mistakes({"year": 2024}, "And in 2024?", before) == []
    assert mistakes({"year": 2023}, "And the bonus?", before) == []
    assert mistakes({"from": 2022, "to": 2024}, "Until 2024, please", before) == []


BRANCHES = {
    "type": "object",
    "properties": {
        "branch": {"type": "string", "enum": ["harbour", "hillside"]},
        "state": {"type": "string", "enum": ["pending", "closed"]},
    },
}


@pytest.mark.parametrize(
    ("question", "before", "arguments", "expected"),
    [
        pytest.param("Is Hillside open?", "", {"branch": "harbour"}, "hillside", id="in the question"),
        pytest.param("Who runs it?", "I am at the Hillside branch.", {"branch": "harbour"}, "hillside", id="a name before"),
        pytest.param("Wer leitet sie?", "Ich bin in Hillside.", {"branch": "harbour"}, "hillside", id="German"),
        pytest.param("Who runs it?", "I am at Hillside, not at Harbour.", {"branch": "harbour"}, None, id="both were said"),
        pytest.param("Who runs it?", "I live by the sea.", {"branch": "harbour"}, None, id="none was said"),
        pytest.param("My orders, please", "The shop was closed.", {"state": "pending"}, None, id="a word before"),
        pytest.param("Who runs it?", "I am at the Hillside branch.", {"branch": "hillside"}, None, id="as said"),
    ],
)  # fmt: skip
def test_a_value_of_an_enum_for_another_that_was_said(
    question: str, before: str, arguments: dict[str, Any], expected: str | None
) -> None:
    said = (Said(where="turn 1", text=before),)
    found = check_arguments(arguments, BRANCHES, question, said).mistakes
    assert [one.expected for one in found] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("question", "sent", "expected"),
    [
        pytest.param("Which locker is mine?", "88-120", "88-102", id="digits swapped"),
        pytest.param("Which locker is mine?", "88-102", None, id="as the call before gave it"),
        pytest.param("Is 88-120 mine?", "88-120", None, id="as the question names it"),
    ],
)
def test_what_the_call_before_gave_for_the_same_key(
    question: str, sent: str, expected: str | None
) -> None:
    result = '[{"member_no": "F-1", "locker_no": "88-102"}]'
    said = (
        Said(
            where="result of call 1",
            text=result,
            of_this_turn=True,
            fields=fields_of(result, {"member_no": "F-1"}),
        ),
        Said(where="result of call 1 of turn 1", text='{"locker_no": "88-120"}'),
    )
    found = mistakes({"locker_no": sent}, question, said)
    assert [(one.expected, one.known_from) for one in found] == (
        [(expected, "result of call 1")] if expected else []
    )
    assert mistakes({"member_no": "F-2"}, "And for F-2?", said) == []


def test_what_a_call_searched_is_no_value_that_has_to_be_said() -> None:
    arguments = {"manual": "heater-hx20", "query": "descale"}
    assert check_arguments(arguments, None, "How do I descale?", ()).unknown == ("manual",)
    checked = check_arguments(
        arguments, None, "How do I descale?", (), searched=frozenset({"heater-hx20"})
    )
    assert (checked.mistakes, checked.unknown) == ((), ())


@pytest.mark.parametrize(
    ("question", "arguments", "expected"),
    [
        ("Is the van free on the 4th?", {"day": "2026-05-03"}, "2026-05-04"),
        ("Ist der Bus am 22. noch frei?", {"day": "2026-05-21"}, "2026-05-22"),
        ("Is the van free on the 31st?", {"day": "2026-04-30"}, None),
        ("Is the van free on the 45th?", {"day": "2026-04-30"}, None),
        ("Is the van free on the 4th?", {"day": "2026-05-04"}, None),
        ("A room from the 4th, two nights", {"first": "2026-05-04", "last": "2026-05-06"}, None),
        ("Is the room on the 4th floor free tomorrow?", {"day": "2026-05-03"}, None),
        ("Between the 4th and the 6th?", {"day": "2026-05-05"}, None),
    ],
)
def test_a_day_without_its_month(
    question: str, arguments: dict[str, Any], expected: str | None
) -> None:
    assert [one.expected for one in mistakes(arguments, question)] == (
        [expected] if expected else []
    )


SITES: dict[str, Any] = {"properties": {"site": {"type": "string", "enum": ["altona", "barmbek"]}}}


@pytest.mark.parametrize(
    ("question", "last", "expected"),
    [
        pytest.param("And is there a bigger van?", "Yes, in Barmbek.", "barmbek", id="named last"),
        pytest.param("And is there a bigger van?", "It is in Barmbek, or in Altona.", None, id="both"),
        pytest.param("And in Altona?", "Yes, in Barmbek.", None, id="named now"),
        pytest.param("And at the other one?", "Yes, in Barmbek.", None, id="the other"),
    ],
)  # fmt: skip
def test_the_value_that_was_named_last(question: str, last: str, expected: str | None) -> None:
    said = (
        Said(where="turn 2", text=last),
        Said(where="turn 1", text="Is there a van in Altona?"),
    )
    found = check_arguments({"site": "altona"}, SITES, question, said).mistakes
    assert [one.expected for one in found] == ([expected] if expected else [])
