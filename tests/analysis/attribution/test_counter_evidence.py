"""What speaks against the stage that one would suspect first, word for word."""

import pytest

from analysis.attribution import attribute
from analysis.attribution.counter_evidence import counter_evidence
from analysis.attribution.sentences import LONGEST
from analysis.judged import JudgedTurn
from judge.answers import Unjudged
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

UNANSWERED = [s.element(in_evidence=False)]
LEFT_OUT = [s.element("silently_missing", in_evidence=False)]
WRONG_PLACE = s.routed(collections={"manuals-rx200": False})
NOT_IT = [s.hit(0, searched=True), s.hit(1, "m-8", searched=True)]


def told(*turns: JudgedTurn) -> list[str | None]:
    """Return the counter-evidence of each cause of the last turn."""
    attribution = attribute(turns)[-1]
    return [counter_evidence(turns[-1], cause) for cause in attribution.causes]


CLEARED = [
    pytest.param(
        t.fabricated(probes=NOT_IT),
        "Would have been retrieval, but manuals-rx200 never held it: none of the 2 nearest other chunks of this run answers it.",
        id="made up, and the collection never held it",
    ),
    pytest.param(
        t.fabricated(probes=NOT_IT[:1]),
        "Would have been retrieval, but manuals-rx200 never held it: the one other chunk of this run that comes near does not answer it.",
        id="one chunk came near",
    ),
    pytest.param(
        t.fabricated(),
        "Would have been retrieval, but manuals-rx200 never held it: no other chunk of this run comes near it.",
        id="no chunk came near",
    ),
    pytest.param(
        t.fabricated(searches=[s.search(t.OTHER, collection=None)]),
        "Would have been retrieval, but an unnamed collection never held it: no other chunk of this run comes near it.",
        id="a collection without a name",
    ),
    pytest.param(
        t.fabricated(
            searches=[s.search(t.OTHER), s.search(collection="manuals-rx300", position=2)]
        ),
        "Would have been retrieval, but manuals-rx200, manuals-rx300 never held it: no other chunk of this run comes near it.",
        id="several collections",
    ),
    pytest.param(
        t.two_elements(probes=[s.hit(0, element=1, searched=True)]),
        "Would have been retrieval, but manuals-rx200 never held it: the one other chunk of this run that comes near does not answer it.",
        id="left out, and the stage stays open",
    ),
    pytest.param(
        t.fabricated(probes=NOT_IT, routing=WRONG_PLACE),
        "Would have been routing, but no collection within reach ever held it: none of the 2 nearest other chunks of this run answers it.",
        id="made up after a search of the wrong collection",
    ),
    pytest.param(
        t.fabricated(probes=NOT_IT, routing=s.routed(agent_ok=False)),
        "Would have been routing, but no collection within reach ever held it: none of the 2 nearest other chunks of this run answers it.",
        id="made up by the wrong agent",
    ),
    pytest.param(
        t.fabricated(probes=NOT_IT, routing=s.routed(refined=False)),
        "Would have been retrieval, but manuals-rx200 never held it: none of the 2 nearest other chunks of this run answers it.",
        id="the refined query lost something, the collection was right",
    ),
    pytest.param(
        t.with_order(t.FOUND, statements={1: "unsupported"}, elements=UNANSWERED),
        "Would have been routing, but no collection within reach ever held it: no other chunk of this run comes near it.",
        id="made up beside a call, and nothing was searched",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "contradicted"}, routing=WRONG_PLACE),
        "Would have been routing (searched manuals-rx200), but the answer goes against what stood before the model.",
        id="false, whatever was searched",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            answer="There is no order 999.",
            claims=[s.claim(asserts="absence")],
            statements={1: "unsupported"},
        ),
        "Would have been retrieval (get_order failed: time-out), but the answer goes against what stood before the model.",
        id="absence was claimed all the same",
    ),
    pytest.param(
        t.refused(
            searches=[s.search(t.GOOD, collection="manuals-rx300")],
            grades={"m-1": 3},
            elements=[s.element("declared_missing", 1)],
        ),
        "Would have been routing (searched manuals-rx300), but what answers it stood before the model.",
        id="refused beside what a wrong search brought",
    ),
    pytest.param(
        t.fabricated(elements=[s.element()], grades={"n-1": 0}),
        "Would have been retrieval (the one chunk is not relevant to the question), but what answers it stood before the model.",
        id="the judge finds the evidence where no chunk is relevant",
    ),
    pytest.param(
        t.fabricated(searches=[s.search(t.OTHER, b.chunk("n-2"))], elements=[s.element()]),
        "Would have been retrieval (none of the 2 chunks is relevant to the question), but what answers it stood before the model.",
        id="nor any of two",
    ),
    pytest.param(
        t.fabricated(elements=[s.element("answered", 2)]),
        "Would have been retrieval (the one chunk is not relevant to the question), but nobody asked for it: no search had to bring its evidence.",
        id="nobody asked for it",
    ),
    pytest.param(
        t.refused(probes=[s.hit(searched=True)]),
        "Would have been routing (searched manuals-rx300), but chunk m-9 is in manuals-rx200, which was searched.",
        id="missed where it was searched, beside a search of the wrong collection",
    ),
    pytest.param(
        t.refused(
            calls=[t.FAILED],
            probes=[s.hit(), s.hit(chunk_id="m-8", collection="oils")],
            routing=s.routed(calls=[s.right_call()]),
        ),
        "Would have been routing (chunk m-9 in manuals-rx200 answers and was not searched), but a call that nobody called wrong failed, and what it would have brought is not known.",
        id="a right call failed, and a passage lies elsewhere",
    ),
    pytest.param(
        t.good(
            pairs={(1, "m-1"): "contradicted"},
            routing=s.routed(agent_ok=False, collections={"manuals-rx200": False}),
        ),
        "Would have been routing (agent service-bot took the question), but the answer goes against what stood before the model.",
        id="of several faults the first",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "contradicted"}, grades={"m-1": 0}, routing=WRONG_PLACE),
        "Would have been routing (searched manuals-rx200), but the answer goes against what stood before the model.",
        id="of several stages the first",
    ),
    pytest.param(
        t.refused(
            probes=[s.hit(0, seen_before=False), s.hit(seen_before=False, chunk_id="m-8")],
            routing=s.routed(),
        ),
        "Would have been routing, but chunk m-8 in manuals-rx200 was first seen after this turn.",
        id="seen later, elsewhere",
    ),
    pytest.param(
        t.refused(
            probes=[
                s.hit(seen_before=False, searched=True),
                s.hit(chunk_id="m-8", collection="oils", seen_before=False),
            ],
            routing=s.routed(),
        ),
        "Would have been retrieval, but chunk m-9 in manuals-rx200 was first seen after this turn.",
        id="seen later, where this turn searched",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), CLEARED)
def test_what_cleared_the_stage_upstream(judged: JudgedTurn, expected: str) -> None:
    assert told(judged) == [expected]


@pytest.mark.parametrize(
    "judged",
    [
        pytest.param(t.fabricated(probes=None), id="not probed"),
        pytest.param(t.fabricated(probes=[s.hit(None, searched=True)]), id="a probe is undecided"),
        pytest.param(
            t.fabricated(elements=[s.element(in_evidence=None)], probes=[s.hit(seen_before=False)]),
            id="whether it stood there is open",
        ),
        pytest.param(t.good(pairs={(1, "m-1"): "contradicted"}), id="nothing else was wrong"),
        pytest.param(t.good(pairs={(1, "m-1"): "none"}), id="nothing upstream was wrong"),
        pytest.param(t.refused(probes=[s.hit()]), id="routing has no stage upstream"),
        pytest.param(
            t.fabricated(probes=[s.hit(searched=True)]), id="retrieval, and routing was right"
        ),
        pytest.param(
            t.honest_outage(),
            id="a right call failed, and nothing was found elsewhere",
        ),
        pytest.param(
            t.refused(calls=[t.EMPTY], records_elsewhere={"call-1": "c-7/1 shows it"}),
            id="a call was wrongly empty",
        ),
        pytest.param(
            t.with_order(
                t.FOUND,
                elements=[s.element("answered", 2)],
                routing=s.routed(calls=[s.wrong_arguments()]),
            ),
            id="nobody asked for what a wrong call brought",
        ),
        pytest.param(
            t.with_order(
                t.EMPTY,
                elements=[s.element("answered", 2)],
                records_elsewhere={"call-1": "c-7/1 shows it"},
            ),
            id="nobody asked for what a wrongly empty call brought",
        ),
        pytest.param(t.good(understanding=0, routing=WRONG_PLACE), id="form"),
        pytest.param(
            t.good(citations=(*t.CITED, b.citation(None, "[99]", number=2)), routing=WRONG_PLACE),
            id="citation",
        ),
        pytest.param(
            t.fabricated(probes=None, routing=Unjudged(reason="uncertain")), id="routing unjudged"
        ),
    ],
)
def test_where_no_other_stage_was_suspected_nothing_is_said(judged: JudgedTurn) -> None:
    assert told(judged) == [None]


def test_an_inherited_failure_was_cleared_in_its_own_turn() -> None:
    assert told(t.fabricated(), t.fabricated(turn=2)) == [None]


def test_a_sentence_is_bounded_and_on_one_line() -> None:
    name = "manuals\n" * 40
    (found,) = told(t.fabricated(searches=[s.search(t.OTHER, collection=name)] * 4))
    assert found is not None
    assert len(found) <= LONGEST
    assert "\n" not in found


def test_a_sentence_is_cut_to_300_characters() -> None:
    searches = [s.search(t.OTHER, collection=name * 60) for name in "abc"]
    (found,) = told(t.fabricated(searches=searches, probes=NOT_IT))
    assert found is not None
    assert len(found) < 300
    chunk = "m" * 60
    (found,) = told(
        t.refused(
            probes=[s.hit(searched=True, chunk_id=chunk, collection="y" * 60)],
            searches=searches,
            routing=s.routed(collections=dict.fromkeys([one * 60 for one in "abcd"], False)),
        )
    )
    assert found is not None
    assert len(found) == 300
    assert found.endswith("….")
