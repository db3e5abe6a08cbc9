"""The worked turns of the design: what the rules must give, one row each.

The second column is what `turns.root` says, the third what `turns.others` says.
"""

import pytest

from analysis.attribution import attribute
from analysis.judged import JudgedTurn
from judge.answers import Unjudged
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

DRIFTED = s.routed(collections={"manuals-rx200": True}, refined=False, lost=("RX-200",))

WORKED = [
    pytest.param(
        t.good(
            searches=[s.search(t.GOOD, collection="manuals-rx300")],
            routing=s.routed(collections={"manuals-rx300": False}),
        ),
        "passed",
        {"latent routing.wrong_collection"},
        id="wrong collection, relevant chunk found anyway, answer right",
    ),
    pytest.param(
        t.good(
            searches=[s.search(t.GOOD, collection="manuals-rx300")],
            routing=s.routed(collections={"manuals-rx300": False}),
            pairs={(1, "m-1"): "contradicted"},
        ),
        "generation.contradicts_source",
        {"latent routing.wrong_collection"},
        id="the same, but the answer changes a number of that chunk",
    ),
    pytest.param(
        t.fabricated(),
        "generation.missing_abstention",
        {"latent retrieval.irrelevant_chunks"},
        id="right collection, nothing relevant, fabricated; probe finds nothing",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(searched=True)]),
        "retrieval.missed_chunk",
        {"contributing generation.missing_abstention", "latent retrieval.irrelevant_chunks"},
        id="the same, probe finds the chunk in that collection",
    ),
    pytest.param(
        t.fabricated(probes=None),
        "undetermined: corpus_not_probed (retrieval, generation)",
        {"latent retrieval.irrelevant_chunks"},
        id="the same, probe off",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(None, searched=True)]),
        "undetermined: verdict_missing:probe (retrieval, generation)",
        {"latent retrieval.irrelevant_chunks"},
        id="the same, probe unjudged",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            answer="There is no order 999.",
            elements=[s.element(in_evidence=False)],
            claims=[s.claim(asserts="absence")],
            statements={1: "unsupported"},
        ),
        "generation.absence_misreported",
        {"contributing retrieval.tool_unavailable"},
        id="order tool errors, no such order exists",
    ),
    pytest.param(
        t.with_order(
            t.TICKET,
            answer="Your ticket is created.",
            elements=[s.element(in_evidence=False)],
            claims=[s.claim(asserts="success")],
            statements={1: "contradicted"},
        ),
        "generation.contradicts_source",
        {"contributing retrieval.tool_unavailable"},
        id="ticket tool errors, your ticket is created",
    ),
    pytest.param(
        t.honest_outage(),
        "retrieval.tool_unavailable",
        set(),
        id="order tool errors, I cannot reach the order system now",
    ),
    pytest.param(
        t.with_order(t.EMPTY, answer="There is no order 999.", claims=[s.claim(asserts="absence")]),
        "passed",
        set(),
        id="tool truly empty, there is no order 999",
    ),
    pytest.param(
        t.refused(),
        "passed",
        {"latent routing.wrong_collection", "latent retrieval.irrelevant_chunks"},
        id="honest refusal, corpus has nothing",
    ),
    pytest.param(
        t.refused(probes=[s.hit()]),
        "routing.wrong_collection",
        {"downstream retrieval.irrelevant_chunks"},
        id="honest refusal, the chunk is in another reachable collection",
    ),
    pytest.param(
        t.refused(
            searches=[s.search(t.GOOD)],
            grades={"m-1": 3},
            elements=[s.element("declared_missing", 1, in_evidence=True)],
            routing=s.routed(collections={"manuals-rx200": True}),
        ),
        "generation.over_abstention",
        set(),
        id="refusal although chunk 3 answers",
    ),
    pytest.param(
        t.refused(
            searches=[
                s.search(
                    t.OTHER,
                    b.chunk("m-40", "RX-200: every 500 hours.", 40, in_context=False),
                )
            ],
            grades={"m-40": 3},
            routing=s.routed(collections={"manuals-rx200": True}),
            probes=[s.hit(chunk_id="m-40", retrieved=True, rank=40)],
        ),
        "retrieval.ranked_too_low",
        set(),
        id="chunk 40 answers, 10 entered the prompt, refusal",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            elements=[s.element(in_evidence=False)],
            routing=s.routed(calls=[s.wrong_arguments()]),
        ),
        "routing.wrong_arguments",
        set(),
        id="order number given two turns earlier, called with another; answer faithful",
    ),
    pytest.param(
        t.refused(
            routing=s.routed(agent_ok=False, fits="service-bot-rx200"),
            probes=[s.hit(reachable_by=["service-bot-rx200"])],
        ),
        "routing.wrong_agent",
        {"downstream retrieval.irrelevant_chunks"},
        id="wrong agent whose catalogue lacks the collection, honest refusal",
    ),
    pytest.param(
        t.with_order(t.FOUND, routing=s.routed(agent_ok=False, calls=[s.right_call()])),
        "passed",
        {"latent routing.wrong_agent"},
        id="wrong agent, right tool, right answer",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            routing=s.routed(agent_ok=False, calls=[s.right_call()]),
            language="en",
            answer_language="de",
        ),
        "generation.wrong_language",
        {"latent routing.wrong_agent"},
        id="wrong agent, right tool, wrong language",
    ),
    pytest.param(
        t.fabricated(
            pairs={(1, "n-1"): "full"},
            off_target=["n-1"],
            routing=DRIFTED,
            probes=[s.hit(searched=True)],
            refined="filter change interval",
        ),
        "routing.refined_query_drifted",
        {
            "contributing generation.missing_abstention",
            "downstream retrieval.irrelevant_chunks",
            "contributing routing.refined_query_ignored",
        },
        id="refined query lost RX-200; faithful answer about RX-300; probe finds RX-200",
    ),
    pytest.param(
        t.good(
            searches=[s.search(t.GOOD, b.chunk("m-4", "Store the machine dry.", 4))],
            citations=(b.citation("m-4", "[4]"),),
            pairs={(1, "m-4"): "none"},
            rest={1: ("full", ("m-1",))},
        ),
        "generation.wrong_citation",
        set(),
        id="answer right, cites [4], chunk 2 supports",
    ),
    pytest.param(
        t.two_elements(second_in_evidence=True),
        "generation.incomplete",
        set(),
        id="one of two elements answered; evidence for the other in context",
    ),
    pytest.param(
        t.two_elements(probes=[s.hit(element=1, searched=True)]),
        "retrieval.partial_evidence",
        {"downstream generation.incomplete"},
        id="one of two elements answered; evidence in the searched collection",
    ),
    pytest.param(
        t.two_elements(probes=[s.hit(element=1, collection="oils")]),
        "routing.missing_resource",
        {"downstream generation.incomplete"},
        id="one of two elements answered; evidence elsewhere",
    ),
    pytest.param(
        t.two_elements(),
        "undetermined: not_in_observed_corpus (retrieval)",
        set(),
        id="one of two elements answered; evidence nowhere, left out in silence",
    ),
    pytest.param(
        t.two_elements(
            elements=[
                s.element(),
                s.element("declared_missing", in_evidence=False, text="Which oil?"),
            ]
        ),
        "passed",
        set(),
        id="one of two elements answered; evidence nowhere, declared missing",
    ),
    pytest.param(
        t.good(
            searches=[
                s.search(t.GOOD),
                s.search(t.OTHER, collection="manuals-rx300", position=2),
            ],
            routing=s.routed(collections={"manuals-rx200": True, "manuals-rx300": False}),
            pairs={(1, "m-1"): "contradicted"},
        ),
        "generation.contradicts_source",
        set(),
        id="two searches, one in a wrong collection; answer contradicts the good chunk",
    ),
    pytest.param(
        s.scene(
            answer_verdict=None,
            searches=[s.search(b.chunk("m-1", None))],
            citations=t.CITED,
        ),
        "not_judged: chunk_text_not_captured",
        set(),
        id="answer captured, chunk text not",
    ),
    pytest.param(
        t.fabricated(
            citations=(),
            pairs={},
            statements={1: "unsupported"},
            probes=[s.hit(searched=True)],
        ),
        "retrieval.missed_chunk",
        {"contributing generation.missing_abstention", "latent retrieval.irrelevant_chunks"},
        id="right from model knowledge, chunks irrelevant: not supported, stage by the probe",
    ),
    pytest.param(
        t.with_order(
            b.tool_call("get_customer", {"name": "Ann"}, {"last_order": "shipped"}),
            elements=[s.element(in_evidence=False)],
            routing=s.routed(calls=[s.wrong_tool()]),
        ),
        "routing.wrong_tool",
        set(),
        id="its catalogue has get_order, it called get_customer and answered from that",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            answer="It has been shipped.\n\nShipping is always free.",
            claims=[s.claim(1), s.claim(2)],
            statements={1: "supported", 2: "unsupported"},
            routing=s.routed(calls=[s.right_call()]),
        ),
        "generation.unsupported_claim",
        set(),
        id="right call, its result told, and something added beside it",
    ),
    pytest.param(
        t.refused(
            searches=[s.search()],
            routing=s.routed(collections={"manuals-rx200": True}),
            probes=[s.hit(searched=True)],
        ),
        "retrieval.nothing_retrieved",
        set(),
        id="right collection, search returned nothing; probe finds the chunk there",
    ),
    pytest.param(
        t.with_order(
            t.EMPTY,
            answer="There is no order 999.",
            claims=[s.claim(asserts="absence")],
            records_elsewhere={"call-1": "get_order returned order 999 in c-7/1"},
        ),
        "retrieval.tool_empty",
        set(),
        id="right arguments, tool returned nothing, another call shows the record",
    ),
    pytest.param(
        t.good(citations=(), pairs={}, rest={1: ("full", ("m-1",))}, citing_expected=True),
        "generation.missing_citation",
        set(),
        id="everything right, but the agent's usual citations are missing",
    ),
    pytest.param(
        t.good(understanding=0, elements=[s.element("silently_missing", in_evidence=True)]),
        "generation.off_topic",
        {"contributing generation.incomplete"},
        id="everything right, but the answer is about something else",
    ),
    pytest.param(
        t.good(language="en", answer_language="de"),
        "generation.wrong_language",
        set(),
        id="everything right, but in another language",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(searched=True, seen_before=False)]),
        "undetermined: evidence_seen_only_later (retrieval, generation)",
        {"latent retrieval.irrelevant_chunks"},
        id="evidence only in a chunk first seen after the turn",
    ),
    pytest.param(
        s.scene(
            "You are welcome!",
            elements=[],
            claims=[s.claim(asserts="none", needs_source=False)],
            needs_evidence=False,
            probes=None,
        ),
        "passed",
        set(),
        id="Thanks!",
    ),
    pytest.param(
        s.scene(
            "Which machine do you mean?",
            elements=[s.element("silently_missing", in_evidence=False)],
            claims=[s.claim(asserts="none", needs_source=False)],
            reply="clarifying",
        ),
        "passed",
        set(),
        id="clarifying question",
    ),
    pytest.param(
        s.scene(
            "I cannot help with that.",
            elements=[s.element("declared_missing", in_evidence=False)],
            claims=[s.claim(asserts="none", needs_source=False)],
            reply="policy_refusal",
            flag="safety",
            probes=[s.hit()],
        ),
        "passed",
        set(),
        id="policy refusal",
    ),
]


@pytest.mark.parametrize(("judged", "expected", "beside"), WORKED)
def test_the_rules_give(judged: JudgedTurn, expected: str, beside: set[str]) -> None:
    (attribution,) = attribute([judged])
    assert t.root(attribution) == expected
    assert t.others(attribution) == beside
    assert bool(attribution.sentence) is (attribution.outcome == "failed")


def test_a_turn_without_content_is_not_judged() -> None:
    judged = JudgedTurn(turn=b.turn(answer=None), not_judged="not_captured")
    (attribution,) = attribute([judged])
    assert t.root(attribution) == "not_judged: not_captured"


def test_a_repeated_wrong_claim_is_inherited() -> None:
    first = t.good(pairs={(1, "m-1"): "contradicted"}, turn=2)
    again = s.scene(
        turn=4,
        answer="As I said, the filter is changed every 500 hours.",
        elements=[s.element(in_evidence=False)],
        statements={1: "unsupported"},
    )
    second = attribute([first, again])[1]
    assert t.root(second) == "generation.contradicts_source"
    assert second.inherited_from == "c-1/2"


def test_a_repeated_supported_claim_keeps_its_support() -> None:
    again = s.scene(
        turn=4,
        answer="As I said, the filter is changed every 500 hours.",
        elements=[s.element(in_evidence=False)],
        statements={1: "unsupported"},
    )
    assert t.root(attribute([t.good(), again])[1]) == "passed"


def test_a_turn_whose_routing_could_not_be_judged_passes_and_says_so() -> None:
    (attribution,) = attribute([t.good(routing=Unjudged(reason="no_catalogue"))])
    assert t.root(attribution) == "passed: routing_not_judged"


@pytest.mark.parametrize(
    ("judged", "missing"),
    [
        pytest.param(
            t.good(answer_verdict=Unjudged(reason="uncertain")),
            "verdict_missing:answer",
            id="answer",
        ),
        pytest.param(t.good(pairs={(1, "m-1"): None}), "verdict_missing:support", id="support"),
        pytest.param(t.good(grades={"m-1": None}), "verdict_missing:relevance", id="relevance"),
        pytest.param(
            t.refused(probes=[s.hit(None)], routing=s.routed()), "verdict_missing:probe", id="probe"
        ),
    ],
)
def test_a_turn_that_an_open_verdict_could_fail_is_not_judged(
    judged: JudgedTurn, missing: str
) -> None:
    (attribution,) = attribute([judged])
    assert t.root(attribution) == f"not_judged: {missing}"


def test_an_abstention_that_was_not_probed_passes_and_says_so() -> None:
    (attribution,) = attribute([t.refused(probes=None)])
    assert t.root(attribution) == "passed: corpus_not_probed"
