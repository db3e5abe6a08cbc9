"""What a judged turn tells of itself."""

from dataclasses import fields, replace

import pytest

from analysis.judged import Candidate, JudgedTurn, ProbeHit, best_support
from analysis.metrics.citation import measure_recall
from judge.answers import SupportLabel, Unjudged
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t


def test_a_candidate_that_was_judged_is_what_it_was_and_the_verdict() -> None:
    candidate = Candidate(
        element=2,
        chunk=b.chunk("m-9"),
        collection="oils",
        first_seen_ns=7,
        seen_before=True,
        retrieved=False,
        searched=True,
        reachable_by=("oil-bot",),
    )
    verdict = s.verdict("probe", s.relevance(2), element=2)
    hit = candidate.judged(verdict)
    assert isinstance(hit, ProbeHit)
    assert hit.verdict is verdict
    assert {one.name for one in fields(hit)} == {"verdict", *(f.name for f in fields(Candidate))}
    for one in fields(Candidate):
        assert getattr(hit, one.name) == getattr(candidate, one.name), one.name


@pytest.mark.parametrize(("grade", "positive"), [(None, False), (1, False), (2, True)], ids=str)
def test_a_probe_is_positive_where_the_chunk_is_relevant(
    grade: int | None, *, positive: bool
) -> None:
    assert s.hit(grade).positive is positive


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        pytest.param([], None, id="nothing"),
        pytest.param([None], None, id="nothing decided"),
        pytest.param([None, "none"], "none", id="what is open says nothing"),
        pytest.param(["none", "partial"], "partial", id="partial before none"),
        pytest.param(["partial", "full", "none"], "full", id="full before partial"),
        pytest.param(["full", "contradicted"], "contradicted", id="contradicted before all"),
    ],
)
def test_the_best_support(labels: list[SupportLabel | None], expected: SupportLabel | None) -> None:
    assert best_support(labels) == expected
    assert best_support(reversed(labels)) == expected


def test_support_is_told_of_each_source_then_of_all_together() -> None:
    two = (*t.CITED, b.citation("m-2", "[2]", number=2), b.citation("m-3", "[3]", number=3))
    judged = t.good(
        citations=two,
        pairs={(1, "m-2"): "partial", (1, "m-1"): None, (2, "m-1"): "full", (1, "m-4"): "full"},
        together={(1, ("m-1", "m-2")): "none", (2, ("m-1", "m-2")): "full"},
    )
    assert judged.cited_support(1) == (None, "partial", None, "none")
    assert judged.cited_support(3) == ()


def test_a_chunk_that_came_twice_stands_at_its_best_rank() -> None:
    judged = t.good(
        searches=[
            s.search(b.chunk("m-1", rank=3), b.chunk("m-2", rank=4)),
            s.search(b.chunk("m-1", rank=1), b.chunk("m-2", rank=5), position=2),
        ]
    )
    assert [(one.chunk_id, one.rank) for one in judged.chunks()] == [("m-1", 1), ("m-2", 4)]


def test_without_an_answer_nothing_is_cited() -> None:
    judged = t.good()
    silent = replace(judged, turn=replace(judged.turn, generation=None))
    assert judged.cited_by(1) == ("m-1",)
    assert silent.cited_by(1) == ()


def test_what_a_paragraph_says() -> None:
    judged = t.good(answer="Often.\n\nEvery 500 hours.")
    assert [judged.said_in(number) for number in (1, 2, 3)] == ["Often.", "Every 500 hours.", ""]
    silent = replace(judged, turn=replace(judged.turn, generation=None))
    assert silent.said_in(1) == ""


def test_what_is_asked_is_known_from_a_judged_answer() -> None:
    assert t.good(elements=[s.element(text="Which oil?")]).elements[0].text == "Which oil?"
    assert replace(t.good(), answer=None).elements == ()
    assert t.good(answer_verdict=Unjudged(reason="uncertain")).elements == ()


def test_citing_is_expected_only_where_somebody_says_so() -> None:
    judged = JudgedTurn(turn=t.good(citations=()).turn)
    assert measure_recall(judged).reason == "citing_not_expected"
