"""What lets the user down, and what keeps a turn from passing."""

from dataclasses import replace

import pytest

from analysis.attribution import attribute
from analysis.attribution.symptoms import diagnose
from analysis.judged import JudgedTurn
from judge.answers import Unjudged
from stages.records import CitationStatus
from tests import builders as b
from tests.analysis.attribution.scenes import (
    claim,
    element,
    hit,
    relevance,
    right_call,
    routed,
    scene,
    search,
    verdict,
    wrong_arguments,
    wrong_tool,
)
from tests.analysis.attribution.turns import (
    CITED,
    EMPTY,
    FAILED,
    FOUND,
    GOOD,
    OTHER,
    fabricated,
    good,
    refused,
    root,
    two_elements,
    with_order,
)


def shown(judged: JudgedTurn) -> list[str]:
    """Return symptoms as `kind detail E<n> P<n>`."""
    return [
        " ".join(
            [
                symptom.kind,
                *([symptom.detail] if symptom.detail else []),
                *([f"E{symptom.element + 1}"] if symptom.element is not None else []),
                *(f"P{number}" for number in symptom.paragraphs),
            ]
        )
        for symptom in diagnose(judged).symptoms
    ]


def exempt(reason: str, **changes: object) -> JudgedTurn:
    """Build a turn that owes no evidence, for one of three reasons."""
    why: dict[str, dict[str, object]] = {
        "clarifying": {"reply": "clarifying"},
        "policy": {"reply": "policy_refusal", "flag": "safety"},
        "small talk": {"needs_evidence": False},
    }
    given: dict[str, object] = {
        "elements": [element("silently_missing", in_evidence=True)],
        "probes": [hit(searched=True)],
    }
    return good(**(given | why[reason] | changes))


EXEMPT = pytest.mark.parametrize("reason", ["clarifying", "policy", "small talk"])


@EXEMPT
@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="an element is left out"),
        pytest.param(
            {"pairs": {(1, "m-1"): "none"}, "rest": {1: ("none", ("m-1",))}}, id="unfounded"
        ),
        pytest.param(
            {"grades": {"m-1": 0}, "pairs": {(1, "m-1"): "full"}}, id="founded on something else"
        ),
        pytest.param({"calls": [FAILED]}, id="a source failed"),
        pytest.param({"routing": Unjudged(reason="uncertain")}, id="routing unjudged"),
        pytest.param({"probes": None}, id="not probed"),
        pytest.param({"pairs": {(1, "m-1"): None}}, id="support undecided"),
    ],
)
def test_an_exempt_turn_owes_no_evidence(reason: str, changes: dict[str, object]) -> None:
    assert root(attribute([exempt(reason, **changes)])[0]) == "passed"


@EXEMPT
@pytest.mark.parametrize(
    ("changes", "symptom"),
    [
        pytest.param(
            {"pairs": {(1, "m-1"): "contradicted"}}, "false contradicts_source P1", id="false"
        ),
        pytest.param(
            {"citations": (b.citation(None, "[99]"),), "pairs": {}},
            "citation invalid_citation P1",
            id="citation",
        ),
        pytest.param({"coherence": 1}, "form incoherent", id="form"),
        pytest.param({"understanding": 1}, "form off_topic", id="off topic"),
    ],
)
def test_an_exempt_turn_can_be_false_cite_wrongly_or_be_malformed(
    reason: str, changes: dict[str, object], symptom: str
) -> None:
    assert shown(exempt(reason, elements=[], **changes)) == [symptom]


def test_another_language_may_be_what_was_asked_for() -> None:
    translated = exempt("small talk", language="en", answer_language="fr")
    assert shown(translated) == []
    assert shown(exempt("clarifying", language="en", answer_language="fr")) == [
        "form wrong_language"
    ]


@pytest.mark.parametrize("flag", ["", "none", "Null", " FALSE ", "0", None])
def test_a_flag_that_says_no_makes_no_policy_refusal(flag: str | None) -> None:
    assert shown(exempt("policy", flag=flag)) == ["missing over_abstention E1"]


SYMPTOMS = [
    pytest.param(good(), [], id="none"),
    pytest.param(good(coherence=2, understanding=2), [], id="grades of 2 will do"),
    pytest.param(
        good(coherence=1, understanding=1), ["form off_topic", "form incoherent"], id="below 2"
    ),
    pytest.param(good(language="en"), [], id="the language of the answer is not certain"),
    pytest.param(good(answer_language="en"), [], id="that of the question is not certain"),
    pytest.param(good(language="en", answer_language="en"), [], id="the same language"),
    pytest.param(good(pairs={(1, "m-1"): "partial"}), [], id="partial support never fails"),
    pytest.param(
        good(pairs={(1, "m-1"): "none"}, rest={1: ("none", ())}),
        ["unfounded unsupported_claim E1 P1"],
        id="no support beside a relevant chunk",
    ),
    pytest.param(
        fabricated(), ["unfounded missing_abstention E1 P1"], id="no support beside nothing"
    ),
    pytest.param(
        fabricated(searches=[], citations=(), pairs={}),
        ["unfounded missing_abstention E1 P1"],
        id="no evidence at all before the model",
    ),
    pytest.param(
        fabricated(claims=[claim(needs_source=False)]), [], id="needs no source, and has none"
    ),
    pytest.param(
        good(pairs={(1, "m-1"): "contradicted"}, claims=[claim(needs_source=False)]),
        ["false contradicts_source E1 P1"],
        id="needs no source, and is contradicted",
    ),
    pytest.param(
        with_order(FOUND, claims=[claim(needs_source=False)], statements={1: "contradicted"}),
        ["false contradicts_source E1 P1"],
        id="needs no source, and one of its statements is contradicted",
    ),
    pytest.param(
        good(grades={"m-1": 1}), [], id="on target, though it answers little of the question"
    ),
    pytest.param(
        good(grades={"m-1": 0}),
        ["misfounded missing_abstention E1 P1"],
        id="supported by a chunk about something else",
    ),
    pytest.param(
        good(grades={"m-1": 0}, calls=[FOUND], routing=routed(calls=[right_call()])),
        ["misfounded unsupported_claim E1 P1"],
        id="the same, beside the result of a right call",
    ),
    pytest.param(
        good(
            searches=[search(OTHER, GOOD)],
            grades={"n-1": 0, "m-1": 3},
            pairs={(1, "n-1"): "full", (1, "m-1"): "full"},
            citations=(*CITED, b.citation("n-1", number=2)),
        ),
        [],
        id="supported by one about something else, and by one that is good",
    ),
    pytest.param(
        with_order(FOUND, routing=routed(calls=[wrong_arguments()])),
        ["misfounded E1 P1"],
        id="rests on the result of a call with wrong arguments",
    ),
    pytest.param(
        with_order(FOUND, routing=routed(calls=[wrong_tool()])),
        ["misfounded E1 P1"],
        id="rests on the result of a wrong tool",
    ),
    pytest.param(
        with_order(EMPTY, records_elsewhere={"call-1": "c-7/1 shows it"}),
        ["misfounded E1 P1"],
        id="rests on a call that was wrongly empty",
    ),
    pytest.param(
        with_order(FOUND, routing=Unjudged(reason="uncertain")),
        [],
        id="rests on a call that was not judged",
    ),
    pytest.param(
        two_elements(pairs={(1, "m-1"): "contradicted"}),
        ["false contradicts_source E1 P1", "missing incomplete E2"],
        id="two elements, two symptoms",
    ),
    pytest.param(
        good(
            answer="Every 500 hours. [1]\n\nEvery 900 hours. [2]",
            elements=[element("answered", 1, 2)],
            claims=[claim(), claim(2)],
            citations=(*CITED, b.citation("m-1", "[2]", number=2, paragraph=2)),
            pairs={(1, "m-1"): "none", (2, "m-1"): "contradicted"},
            rest={1: ("none", ("m-1",))},
        ),
        ["false contradicts_source E1 P2"],
        id="the strongest symptom of an element counts",
    ),
    pytest.param(
        good(
            answer="Every 500 hours. [1]\n\nEvery 900 hours. [2]",
            elements=[element("answered", 1)],
            claims=[claim(), claim(2)],
            rest={2: ("none", ("m-1",))},
        ),
        ["unfounded unsupported_claim P2"],
        id="a claim that answers no element has a symptom of its own",
    ),
    pytest.param(
        refused(claims=[claim()], reply="answered"),
        ["unfounded missing_abstention E1 P1"],
        id="a guess beside the declaration that nothing is known",
    ),
    pytest.param(
        refused(claims=[claim(asserts="absence")], rest={1: ("none", ())}),
        [],
        id="an absence is how it is declared",
    ),
    pytest.param(
        refused(claims=[claim(asserts="absence")], rest={1: ("contradicted", ("n-1",))}),
        ["false contradicts_source E1 P1"],
        id="an absence that the evidence contradicts",
    ),
    pytest.param(
        good(
            elements=[element(), element("declared_missing", 1, in_evidence=False)],
            pairs={(1, "m-1"): "none"},
            rest={1: ("none", ())},
            probed=(1,),
        ),
        ["unfounded unsupported_claim E1 P1"],
        id="a guess about one element is no guess about the one declared missing beside it",
    ),
    pytest.param(
        good(
            elements=[element(), element("declared_missing", 1, in_evidence=False)],
            pairs={(1, "m-1"): "contradicted"},
            probed=(1,),
        ),
        ["false contradicts_source E1 P1", "false contradicts_source E2 P1"],
        id="a falsehood counts for both",
    ),
    pytest.param(refused(), [], id="declared missing, looked for and not found"),
    pytest.param(
        refused(elements=[element("silently_missing", in_evidence=False)]),
        ["missing over_abstention E1"],
        id="missing without a word",
    ),
    pytest.param(
        refused(elements=[element("declared_missing", 1)]),
        ["missing over_abstention E1 P1"],
        id="declared missing, and it was there",
    ),
    pytest.param(
        refused(elements=[element("declared_missing", 1)], reply="partly"),
        ["missing incomplete E1 P1"],
        id="the same, and other things were answered",
    ),
    pytest.param(refused(probes=[hit()]), ["missing over_abstention E1 P1"], id="a probe found it"),
    pytest.param(refused(probes=[hit(1)]), [], id="a probe found what does not answer"),
    pytest.param(refused(calls=[FAILED]), ["missing over_abstention E1 P1"], id="a source failed"),
    pytest.param(
        refused(calls=[EMPTY], records_elsewhere={"call-1": "c-7/1 shows it"}),
        ["missing over_abstention E1 P1"],
        id="a call was wrongly empty",
    ),
    pytest.param(
        refused(routing=routed(missing=["orders"])),
        ["missing over_abstention E1 P1"],
        id="a resource was not used",
    ),
    pytest.param(
        refused(calls=[FOUND], routing=routed(calls=[wrong_tool()])),
        ["missing over_abstention E1 P1"],
        id="a wrong tool was called",
    ),
    pytest.param(
        refused(calls=[FOUND], routing=routed(calls=[right_call()])), [], id="a right call was made"
    ),
    pytest.param(
        refused(searches=[], routing=routed(agent_ok=False)),
        ["missing over_abstention E1 P1"],
        id="the wrong agent asked nothing",
    ),
    pytest.param(
        refused(searches=[], calls=[FOUND], routing=routed(agent_ok=False, calls=[right_call()])),
        [],
        id="the wrong agent called what it has",
    ),
    pytest.param(refused(routing=routed(agent_ok=False)), [], id="it searched what it has"),
    pytest.param(refused(searches=[], routing=routed()), [], id="the right agent asked nothing"),
    pytest.param(
        good(pairs={(1, "m-1"): "none"}, rest={1: ("full", ("m-4",))}),
        ["citation wrong_citation P1"],
        id="another source says it",
    ),
    pytest.param(
        good(pairs={(1, "m-1"): "none"}, rest={1: ("partial", ("m-4",))}),
        ["citation wrong_citation P1"],
        id="another source says a part of it",
    ),
    pytest.param(
        good(pairs={(1, "m-1"): "partial"}, rest={1: ("full", ("m-4",))}),
        [],
        id="the cited source says a part of it",
    ),
    pytest.param(
        good(citations=(), pairs={}, rest={1: ("full", ("m-1",))}), [], id="citing not expected"
    ),
    pytest.param(
        good(citations=(), pairs={}, rest={1: ("partial", ("m-1",))}, citing_expected=True),
        ["citation missing_citation P1"],
        id="citing expected",
    ),
    pytest.param(
        good(
            citations=(),
            pairs={},
            rest={1: ("full", ("m-1",))},
            claims=[claim(asserts="absence", needs_source=False)],
            citing_expected=True,
        ),
        [],
        id="citing expected, but not of what needs no source",
    ),
    pytest.param(
        good(
            citations=(b.citation(None, "[9]"),),
            pairs={},
            rest={1: ("full", ("m-1",))},
            citing_expected=True,
        ),
        ["citation invalid_citation P1"],
        id="an invalid citation is not missing as well",
    ),
    pytest.param(
        good(
            citations=(*CITED, b.citation(None, "[9]", number=2, paragraph=None)),
            citing_expected=True,
        ),
        ["citation invalid_citation"],
        id="an invalid citation outside every paragraph",
    ),
    pytest.param(
        scene(answer_verdict=Unjudged(reason="uncertain"), citations=[b.citation(None, "[9]")]),
        ["citation invalid_citation P1"],
        id="an invalid citation needs no judge",
    ),
]


@pytest.mark.parametrize(("judged", "symptoms"), SYMPTOMS)
def test_the_symptoms_of_a_turn(judged: JudgedTurn, symptoms: list[str]) -> None:
    assert shown(judged) == symptoms


@pytest.mark.parametrize(
    ("status", "invalid"),
    [
        ("resolved", False),
        ("resolved_earlier_turn", False),
        ("ambiguous", False),
        ("target_not_captured", False),
        ("out_of_range", True),
        ("unknown_id", True),
        ("quote_not_in_chunk", True),
    ],
)
def test_which_citations_are_invalid(status: CitationStatus, *, invalid: bool) -> None:
    citations = (*CITED, b.citation("m-1", "[7]", number=2, status=status))
    symptoms = shown(good(citations=citations))
    assert symptoms == (["citation invalid_citation P1"] if invalid else [])


def test_symptoms_say_what_shows_them() -> None:
    judged = with_order(
        FOUND,
        answer="It shipped.\n\nIt arrives soon.",
        elements=[element("answered", 1, 2, text="Where is it?")],
        claims=[claim(), claim(2)],
        statements={1: "supported", 2: "supported"},
        routing=routed(calls=[wrong_arguments()]),
    )
    (symptom,) = diagnose(judged).symptoms
    assert symptom.evidence == ("E1", "P1", "call call-1", "P2")
    assert symptom.wrong_calls == ("call-1",)
    assert symptom.off_target == ()
    assert symptom.asked == "Where is it?"


def test_a_symptom_names_the_chunks_about_something_else() -> None:
    (symptom,) = diagnose(good(grades={"m-1": 0})).symptoms
    assert (symptom.off_target, symptom.wrong_calls) == (("m-1",), ())
    assert symptom.evidence == ("E1", "P1")


def test_invalid_citations_are_named_once() -> None:
    citations = [b.citation(None, "[9]", number=n, paragraph=n) for n in (1, 1, 2)]
    (symptom,) = diagnose(good(citations=(*CITED, *citations))).symptoms
    assert (symptom.paragraphs, symptom.evidence) == ((1, 2), ("[9]",))


def test_a_missing_element_is_told_in_words() -> None:
    (symptom,) = diagnose(two_elements()).symptoms
    assert (symptom.asked, symptom.evidence) == ("Which oil?", ("E2",))


def test_a_symptom_of_citing_names_its_paragraph() -> None:
    judged = good(pairs={(1, "m-1"): "none"}, rest={1: ("full", ("m-4",))})
    assert [symptom.evidence for symptom in diagnose(judged).symptoms] == [("P1",)]


def test_a_claim_of_its_own_names_its_paragraph() -> None:
    judged = fabricated(elements=[])
    assert [symptom.evidence for symptom in diagnose(judged).symptoms] == [("P1",)]


def test_a_false_claim_of_its_own_names_its_paragraph() -> None:
    judged = good(elements=[], pairs={(1, "m-1"): "contradicted"})
    assert [symptom.evidence for symptom in diagnose(judged).symptoms] == [("P1",)]


TOLD = b.chunk("m-1", None)

NOT_JUDGED = [
    pytest.param(replace(good(), answer=None), "verdict_missing:answer", id="answer not asked"),
    pytest.param(
        good(pairs={(1, "m-1"): "partial", (1, "m-2"): None}),
        "verdict_missing:support",
        id="a part is said, the other source may contradict",
    ),
    pytest.param(
        good(pairs={(1, "m-1"): None}, rest={1: ("full", ("m-4",))}),
        "verdict_missing:support",
        id="another source says it, the cited one may not",
    ),
    pytest.param(
        good(pairs={(1, "m-1"): "none"}, rest={1: (None, ("m-4",))}),
        "verdict_missing:support",
        id="the cited source does not say it, the rest is open",
    ),
    pytest.param(good(pairs={}), "verdict_missing:support", id="cited, and the pair was not asked"),
    pytest.param(
        good(pairs={}, citations=()),
        "verdict_missing:support",
        id="not cited, and nothing was asked about it",
    ),
    pytest.param(
        fabricated(pairs={}, citations=(), grades={"n-1": None}),
        "verdict_missing:support",
        id="not cited, and the chunk may be relevant",
    ),
    pytest.param(
        with_order(FOUND, statements={}), "verdict_missing:statements", id="without statements"
    ),
    pytest.param(
        replace(with_order(FOUND), statements=verdict("statements", Unjudged(reason="uncertain"))),
        "verdict_missing:statements",
        id="statements undecided",
    ),
    pytest.param(
        scene(searches=[search(TOLD)], citations=CITED),
        "chunk_text_not_captured",
        id="cites a chunk without its text",
    ),
    pytest.param(
        scene(searches=[search(TOLD)]),
        "chunk_text_not_captured",
        id="may rest on a chunk without its text",
    ),
    pytest.param(
        scene(searches=[search(TOLD, GOOD)], citations=CITED, grades={"m-1": 3}, pairs={}),
        "chunk_text_not_captured",
        id="the chunk that it cites has no text in one search",
    ),
    pytest.param(
        good(
            citations=(b.citation("m-1", status="target_not_captured"),),
            pairs={},
            rest={1: ("none", ("m-1",))},
        ),
        "chunk_text_not_captured",
        id="cites what the trace does not hold",
    ),
    pytest.param(
        good(
            searches=[search(OTHER, GOOD)],
            grades={"n-1": 0, "m-1": None},
            citations=(*CITED, b.citation("n-1", number=2)),
            pairs={(1, "n-1"): "full", (1, "m-1"): "full"},
        ),
        "verdict_missing:relevance",
        id="one source is about something else, the other is not judged",
    ),
    pytest.param(
        refused(elements=[element("declared_missing", 1, in_evidence=None)]),
        "verdict_missing:answer",
        id="declared missing, and whether it was there is open",
    ),
    pytest.param(
        refused(probes=[hit(1), hit(None)]),
        "verdict_missing:probe",
        id="declared missing, and a probe is undecided",
    ),
]


@pytest.mark.parametrize(("judged", "missing"), NOT_JUDGED)
def test_what_is_open_keeps_a_turn_from_passing(judged: JudgedTurn, missing: str) -> None:
    assert root(attribute([judged])[0]) == f"not_judged: {missing}"


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        pytest.param(
            good(pairs={(1, "m-1"): "full", (1, "m-2"): None}),
            "passed",
            id="what is said in full needs no second source",
        ),
        pytest.param(
            good(
                searches=[search(OTHER, GOOD)],
                grades={"n-1": None, "m-1": 3},
                citations=(*CITED, b.citation("n-1", number=2)),
                pairs={(1, "n-1"): "full", (1, "m-1"): "full"},
            ),
            "passed",
            id="one source is good, whatever the other is about",
        ),
        pytest.param(
            good(pairs={(1, "m-1"): "contradicted", (1, "m-2"): None}),
            "generation.contradicts_source",
            id="nothing mends a contradiction",
        ),
        pytest.param(
            good(searches=[search(TOLD, GOOD)]),
            "passed",
            id="what was asked and answered counts, whatever chunk has no text",
        ),
        pytest.param(
            scene(
                searches=[search(b.chunk("m-2", None), GOOD)],
                citations=CITED,
                grades={"m-1": 3},
            ),
            "not_judged: verdict_missing:support",
            id="another chunk than the cited one has no text",
        ),
        pytest.param(
            good(pairs={(2, "m-1"): "contradicted"}, rest={2: ("contradicted", ("m-1",))}),
            "not_judged: verdict_missing:support",
            id="verdicts about a paragraph are not about another",
        ),
        pytest.param(
            refused(probes=None, routing=Unjudged(reason="uncertain")),
            "passed: corpus_not_probed",
            id="the first note is told",
        ),
        pytest.param(
            refused(probed=()), "passed: corpus_not_probed", id="other elements were probed"
        ),
        pytest.param(
            replace(good(), routing=None), "passed: routing_not_judged", id="routing not asked"
        ),
        pytest.param(
            good(routing=replace(routed(), unjudged="no_catalogue")),
            "passed: routing_not_judged",
            id="the routing of this turn is unjudged",
        ),
        pytest.param(
            replace(
                good(routing=Unjudged(reason="uncertain")),
                turn=replace(good().turn, routing=None),
            ),
            "passed",
            id="nothing was routed",
        ),
        pytest.param(
            good(
                pairs={(1, "m-1"): None},
                elements=[element(), element("silently_missing", text="Which oil?")],
            ),
            "generation.incomplete",
            id="a symptom fails a turn, whatever is open beside it",
        ),
    ],
)
def test_what_is_settled(judged: JudgedTurn, expected: str) -> None:
    assert root(attribute([judged])[0]) == expected


def test_relevance_that_was_not_asked_speaks_for_a_chunk() -> None:
    assert root(attribute([replace(good(), relevance={})])[0]) == "passed"


def test_a_chunk_on_target_may_carry_a_claim() -> None:
    on_target = {"m-1": verdict("relevance", relevance(1, target=True), chunk_id="m-1")}
    off_target = {"m-1": verdict("relevance", relevance(1, target=False), chunk_id="m-1")}
    assert shown(replace(good(), relevance=on_target)) == []
    assert shown(replace(good(), relevance=off_target)) == ["misfounded missing_abstention E1 P1"]
