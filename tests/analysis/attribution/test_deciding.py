"""Small things that decide: which of two calls, chunks or faults is named, and what gives way."""

from dataclasses import replace

import pytest

from analysis.attribution import Cause, attribute
from analysis.attribution.claims import claims_of
from analysis.judged import JudgedTurn, ProbeHit
from ingest.span import Value
from judge.answers import Support
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

TICKET = b.tool_call("get_ticket", {"id": "7"}, {"state": "open"}, position=2)
EMPTY_TOO = b.tool_call("get_ticket", {"id": "7"}, None, position=2, status="empty")
SEARCH = b.tool_call("search_manuals", {"product": "RX-300"}, None, is_retrieval=True)
AGAIN = b.tool_call("search_manuals", {"product": "RX-400"}, None, position=2, is_retrieval=True)
UNANSWERED = [s.element(in_evidence=False)]
LEFT_OUT = [s.element("silently_missing", in_evidence=False)]
TWO_PARAGRAPHS = "The filter is changed every 500 hours. [1]\n\nThere is no other filter."


def cause(judged: JudgedTurn) -> Cause:
    """Return the one cause of a turn."""
    (one,) = attribute([judged])[0].causes
    return one


def told(judged: JudgedTurn) -> str:
    """Return how the fault that caused the symptom is explained."""
    fault = cause(judged).fault
    assert fault is not None
    return fault.explanation


def about(found: ProbeHit, text: str | None, **metadata: Value) -> ProbeHit:
    """Return a probe hit whose chunk has another text, and metadata."""
    return replace(found, chunk=replace(found.chunk, text=text, metadata=metadata))


def resting(*calls: str, **changes: object) -> JudgedTurn:
    """Build a turn of two wrong calls whose claim rests on some of them."""
    given: dict[str, object] = {
        "calls": [t.FOUND, TICKET],
        "elements": UNANSWERED,
        "statements": None,
        "rest": {1: ("full", calls)},
        "routing": s.routed(calls=[s.wrong_arguments(), s.wrong_tool(2)]),
    }
    return t.with_order(t.FOUND, **(given | changes))


def filtered(*hits: ProbeHit, **changes: object) -> JudgedTurn:
    """Build a refusal after two searches of one collection with a wrong filter."""
    wrong = [s.wrong_arguments(number, argument="product") for number in (1, 2)]
    given: dict[str, object] = {
        "calls": [SEARCH, AGAIN],
        "searches": [
            s.search(t.OTHER, call_id="call-1", retrieval_id="call-1"),
            s.search(t.OTHER, call_id="call-2", retrieval_id="call-2", position=2),
        ],
        "routing": s.routed(collections={"manuals-rx200": True}, calls=wrong),
        "probes": hits,
    }
    return t.refused(**(given | changes))


def empty_twice(*resting_on: str, **changes: object) -> JudgedTurn:
    """Build a turn of two wrongly empty calls whose claim rests on some of them."""
    given: dict[str, object] = {
        "calls": [t.EMPTY, EMPTY_TOO],
        "statements": None,
        "rest": {1: ("full", resting_on)},
        "records_elsewhere": {"call-1": "c-7/1 shows it", "call-2": "c-8/1 shows it"},
        "routing": s.routed(calls=[s.right_call(), s.right_call(2)]),
    }
    return t.with_order(t.EMPTY, **(given | changes))


ROOTS = [
    pytest.param(resting("call-2"), "routing.wrong_tool", id="the call that the claim rests on"),
    pytest.param(
        resting("call-1", "call-2"), "routing.wrong_arguments", id="of both, what comes first"
    ),
    pytest.param(
        resting("call-2", elements=[s.element(in_evidence=None)]),
        "routing.wrong_tool",
        id="a wrong result is known, whether the evidence was there is not",
    ),
    pytest.param(
        t.fabricated(
            elements=[s.element(in_evidence=None)],
            probes=[s.hit(searched=True)],
            routing=s.routed(refined=False, lost=["RX-200"]),
        ),
        "undetermined: verdict_missing:answer (routing, retrieval, generation)",
        id="a lost constraint explains nothing while that is open",
    ),
    pytest.param(
        t.with_order(
            t.EMPTY,
            elements=[s.element("answered", 2)],
            records_elsewhere={"call-1": "c-7/1 shows it"},
        ),
        "retrieval.tool_empty",
        id="nobody asked for what rests on a call that was wrongly empty",
    ),
    pytest.param(
        t.with_order(
            SEARCH,
            elements=[s.element("answered", 2)],
            statements=None,
            rest={1: ("full", ("call-1",))},
            routing=s.routed(calls=[s.wrong_arguments(argument="query")]),
            earlier=[
                b.evidence("call-1", "nothing", "tool_result", from_turn=1, tool_status="empty")
            ],
        ),
        "generation.unsupported_claim",
        id="nobody asked for what rests on a search with another query",
    ),
    pytest.param(
        t.with_order(
            t.EMPTY,
            calls=[t.EMPTY, EMPTY_TOO],
            elements=[s.element("answered", 2)],
            statements=None,
            rest={1: ("full", ("call-2",))},
            records_elsewhere={"call-1": "c-7/1 shows it", "call-2": "c-8/1 shows it"},
            routing=s.routed(calls=[s.right_call(), s.wrong_arguments(2)]),
        ),
        "routing.wrong_arguments",
        id="nobody asked for what rests on a call that was wrongly empty and wrongly filled",
    ),
    pytest.param(
        t.good(
            calls=[t.EMPTY],
            elements=[s.element("answered", 2, in_evidence=False)],
            pairs={(1, "m-1"): "none"},
            rest={1: ("none", ("m-1",))},
            records_elsewhere={"call-1": "c-7/1 shows it"},
        ),
        "generation.unsupported_claim",
        id="nobody asked for what rests on nothing, beside a call that was wrongly empty",
    ),
    pytest.param(
        t.good(
            answer=TWO_PARAGRAPHS,
            elements=[s.element("answered", 1, 2)],
            claims=[s.claim(), s.claim(2, "absence", needs_source=False)],
            pairs={(1, "m-1"): "none"},
            rest={1: ("none", ("m-1",)), 2: ("none", ("m-1",))},
        ),
        "generation.ignored_evidence",
        id="beside a paragraph that is not supported either",
    ),
    pytest.param(
        t.fabricated(
            probes=[about(s.hit(searched=True), "Every 500 hours.", title="RX-200", page=4)],
            routing=s.routed(refined=False, lost=["RX-200"]),
        ),
        "routing.refined_query_drifted",
        id="the lost constraint stands in the title",
    ),
    pytest.param(
        t.fabricated(
            probes=[about(s.hit(searched=True), None, title="RX-200")],
            routing=s.routed(refined=False, lost=["RX-200"]),
        ),
        "routing.refined_query_drifted",
        id="in the title of a chunk without a text",
    ),
    pytest.param(
        t.refused(
            searches=[],
            calls=[t.FOUND],
            elements=LEFT_OUT,
            routing=s.routed(agent_ok=False, calls=[s.right_call()]),
        ),
        "undetermined: not_in_observed_corpus (routing, retrieval)",
        id="the wrong agent made a right call",
    ),
    pytest.param(
        t.refused(searches=[], elements=LEFT_OUT, routing=s.routed(refined=False)),
        "undetermined: not_in_observed_corpus (routing, retrieval)",
        id="nothing was called, and the query that was not searched lost something",
    ),
    pytest.param(
        filtered(s.hit(searched=True), s.hit(chunk_id="m-8", retrieved=True)),
        "retrieval.ranked_too_low",
        id="a wrong filter let one of two chunks through",
    ),
    pytest.param(
        t.fabricated(
            calls=[b.tool_call("search_manuals", {}, None, is_retrieval=True, status="error")],
            searches=[s.search(status="error", call_id="call-1")],
            routing=s.routed(calls=[s.right_call()]),
            probes=[s.hit(searched=True)],
        ),
        "retrieval.tool_unavailable",
        id="the search of the evidence's collection failed as a call",
    ),
    pytest.param(
        t.refused(
            calls=[t.FAILED, EMPTY_TOO],
            records_elsewhere={"call-2": "c-7/1 shows it"},
            routing=s.routed(calls=[s.right_call(), s.right_call(2)]),
        ),
        "retrieval.tool_unavailable",
        id="one call failed, another was wrongly empty",
    ),
    pytest.param(
        t.refused(
            routing=s.routed(), probes=[s.hit(searched=True), s.hit(chunk_id="m-8", retrieved=True)]
        ),
        "retrieval.ranked_too_low",
        id="of two chunks one was retrieved and cut",
    ),
    pytest.param(
        t.refused(routing=s.routed(), probes=[replace(s.hit(retrieved=True), searched=False)]),
        "retrieval.ranked_too_low",
        id="retrieved from a collection that nobody named",
    ),
    pytest.param(
        t.refused(
            searches=[s.search(), s.search(t.OTHER, collection="guides", position=2)],
            routing=s.routed(),
            probes=[s.hit(searched=True)],
        ),
        "retrieval.nothing_retrieved",
        id="the search of the evidence's collection returned nothing, another one something",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(1, searched=True, seen_before=False)]),
        "generation.missing_abstention",
        id="what was first seen later does not answer",
    ),
    pytest.param(
        t.refused(calls=[t.FAILED], routing=s.routed(calls=[s.wrong_tool()]), probes=[s.hit()]),
        "routing.wrong_collection",
        id="found elsewhere, and a call of the wrong tool failed",
    ),
    pytest.param(
        t.refused(
            calls=[replace(SEARCH, status="error", error="time-out")],
            searches=[s.search(status="error", call_id="call-1", collection="guides")],
            routing=s.routed(calls=[s.right_call()]),
            probes=[s.hit()],
        ),
        "routing.wrong_collection",
        id="found elsewhere, and the search of another collection failed",
    ),
    pytest.param(
        t.good(grades={"m-1": 0}, pairs={(1, "m-1"): "partial"}),
        "generation.missing_abstention",
        id="in part faithful to a chunk about something else",
    ),
    pytest.param(
        t.good(pairs={}, statements={1: "supported"}),
        "not_judged: verdict_missing:support",
        id="statements are not asked for what is cited",
    ),
    pytest.param(
        t.good(pairs={}, grades={"m-1": 0}),
        "not_judged: verdict_missing:support",
        id="what is cited may support, however irrelevant",
    ),
    pytest.param(
        t.with_order(t.FOUND, statements=None),
        "not_judged: verdict_missing:support",
        id="the result of a call may support",
    ),
    pytest.param(
        t.good(
            answer=TWO_PARAGRAPHS,
            claims=[s.claim(), s.claim(2, "none", needs_source=False)],
            citations=(
                *t.CITED,
                b.citation(None, "[2]", number=2, paragraph=2, status="target_not_captured"),
            ),
            pairs={(1, "m-1"): "partial"},
        ),
        "passed",
        id="a citation of another paragraph whose target is not told",
    ),
    pytest.param(
        resting("call-1", rest={1: ("partial", ("call-1",))}),
        "routing.wrong_arguments",
        id="in part faithful to a wrong result",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), ROOTS)
def test_what_decides(judged: JudgedTurn, expected: str) -> None:
    assert t.root(attribute([judged])[0]) == expected


def test_an_absence_that_another_source_supports_is_no_falsehood_beside_a_bad_citation() -> None:
    judged = t.with_order(
        t.FAILED,
        answer="There is no order 999. [99]",
        calls=[t.FAILED, TICKET],
        claims=[s.claim(asserts="absence")],
        citations=(b.citation(None, "[99]"),),
        statements=None,
        rest={1: ("full", ("call-2",))},
    )
    (attribution,) = attribute([judged])
    assert t.root(attribution) == "generation.invalid_citation"
    assert t.others(attribution) == {"latent retrieval.tool_unavailable"}


@pytest.mark.parametrize(
    ("judged", "chunk_id"),
    [
        pytest.param(
            t.fabricated(
                refined="filter RX-200",
                probes=[s.hit(searched=True), s.hit(chunk_id="m-8", searched=True)],
            ),
            "m-9",
            id="a refined query that was not searched",
        ),
        pytest.param(
            filtered(s.hit(searched=True), s.hit(chunk_id="m-8", searched=True)),
            "m-9",
            id="searches that were filled wrongly",
        ),
        pytest.param(
            t.refused(
                searches=[],
                calls=[t.FOUND],
                routing=s.routed(calls=[s.wrong_tool()]),
                probes=[s.hit(), s.hit(chunk_id="m-8")],
            ),
            "m-9",
            id="a wrong tool that was called in place of a search",
        ),
    ],
)
def test_of_several_chunks_the_best_is_named(judged: JudgedTurn, chunk_id: str) -> None:
    found = cause(judged).found
    assert found is not None
    assert found.chunk.chunk_id == chunk_id


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        pytest.param(
            filtered(s.hit(searched=True)),
            "search_manuals was called with product = 1043, should be 1034 (turn 1)",
            id="two wrong filters",
        ),
        pytest.param(
            empty_twice("call-1", "call-2", elements=[s.element("answered", 2)]),
            "get_order returned nothing although c-7/1 shows it",
            id="two calls that were wrongly empty, and nobody asked",
        ),
        pytest.param(
            empty_twice("call-2", elements=[s.element("answered", 2)]),
            "get_ticket returned nothing although c-8/1 shows it",
            id="the empty call that the claim rests on, and nobody asked",
        ),
        pytest.param(
            empty_twice("call-2", elements=UNANSWERED),
            "get_ticket returned nothing although c-8/1 shows it",
            id="the empty call that the claim rests on",
        ),
        pytest.param(
            t.refused(
                calls=[t.FAILED, replace(t.TICKET, position=2, call_id="call-2")],
                routing=s.routed(calls=[s.right_call(), s.right_call(2)]),
            ),
            "get_order failed: time-out",
            id="two failures",
        ),
        pytest.param(
            t.refused(
                calls=[t.EMPTY, EMPTY_TOO],
                records_elsewhere={"call-1": "one", "call-2": "other"},
                routing=s.routed(calls=[s.right_call(), s.right_call(2)]),
            ),
            "get_order returned nothing although one",
            id="two calls that were wrongly empty",
        ),
        pytest.param(
            t.refused(
                searches=[],
                calls=[t.FOUND, TICKET],
                routing=s.routed(calls=[s.wrong_tool(), s.wrong_tool(2)]),
                probes=[s.hit()],
            ),
            "called get_order where get_order fits",
            id="two wrong tools",
        ),
        pytest.param(
            t.refused(
                searches=[
                    s.search(
                        b.chunk("m-40", "RX-200", 40, in_context=False),
                        b.chunk("m-50", "RX-200", 50, in_context=False),
                    )
                ],
                grades={"m-40": 3, "m-50": 3},
                elements=LEFT_OUT,
                probes=None,
            ),
            "chunk m-40 was retrieved at rank 40 and cut before the prompt",
            id="two chunks that were cut",
        ),
    ],
)
def test_of_several_faults_the_first_is_told(judged: JudgedTurn, expected: str) -> None:
    assert told(judged) == expected


def test_of_several_wrong_filters_the_first_call_is_the_evidence() -> None:
    fault = cause(filtered(s.hit(searched=True))).fault
    assert fault is not None
    assert fault.evidence[0] == "call call-1"


def test_of_several_chunks_seen_later_the_first_is_named() -> None:
    later = [s.hit(searched=True, seen_before=False, chunk_id=name) for name in ("m-9", "m-8")]
    assert cause(t.fabricated(probes=later)).symptom.evidence[-1] == "chunk m-9"


def test_the_stages_that_stay_possible_are_in_their_order() -> None:
    open_ = t.fabricated(probes=None, routing=s.routed(missing_decided=False))
    assert cause(open_).possible == ("routing", "retrieval", "generation")


def test_a_guess_in_place_of_an_answer_leaves_nothing_out() -> None:
    judged = t.fabricated(
        elements=[s.element("silently_missing", 1, in_evidence=False)],
        routing=s.routed(collections={"manuals-rx300": False}),
        searches=[s.search(t.OTHER, collection="manuals-rx300")],
        probes=[s.hit()],
    )
    (attribution,) = attribute([judged])
    assert t.root(attribution) == "routing.wrong_collection"
    assert "downstream generation.incomplete" not in t.others(attribution)


def test_a_quote_tells_which_of_the_cited_carry_a_claim() -> None:
    judged = t.good(together={(1, ("m-1", "m-7")): "full"}, pairs={(1, "m-1"): "none"})
    key = (1, ("m-1", "m-7"))
    quoting = Support(reason="", label="full", quote_evidence="every 500  hours")
    stored = {**judged.support, key: replace(judged.support[key], answer=quoting)}
    (claim,) = claims_of(replace(judged, support=stored))
    assert claim.supporting == ("m-1",)


QUERY = "query q question search_query queries query_text text input"
COLLECTION = (
    "collection collections index index_name namespace source data_source knowledge_base kb "
    "corpus dataset region country library"
)


@pytest.mark.parametrize("argument", f"{QUERY} {COLLECTION}".split())
def test_every_name_of_a_query_or_collection_has_a_kind_of_its_own(argument: str) -> None:
    wrong = s.routed(
        collections={"manuals-rx200": True}, calls=[s.wrong_arguments(argument=argument)]
    )
    of_search = t.good(
        calls=[SEARCH],
        searches=[s.search(t.GOOD, call_id="call-1", retrieval_id="call-1")],
        routing=wrong,
    )
    assert t.others(attribute([of_search])[0]) == set()
    of_call = t.good(calls=[t.FOUND], routing=wrong)
    assert t.others(attribute([of_call])[0]) == {"latent routing.wrong_arguments"}
