"""Results of earlier turns that still stand before the model, and were wrong from the start."""

from dataclasses import replace

import pytest

from analysis.attribution import Attribution, attribute
from analysis.judged import JudgedTurn
from judge.answers import CallJudgement, WrongArgument
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

CALL = b.tool_call("get_order", {"order_id": "1043"}, {"status": "shipped", "by": "DHL"})
CARRIED = b.evidence(
    "call-1", "{'status': 'shipped', 'by': 'DHL'}", "tool_result", tool="get_order"
)
RIGHT = b.tool_call("get_order", {"order_id": "1034"}, {"by": "UPS"}, call_id="call-2")
EMPTY_RESULT = b.evidence(
    "call-1", "(no result)", "tool_result", tool="get_order", tool_status="empty"
)


def first(**changes: object) -> JudgedTurn:
    """Build a turn that is faithful to the result of a call with a wrong order number."""
    given: dict[str, object] = {"routing": s.routed(calls=[s.wrong_arguments()])}
    return t.with_order(CALL, **(given | changes))


def follow_up(answer: str = "DHL brings it.", **changes: object) -> JudgedTurn:
    """Build a turn that calls nothing and answers from what the earlier call returned."""
    given: dict[str, object] = {
        "elements": [s.element(in_evidence=False, text="Who brings order 1034?")],
        "earlier": [CARRIED],
        "statements": {1: "supported"},
        "turn": 2,
        "question": "Who brings it?",
    }
    return s.scene(answer, **(given | changes))  # type: ignore[arg-type]  # any argument of scene


def last(*turns: JudgedTurn) -> Attribution:
    return attribute(turns)[-1]


def wrong(*arguments: tuple[str | None, str | None], tool_ok: bool = True) -> JudgedTurn:
    """Build the first turn, with these values sent and expected."""
    judgement = CallJudgement(
        position=1,
        tool_ok=tool_ok,
        args_ok=False,
        wrong_arguments=tuple(
            WrongArgument(argument="order_id", value=value, expected=expected, known_from="turn 1")
            for value, expected in arguments
        ),
    )
    return first(routing=s.routed(calls=[judgement]))


NOW_1043 = follow_up(question="And who brings order 1043?")
BOTH = follow_up(question="No, I meant 1034, not 1043: who brings it?")
ROOT = "routing.wrong_arguments"

CARRIED_ON = [
    pytest.param(first(), follow_up(), ROOT, id="a new claim from it"),
    pytest.param(
        first(routing=s.routed(calls=[s.wrong_tool()])),
        follow_up(),
        "routing.wrong_tool",
        id="of a wrong tool",
    ),
    pytest.param(
        first(routing=s.routed(calls=[s.right_call()])), follow_up(), "passed", id="of a right call"
    ),
    pytest.param(
        first(),
        follow_up(elements=[s.element("silently_missing", in_evidence=True)]),
        ROOT,
        id="that nobody asked for",
    ),
    pytest.param(
        first(),
        follow_up(
            calls=[RIGHT], routing=s.routed(calls=[s.right_call()]), answer="UPS and DHL do."
        ),
        "passed",
        id="beside a right result",
    ),
    pytest.param(first(), NOW_1043, "passed", id="asked about now"),
    pytest.param(first(), BOTH, ROOT, id="named and refused"),
    pytest.param(wrong(("1043", None)), NOW_1043, "passed", id="what it should be is not known"),
    pytest.param(wrong((None, "1034")), NOW_1043, ROOT, id="left out"),
    pytest.param(wrong(("1043", "1034"), ("7", "8")), NOW_1043, ROOT, id="wrong in more"),
    pytest.param(wrong(), NOW_1043, ROOT, id="wrong in what is not told"),
    pytest.param(
        wrong(("1043", "1034"), tool_ok=False), NOW_1043, "routing.wrong_tool", id="wrong tool too"
    ),
    pytest.param(first(), follow_up(question=None), ROOT, id="a question that was not captured"),
]


@pytest.mark.parametrize(("before", "after", "expected"), CARRIED_ON)
def test_what_rests_on_an_earlier_call(
    before: JudgedTurn, after: JudgedTurn, expected: str
) -> None:
    attribution = last(before, after)
    assert t.root(attribution) == expected
    assert attribution.inherited_from is None


def test_the_sentence_names_the_turn_of_the_call() -> None:
    told = "Routing: in c-1/1, get_order was called with order_id = 1043, should be 1034 (turn 1)."
    assert last(first(), follow_up()).sentence == told
    assert last(first()).sentence == told.replace("in c-1/1, ", "")


def test_a_claim_made_again_from_it_is_inherited() -> None:
    attribution = last(first(), follow_up("Your order has shipped."))
    assert (t.root(attribution), attribution.inherited_from) == (ROOT, "c-1/1")


def test_a_question_excuses_no_call_of_its_own() -> None:
    asked = first(question="Has order 1043 shipped?")
    assert t.root(last(asked)) == ROOT


def test_a_call_of_the_same_position_in_a_turn_between_is_another() -> None:
    between = t.with_order(RIGHT, turn=2, routing=s.routed(calls=[s.right_call()]))
    assert t.root(last(first(), between, follow_up(turn=3))) == ROOT
    wrong_between = t.with_order(RIGHT, turn=2, routing=s.routed(calls=[s.wrong_arguments()]))
    right = first(routing=s.routed(calls=[s.right_call()]))
    assert t.root(last(right, wrong_between, follow_up(turn=3))) == "passed"
    brought = b.evidence("call-2", "UPS", "tool_result", tool="get_order", from_turn=2)
    assert t.root(last(right, wrong_between, follow_up(turn=3, earlier=[brought]))) == ROOT


def test_of_two_earlier_faults_the_first_kind_is_told() -> None:
    other = b.tool_call("get_customer", {}, {"by": "DHL"}, call_id="call-0", position=2)
    both = first(
        calls=[other, CALL],
        routing=s.routed(calls=[s.wrong_tool(2), s.wrong_arguments()]),
    )
    carried = [b.evidence("call-0", "DHL", "tool_result", tool="get_customer"), CARRIED]
    assert t.root(last(both, follow_up(earlier=carried))) == ROOT


EMPTY_BEFORE = t.with_order(
    t.EMPTY,
    answer="There is no order 999.",
    claims=[s.claim(asserts="absence")],
    records_elsewhere={"call-1": "get_order returned it in c-7/1"},
    elements=[s.element(in_evidence=False)],
)


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param([s.element(in_evidence=False)], id="asked"),
        pytest.param([s.element("silently_missing", in_evidence=True)], id="unasked"),
    ],
)
def test_what_an_earlier_call_did_not_find_stays_wrong(elements: list[object]) -> None:
    after = follow_up(
        "Nothing was ever bought.",
        claims=[s.claim(asserts="absence")],
        elements=elements,
        earlier=[EMPTY_RESULT],
    )
    attribution = last(EMPTY_BEFORE, after)
    assert t.root(attribution) == "retrieval.tool_empty"
    assert "in c-1/1, get_order returned nothing" in attribution.sentence


def test_a_search_that_should_have_brought_it_goes_before_an_earlier_empty_call() -> None:
    after = follow_up(
        "There is none.",
        claims=[s.claim(asserts="absence")],
        earlier=[EMPTY_RESULT],
        probes=[s.hit(searched=True)],
    )
    assert t.root(last(EMPTY_BEFORE, after)) == "retrieval.missed_chunk"


def test_which_turn_fetched_what() -> None:
    before = first()
    after = replace(follow_up(), earlier=(before,))
    assert after.fetched_by("call-1") is before
    assert after.fetched_by("nowhere") is after
    assert follow_up().fetched_by("call-1").turn.turn == 2
