"""How a paragraph stands against the evidence, from all verdicts about it."""

from dataclasses import replace

import pytest

from analysis.attribution.claims import claims_of
from analysis.judged import JudgedTurn
from judge.answers import Statement, Statements, SupportLabel, Unjudged
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
