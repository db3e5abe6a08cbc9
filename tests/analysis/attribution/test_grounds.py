"""Which evidence a claim rests on."""

from dataclasses import replace

import pytest

from analysis.attribution import attribute
from analysis.attribution.claims import claims_of
from analysis.judged import JudgedTurn
from judge.answers import Statement, Statements, Support, SupportLabel
from judge.question import Verdict
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

TWO = [s.search(t.GOOD, b.chunk("m-2", "The filter costs 30 euros."))]
CITES_TWO = (*t.CITED, b.citation("m-2", "[2]", number=2))


def supported(
    label: SupportLabel, quote: str | None, *ids: str, rest: bool = False
) -> Verdict[Support]:
    """Build a support verdict with a quote of the evidence."""
    return s.verdict(
        "support",
        Support(reason="", label=label, quote_evidence=quote),
        paragraph=1,
        evidence_ids=ids,
        rest=rest,
    )


def supporting(judged: JudgedTurn) -> tuple[str, ...]:
    (one,) = claims_of(judged)
    return one.supporting


def test_support_rests_on_what_holds_the_quote() -> None:
    judged = t.good(answer="Often. [1, 2]", searches=TWO, citations=CITES_TWO, pairs={})
    both = ("m-1", "m-2")
    for quote, ids in (
        ("filter costs\n30 euros", ("m-2",)),
        ("the filter", ("m-1",)),
        ("500", ("m-1",)),
        ("not there", both),
        (None, both),
    ):
        together = replace(judged, support={(1, both): supported("full", quote, *both)})
        assert supporting(together) == ids
        rest = replace(judged, rest={1: supported("partial", quote, *both, rest=True)})
        assert supporting(rest) == ids


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        pytest.param("It costs 30 euros. [1]", ("m-2",), id="a number"),
        pytest.param("The filter of the RX-200. [30]", ("m-1",), id="a name"),
        pytest.param("The RX-200 runs 500 hours. [2]", ("m-1",), id="both in one piece"),
        pytest.param("500 hours, 30 euros.", ("m-1", "m-2"), id="one in each piece"),
        pytest.param("31 euros.", ("m-1", "m-2"), id="in none"),
        pytest.param("Change the filter.", ("m-1", "m-2"), id="no number and no name"),
    ],
)
def test_without_a_quote_it_rests_on_what_holds_its_numbers(
    said: str, ids: tuple[str, ...]
) -> None:
    both = ("m-1", "m-2")
    judged = t.good(answer=said, searches=TWO, citations=CITES_TWO, pairs={})
    for verdict in (supported("full", None, *both), supported("full", "not there", *both)):
        assert supporting(replace(judged, support={(1, both): verdict})) == ids
        assert supporting(replace(judged, rest={1: verdict})) == ids
    one = Statement(text=said, paragraph=1, label="supported")
    uncited = t.good(searches=TWO, citations=(), pairs={})
    found = s.verdict("statements", Statements(reason="", statements=(one,)))
    assert supporting(replace(uncited, statements=found)) == ids


def test_a_piece_may_hold_nothing_but_the_number() -> None:
    both = ("m-1", "m-3")
    judged = t.good(answer="It costs 7.", searches=[s.search(t.GOOD, b.chunk("m-3", "7"))])
    assert (
        supporting(replace(judged, support={(1, both): supported("full", None, *both)})) == both[1:]
    )


@pytest.mark.parametrize("said", ["31 euros. [1]", "Change it. [1]"])
def test_what_is_cited_and_was_not_shown_is_left_alone(said: str) -> None:
    both = ("m-1", "m-7")
    judged = t.good(answer=said, pairs={})
    assert supporting(replace(judged, support={(1, both): supported("full", None, *both)})) == both


FILLED = b.tool_call("get_order", {"order_id": 1043}, {"status": "shipped"}, call_id="call-3")
OF_1034 = b.tool_call("get_order", {"order_id": "1034"}, {"by": "DHL"}, position=2)


def told(said: str, asserts: str = "fact", **changes: object) -> JudgedTurn:
    """Build an answer without citations, of one statement that has no quote."""
    one = Statement(text=said, paragraph=1, label="supported")
    judged = s.scene(said, claims=[s.claim(asserts=asserts)], **changes)  # type: ignore[arg-type]  # any argument of scene
    return replace(
        judged, statements=s.verdict("statements", Statements(reason="", statements=(one,)))
    )


def test_a_call_holds_what_it_was_filled_with() -> None:
    calls = [FILLED, OF_1034]
    assert supporting(told("Order 1043 is on its way.", calls=calls)) == ("call-3",)
    assert supporting(told("Order 1034 is on its way.", calls=calls)) == ("call-2",)
    assert supporting(told("It is on its way.", calls=calls)) == ("call-3", "call-2")
    earlier = s.scene(calls=calls)
    carried = told("Order 1034 is on its way.", turn=2, earlier=earlier.turn.evidence)
    assert supporting(carried) == ("call-3", "call-2")
    assert supporting(replace(carried, earlier=(earlier,))) == ("call-2",)


def test_a_claim_rests_on_the_wrong_call_that_alone_holds_its_numbers() -> None:
    judged = t.with_order(
        FILLED,
        calls=[FILLED],
        searches=[s.search(t.GOOD)],
        grades={"m-1": 3},
        elements=[s.element(in_evidence=False)],
        routing=s.routed(calls=[s.wrong_tool()]),
    )
    said = told("Order 1043 is on its way.").statements
    assert t.root(attribute([replace(judged, statements=said)])[0]) == "routing.wrong_tool"
    assert t.root(attribute([judged])[0]) == "passed"


NONE_SUCH = b.tool_call("get_order", {"order_id": "999"}, None, status="empty", call_id="call-9")
NOR_THIS = b.tool_call("get_order", {"order_id": "998"}, [], status="empty", call_id="call-8")
BEFORE = b.evidence("h-1", "RX-200, order 999", from_turn=1)
EMPTY_BEFORE = b.evidence("h-2", "(no result)", "tool_result", tool="f", tool_status="empty")

ABSENCES = [
    pytest.param(told("There is none.", "absence", calls=[NONE_SUCH, FILLED]), ["call-9"], id="it"),
    pytest.param(
        told("There is no order 999.", "absence", calls=[NONE_SUCH, NOR_THIS]),
        ["call-9"],
        id="the call that was filled so",
    ),
    pytest.param(
        told("There is neither 997 nor 998.", "absence", calls=[NONE_SUCH, NOR_THIS]),
        ["call-9", "call-8"],
        id="filled with less than is said",
    ),
    pytest.param(
        told("There is no order 999.", "absence", turn=2, calls=[NOR_THIS], earlier=[BEFORE]),
        ["call-8"],
        id="not what earlier results say",
    ),
    pytest.param(
        told("There is none.", "absence", turn=2, calls=[FILLED], earlier=[BEFORE, EMPTY_BEFORE]),
        ["call-3"],
        id="what this turn found",
    ),
    pytest.param(
        told(
            "There is none.",
            "absence",
            turn=2,
            calls=[FILLED],
            searches=[s.search(t.OTHER)],
            earlier=[BEFORE],
        ),
        ["n-1", "call-3"],
        id="a passage beside what was found",
    ),
    pytest.param(
        told("None.", "absence", turn=2, searches=[s.search(t.OTHER)], earlier=[EMPTY_BEFORE]),
        ["n-1", "h-2"],
        id="any passage or result where the turn only searched",
    ),
    pytest.param(
        told("There is none.", "absence", turn=2, earlier=[BEFORE, EMPTY_BEFORE]),
        ["h-2"],
        id="what an earlier turn did not find",
    ),
    pytest.param(
        told("There is none.", "absence", turn=2, earlier=[BEFORE]), ["h-1"], id="else all"
    ),
    pytest.param(
        told("There is none.", turn=2, calls=[NONE_SUCH], earlier=[BEFORE]),
        ["call-9", "h-1"],
        id="but a fact on all",
    ),
]


@pytest.mark.parametrize(("judged", "ids"), ABSENCES)
def test_an_absence_rests_on_what_was_looked_up(judged: JudgedTurn, ids: list[str]) -> None:
    assert list(supporting(judged)) == ids


def test_an_absence_rests_on_what_is_quoted_of_another_result() -> None:
    judged = told("There is none.", "absence", turn=2, calls=[NONE_SUCH], earlier=[BEFORE])
    quoting = Statement(text="", paragraph=1, label="supported", quote="order 999")
    found = s.verdict("statements", Statements(reason="", statements=(quoting,)))
    assert supporting(replace(judged, statements=found)) == ("h-1",)


def test_an_absence_told_by_an_empty_result_is_not_founded_by_an_earlier_one() -> None:
    judged = told(
        "There is no order 999.",
        "absence",
        turn=2,
        calls=[NONE_SUCH],
        earlier=[BEFORE],
        elements=[s.element(in_evidence=False)],
        routing=s.routed(calls=[s.right_call()]),
        records_elsewhere={"call-9": "get_order returned it in c-7/1"},
    )
    assert t.root(attribute([judged])[0]) == "retrieval.tool_empty"


def test_an_absence_after_a_failure_is_not_founded_by_an_earlier_result() -> None:
    judged = told("There is none.", "absence", turn=2, calls=[t.FAILED], earlier=[BEFORE])
    assert t.root(attribute([judged])[0]) == "generation.absence_misreported"


def test_a_single_source_carries_its_support_whatever_the_quote() -> None:
    judged = t.good(searches=TWO, pairs={})
    alone = replace(judged, support={(1, ("m-2",)): supported("full", "500", "m-2")})
    assert supporting(alone) == ("m-2",)


def test_what_does_not_support_carries_nothing() -> None:
    judged = t.good(
        pairs={(1, "m-1"): "none", (2, "m-2"): "full"},
        together={(1, ("m-1", "m-2")): "contradicted"},
        rest={1: ("none", ("m-3",))},
    )
    assert supporting(judged) == ()


def test_each_source_is_named_once() -> None:
    both = ("m-1", "m-2")
    judged = t.good(
        answer="Often.", pairs={(1, "m-1"): "partial"}, rest={1: ("full", both)}, searches=TWO
    )
    assert supporting(judged) == both


def test_a_statement_rests_on_what_holds_its_quote() -> None:
    judged = t.good(searches=TWO, citations=(), pairs={})
    for label, quote, ids in (
        ("supported", "costs 30 euros", ("m-2",)),
        ("supported", None, ("m-1", "m-2")),
        ("unsupported", "costs 30 euros", ()),
    ):
        one = Statement(text="", paragraph=1, label=label, quote=quote)  # type: ignore[arg-type]  # a label
        found = Statements(reason="", statements=(one,))
        assert supporting(replace(judged, statements=s.verdict("statements", found))) == ids
