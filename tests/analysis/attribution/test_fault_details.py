"""What faults and sentences name: the agent, the place, the evidence, and what is not known."""

from dataclasses import replace
from typing import Any

import pytest

from analysis.attribution import Cause, Fault, Symptom, attribute
from analysis.attribution.cases import case_of
from analysis.attribution.generation_faults import generation_fault
from analysis.attribution.routing_faults import misplaced, routing_faults
from analysis.attribution.sentences import LONGEST, sentence_of
from analysis.judged import JudgedTurn
from judge.answers import CollectionJudgement
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t


def changed(judged: JudgedTurn, **fields: Any) -> JudgedTurn:
    """Return a judged turn with other facts of the turn."""
    return replace(judged, turn=replace(judged.turn, **fields))


def fault(judged: JudgedTurn) -> Fault:
    """Return the one routing fault of a turn."""
    (one,) = routing_faults(judged)
    return one


WRONG_AGENT = t.good(routing=s.routed(agent_ok=False))


def test_a_fault_names_the_verdict_that_shows_it() -> None:
    assert fault(WRONG_AGENT).evidence == ("verdict routing",)
    assert fault(replace(WRONG_AGENT, routing_key=None)).evidence == ()


@pytest.mark.parametrize(
    ("agent", "named"), [("service-bot", "service-bot"), (None, "unknown"), ("", "unknown")]
)
def test_the_agent_that_took_the_question_is_named(agent: str | None, named: str) -> None:
    judged = changed(WRONG_AGENT, agent=agent)
    assert fault(judged).explanation == f"agent {named} took the question"
    elsewhere = misplaced(judged, s.hit(reachable_by=["rx200-bot"]))
    assert elsewhere.explanation == (
        f"the chunk that answers is in manuals-rx200; agent {named} cannot reach it; rx200-bot can"
    )


def test_an_agent_without_a_name_may_reach_it() -> None:
    elsewhere = misplaced(WRONG_AGENT, s.hit(reachable_by=[""]))
    assert elsewhere.explanation.endswith("agent service-bot cannot reach it; another can")


@pytest.mark.parametrize(
    ("fits", "told"),
    [
        pytest.param([None, None], "searched a, b", id="nobody knows which fits"),
        pytest.param([None, "c"], "searched a, b instead of c", id="one is known"),
        pytest.param(["d", "c"], "searched a, b instead of d", id="the first that is known"),
    ],
)
def test_the_collection_that_fits_is_named(fits: list[str | None], told: str) -> None:
    judgements = tuple(
        CollectionJudgement(collection=name, ok=False, fits=one)
        for name, one in zip("ab", fits, strict=True)
    )
    judged = t.good(routing=replace(s.routed(), collections=judgements))
    assert fault(judged).explanation == told


@pytest.mark.parametrize(
    ("span_id", "evidence"), [("b7", ("span b7",)), (None, ()), ("", ())], ids=str
)
def test_where_a_query_that_was_not_searched_stands(
    span_id: str | None, evidence: tuple[str, ...]
) -> None:
    judged = t.good(refined="filter RX-200")
    assert judged.turn.routing is not None
    refined = judged.turn.routing.refined_query
    assert refined is not None
    routing = replace(judged.turn.routing, refined_query=replace(refined, span_id=span_id))
    assert fault(changed(judged, routing=routing)).evidence == evidence


def test_what_a_search_brought_shows_that_it_went_to_a_right_place() -> None:
    unjudged = t.two_elements(probes=[s.hit(element=1, collection="oils")], routing=s.routed())
    assert t.root(attribute([unjudged])[0]) == "routing.missing_resource"
    nothing = t.two_elements(
        probes=[s.hit(element=1, collection="oils")], routing=s.routed(), grades={"m-1": 0}
    )
    assert t.root(attribute([nothing])[0]) == "routing.wrong_collection"


def test_without_probes_nothing_was_found() -> None:
    judged = t.refused(probes=None)
    case = case_of(judged, Symptom(kind="missing", element=0), 0)
    assert case.hits is None
    assert (case.positive, case.at_hand, case.later) == ((), (), ())


# sentences


TITLES = {"title": "One", "heading": "Two", "section": "Three", "name": "Four"}


@pytest.mark.parametrize(
    ("keys", "title"),
    [
        pytest.param("title heading section name", "One", id="title"),
        pytest.param("name section heading", "Two", id="heading"),
        pytest.param("name section", "Three", id="section"),
        pytest.param("name", "Four", id="name"),
    ],
)
def test_a_chunk_is_called_by_its_title_or_what_comes_next(keys: str, title: str) -> None:
    hit = s.hit(searched=True)
    metadata = {key: TITLES[key] for key in keys.split()}
    named = replace(hit, chunk=replace(hit.chunk, metadata=metadata))
    (found,) = attribute([t.refused(probes=[named])])
    assert found.sentence == (
        f"Retrieval searched manuals-rx200 and did not return {title} (m-9), which answers."
    )


def test_a_sentence_is_cut_to_300_characters() -> None:
    searches = [s.search(t.OTHER, collection=name * 60) for name in "abc"]
    hit = s.hit(chunk_id="x" * 60, collection="y" * 60)
    (found,) = attribute([t.refused(searches=searches, probes=[hit])])
    assert LONGEST == 300
    assert len(found.sentence) == 300
    assert found.sentence.endswith(", chun….")


def test_an_agent_that_the_trace_does_not_name() -> None:
    judged = changed(t.refused(probes=[s.hit(reachable_by=["rx200-bot"])]), agent=None)
    assert attribute([judged])[0].sentence.startswith(
        "Routing gave the question to an agent, which cannot reach manuals-rx200; rx200-bot can"
    )


def test_a_reformulation_that_the_trace_does_not_hold() -> None:
    judged = t.fabricated(
        probes=[s.hit(searched=True)], routing=s.routed(refined=False, lost=["RX-200"])
    )
    assert attribute([changed(judged, routing=None)])[0].sentence == (
        "Routing: the refined query lost RX-200; chunk m-9 would have answered."
    )


def test_an_answer_that_the_trace_does_not_hold_is_not_quoted() -> None:
    symptom = Symptom(kind="false", detail="contradicts_source", paragraphs=(1,), evidence=("P1",))
    cause = Cause(symptom=symptom, fault=generation_fault(symptom, "contradicts_source"))
    assert sentence_of(changed(t.good(), generation=None), cause) == (
        "Generation: P1 contradicts what stood before the model (P1)."
    )
