"""Which evidence a claim rests on."""

from dataclasses import replace

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
