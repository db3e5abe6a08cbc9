"""Passages of a collection that is about something else than what was asked."""

from dataclasses import replace

import pytest

from analysis.attribution import attribute
from analysis.judged import JudgedTurn
from judge.answers import CollectionJudgement
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

NEAR = b.chunk("m-1", "The filter is changed every 400 hours.")
ROOT = "routing.wrong_collection"


def searched(*, ok: bool | None, fits: str | None = None, **changes: object) -> JudgedTurn:
    """Build an answer from a passage of the RX-300 manual, whose collection was judged."""
    where = CollectionJudgement(collection="manuals-rx300", ok=ok, fits=fits)
    given: dict[str, object] = {
        "answer": "Every 400 hours. [1]",
        "elements": [s.element(text="How often is the filter of the RX-200 changed?")],
        "searches": [s.search(NEAR, collection="manuals-rx300")],
        "grades": {"m-1": 1},
        "pairs": {(1, "m-1"): "full"},
        "rest": {1: ("none", ())},
        "routing": replace(s.routed(), collections=(where,)),
    }
    return replace(t.good(**(given | changes)), probes={0: ()})


OTHER = s.search(b.chunk("m-2", "RX-200: every 200 hours."), collection="manuals-rx200")

ROOTS = [
    pytest.param(searched(ok=False, fits="manuals-rx200"), ROOT, id="a neighbour holds the answer"),
    pytest.param(
        searched(
            ok=False, fits="manuals-rx200", elements=[s.element(in_evidence=False, text="How?")]
        ),
        ROOT,
        id="and the answer was not in the evidence",
    ),
    pytest.param(
        searched(ok=False, fits="manuals-rx200", grades={"m-1": 3}),
        "passed",
        id="a relevant passage is good, whatever search found it",
    ),
    pytest.param(searched(ok=False), "passed", id="which one holds it is not known"),
    pytest.param(searched(ok=None), "passed", id="not decided"),
    pytest.param(searched(ok=True), "passed", id="the right one"),
    pytest.param(
        searched(
            ok=False,
            fits="manuals-rx200",
            searches=[
                s.search(NEAR, collection="manuals-rx300"),
                s.search(NEAR, collection="manuals-rx200"),
            ],
        ),
        "passed",
        id="the right one has it as well",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), ROOTS)
def test_what_a_wrong_collection_brings_is_no_answer(judged: JudgedTurn, expected: str) -> None:
    assert t.root(attribute([judged])[0]) == expected


def test_it_is_told_by_the_collection_that_fits() -> None:
    attribution = attribute([searched(ok=False, fits="manuals-rx200")])[0]
    assert attribution.sentence == "Routing: searched manuals-rx300 instead of manuals-rx200."
    (cause,) = attribution.causes
    assert cause.symptom.off_target == ("m-1",)
