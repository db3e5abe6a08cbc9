"""Claims in other words or another language, with limits turned round, or a bit beyond."""

import json
from typing import Any

import pytest

from judge.answers import SupportLabel
from judge.local.bounds import other_bound
from judge.local.evidence import pieces
from judge.local.holding import Held, hold
from judge.local.matching import Rarity
from judge.local.numbers import quantities
from judge.local.polarity import negated
from judge.local.thresholds import thresholds

GARDEN = (
    "Garden plots. Whoever gives up a plot clears it by the end of March. Sheds may be built only "
    "with the written consent of the board. The hedge is kept at a height of up to 1.2 m. Water is "
    "turned on for at least 6 hours 20 minutes a day. The annual fee is 85 €."
)
POOL = """Pools.

| pool, children's area | depth | water |
|---|---|---|
| Paddling basin | 40 cm | 32 °C |
| Diving basin | 380 cm | 26 °C |
| Training lanes | 180 cm | 27 °C |"""


def held(claim: str, text: str = GARDEN, question: str = "", **told: Any) -> Held:
    blank = {"title": None, "tool": None, "arguments": None, "status": None, "kind": "chunk"}
    evidence = pieces([{"label": "evidence 1", **blank, "text": text, **told}])
    return hold(claim, evidence, question, Rarity.of([text]), thresholds())


@pytest.mark.parametrize(
    ("claim", "labels"),
    [
        pytest.param(
            "You cannot put up a hut unless the committee has agreed in writing.",
            {"full", "partial"},
            id="other words",
        ),
        pytest.param(
            "Une cabane exige l'accord écrit du comité.", {"full", "partial"}, id="another language"
        ),
        pytest.param("Dogs must be kept on a lead.", {"none"}, id="not there"),
        pytest.param(
            "Les chiens doivent être tenus en laisse.", {"none"}, id="not there in French"
        ),
        pytest.param(
            "Every year you owe 95 €.", {"contradicted"}, id="a near line, another number"
        ),
    ],
)
def test_meaning_finds_what_words_do_not(claim: str, labels: set[SupportLabel]) -> None:
    assert held(claim).label in labels


@pytest.mark.parametrize(
    ("claim", "contradicts"),
    [
        pytest.param("The hedge has a height of at least 1.2 m.", True, id="turned round"),
        pytest.param("The hedge has a height of 1.2 m at most.", False, id="the same, said after"),
        pytest.param("The hedge may be kept at a height of 1.2 m.", False, id="no limit"),
        pytest.param("The hedge may have no more than 1.2 m.", False, id="the same, denied"),
        pytest.param(
            "The hedge is cut at least 1.2 m before the path.", False, id="before a thing"
        ),
    ],
)
def test_a_limit_is_no_limit_of_the_other_side(claim: str, contradicts: bool) -> None:  # noqa: FBT001
    line = "The hedge is kept at a height of up to 1.2 m."
    assert (other_bound(claim, [line]) is not None) is contradicts


def test_a_limit_turned_round_contradicts() -> None:
    assert held("The hedge is kept at a height of at least 1.2 m.").label == "contradicted"


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("It should not be open for more than 5 minutes.", False),
        ("Es darf nicht länger als 5 Minuten offen sein.", False),
        ("It should not be open.", True),
        ("It isn't open.", True),
    ],
)
def test_a_limit_said_by_a_denial_denies_nothing(text: str, denies: bool) -> None:  # noqa: FBT001
    assert negated(text) is denies


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("two and a quarter hours", 135),
        ("three and three quarter hours", 225),
        ("dreieinviertel Stunden", 195),
        ("6 hours and 20 minutes", 380),
        ("zwei Stunden 10 Minuten", 130),
        ("an hour and 5 minutes", 65),
    ],
)
def test_hours_with_parts_are_one_amount(said: str, minutes: int) -> None:
    assert [one.values for one in quantities(said)] == [frozenset({float(minutes)})]


@pytest.mark.parametrize(
    ("said", "exact"),
    [
        pytest.param("The water runs a bit over six hours a day.", True, id="a bit over"),
        pytest.param("The water runs almost six and a half hours a day.", True, id="almost"),
        pytest.param("The water runs almost six hours a day.", False, id="the wrong side"),
        pytest.param("The water runs a bit over five hours a day.", False, id="too far"),
        pytest.param("The water runs six hours a day.", False, id="said for exact"),
    ],
)
def test_a_bit_beyond_is_the_same_number(said: str, exact: bool) -> None:  # noqa: FBT001
    text = "Water is turned on for 6 hours 15 minutes a day."
    one = held(said, text)
    assert (one.exact and one.label != "contradicted") is exact


def test_a_row_is_named_by_part_of_its_name_in_the_question() -> None:
    wrong = held("It is 180 cm deep.", POOL, "How deep is the water for diving?")
    assert wrong.label == "contradicted"
    assert (
        held("It is 380 cm deep.", POOL, "How deep is the water for diving?").label != wrong.label
    )


def test_what_follows_from_the_users_number_is_of_no_other_row() -> None:
    table = "Shelves.\n\n| wood | load |\n|---|---|\n| oak | 60 kg |\n| pine | 30 kg |"
    claim = "Two oak boards with 30 kg each would do."
    assert held(claim, table, "I have 60 kg of books").label != "contradicted"
    assert held("An oak board carries 30 kg.", table).label == "contradicted"


def test_a_record_without_stock_does_not_deny_that_there_is_none() -> None:
    def of(stock: int) -> SupportLabel | None:
        record = json.dumps([{"part": "QX-77", "name": "pump", "stock": stock, "weeks": 3}])
        there = {"kind": "tool_result", "tool": "get_part", "status": "ok"}
        return held("There is no QX-77 pump in stock.", record, **there).label

    assert of(0) != "contradicted"
    assert of(12) == "contradicted"


def test_what_is_left_needs_no_unit() -> None:
    record = json.dumps([{"plot": "P-9", "hours": 14, "due": "at 40 h"}])
    there = {"kind": "tool_result", "tool": "get_duty", "status": "ok"}
    assert held("You did 14 hours and owe 40, so 26 are left.", record, **there).exact
    assert not held("You did 14 hours and owe 40, so 27 are left.", record, **there).exact
