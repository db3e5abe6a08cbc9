"""Passages that a search brought where another tool should have been called."""

import pytest

from analysis.attribution import attribute
from analysis.judged import JudgedTurn
from judge.answers import Unjudged
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

SEARCH = b.tool_call("search_manuals", {"query": "order"}, None, is_retrieval=True)
AGAIN = b.tool_call(
    "search_manuals", {"query": "it"}, None, is_retrieval=True, position=2, call_id="call-2"
)
NEAR = b.chunk("m-1", "Orders are shipped by DHL.")
FOUND = s.search(NEAR, call_id="call-1")
FOUND_AGAIN = s.search(NEAR, call_id="call-2")


def misled(**changes: object) -> JudgedTurn:
    """Build an answer from a passage of grade 1; the search stands where a look-up fits."""
    given: dict[str, object] = {
        "answer": "DHL has shipped your order. [1]",
        "elements": [s.element(in_evidence=False, text="Where is order 1034?")],
        "calls": [SEARCH],
        "searches": [FOUND],
        "grades": {"m-1": 1},
        "pairs": {(1, "m-1"): "partial"},
        "rest": {1: ("none", ())},
        "routing": s.routed(collections={"manuals-rx200": True}, calls=[s.wrong_tool()]),
    }
    return t.good(**(given | changes))


ROOT = "routing.wrong_tool"
BESIDE: dict[str, object] = {
    "searches": [FOUND, s.search(b.chunk("m-3", "Order 1034 is in Linz."), collection="orders")],
    "grades": {"m-1": 1, "m-3": 3},
}
"""A relevant passage of a right search, on which the claim does not rest."""
OTHER_ELEMENT = s.element("answered", 1, text="Who ships?")

ROOTS = [
    pytest.param(misled(), ROOT, id="a wrong tool"),
    pytest.param(misled(pairs={(1, "m-1"): "full"}), ROOT, id="faithful in full"),
    pytest.param(misled(grades={"m-1": 2}), "passed", id="a relevant passage"),
    pytest.param(misled(routing=s.routed(calls=[s.right_call()])), "passed", id="a right search"),
    pytest.param(
        misled(routing=s.routed(calls=[s.wrong_arguments()])), "passed", id="of other arguments"
    ),
    pytest.param(misled(routing=s.routed()), "passed", id="a search that was not judged"),
    pytest.param(
        misled(routing=Unjudged(reason="no_catalogue")),
        "passed: routing_not_judged",
        id="routing was not judged",
    ),
    pytest.param(
        misled(searches=[s.search(NEAR)]), "passed", id="a search beside the calls of the turn"
    ),
    pytest.param(
        misled(calls=[SEARCH, AGAIN], searches=[FOUND, FOUND_AGAIN]),
        "passed",
        id="found by another search as well",
    ),
    pytest.param(
        misled(
            calls=[SEARCH, AGAIN],
            searches=[FOUND, FOUND_AGAIN],
            routing=s.routed(calls=[s.wrong_tool(), s.wrong_tool(2)]),
        ),
        ROOT,
        id="every search that found it was one",
    ),
    pytest.param(
        misled(calls=[SEARCH, AGAIN], searches=[FOUND, s.search(t.OTHER, call_id="call-2")]),
        ROOT,
        id="another search found something else",
    ),
    pytest.param(
        misled(routing=s.routed(collections={"manuals-rx200": False}, calls=[s.wrong_tool()])),
        "passed",
        id="the collection is what was wrong",
    ),
    pytest.param(
        misled(routing=s.routed(collections={"oils": False}, calls=[s.wrong_tool()])),
        ROOT,
        id="another collection was wrong",
    ),
    pytest.param(misled(elements=[s.element()]), ROOT, id="taken for the answer"),
    pytest.param(misled(elements=[s.element()], **BESIDE), "passed", id="its answer stood there"),
    pytest.param(
        misled(elements=[s.element(in_evidence=None)]), "passed", id="whether it did is open"
    ),
    pytest.param(
        misled(elements=[s.element(in_evidence=False), OTHER_ELEMENT], **BESIDE),
        "passed",
        id="it answers another element, whose evidence stood there",
    ),
    pytest.param(
        misled(elements=[s.element(in_evidence=False), s.element("answered", 2)]),
        ROOT,
        id="what stood there answers another element",
    ),
    pytest.param(misled(elements=[]), "passed", id="nobody asked for it"),
    pytest.param(
        misled(grades={"m-1": None}), "not_judged: verdict_missing:relevance", id="not judged"
    ),
    pytest.param(
        misled(
            citations=(*t.CITED, b.citation("m-2", "[2]", number=2)),
            searches=[FOUND, s.search(b.chunk("m-2", "Orders."), collection="orders")],
            grades={"m-1": 1, "m-2": 1},
            pairs={(1, "m-1"): "partial", (1, "m-2"): "partial"},
        ),
        "passed",
        id="beside a good passage",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), ROOTS)
def test_what_a_search_brings_in_place_of_a_look_up(judged: JudgedTurn, expected: str) -> None:
    assert t.root(attribute([judged])[0]) == expected


def test_it_is_told_by_the_call_and_is_no_fault_of_generation() -> None:
    attribution = attribute([misled()])[0]
    assert attribution.sentence == "Routing: called search_manuals where get_order fits."
    (cause,) = attribution.causes
    assert cause.symptom.wrong_calls == ("call-1",)
    assert cause.symptom.off_target == ()
    assert cause.symptom.evidence == ("E1", "P1", "call call-1")
    assert not {one.fault.kind for one in attribution.findings if one.role == "contributing"}


def test_a_passage_about_something_else_beside_it_is_a_fault_of_generation() -> None:
    judged = misled(
        citations=(*t.CITED, b.citation("n-1", "[2]", number=2)),
        searches=[s.search(NEAR, t.OTHER, call_id="call-1")],
        pairs={(1, "m-1"): "partial", (1, "n-1"): "partial"},
    )
    attribution = attribute([judged])[0]
    (cause,) = attribution.causes
    assert (cause.symptom.wrong_calls, cause.symptom.off_target) == (("call-1",), ("n-1",))
    assert "contributing generation.missing_abstention" in t.others(attribution)


def test_calls_are_named_in_order_and_once() -> None:
    judged = misled(
        calls=[SEARCH, AGAIN],
        citations=(*t.CITED, b.citation("m-2", "[2]", number=2)),
        searches=[
            s.search(b.chunk("m-2", "Orders."), NEAR, call_id="call-2"),
            FOUND,
        ],
        grades={"m-1": 1, "m-2": 1},
        pairs={(1, "m-1"): "partial", (1, "m-2"): "partial"},
        routing=s.routed(calls=[s.wrong_tool(), s.wrong_tool(2)]),
    )
    (cause,) = attribute([judged])[0].causes
    assert cause.symptom.wrong_calls == ("call-1", "call-2")
