"""What part each fault of a turn plays: root, contributing, downstream or latent."""

import pytest

from analysis.attribution import attribute
from analysis.judged import JudgedTurn
from judge.answers import Element, Unjudged
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

SECOND = b.tool_call("get_ticket", {"id": "7"}, {"state": "open"}, position=2)

ROLES = [
    pytest.param(
        t.fabricated(probes=[s.hit(searched=True)], calls=[t.FAILED]),
        "retrieval.missed_chunk",
        {
            "contributing generation.missing_abstention",
            "latent retrieval.tool_unavailable",
            "latent retrieval.irrelevant_chunks",
        },
        id="a source that failed beside a search that missed",
    ),
    pytest.param(
        t.refused(probes=[s.hit()], calls=[t.FAILED]),
        "routing.wrong_collection",
        {"downstream retrieval.irrelevant_chunks", "downstream retrieval.tool_unavailable"},
        id="a source that failed under a routing root",
    ),
    pytest.param(
        t.refused(
            probes=[s.hit()], calls=[t.EMPTY], records_elsewhere={"call-1": "c-7/1 shows it"}
        ),
        "routing.wrong_collection",
        {"downstream retrieval.irrelevant_chunks", "downstream retrieval.tool_empty"},
        id="a wrongly empty call under a routing root",
    ),
    pytest.param(
        t.refused(
            probes=[s.hit()],
            routing=s.routed(agent_ok=False, collections={"manuals-rx300": False}),
        ),
        "routing.wrong_collection",
        {"downstream retrieval.irrelevant_chunks", "contributing routing.wrong_agent"},
        id="a further routing fault under a routing root",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            calls=[t.FOUND, SECOND],
            routing=s.routed(calls=[s.wrong_arguments(), s.wrong_arguments(2)]),
            statements=None,
            rest={1: ("full", ("call-1",))},
        ),
        "routing.wrong_arguments",
        {"latent routing.wrong_arguments"},
        id="two calls filled wrongly, the claim rests on one",
    ),
    pytest.param(
        t.with_order(
            t.FOUND,
            calls=[t.FOUND, SECOND],
            routing=s.routed(calls=[s.wrong_arguments(), s.wrong_tool(2)]),
            statements=None,
            rest={1: ("full", ("call-1",))},
        ),
        "routing.wrong_arguments",
        {"contributing routing.wrong_tool"},
        id="a call filled wrongly and another of the wrong tool",
    ),
    pytest.param(
        t.two_elements(
            pairs={(1, "m-1"): "contradicted"}, probes=[s.hit(element=1, searched=True)]
        ),
        "retrieval.partial_evidence",
        {"contributing generation.contradicts_source", "downstream generation.incomplete"},
        id="two elements: the earliest stage is the root, the other cause contributes",
    ),
    pytest.param(
        t.two_elements(pairs={(1, "m-1"): "contradicted"}, probes=None),
        "generation.contradicts_source",
        set(),
        id="two elements: an undetermined one hides no determined one",
    ),
    pytest.param(
        t.two_elements(
            elements=[
                s.element("silently_missing", in_evidence=False),
                s.element("silently_missing", in_evidence=False, text="Which oil?"),
            ],
            claims=[],
            probed=(0, 1),
            probes=[s.hit(collection="oils"), s.hit(element=1, searched=True, chunk_id="m-8")],
        ),
        "routing.missing_resource",
        {"contributing retrieval.partial_evidence", "downstream generation.incomplete"},
        id="two elements: routing and retrieval",
    ),
    pytest.param(
        t.good(
            understanding=0,
            coherence=0,
            pairs={(1, "m-1"): "contradicted"},
            language="en",
            answer_language="de",
        ),
        "generation.contradicts_source",
        {
            "contributing generation.off_topic",
            "contributing generation.incoherent",
            "contributing generation.wrong_language",
        },
        id="within a stage the order of kinds decides",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            answer="There is no order 999.\n\nIt was cancelled.",
            elements=[s.element("answered", 1, 2, in_evidence=False)],
            claims=[s.claim(asserts="absence"), s.claim(2)],
            statements={1: "unsupported", 2: "contradicted"},
        ),
        "generation.absence_misreported",
        {"contributing retrieval.tool_unavailable"},
        id="two falsehoods of one element are one symptom",
    ),
    pytest.param(
        t.good(calls=[t.FAILED], pairs={(1, "m-1"): "contradicted"}),
        "generation.contradicts_source",
        {"latent retrieval.tool_unavailable"},
        id="a false fact, and a source that failed",
    ),
    pytest.param(
        t.refused(
            searches=[s.search(t.GOOD)],
            grades={"m-1": 3},
            elements=[s.element("silently_missing")],
            calls=[t.EMPTY],
            records_elsewhere={"call-1": "c-7/1 shows it"},
        ),
        "generation.over_abstention",
        {"latent retrieval.tool_empty", "latent routing.wrong_collection"},
        id="a wrongly empty call beside evidence that was refused",
    ),
    pytest.param(
        s.scene(claims=[], searches=[s.search(t.OTHER)], routing=Unjudged(reason="uncertain")),
        "passed: routing_not_judged",
        {"latent retrieval.irrelevant_chunks"},
        id="faults of retrieval show where routing is not judged",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): None}, routing=s.routed(collections={"manuals-rx200": False})),
        "not_judged: verdict_missing:support",
        {"latent routing.wrong_collection"},
        id="faults show in a turn that is not judged",
    ),
    pytest.param(
        s.scene(citations=t.CITED, calls=[t.FAILED], answer_verdict=Unjudged(reason="uncertain")),
        "not_judged: verdict_missing:answer",
        {"latent retrieval.tool_unavailable"},
        id="faults show where the answer is not judged",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            elements=[s.element("declared_missing", 1, in_evidence=False)],
            claims=[s.claim(asserts="none", needs_source=False)],
            reply="abstained",
            statements=None,
            routing=s.routed(calls=[s.right_call()], missing=["orders-archive"]),
        ),
        "routing.missing_resource",
        {"downstream retrieval.tool_unavailable"},
        id="a source failed, and another that was needed was not asked",
    ),
]


@pytest.mark.parametrize(("judged", "expected", "beside"), ROLES)
def test_each_fault_plays_its_part(judged: JudgedTurn, expected: str, beside: set[str]) -> None:
    (attribution,) = attribute([judged])
    assert t.root(attribution) == expected
    assert t.others(attribution) == beside


def test_findings_are_in_order_of_role_and_precedence() -> None:
    judged = t.good(
        coherence=0,
        pairs={(1, "m-1"): "contradicted"},
        routing=s.routed(collections={"manuals-rx200": False}, agent_ok=False),
    )
    (attribution,) = attribute([judged])
    assert [(one.role, one.fault.kind) for one in attribution.findings] == [
        ("root", "contradicts_source"),
        ("contributing", "incoherent"),
        ("latent", "wrong_agent"),
        ("latent", "wrong_collection"),
    ]
    assert {one.turn_id for one in attribution.findings} == {"c-1/1"}


def test_several_causes_of_the_root_kind_are_all_root() -> None:
    judged = t.two_elements(
        elements=[
            s.element("silently_missing", in_evidence=False),
            s.element("silently_missing", in_evidence=False, text="Which oil?"),
        ],
        claims=[],
        probed=(0, 1),
        probes=[s.hit(searched=True), s.hit(element=1, searched=True, chunk_id="m-8")],
    )
    (attribution,) = attribute([judged])
    assert [one.fault.kind for one in attribution.findings if one.role == "root"] == [
        "partial_evidence",
        "partial_evidence",
    ]


def test_what_stays_open_names_everything_that_is_missing() -> None:
    judged = t.two_elements(
        elements=[
            s.element("silently_missing", in_evidence=None),
            s.element("silently_missing", in_evidence=False, text="Which oil?"),
        ],
        claims=[],
        probed=(1,),
    )
    (attribution,) = attribute([judged])
    assert t.root(attribution) == (
        "undetermined: verdict_missing:answer; not_in_observed_corpus (retrieval, generation)"
    )
    assert attribution.root_kind is None
    assert len(attribution.causes) == 2


def test_roles_are_told_from_the_root_to_what_did_no_harm() -> None:
    judged = t.fabricated(
        probes=[s.hit()],
        searches=[
            s.search(
                t.OTHER,
                b.chunk("n-40", "RX-300", 40, in_context=False),
                collection="manuals-rx300",
            )
        ],
        calls=[t.EMPTY],
        records_elsewhere={"call-1": "c-7/1 shows it"},
        grades={"n-40": 2},
        routing=s.routed(collections={"manuals-rx300": False}, agent_ok=False),
    )
    (attribution,) = attribute([judged])
    assert [(one.role, one.fault.kind) for one in attribution.findings] == [
        ("root", "wrong_collection"),
        ("contributing", "wrong_agent"),
        ("contributing", "missing_abstention"),
        ("downstream", "tool_empty"),
        ("latent", "ranked_too_low"),
    ]


ABSENT = s.element("answered", 1, in_evidence=False)
LEFT_OUT = s.element("silently_missing", in_evidence=False, text="Which oil?")


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param([ABSENT, LEFT_OUT], id="the stronger role first"),
        pytest.param([LEFT_OUT, ABSENT], id="the weaker role first"),
    ],
)
def test_a_fault_of_two_symptoms_has_the_stronger_of_its_roles(elements: list[Element]) -> None:
    judged = t.with_order(
        t.FAILED,
        answer="There is no order 999.",
        elements=elements,
        claims=[s.claim(asserts="absence")],
        statements={1: "unsupported"},
        routing=s.routed(calls=[s.right_call()], missing=["oils"]),
        probed=(0, 1),
    )
    (attribution,) = attribute([judged])
    assert t.root(attribution) == "routing.missing_resource"
    assert t.others(attribution) == {
        "contributing generation.absence_misreported",
        "contributing retrieval.tool_unavailable",
        "downstream generation.incomplete",
    }


def test_one_fault_of_two_symptoms_is_told_once_with_what_showed_it_first() -> None:
    judged = t.good(
        elements=[s.element("answered", 1), s.element("answered", 1, text="Which filter?")],
        pairs={(1, "m-1"): "none"},
    )
    (attribution,) = attribute([judged])
    assert len(attribution.causes) == 2
    (finding,) = attribution.findings
    assert (finding.fault.kind, finding.fault.evidence) == ("ignored_evidence", ("E1", "P1"))


def test_an_open_turn_tells_of_its_first_symptom() -> None:
    judged = t.two_elements(
        elements=[
            s.element("silently_missing", in_evidence=False),
            s.element("silently_missing", in_evidence=False, text="Which oil?"),
        ],
        claims=[],
        probed=(0, 1),
    )
    (attribution,) = attribute([judged])
    assert attribution.root_stage == "undetermined"
    assert attribution.sentence.startswith("“How often is the filter of the RX-200 changed?”")


def test_findings_stand_by_role_then_from_upstream_to_downstream() -> None:
    judged = t.two_elements(
        pairs={(1, "m-1"): "contradicted"},
        probes=[s.hit(element=1, collection="oils")],
        routing=s.routed(agent_ok=False, collections={"manuals-rx200": True}),
    )
    (found,) = attribute([judged])
    told = [f"{one.role} {one.fault.stage}.{one.fault.kind}" for one in found.findings]
    assert told == [
        "root routing.missing_resource",
        "contributing routing.wrong_agent",
        "contributing generation.contradicts_source",
        "downstream generation.incomplete",
    ]
