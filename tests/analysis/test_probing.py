"""Probes look where the agent could have looked, and nowhere else."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from analysis.attribution import attribute
from analysis.judged import Candidate, JudgedTurn
from analysis.probing import Prober, elements_to_probe
from judge.pool import ChunkPool
from judge.run_knowledge import RunKnowledge
from stages.records import Turn
from tests import builders as b
from tests.analysis.attribution import turns as t
from tests.analysis.attribution.scenes import claim, element, routed, scene, search

FILTER = b.chunk("m-9", "RX-200: change the filter every 500 hours.", collection="manuals-rx200")
OTHER = b.chunk("n-1", "RX-300: change the filter every 800 hours.", collection="manuals-rx300")


def earlier(*found: Any, number: int = 1, **fields: Any) -> Turn:
    """Build a turn of another conversation that retrieved these chunks."""
    searches = tuple(search(one, collection=one.collection) for one in found)
    return b.turn(
        conversation_id="c-0",
        number=number,
        retrievals=searches,
        agent="service-bot",
        **fields,
    )


def refusal(**changes: Any) -> JudgedTurn:
    """Build a turn that searched the wrong manual and found nothing of use."""
    given: dict[str, Any] = {
        "answer": "I could not find that.",
        "elements": [element("declared_missing", in_evidence=False)],
        "claims": [claim(asserts="none", needs_source=False)],
        "reply": "abstained",
        "searches": [search(OTHER, collection="manuals-rx300")],
        "turn": 5,
        "probes": None,
    }
    return scene(**(given | changes))


def probed(judged: JudgedTurn, turns: Sequence[Turn], limit: int = 5) -> list[Candidate]:
    pool, knowledge = ChunkPool(), RunKnowledge()
    for turn in [*turns, judged.turn]:
        pool.add(turn)
        knowledge.add(turn)
    prober = Prober(pool=pool, knowledge=knowledge)
    return [candidate for _, candidate in prober.candidates(judged, 0, limit)]


def test_the_chunk_that_should_have_been_there_is_found() -> None:
    (found,) = probed(refusal(), [earlier(FILTER)])
    assert found.chunk.chunk_id == "m-9"
    assert (found.collection, found.searched, found.seen_before) == ("manuals-rx200", False, True)
    assert found.reachable_by == ()


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param([earlier(FILTER, tenant="acme")], id="another tenant's chunk"),
        pytest.param([earlier(FILTER, service="shop")], id="another service's chunk"),
        pytest.param([earlier(OTHER)], id="a chunk that stood in the prompt"),
        pytest.param(
            [replace(earlier(FILTER), agent="hr-bot", routing=None)],
            id="a collection only another agent reaches",
        ),
        pytest.param([], id="a run that saw nothing else"),
    ],
)
def test_nothing_else_is_shown(turns: list[Turn]) -> None:
    assert probed(refusal(), turns) == []


def test_where_the_agent_was_wrong_the_fitting_one_s_collections_count() -> None:
    judged = refusal(routing=routed(agent_ok=False, fits="hr-bot"))
    (found,) = probed(judged, [replace(earlier(FILTER), agent="hr-bot", routing=None)])
    assert found.reachable_by == ("hr-bot",)


def test_a_chunk_first_seen_after_the_turn_is_named_as_such() -> None:
    (found,) = probed(refusal(), [earlier(FILTER, number=9)])
    assert not found.seen_before


def test_a_chunk_that_was_retrieved_and_cut_is_a_candidate() -> None:
    cut = replace(FILTER, rank=40, in_context=False)
    judged = refusal(searches=[search(OTHER, cut, collection="manuals-rx200")])
    found = {one.chunk.chunk_id: one for one in probed(judged, [])}
    assert found["m-9"].retrieved
    assert found["m-9"].chunk.rank == 40


def test_no_more_candidates_than_asked_for() -> None:
    many = [replace(FILTER, chunk_id=f"m-{n}", text=f"Filter of RX-200, {n}.") for n in range(9)]
    assert len(probed(refusal(), [earlier(*many)], limit=3)) == 3


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        pytest.param(refusal(), (0,), id="an abstention"),
        pytest.param(
            refusal(elements=[element(in_evidence=False)], claims=[claim()], reply="answered"),
            (0,),
            id="a failed turn",
        ),
        pytest.param(
            refusal(elements=[element("declared_missing", in_evidence=True)]),
            (),
            id="evidence in context needs no probe",
        ),
        pytest.param(
            refusal(elements=[element("declared_missing", in_evidence=None)]),
            (),
            id="undecided evidence is not probed",
        ),
        pytest.param(
            t.good(grades={"m-1": 0}, probes=None),
            (0,),
            id="found in evidence that is about another object",
        ),
        pytest.param(refusal(reply="clarifying"), (), id="a clarifying question"),
        pytest.param(refusal(needs_evidence=False), (), id="small talk"),
        pytest.param(refusal(reply="policy_refusal", flag="safety"), (), id="a policy refusal"),
        pytest.param(
            scene(elements=[element(in_evidence=False)], claims=[]), (), id="a turn that passed"
        ),
    ],
)
def test_which_elements_are_probed(judged: JudgedTurn, expected: tuple[int, ...]) -> None:
    (attribution,) = attribute([judged])
    assert elements_to_probe(judged, attribution) == expected


def order(number: int, result: Any, **fields: Any) -> Turn:
    """Build a turn that looked up order 1043."""
    status = "ok" if result else "empty"
    call = b.tool_call("get_order", {"order_id": "1043"}, result, status=status)  # type: ignore[arg-type]
    return b.turn(conversation_id=f"c-{number}", number=number, tool_calls=(call,), **fields)


@pytest.mark.parametrize(
    ("other", "known"),
    [
        pytest.param(order(1, {"status": "shipped"}), True, id="found an hour earlier"),
        pytest.param(order(9, {"status": "shipped"}), False, id="found only later"),
        pytest.param(order(1, {"status": "shipped"}, tenant="acme"), False, id="another tenant"),
        pytest.param(order(1, None), False, id="never found"),
    ],
)
def test_a_wrongly_empty_call_is_known_from_the_run(other: Turn, known: bool) -> None:  # noqa: FBT001
    pool, knowledge = ChunkPool(), RunKnowledge()
    empty = order(5, None)
    for turn in (other, empty):
        knowledge.add(turn)
    found = Prober(pool=pool, knowledge=knowledge).records_elsewhere(empty)
    assert bool(found) is known
    assert set(found) <= {"call-1"}
