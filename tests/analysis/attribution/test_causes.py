"""Which rule explains a symptom, where several could: rows beside the worked turns."""

from typing import Any

import pytest

from analysis.attribution import attribute
from analysis.judged import JudgedTurn
from judge.answers import CallJudgement, Unjudged
from stages.records import Chunk, Retrieval
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

SEARCH = b.tool_call(
    "search_manuals", {"query": "filter", "product": "RX-300"}, None, is_retrieval=True
)
CUSTOMER = b.tool_call("get_customer", {"name": "Ann"}, {"name": "Ann Lee"})
UNDECIDED_CALL = CallJudgement(position=1, tool_ok=None, args_ok=None)


def by_tool(*chunks: Chunk, **fields: Any) -> Retrieval:
    """Build the search that the call `SEARCH` made."""
    return s.search(*chunks, call_id="call-1", retrieval_id="call-1", **fields)


def unasked(**changes: object) -> JudgedTurn:
    """Build a good answer with a second paragraph that nobody asked for and nothing supports."""
    return t.good(
        answer="The filter is changed every 500 hours. [1]\n\nDelivery takes two days.",
        claims=[s.claim(), s.claim(2)],
        rest={2: ("none", ("m-1",))},
        **changes,
    )


def test_a_claim_nobody_asked_for_is_generations() -> None:
    assert t.root(attribute([unasked()])[0]) == "generation.unsupported_claim"


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param({"calls": [t.FAILED]}, id="a source failed"),
        pytest.param(
            {"calls": [t.FOUND], "routing": s.routed(calls=[s.wrong_arguments()])},
            id="a wrong call",
        ),
        pytest.param({"routing": s.routed(missing=["orders"])}, id="a resource that was not used"),
        pytest.param(
            {"calls": [t.EMPTY], "records_elsewhere": {"call-1": "c-7/1 shows it"}},
            id="a call that was wrongly empty",
        ),
        pytest.param({"routing": Unjudged(reason="uncertain")}, id="routing unjudged"),
        pytest.param({"probes": None}, id="not probed"),
    ],
)
def test_no_fault_upstream_explains_a_claim_nobody_asked_for(beside: dict[str, object]) -> None:
    assert t.root(attribute([unasked(**beside)])[0]) == "generation.unsupported_claim"


def test_a_claim_nobody_asked_for_may_rest_on_a_wrong_call() -> None:
    judged = t.with_order(t.FOUND, elements=[s.element("answered", 2)], statements={1: "supported"})
    wrong = t.with_order(
        t.FOUND,
        elements=[s.element("answered", 2)],
        routing=s.routed(calls=[s.wrong_arguments()]),
    )
    assert t.root(attribute([judged])[0]) == "passed"
    assert t.root(attribute([wrong])[0]) == "routing.wrong_arguments"


FILTERED = s.routed(
    collections={"manuals-rx200": True}, calls=[s.wrong_arguments(argument="product")]
)

IN_ORDER = [
    pytest.param(
        t.fabricated(probes=[s.hit()], routing=s.routed(collections={"manuals-rx300": False})),
        "routing.wrong_collection",
        id="found elsewhere, and what was searched was wrong",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit()]),
        "routing.missing_resource",
        id="found elsewhere, and what was searched was right",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit()], routing=Unjudged(reason="no_catalogue")),
        "routing.wrong_collection",
        id="found elsewhere, and whether what was searched was right is not known",
    ),
    pytest.param(
        t.refused(
            searches=[],
            calls=[t.FAILED],
            routing=s.routed(calls=[s.right_call()]),
            probes=[s.hit()],
        ),
        "retrieval.tool_unavailable",
        id="found in a collection, and the right call failed",
    ),
    pytest.param(
        t.refused(
            searches=[],
            calls=[t.FAILED],
            routing=s.routed(calls=[s.wrong_tool()]),
            probes=[s.hit()],
        ),
        "routing.wrong_tool",
        id="found in a collection, and a wrong call failed",
    ),
    pytest.param(
        t.refused(
            searches=[],
            calls=[t.FAILED],
            routing=s.routed(calls=[s.wrong_arguments()]),
            probes=[s.hit()],
        ),
        "routing.missing_resource",
        id="found in a collection, and a wrongly filled call failed",
    ),
    pytest.param(
        t.refused(calls=[t.FAILED], probes=[s.hit(searched=True, collection="manuals-rx300")]),
        "retrieval.missed_chunk",
        id="found in a searched collection, and a call failed",
    ),
    pytest.param(
        t.refused(searches=[], routing=s.routed(), probes=[s.hit()]),
        "routing.missing_resource",
        id="found in a collection, and nothing was searched or called",
    ),
    pytest.param(
        t.refused(
            searches=[], calls=[t.FOUND], routing=s.routed(calls=[s.right_call()]), probes=[s.hit()]
        ),
        "routing.missing_resource",
        id="found in a collection, and only a right call was made",
    ),
    pytest.param(
        t.refused(
            searches=[], calls=[t.FOUND], routing=s.routed(calls=[s.wrong_tool()]), probes=[s.hit()]
        ),
        "routing.wrong_tool",
        id="found in a collection, and a wrong tool was called in its place",
    ),
    pytest.param(
        t.refused(calls=[t.FOUND], routing=s.routed(calls=[s.wrong_tool()]), probes=[s.hit()]),
        "routing.wrong_collection",
        id="found elsewhere than searched, beside a wrong tool",
    ),
    pytest.param(
        t.refused(probes=[s.hit(reachable_by=["rx200-bot"]), s.hit(chunk_id="m-8")]),
        "routing.wrong_collection",
        id="found where this agent reaches as well as where only another one does",
    ),
    pytest.param(
        t.refused(probes=[s.hit(searched=True), s.hit(chunk_id="m-8")]),
        "retrieval.missed_chunk",
        id="found in the searched collection as well as elsewhere",
    ),
    pytest.param(
        t.refused(probes=[s.hit(1), s.hit(1, searched=True)]),
        "passed",
        id="what was found does not answer",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit()], routing=s.routed(refined=False, lost=["RX-200"])),
        "routing.refined_query_drifted",
        id="the lost constraint stands in what was found elsewhere",
    ),
    pytest.param(
        t.fabricated(
            probes=[s.hit(searched=True, text="Every 500 hours.")],
            routing=s.routed(refined=False, lost=["RX-200"]),
        ),
        "retrieval.missed_chunk",
        id="the lost constraint does not stand in what was found",
    ),
    pytest.param(
        t.fabricated(
            probes=[
                s.hit(searched=True, text="Every 500 hours."),
                s.hit(searched=True, text="rx-200: every 500 hours.", chunk_id="m-8"),
            ],
            routing=s.routed(refined=False, lost=["year", "RX-200"]),
        ),
        "routing.refined_query_drifted",
        id="one lost constraint stands, in other case, in one thing found",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(searched=True)], routing=s.routed(refined=False)),
        "routing.refined_query_drifted",
        id="which constraint was lost is not known",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(searched=True)], routing=s.routed(refined=True)),
        "retrieval.missed_chunk",
        id="the refined query lost nothing",
    ),
    pytest.param(
        t.fabricated(routing=s.routed(refined=False, lost=["RX-200"])),
        "generation.missing_abstention",
        id="a constraint was lost, but nothing was found that carries it",
    ),
    pytest.param(
        t.fabricated(refined="filter RX-200", probes=[s.hit(searched=True)]),
        "routing.refined_query_ignored",
        id="the refined query was not searched, and the evidence is where was searched",
    ),
    pytest.param(
        t.fabricated(
            refined="filter RX-200",
            probes=[s.hit(searched=True)],
            routing=Unjudged(reason="no_catalogue"),
        ),
        "routing.refined_query_ignored",
        id="the same, though the routing could not be judged",
    ),
    pytest.param(
        t.fabricated(refined="filter RX-200", probes=[s.hit()]),
        "routing.missing_resource",
        id="the refined query was not searched, and the evidence is elsewhere",
    ),
    pytest.param(
        t.fabricated(
            searches=[s.search(t.OTHER, query="Filter  rx-200")],
            refined="filter RX-200",
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        id="the refined query was searched, but for case and white space",
    ),
    pytest.param(
        t.refused(
            calls=[SEARCH],
            searches=[by_tool(t.OTHER)],
            routing=FILTERED,
            probes=[s.hit(searched=True)],
        ),
        "routing.wrong_arguments",
        id="the search tool was called with a wrong filter, and its collection holds the evidence",
    ),
    pytest.param(
        t.refused(
            calls=[SEARCH],
            searches=[by_tool(t.OTHER), s.search(t.OTHER, position=2)],
            routing=FILTERED,
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        id="the same, but a right search of that collection missed it too",
    ),
    pytest.param(
        t.refused(
            calls=[SEARCH],
            searches=[by_tool(t.OTHER), s.search(t.OTHER, collection="guides", position=2)],
            routing=FILTERED,
            probes=[s.hit(searched=True)],
        ),
        "routing.wrong_arguments",
        id="the same, but the right search was of another collection",
    ),
    pytest.param(
        t.refused(
            calls=[SEARCH],
            searches=[by_tool(t.OTHER, b.chunk("m-9", "RX-200", 40, in_context=False))],
            routing=FILTERED,
            grades={"m-9": 3},
            probes=[s.hit(retrieved=True)],
        ),
        "retrieval.ranked_too_low",
        id="a wrong filter, but the evidence was retrieved and cut",
    ),
    pytest.param(
        t.refused(
            calls=[SEARCH],
            searches=[by_tool(t.OTHER)],
            routing=s.routed(calls=[s.wrong_arguments(argument="query")]),
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        id="the query of a search is no argument of that kind",
    ),
    pytest.param(
        t.refused(
            calls=[SEARCH],
            searches=[by_tool(t.OTHER)],
            routing=s.routed(collections={"manuals-rx200": True}, calls=[s.wrong_tool()]),
        ),
        "routing.wrong_tool",
        id="searched where another tool fits, refused; nothing found",
    ),
    pytest.param(
        t.refused(calls=[t.FOUND], routing=s.routed(calls=[s.wrong_arguments()])),
        "routing.wrong_arguments",
        id="the call that would have told was filled wrongly, refused; nothing found",
    ),
    pytest.param(
        t.fabricated(calls=[t.FOUND], routing=s.routed(calls=[s.wrong_tool()])),
        "routing.wrong_tool",
        id="the call that would have told was another tool's, fabricated; nothing found",
    ),
    pytest.param(
        t.refused(routing=s.routed(missing=["get_order"])),
        "routing.missing_resource",
        id="the call that would have told was not made, refused; nothing found",
    ),
    pytest.param(
        t.refused(searches=[], routing=s.routed(agent_ok=False)),
        "routing.wrong_agent",
        id="the wrong agent called nothing, refused",
    ),
    pytest.param(
        t.refused(routing=s.routed(agent_ok=False)),
        "passed",
        id="the wrong agent searched what it has, refused; nothing found",
    ),
    pytest.param(
        t.refused(searches=[], routing=s.routed(agent_ok=False, missing=["get_order"])),
        "routing.missing_resource",
        id="called nothing: what was missing is known better than who should have called",
    ),
    pytest.param(
        t.fabricated(calls=[t.FAILED], routing=s.routed(calls=[s.right_call()])),
        "retrieval.tool_unavailable",
        id="a source failed, fabricated; nothing found",
    ),
    pytest.param(
        t.fabricated(
            calls=[t.FAILED],
            routing=s.routed(calls=[s.right_call()]),
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        id="a source failed, but the evidence is in a collection that was searched in vain",
    ),
    pytest.param(
        t.fabricated(
            searches=[
                s.search(status="error", error="time-out"),
                s.search(t.OTHER, collection="guides", position=2),
            ],
            probes=[s.hit(searched=True)],
        ),
        "retrieval.tool_unavailable",
        id="the search of the evidence's collection failed",
    ),
    pytest.param(
        t.fabricated(
            calls=[b.tool_call("search_manuals", {}, None, is_retrieval=True, status="error")],
            searches=[by_tool(status="error")],
            routing=s.routed(calls=[s.right_call()]),
            probes=[s.hit(searched=True)],
        ),
        "retrieval.tool_unavailable",
        id="the tool that searched the evidence's collection failed",
    ),
    pytest.param(
        t.fabricated(
            calls=[t.FAILED],
            searches=[
                s.search(status="error", error="time-out"),
                s.search(t.OTHER, position=2),
            ],
            routing=s.routed(calls=[s.right_call()]),
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        id="the search of the evidence's collection failed first, and missed it when tried again",
    ),
    pytest.param(
        t.refused(calls=[t.EMPTY], records_elsewhere={"call-1": "c-7/1 shows it"}),
        "retrieval.tool_empty",
        id="a call was wrongly empty, refused",
    ),
    pytest.param(
        t.refused(
            calls=[t.EMPTY],
            records_elsewhere={"call-1": "c-7/1 shows it"},
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        id="a call was wrongly empty, but a searched collection holds the evidence",
    ),
    pytest.param(
        t.refused(
            searches=[s.search(t.OTHER, b.chunk("m-40", "RX-200", 40, in_context=False))],
            grades={"m-40": 3},
            elements=[s.element("silently_missing", in_evidence=False)],
            probes=None,
        ),
        "retrieval.ranked_too_low",
        id="not probed, but a relevant chunk was retrieved and cut",
    ),
    pytest.param(
        t.refused(
            searches=[s.search(t.OTHER, b.chunk("m-40", "RX-200", 40, in_context=False))],
            grades={"m-40": 3},
            elements=[s.element("silently_missing", in_evidence=False)],
        ),
        "undetermined: not_in_observed_corpus (routing, retrieval)",
        id="a relevant chunk was cut, but the probe of the element found nothing",
    ),
    pytest.param(
        t.refused(probes=[s.hit(seen_before=False)]),
        "undetermined: evidence_seen_only_later (routing, retrieval)",
        id="refused, and the evidence was first seen later",
    ),
    pytest.param(
        t.refused(probes=[s.hit(seen_before=False, searched=True)], routing=s.routed()),
        "undetermined: evidence_seen_only_later (retrieval)",
        id="the evidence was first seen later, where this turn searched",
    ),
    pytest.param(
        t.refused(probes=[s.hit(seen_before=False)], routing=s.routed()),
        "undetermined: evidence_seen_only_later (routing, retrieval)",
        id="the evidence was first seen later, where this turn did not search",
    ),
    pytest.param(
        t.refused(probes=[s.hit(None, searched=True), s.hit(chunk_id="m-8", searched=True)]),
        "retrieval.missed_chunk",
        id="one probe undecided, another found it",
    ),
    pytest.param(
        t.fabricated(
            elements=[s.element(in_evidence=None)], probed=(), routing=s.routed(missing=["orders"])
        ),
        "undetermined: verdict_missing:answer (routing, retrieval, generation)",
        id="whether the evidence stood there is open",
    ),
    pytest.param(
        t.refused(elements=[s.element("silently_missing", in_evidence=False)], probes=None),
        "undetermined: corpus_not_probed (routing, retrieval)",
        id="left out, the wrong collection was searched, and nobody looked elsewhere",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            statements={1: "unsupported"},
            elements=[s.element(in_evidence=False)],
            routing=Unjudged(reason="uncertain"),
        ),
        "undetermined: verdict_missing:routing (routing, retrieval, generation)",
        id="a call was made and the routing is unjudged, fabricated",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            statements={1: "unsupported"},
            elements=[s.element(in_evidence=False)],
            routing=s.routed(),
        ),
        "undetermined: verdict_missing:routing (routing, retrieval, generation)",
        id="a call was made and not judged, fabricated",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            statements={1: "unsupported"},
            elements=[s.element(in_evidence=False)],
            routing=s.routed(calls=[UNDECIDED_CALL]),
        ),
        "undetermined: verdict_missing:routing (routing, retrieval, generation)",
        id="whether the call was right is undecided, fabricated",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            statements={1: "unsupported"},
            elements=[s.element(in_evidence=False)],
            routing=s.routed(calls=[CallJudgement(position=1, tool_ok=True, args_ok=None)]),
        ),
        "undetermined: verdict_missing:routing (routing, retrieval, generation)",
        id="whether the arguments were right is undecided, fabricated",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            statements={1: "unsupported"},
            elements=[s.element(in_evidence=False)],
            routing=s.routed(calls=[CallJudgement(position=1, tool_ok=None, args_ok=True)]),
        ),
        "undetermined: verdict_missing:routing (routing, retrieval, generation)",
        id="the arguments were right, and whether the tool was is undecided, fabricated",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            answer="I cannot say.",
            elements=[s.element("silently_missing", in_evidence=False)],
            claims=[s.claim(asserts="none", needs_source=False)],
            routing=s.routed(calls=[CallJudgement(position=1, tool_ok=None, args_ok=True)]),
        ),
        "undetermined: not_in_observed_corpus (routing, retrieval)",
        id="left out, and whether the tool was right is undecided",
    ),
    pytest.param(
        t.with_order(
            t.FOUND, routing=s.routed(calls=[CallJudgement(position=1, tool_ok=None, args_ok=True)])
        ),
        "passed",
        id="nobody called the tool wrong, and the answer is faithful to its result",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            statements={1: "unsupported"},
            elements=[s.element(in_evidence=False)],
        ),
        "generation.unsupported_claim",
        id="the call was right, and its result does not say so",
    ),
    pytest.param(
        t.fabricated(calls=[SEARCH], searches=[by_tool(t.OTHER)]),
        "generation.missing_abstention",
        id="a search is judged by its collection, whatever is known of its call",
    ),
    pytest.param(
        t.two_elements(calls=[t.FOUND], routing=Unjudged(reason="uncertain")),
        "undetermined: not_in_observed_corpus (routing, retrieval)",
        id="left out, and the routing is unjudged",
    ),
    pytest.param(
        t.two_elements(routing=s.routed(missing_decided=False)),
        "undetermined: not_in_observed_corpus (routing, retrieval)",
        id="left out, and whether a resource was missing is undecided",
    ),
    pytest.param(
        t.two_elements(routing=s.routed(collections={"manuals-rx200": None})),
        "undetermined: not_in_observed_corpus (routing, retrieval)",
        id="left out, and whether the collection was right is undecided",
    ),
    pytest.param(
        t.two_elements(
            elements=[s.element(), s.element("silently_missing", in_evidence=None)], probed=()
        ),
        "undetermined: verdict_missing:answer (retrieval, generation)",
        id="left out, and whether the evidence stood there is open",
    ),
    pytest.param(
        t.two_elements(probes=None),
        "undetermined: corpus_not_probed (retrieval)",
        id="left out, and not probed",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), IN_ORDER)
def test_the_first_rule_that_explains_a_symptom_wins(judged: JudgedTurn, expected: str) -> None:
    assert t.root(attribute([judged])[0]) == expected


WITH_EVIDENCE = [
    pytest.param(
        t.fabricated(elements=[s.element()]),
        "generation.ignored_evidence",
        id="answered with something else than its evidence",
    ),
    pytest.param(
        t.good(
            answer="Every 500 hours. [1]\n\nThat takes an hour.",
            elements=[s.element("answered", 1, 2)],
            claims=[s.claim(), s.claim(2)],
            rest={2: ("none", ("m-1",))},
        ),
        "generation.unsupported_claim",
        id="something else stands beside what its evidence supports",
    ),
    pytest.param(
        t.good(
            answer="Every 500 hours. [1]\n\nThat takes an hour.",
            elements=[s.element("answered", 2), s.element("answered", 1)],
            claims=[s.claim(), s.claim(2)],
            rest={2: ("none", ("m-1",))},
        ),
        "generation.ignored_evidence",
        id="what its evidence supports answers another element",
    ),
    pytest.param(
        t.good(
            answer="Every 500 hours. [1]\n\nThat takes an hour.",
            elements=[s.element("answered", 1, 2)],
            claims=[s.claim(), s.claim(2)],
            pairs={(1, "m-1"): "none"},
            rest={1: ("none", ("m-1",)), 2: ("none", ("m-1",))},
        ),
        "generation.ignored_evidence",
        id="all of it is something else",
    ),
    pytest.param(
        t.fabricated(
            elements=[s.element()],
            searches=[s.search(t.OTHER, t.GOOD)],
            grades={"m-1": 3},
            pairs={(1, "n-1"): "full"},
            off_target=["n-1"],
        ),
        "generation.ignored_evidence",
        id="faithful to a chunk about something else, the right one beside it",
    ),
    pytest.param(
        t.fabricated(
            elements=[s.element()],
            pairs={(1, "n-1"): "full"},
            off_target=["n-1"],
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        id="faithful to a chunk about something else, and nothing good beside it",
    ),
    pytest.param(
        t.fabricated(
            elements=[s.element()],
            pairs={(1, "n-1"): "full"},
            off_target=["n-1"],
            calls=[t.FOUND],
            routing=s.routed(calls=[s.right_call()]),
            probes=[s.hit(searched=True)],
        ),
        "generation.ignored_evidence",
        id="faithful to a chunk about something else, a right result beside it",
    ),
    pytest.param(
        t.with_order(
            t.FOUND, elements=[s.element()], routing=s.routed(calls=[s.wrong_arguments()])
        ),
        "routing.wrong_arguments",
        id="faithful to a wrong result, which the judge takes for the evidence",
    ),
    pytest.param(
        s.scene(
            calls=[CUSTOMER, b.tool_call("get_order", {}, {"status": "shipped"}, position=2)],
            rest={1: ("full", ("call-2",))},
            routing=s.routed(calls=[s.right_call(), s.wrong_arguments(2)]),
        ),
        "routing.wrong_arguments",
        id="the same, after a right call of another tool",
    ),
    pytest.param(
        s.scene(
            calls=[t.FOUND, b.tool_call("get_order", {}, {"status": "lost"}, position=2)],
            rest={1: ("full", ("call-2",))},
            routing=s.routed(calls=[s.right_call(), s.wrong_arguments(2)]),
        ),
        "generation.ignored_evidence",
        id="faithful to a wrong result although the same tool brought the right one",
    ),
    pytest.param(
        s.scene(
            calls=[b.tool_call("get_order", {}, {"status": "lost"}, position=2)],
            earlier=[
                b.evidence("call-1", "shipped", "tool_result", tool="get_order", tool_status="ok")
            ],
            rest={1: ("full", ("call-2",))},
            routing=s.routed(calls=[s.wrong_arguments(2)]),
            turn=2,
        ),
        "routing.wrong_arguments",
        id="what an earlier turn called is no result of this one",
    ),
    pytest.param(
        s.scene(
            calls=[t.FAILED, b.tool_call("get_order", {}, {"status": "lost"}, position=2)],
            rest={1: ("full", ("call-2",))},
            routing=s.routed(calls=[s.right_call(), s.wrong_arguments(2)]),
        ),
        "routing.wrong_arguments",
        id="a call of the same tool that failed brought nothing good",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), WITH_EVIDENCE)
def test_evidence_that_stood_before_the_model_makes_it_generations(
    judged: JudgedTurn, expected: str
) -> None:
    assert t.root(attribute([judged])[0]) == expected


def test_a_later_chunk_is_named() -> None:
    (attribution,) = attribute([t.fabricated(probes=[s.hit(seen_before=False, chunk_id="m-77")])])
    (cause,) = attribution.causes
    assert cause.symptom.evidence == ("E1", "P1", "chunk m-77")
    assert "chunk m-77 was first seen after this turn" in attribution.sentence
