"""Which tool was wanted: by the records that are asked about, and by what is asked now."""

from typing import Any, TypeAlias

import pytest

from judge.answers import TurnRouting
from stages.records import Turn
from tests.builders import (
    assistant,
    catalogue,
    definition,
    retrieval,
    routing,
    tool_call,
    turn,
    user,
)
from tests.judge.local.test_routing import judged

Call: TypeAlias = tuple[str, dict[str, Any]]


def taking(name: str, description: str, **parameters: str) -> Any:
    properties: dict[str, Any] = {
        one: {"type": "string", "pattern": text} for one, text in parameters.items()
    }
    schema: Any = {"type": "object", "properties": properties, "required": [*parameters]}
    return definition(name, description, schema)


TOOLS = [
    taking("get_rental", "Boat, times and skipper of one rental.", rental_id="B-[0-9]{4}"),
    taking("get_member", "Address, fee and boating licence of a member.", member_id="M-[0-9]{3}"),
    taking("get_bill", "Items and amount of one bill.", bill_no="F-[0-9]{4}"),
    taking("cancel_rental", "Cancel a rental.", rental_id=""),
    taking("report_damage", "Report damage to a boat of a rental.", rental_id="", text=""),
]


def asked(question: str, *calls: Call, before: str = "") -> TurnRouting:
    history = (user(before), assistant("All right.")) if before else ()
    shown = turn(
        question,
        "Here you are.",
        history=history,
        tool_calls=tuple(
            tool_call(name, sent, {"found": True}, position=position)
            for position, (name, sent) in enumerate(calls, start=1)
        ),
        routing=routing(catalogues=(catalogue("harbour", TOOLS, []),)),
    )
    return judged(shown)


RENTAL: Call = ("get_rental", {"rental_id": "B-2041"})
MEMBER: Call = ("get_member", {"member_id": "M-118"})


@pytest.mark.parametrize(
    ("question", "call", "fits"),
    [
        pytest.param("Who is the skipper of B-2041? I am member M-118.", MEMBER, "get_rental", id="only who asks"),
        pytest.param("Who is the skipper of B-2041? I am member M-118.", RENTAL, None, id="what is asked about"),
        pytest.param("It is about bill F-3310 of rental B-2041. What is its amount?", RENTAL, "get_bill", id="of two, the other"),
        pytest.param("Something of rental B-2041 is broken. Please report it.",
                     ("report_damage", {"rental_id": "B-2041", "text": "broken"}), None, id="an action with the same record"),
        pytest.param("When does rental B-2041 end, and what is the amount of bill F-3310?", RENTAL, None, id="one part of two"),
    ],
)  # fmt: skip
def test_the_tool_of_the_record_that_is_asked_about(
    question: str, call: Call, fits: str | None
) -> None:
    (found,) = asked(question, call).calls
    assert (found.tool_ok, found.fits) == (fits is None, fits)


def test_a_search_for_a_record_s_number_does_not_look_it_up() -> None:
    query = "skipper of B-2041"
    search = retrieval(["The skipper signs the log."], query, collection="rules", call_id="call-1")
    known = catalogue("harbour", ["search_rules", *TOOLS], ["rules"])
    shown = turn(
        "Who is the skipper of B-2041?",
        "The skipper signs the log.",
        tool_calls=(tool_call("search_rules", {"query": query}, is_retrieval=True),),
        retrievals=(search,),
        routing=routing(catalogues=(known,)),
    )
    found = judged(shown)
    assert [(one.tool_ok, one.fits) for one in found.calls] == [(False, "get_rental")]


@pytest.mark.parametrize(
    ("question", "calls", "missing"),
    [
        pytest.param("When does rental B-2041 end, and what is the amount of bill F-3310?", [RENTAL], ["get_bill"], id="the other part"),
        pytest.param("Please cancel B-2041.", [("cancel_rental", {"rental_id": "B-2041"})], [], id="an action looks nothing up"),
        pytest.param("I am M-118. When does rental B-2041 end?", [RENTAL], [], id="who asks need not be looked up"),
    ],
)  # fmt: skip
def test_a_record_that_a_call_took_is_not_missing(
    question: str, calls: list[Call], missing: list[str]
) -> None:
    assert [one.name for one in asked(question, *calls).missing] == missing


def test_a_tool_that_fits_only_what_was_asked_before_is_not_missed() -> None:
    before = "Please cancel my rental B-2041."
    found = asked("Is the address of M-118 still right?", MEMBER, before=before)
    assert ([one.tool_ok for one in found.calls], found.missing) == ([True], ())


def test_a_tool_whose_number_nobody_gave_is_not_wanted() -> None:
    nameless = taking("list_notes", "Notes.", text="")
    shown: Turn = turn(
        "What is the amount of a bill for two hours?",
        "It depends.",
        tool_calls=(tool_call("list_notes", {"text": "two hours"}, {"found": True}),),
        routing=routing(catalogues=(catalogue("harbour", [*TOOLS, nameless], []),)),
    )
    assert [one.tool_ok for one in judged(shown).calls] == [True]
