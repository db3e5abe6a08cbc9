"""Which evidence is relevant, and which may carry a claim."""

from dataclasses import replace

import pytest

from analysis.attribution.evidence import (
    good_evidence,
    has_relevant_evidence,
    relevant_in_context,
)
from analysis.judged import JudgedTurn
from judge.answers import CallJudgement, Unjudged
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

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
