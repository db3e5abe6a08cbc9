"""Two promises about every turn: latent faults blame nobody, and repairs repair."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from analysis.attribution import attribute
from analysis.judged import JudgedTurn
from judge.answers import CollectionJudgement, TurnRouting
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t
from tests.analysis.attribution.test_worked_turns import WORKED

Change = Callable[[JudgedTurn], JudgedTurn]


def _routing(judged: JudgedTurn) -> TurnRouting:
    assert isinstance(judged.routing, TurnRouting)
    return judged.routing


def wrong_agent(judged: JudgedTurn) -> JudgedTurn:
    """Blame the agent, which all the same did what the right one would have done."""
    return replace(judged, routing=replace(_routing(judged), agent_ok=False))


def useless_search(judged: JudgedTurn) -> JudgedTurn:
    """Add a search of a wrong collection that brought nothing of use."""
    extra = b.chunk("zz-1", "Opening hours of the canteen.")
    search = b.retrieval([extra], collection="canteen", position=9, retrieval_id="r-extra")
    routing = _routing(judged)
    wrong = CollectionJudgement(collection="canteen", ok=False)
    seen = b.evidence("zz-1", "Opening hours of the canteen.")
    return replace(
        judged,
        turn=replace(
            judged.turn,
            retrievals=(*judged.turn.retrievals, search),
            evidence=(*judged.turn.evidence, seen),
        ),
        routing=replace(routing, collections=(*routing.collections, wrong)),
        relevance={
            **judged.relevance,
            "zz-1": s.verdict("relevance", s.relevance(0), chunk_id="zz-1"),
        },
    )


def cut_chunk(judged: JudgedTurn) -> JudgedTurn:
    """Add a chunk that is relevant and did not reach the prompt."""
    extra = b.chunk("zz-2", "See the service plan.", 99, in_context=False)
    search = b.retrieval([extra], collection="plans", position=8, retrieval_id="r-cut")
    return replace(
        judged,
        turn=replace(judged.turn, retrievals=(*judged.turn.retrievals, search)),
        relevance={
            **judged.relevance,
            "zz-2": s.verdict("relevance", s.relevance(2), chunk_id="zz-2"),
        },
    )


_SHOWS: dict[Change, set[str]] = {wrong_agent: {"wrong_agent"}, cut_chunk: {"ranked_too_low"}}

UNHARMED = [
    pytest.param(case.values[0], str(case.values[1]), id=str(case.id))
    for case in WORKED
    if str(case.values[1]).startswith(("passed", "generation."))
]


@pytest.mark.parametrize("change", [wrong_agent, useless_search, cut_chunk])
@pytest.mark.parametrize(("judged", "expected"), UNHARMED)
def test_a_latent_fault_changes_no_root_stage(
    judged: JudgedTurn, expected: str, change: Change
) -> None:
    (before,) = attribute([judged])
    (after,) = attribute([change(judged)])
    assert t.root(before) == expected
    assert (after.outcome, after.root_stage) == (before.outcome, before.root_stage)
    shown = {finding.fault.kind for finding in after.findings if finding.role == "latent"}
    assert _SHOWS.get(change, set()) <= shown


@pytest.mark.parametrize(
    "faulty",
    [
        pytest.param({"pairs": {(1, "m-1"): "contradicted"}}, id="contradicts its source"),
        pytest.param({"coherence": 0}, id="incoherent"),
        pytest.param({"language": "en", "answer_language": "de"}, id="wrong language"),
        pytest.param(
            {"citations": (b.citation("m-1"), b.citation(None, "[99]", number=2))},
            id="invalid citation",
        ),
    ],
)
def test_removing_the_only_fault_removes_the_failure(faulty: dict[str, object]) -> None:
    assert attribute([t.good(**faulty)])[0].outcome == "failed"
    assert attribute([t.good()])[0].outcome == "passed"
