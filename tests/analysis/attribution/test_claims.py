"""How a paragraph stands against the evidence, from all verdicts about it."""

from dataclasses import replace

import pytest

from analysis.attribution.claims import (
    claims_of,
    good_evidence,
    has_relevant_evidence,
    relevant_in_context,
)
from analysis.judged import JudgedTurn
from judge.answers import CallJudgement, Statement, Statements, Support, SupportLabel, Unjudged
from judge.question import Verdict
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

TWO = [s.search(t.GOOD, b.chunk("m-2", "The filter costs 30 euros."))]
CITES_TWO = (*t.CITED, b.citation("m-2", "[2]", number=2))


def best(judged: JudgedTurn) -> SupportLabel | None:
    (one,) = claims_of(judged)
    return one.best


SUPPORT = [
    pytest.param(t.good(), "full", id="a pair"),
    pytest.param(
        t.good(citations=CITES_TWO, pairs={(1, "m-1"): "none", (1, "m-2"): "partial"}),
        "partial",
        id="the best pair",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "partial", (1, "m-2"): "full"}),
        "partial",
        id="a pair that the paragraph does not cite is none of its own",
    ),
    pytest.param(
        t.good(
            pairs={(1, "m-1"): "partial", (1, "m-2"): "none"},
            together={(1, ("m-1", "m-2")): "full"},
        ),
        "full",
        id="together more than alone",
    ),
    pytest.param(
        t.good(citations=CITES_TWO, pairs={(1, "m-1"): "full", (1, "m-2"): "contradicted"}),
        "contradicted",
        id="one contradicts",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "partial"}, rest={1: ("contradicted", ("m-2",))}),
        "contradicted",
        id="the rest contradicts",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "none"}, rest={1: ("partial", ("m-2",))}),
        "partial",
        id="the rest is better than what is cited",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "partial"}, rest={1: ("none", ("m-2",))}),
        "partial",
        id="what is cited is better than the rest",
    ),
    pytest.param(t.good(statements={1: "contradicted"}), "full", id="statements of what is cited"),
    pytest.param(
        t.good(citations=(), pairs={}, statements={1: "supported"}), "full", id="statements"
    ),
    pytest.param(
        t.good(citations=(), pairs={}, statements={1: "unsupported"}), "none", id="none supported"
    ),
    pytest.param(
        t.good(citations=(), pairs={}, statements={1: "unsupported"}, rest={1: ("full", ("m-1",))}),
        "full",
        id="the rest beside statements",
    ),
    pytest.param(
        t.good(
            citations=(), pairs={}, statements={1: "contradicted"}, rest={1: ("full", ("m-1",))}
        ),
        "contradicted",
        id="a statement contradicts beside the rest",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): None}, rest={1: (None, ("m-2",))}), None, id="nothing decided"
    ),
    pytest.param(
        t.good(
            citations=[b.citation("m-1", status="ambiguous")],
            pairs={},
            statements={1: "supported"},
        ),
        "full",
        id="an ambiguous citation cites nothing",
    ),
    pytest.param(s.scene(), "none", id="no evidence at all"),
    pytest.param(s.scene(searches=[s.search(t.OTHER)]), "none", id="nothing but irrelevant chunks"),
]


@pytest.mark.parametrize(("judged", "label"), SUPPORT)
def test_the_support_of_a_paragraph(judged: JudgedTurn, label: SupportLabel | None) -> None:
    assert best(judged) == label


def statements(*labels: str) -> JudgedTurn:
    """Build an uncited answer with these statements in its only paragraph."""
    judged = t.good(citations=(), pairs={})
    made = tuple(
        Statement(text="", paragraph=1, label=label)  # type: ignore[arg-type]  # a label
        for label in labels
    )
    other = Statement(text="", paragraph=2, label="contradicted")
    found = Statements(reason="", statements=(*made, other))
    return replace(judged, statements=s.verdict("statements", found))


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        (("supported", "supported"), "full"),
        (("supported", "unsupported"), "partial"),
        (("unsupported", "unsupported"), "none"),
        (("supported", "contradicted"), "contradicted"),
        (("unsupported", "contradicted"), "contradicted"),
    ],
)
def test_what_statements_add_up_to(labels: tuple[str, ...], label: SupportLabel) -> None:
    assert best(statements(*labels)) == label


def test_a_paragraph_without_statements_is_open() -> None:
    (one,) = claims_of(statements())
    assert (one.best, one.undecided) == (None, ("verdict_missing:statements",))


CLAIMING = [
    pytest.param(s.claim(), True, id="needs a source"),
    pytest.param(s.claim(asserts="none"), True, id="needs a source, whatever it asserts"),
    pytest.param(s.claim(needs_source=False), False, id="needs none"),
    pytest.param(s.claim(asserts="absence", needs_source=False), True, id="asserts absence"),
    pytest.param(s.claim(asserts="success", needs_source=False), True, id="asserts success"),
]


@pytest.mark.parametrize(("described", "held"), CLAIMING)
def test_what_is_held_against_the_evidence(described: object, *, held: bool) -> None:
    judged = t.good(claims=[described])
    assert bool(claims_of(judged)) is held


def test_without_an_answer_verdict_nothing_is_known_to_be_claimed() -> None:
    assert claims_of(replace(t.good(), answer=None)) == ()
    assert claims_of(t.good(answer_verdict=Unjudged(reason="uncertain"))) == ()


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
    judged = t.good(searches=TWO, citations=CITES_TWO, pairs={})
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
    judged = t.good(pairs={(1, "m-1"): "partial"}, rest={1: ("full", ("m-1", "m-2"))}, searches=TWO)
    assert supporting(judged) == ("m-1", "m-2")


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


GOODNESS = [
    pytest.param({}, "call-1", True, id="the result of a right call"),
    pytest.param(
        {"routing": s.routed(calls=[s.wrong_arguments()])}, "call-1", False, id="filled wrongly"
    ),
    pytest.param(
        {"routing": s.routed(calls=[s.wrong_tool()])}, "call-1", False, id="the wrong tool"
    ),
    pytest.param(
        {"routing": s.routed(calls=[CallJudgement(position=1, tool_ok=True, args_ok=None)])},
        "call-1",
        True,
        id="arguments not judged",
    ),
    pytest.param({"routing": s.routed()}, "call-1", True, id="call not judged"),
    pytest.param(
        {"routing": Unjudged(reason="uncertain")}, "call-1", True, id="routing not judged"
    ),
    pytest.param({"records_elsewhere": {"call-1": "there"}}, "call-1", False, id="wrongly empty"),
    pytest.param({"grades": {"m-1": 3}}, "m-1", True, id="a relevant chunk"),
    pytest.param({"grades": {"m-1": 1}}, "m-1", True, id="a chunk on target"),
    pytest.param({"grades": {"m-1": 0}}, "m-1", False, id="a chunk about something else"),
    pytest.param(
        {"grades": {"m-1": 2}, "off_target": ["m-1"]}, "m-1", True, id="relevant all the same"
    ),
    pytest.param({"grades": {"m-1": None}}, "m-1", None, id="a chunk that is not judged"),
    pytest.param({}, "h-1", True, id="a chunk of an earlier turn"),
    pytest.param({}, "call-0", True, id="a call of an earlier turn"),
    pytest.param({}, "nowhere", True, id="what is not known"),
]


@pytest.mark.parametrize(("changes", "evidence_id", "expected"), GOODNESS)
def test_what_may_carry_a_claim(
    changes: dict[str, object], evidence_id: str, *, expected: bool | None
) -> None:
    given: dict[str, object] = {
        "calls": [t.FOUND],
        "routing": s.routed(calls=[s.right_call()]),
        "earlier": [
            b.evidence("h-1", from_turn=0),
            b.evidence("call-0", "", "tool_result", from_turn=0, tool="get_order"),
        ],
    }
    assert good_evidence(t.good(**(given | changes)), evidence_id) is expected


RELEVANT = [
    pytest.param(t.good(), True, id="a relevant chunk"),
    pytest.param(t.good(grades={"m-1": 1}), False, id="a chunk that is not relevant"),
    pytest.param(t.good(grades={"m-1": None}), False, id="a chunk that is not judged"),
    pytest.param(replace(t.good(), relevance={}), False, id="a chunk that was not asked about"),
    pytest.param(
        t.good(searches=[s.search(replace(t.GOOD, in_context=False))]),
        False,
        id="cut from the prompt",
    ),
    pytest.param(
        t.good(searches=[s.search(replace(t.GOOD, in_context=None))]),
        True,
        id="the prompt is not known",
    ),
]


@pytest.mark.parametrize(("judged", "relevant"), RELEVANT)
def test_whether_a_relevant_chunk_stood_before_the_model(
    judged: JudgedTurn, *, relevant: bool
) -> None:
    assert bool(relevant_in_context(judged)) is relevant
    assert has_relevant_evidence(judged) is relevant


RESULTS = [
    pytest.param({"calls": [t.FOUND]}, True, id="a result"),
    pytest.param({"calls": [t.FAILED]}, False, id="an error"),
    pytest.param({"calls": [t.EMPTY]}, False, id="an empty result"),
    pytest.param(
        {"calls": [t.FOUND], "routing": s.routed(calls=[s.wrong_tool()])},
        False,
        id="of a wrong call",
    ),
    pytest.param(
        {
            "earlier": [
                b.evidence("call-0", "", "tool_result", tool="get_order", tool_status="ok")
            ],
            "turn": 2,
        },
        False,
        id="of an earlier turn",
    ),
]


@pytest.mark.parametrize(("changes", "relevant"), RESULTS)
def test_whether_a_result_bears_on_the_question(
    changes: dict[str, object], *, relevant: bool
) -> None:
    judged = s.scene(**changes)  # type: ignore[arg-type]  # any argument of scene
    assert relevant_in_context(judged) == ()
    assert has_relevant_evidence(judged) is relevant
