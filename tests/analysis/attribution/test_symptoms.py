"""What lets the user down, and what keeps a turn from passing."""

from dataclasses import replace
from typing import Any

import pytest

from analysis.attribution import attribute
from analysis.attribution.symptoms import diagnose
from analysis.judged import JudgedTurn
from analysis.probing import elements_to_probe
from ingest.span import Message
from judge.answers import SupportLabel, Unjudged
from stages.records import CitationStatus
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t


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
        "elements": [s.element("silently_missing", in_evidence=True)],
        "probes": [s.hit(searched=True)],
    }
    return t.good(**(given | why[reason] | changes))


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
        pytest.param({"calls": [t.FAILED]}, id="a source failed"),
        pytest.param({"routing": Unjudged(reason="uncertain")}, id="routing unjudged"),
        pytest.param({"probes": None}, id="not probed"),
        pytest.param({"pairs": {(1, "m-1"): None}}, id="support undecided"),
        pytest.param(
            {"routing": s.routed(agent_ok=False, fits="x", missing=["orders"])}, id="misrouted"
        ),
        pytest.param(
            {"routing": s.routed(collections={"manuals-rx200": False}), "probes": [s.hit()]},
            id="the answer is in a collection that was not searched",
        ),
        pytest.param(
            {"calls": [t.EMPTY], "routing": s.routed(calls=[s.wrong_arguments()])},
            id="a call was filled wrongly and came back empty",
        ),
        pytest.param(
            {"searches": [], "citations": (), "pairs": {}, "grades": {}}, id="nothing was searched"
        ),
    ],
)
def test_an_exempt_turn_owes_no_evidence(reason: str, changes: dict[str, object]) -> None:
    assert t.root(attribute([exempt(reason, **changes)])[0]) == "passed"


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


def closed_book(question: str | None = "What is 1 + 1?", **fields: Any) -> JudgedTurn:
    """Build a turn whose agent has no source, and whose answer nothing supports."""
    return replace(s.scene("Two.", question=question, **fields), sourceless=True)


def test_an_answer_without_any_source_in_the_run_is_the_models_own() -> None:
    (attribution,) = attribute([closed_book()])
    assert t.root(attribution) == "passed: no_source_known"
    assert elements_to_probe(closed_book(), attribution) == ()
    (small_talk,) = attribute([closed_book(needs_evidence=False)])
    assert t.root(small_talk) == "passed"


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param(replace(closed_book(), sourceless=False), id="its agent has sources"),
        pytest.param(closed_book("Where is my order 1043?"), id="on a record"),
        pytest.param(closed_book("Where is my claim C-48213?"), id="on a code"),
        pytest.param(closed_book(claims=[s.claim(1, "success")]), id="what was done"),
        pytest.param(
            closed_book(claims=[s.claim(), s.claim(2, "success", needs_source=False)]),
            id="a part was done",
        ),
    ],
)
def test_what_needs_a_source_all_the_same(turn: JudgedTurn) -> None:
    assert shown(turn) == ["unfounded missing_abstention E1 P1"]


@pytest.mark.parametrize(
    "question", ["Who won in 1998?", "Add 3.14159 to 2.", "Write a poem.", None]
)
def test_years_and_numbers_are_no_records(question: str | None) -> None:
    assert shown(closed_book(question)) == []


def messages(*texts: str | None, role: str = "user") -> tuple[Message, ...]:
    """Build messages of one side."""
    return tuple(Message(role=role, text=text) for text in texts)  # type: ignore[arg-type]  # short hand


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        pytest.param({"question": "Thank you so much, that is all."}, True, id="small talk"),
        pytest.param({"question": "Now the same in French, please."}, False, id="translated"),
        pytest.param({"question": "Now the same in German, please."}, True, id="into another"),
        pytest.param({"question": None}, True, id="the question is not known"),
        pytest.param(
            {"question": "And this?", "history": messages(None, "Translate into French: …", "Hm.")},
            False,
            id="as asked before",
        ),
        pytest.param(
            {"question": "And this?", "history": messages("In French?", role="assistant")},
            True,
            id="as the agent spoke of it",
        ),
        pytest.param(
            {"question": "And this?", "answer_language": "zu"}, False, id="nobody can tell"
        ),
    ],
)
def test_another_language_may_be_what_was_asked_for(fields: dict[str, Any], *, wrong: bool) -> None:
    given = {"language": "en", "answer_language": "fr"} | fields
    assert shown(exempt("small talk", **given)) == (["form wrong_language"] if wrong else [])


@pytest.mark.parametrize("reason", ["clarifying", "policy"])
def test_what_needs_evidence_is_answered_in_the_language_of_the_question(reason: str) -> None:
    given = {"language": "en", "answer_language": "fr", "question": "What is it in French?"}
    assert shown(exempt(reason, **given)) == ["form wrong_language"]


@pytest.mark.parametrize("flag", ["", "none", "Null", " FALSE ", "0", None])
def test_a_flag_that_says_no_makes_no_policy_refusal(flag: str | None) -> None:
    assert shown(exempt("policy", flag=flag)) == ["missing over_abstention E1"]


def _two_claims(first: SupportLabel, second: SupportLabel) -> JudgedTurn:
    """Build an element with two paragraphs, each held against a chunk about something else."""
    return t.good(
        answer="Every 500 hours. [1]\n\nEvery 900 hours. [2]",
        elements=[s.element("answered", 1, 2)],
        claims=[s.claim(), s.claim(2)],
        citations=(*t.CITED, b.citation("m-1", "[2]", number=2, paragraph=2)),
        grades={"m-1": 0},
        pairs={(1, "m-1"): first, (2, "m-1"): second},
        rest={
            number: ("none", ("m-1",))
            for number, label in enumerate((first, second), start=1)
            if label == "none"
        },
    )


SYMPTOMS = [
    pytest.param(t.good(), [], id="none"),
    pytest.param(t.good(coherence=2, understanding=2), [], id="grades of 2 will do"),
    pytest.param(
        t.good(coherence=1, understanding=1), ["form off_topic", "form incoherent"], id="below 2"
    ),
    pytest.param(t.good(language="en"), [], id="the language of the answer is not certain"),
    pytest.param(t.good(answer_language="en"), [], id="that of the question is not certain"),
    pytest.param(t.good(language="en", answer_language="en"), [], id="the same language"),
    pytest.param(t.good(pairs={(1, "m-1"): "partial"}), [], id="partial support never fails"),
    pytest.param(
        t.good(pairs={(1, "m-1"): "none"}, rest={1: ("none", ())}),
        ["unfounded unsupported_claim E1 P1"],
        id="no support beside a relevant chunk",
    ),
    pytest.param(
        t.fabricated(), ["unfounded missing_abstention E1 P1"], id="no support beside nothing"
    ),
    pytest.param(
        t.fabricated(searches=[], citations=(), pairs={}),
        ["unfounded missing_abstention E1 P1"],
        id="no evidence at all before the model",
    ),
    pytest.param(
        t.fabricated(claims=[s.claim(needs_source=False)]), [], id="needs no source, and has none"
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "contradicted"}, claims=[s.claim(needs_source=False)]),
        ["false contradicts_source E1 P1"],
        id="needs no source, and is contradicted",
    ),
    pytest.param(
        t.with_order(t.FOUND, claims=[s.claim(needs_source=False)], statements={1: "contradicted"}),
        ["false contradicts_source E1 P1"],
        id="needs no source, and one of its statements is contradicted",
    ),
    pytest.param(
        t.good(grades={"m-1": 1}), [], id="on target, though it answers little of the question"
    ),
    pytest.param(
        t.good(grades={"m-1": 0}),
        ["misfounded missing_abstention E1 P1"],
        id="supported by a chunk about something else",
    ),
    pytest.param(
        t.good(grades={"m-1": 0}, calls=[t.FOUND], routing=s.routed(calls=[s.right_call()])),
        ["misfounded unsupported_claim E1 P1"],
        id="the same, beside the result of a right call",
    ),
    pytest.param(
        t.good(
            searches=[s.search(t.OTHER, t.GOOD)],
            grades={"n-1": 0, "m-1": 3},
            pairs={(1, "n-1"): "full", (1, "m-1"): "full"},
            citations=(*t.CITED, b.citation("n-1", number=2)),
        ),
        [],
        id="supported by one about something else, and by one that is good",
    ),
    pytest.param(
        t.with_order(t.FOUND, routing=s.routed(calls=[s.wrong_arguments()])),
        ["misfounded E1 P1"],
        id="rests on the result of a call with wrong arguments",
    ),
    pytest.param(
        t.with_order(t.FOUND, routing=s.routed(calls=[s.wrong_tool()])),
        ["misfounded E1 P1"],
        id="rests on the result of a wrong tool",
    ),
    pytest.param(
        t.with_order(t.EMPTY, records_elsewhere={"call-1": "c-7/1 shows it"}),
        ["misfounded E1 P1"],
        id="rests on a call that was wrongly empty",
    ),
    pytest.param(
        t.with_order(t.FOUND, routing=Unjudged(reason="uncertain")),
        [],
        id="rests on a call that was not judged",
    ),
    pytest.param(
        t.two_elements(pairs={(1, "m-1"): "contradicted"}),
        ["false contradicts_source E1 P1", "missing incomplete E2"],
        id="two elements, two symptoms",
    ),
    pytest.param(
        t.good(
            answer="Every 500 hours. [1]\n\nEvery 900 hours. [2]",
            elements=[s.element("answered", 1, 2)],
            claims=[s.claim(), s.claim(2)],
            citations=(*t.CITED, b.citation("m-1", "[2]", number=2, paragraph=2)),
            pairs={(1, "m-1"): "none", (2, "m-1"): "contradicted"},
            rest={1: ("none", ("m-1",))},
        ),
        ["false contradicts_source E1 P2"],
        id="the strongest symptom of an element counts",
    ),
    pytest.param(
        _two_claims(first="full", second="none"),
        ["misfounded missing_abstention E1 P1"],
        id="misfounded is stronger than unfounded",
    ),
    pytest.param(
        _two_claims(first="none", second="full"),
        ["misfounded missing_abstention E1 P2"],
        id="in whichever order",
    ),
    pytest.param(
        _two_claims(first="full", second="contradicted"),
        ["false contradicts_source E1 P2"],
        id="false is stronger than misfounded",
    ),
    pytest.param(
        t.good(
            answer="Every 500 hours. [1]\n\nEvery 900 hours. [2]",
            elements=[s.element("answered", 1)],
            claims=[s.claim(), s.claim(2)],
            rest={2: ("none", ("m-1",))},
        ),
        ["unfounded unsupported_claim P2"],
        id="a claim that answers no element has a symptom of its own",
    ),
    pytest.param(
        t.refused(claims=[s.claim()], reply="answered"),
        ["unfounded missing_abstention E1 P1"],
        id="a guess beside the declaration that nothing is known",
    ),
    pytest.param(
        t.refused(claims=[s.claim(asserts="absence")], rest={1: ("none", ())}),
        [],
        id="an absence is how it is declared",
    ),
    pytest.param(
        t.refused(claims=[s.claim(asserts="absence")], rest={1: ("contradicted", ("n-1",))}),
        ["false contradicts_source E1 P1"],
        id="an absence that the evidence contradicts",
    ),
    pytest.param(
        t.good(
            elements=[s.element(), s.element("declared_missing", 1, in_evidence=False)],
            pairs={(1, "m-1"): "none"},
            rest={1: ("none", ())},
            probed=(1,),
        ),
        ["unfounded unsupported_claim E1 P1"],
        id="a guess about one element is no guess about the one declared missing beside it",
    ),
    pytest.param(
        t.good(
            elements=[s.element(), s.element("declared_missing", 1, in_evidence=False)],
            pairs={(1, "m-1"): "contradicted"},
            probed=(1,),
        ),
        ["false contradicts_source E1 P1", "false contradicts_source E2 P1"],
        id="a falsehood counts for both",
    ),
    pytest.param(t.refused(), [], id="declared missing, looked for and not found"),
    pytest.param(
        t.refused(elements=[s.element("silently_missing", in_evidence=False)]),
        ["missing over_abstention E1"],
        id="missing without a word",
    ),
    pytest.param(
        t.refused(elements=[s.element("declared_missing", 1)]),
        ["missing over_abstention E1 P1"],
        id="declared missing, and it was there",
    ),
    pytest.param(
        t.refused(elements=[s.element("declared_missing", 1)], reply="partly"),
        ["missing incomplete E1 P1"],
        id="the same, and other things were answered",
    ),
    pytest.param(
        t.refused(probes=[s.hit()]), ["missing over_abstention E1 P1"], id="a probe found it"
    ),
    pytest.param(t.refused(probes=[s.hit(1)]), [], id="a probe found what does not answer"),
    pytest.param(
        t.refused(calls=[t.FAILED]), ["missing over_abstention E1 P1"], id="a source failed"
    ),
    pytest.param(
        t.refused(calls=[t.EMPTY], records_elsewhere={"call-1": "c-7/1 shows it"}),
        ["missing over_abstention E1 P1"],
        id="a call was wrongly empty",
    ),
    pytest.param(
        t.refused(routing=s.routed(missing=["orders"])),
        ["missing over_abstention E1 P1"],
        id="a resource was not used",
    ),
    pytest.param(
        t.refused(calls=[t.FOUND], routing=s.routed(calls=[s.wrong_tool()])),
        ["missing over_abstention E1 P1"],
        id="a wrong tool was called",
    ),
    pytest.param(
        t.refused(calls=[t.FOUND], routing=s.routed(calls=[s.right_call()])),
        [],
        id="a right call was made",
    ),
    pytest.param(
        t.refused(searches=[], routing=s.routed(agent_ok=False)),
        ["missing over_abstention E1 P1"],
        id="the wrong agent asked nothing",
    ),
    pytest.param(
        t.refused(
            searches=[], calls=[t.FOUND], routing=s.routed(agent_ok=False, calls=[s.right_call()])
        ),
        [],
        id="the wrong agent called what it has",
    ),
    pytest.param(t.refused(routing=s.routed(agent_ok=False)), [], id="it searched what it has"),
    pytest.param(
        t.refused(searches=[], routing=s.routed()), [], id="the right agent asked nothing"
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "none"}, rest={1: ("full", ("m-4",))}),
        ["citation wrong_citation P1"],
        id="another source says it",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "none"}, rest={1: ("partial", ("m-4",))}),
        ["citation wrong_citation P1"],
        id="another source says a part of it",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "partial"}, rest={1: ("full", ("m-4",))}),
        [],
        id="the cited source says a part of it",
    ),
    pytest.param(
        t.good(citations=(), pairs={}, rest={1: ("full", ("m-1",))}), [], id="citing not expected"
    ),
    pytest.param(
        t.good(citations=(), pairs={}, rest={1: ("partial", ("m-1",))}, citing_expected=True),
        ["citation missing_citation P1"],
        id="citing expected",
    ),
    pytest.param(
        t.good(
            citations=(),
            pairs={},
            rest={1: ("full", ("m-1",))},
            claims=[s.claim(asserts="absence", needs_source=False)],
            citing_expected=True,
        ),
        [],
        id="citing expected, but not of what needs no source",
    ),
    pytest.param(
        t.good(
            citations=(b.citation(None, "[9]"),),
            pairs={},
            rest={1: ("full", ("m-1",))},
            citing_expected=True,
        ),
        ["citation invalid_citation P1"],
        id="an invalid citation is not missing as well",
    ),
    pytest.param(
        t.good(
            citations=(*t.CITED, b.citation(None, "[9]", number=2, paragraph=None)),
            citing_expected=True,
        ),
        ["citation invalid_citation"],
        id="an invalid citation outside every paragraph",
    ),
    pytest.param(
        s.scene(answer_verdict=Unjudged(reason="uncertain"), citations=[b.citation(None, "[9]")]),
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
    citations = (*t.CITED, b.citation("m-1", "[7]", number=2, status=status))
    symptoms = shown(t.good(citations=citations))
    assert symptoms == (["citation invalid_citation P1"] if invalid else [])


def test_symptoms_say_what_shows_them() -> None:
    judged = t.with_order(
        t.FOUND,
        answer="It shipped.\n\nIt arrives soon.",
        elements=[s.element("answered", 1, 2, text="Where is it?")],
        claims=[s.claim(), s.claim(2)],
        statements={1: "supported", 2: "supported"},
        routing=s.routed(calls=[s.wrong_arguments()]),
    )
    (symptom,) = diagnose(judged).symptoms
    assert symptom.evidence == ("E1", "P1", "call call-1", "P2")
    assert symptom.wrong_calls == ("call-1",)
    assert symptom.off_target == ()
    assert symptom.asked == "Where is it?"


def elsewhere(**changes: object) -> JudgedTurn:
    """Build an answer that is faithful to a passage about something that nobody asked for."""
    given: dict[str, object] = {
        "answer": "The RX-300 is changed every 800 hours. [2]",
        "elements": [s.element("silently_missing", in_evidence=True)],
        "searches": [s.search(t.GOOD, t.OTHER)],
        "citations": t.CITES_OTHER,
        "pairs": {(1, "n-1"): "full"},
        "understanding": 1,
    }
    return t.good(**(given | changes))


OFF_TOPIC = ["missing incomplete E1", "form off_topic"]


def test_that_a_passage_is_about_something_else_is_told_once() -> None:
    assert shown(elsewhere()) == OFF_TOPIC
    attribution = attribute([elsewhere()])[0]
    assert t.root(attribution) == "generation.off_topic"
    assert t.others(attribution) == {"contributing generation.incomplete"}


@pytest.mark.parametrize(
    ("changes", "claimed"),
    [
        pytest.param({"understanding": 2}, "misfounded unsupported_claim P1", id="on topic"),
        pytest.param(
            {"pairs": {(1, "n-1"): "none"}, "rest": {1: ("none", ("m-1",))}},
            "unfounded unsupported_claim P1",
            id="not faithful",
        ),
        pytest.param(
            {"pairs": {(1, "n-1"): "contradicted"}}, "false contradicts_source P1", id="false"
        ),
        pytest.param(
            {
                "citations": (),
                "pairs": {},
                "statements": {1: "supported"},
                "searches": (),
                "calls": [t.FOUND],
                "routing": s.routed(calls=[s.wrong_tool()]),
            },
            "misfounded P1",
            id="of a wrong call",
        ),
        pytest.param(
            {
                "answer": "Often.",
                "citations": (),
                "pairs": {},
                "statements": {1: "supported"},
                "searches": [s.search(t.OTHER)],
                "calls": [t.FOUND],
                "routing": s.routed(calls=[s.wrong_tool()]),
            },
            "misfounded missing_abstention P1",
            id="of a wrong call as well",
        ),
    ],
)
def test_what_an_answer_off_topic_claims_lets_down_all_the_same(
    changes: dict[str, Any], claimed: str
) -> None:
    form = [] if changes.get("understanding") == 2 else OFF_TOPIC[1:]
    assert shown(elsewhere(**changes)) == [OFF_TOPIC[0], claimed, *form]


def test_an_element_that_is_answered_off_topic_is_misfounded() -> None:
    judged = t.good(grades={"m-1": 0}, understanding=1)
    assert shown(judged) == ["misfounded missing_abstention E1 P1", "form off_topic"]


def test_a_symptom_names_the_chunks_about_something_else() -> None:
    (symptom,) = diagnose(t.good(grades={"m-1": 0})).symptoms
    assert (symptom.off_target, symptom.wrong_calls) == (("m-1",), ())
    assert symptom.evidence == ("E1", "P1")


def test_invalid_citations_are_named_once() -> None:
    citations = [b.citation(None, "[9]", number=n, paragraph=n) for n in (1, 1, 2)]
    (symptom,) = diagnose(t.good(citations=(*t.CITED, *citations))).symptoms
    assert (symptom.paragraphs, symptom.evidence) == ((1, 2), ("[9]",))


def test_a_missing_element_is_told_in_words() -> None:
    (symptom,) = diagnose(t.two_elements()).symptoms
    assert (symptom.asked, symptom.evidence) == ("Which oil?", ("E2",))


def test_a_symptom_of_citing_names_its_paragraph() -> None:
    judged = t.good(pairs={(1, "m-1"): "none"}, rest={1: ("full", ("m-4",))})
    assert [symptom.evidence for symptom in diagnose(judged).symptoms] == [("P1",)]


def test_a_claim_of_its_own_names_its_paragraph() -> None:
    judged = t.fabricated(elements=[])
    assert [symptom.evidence for symptom in diagnose(judged).symptoms] == [("P1",)]


def test_a_false_claim_of_its_own_names_its_paragraph() -> None:
    judged = t.good(elements=[], pairs={(1, "m-1"): "contradicted"})
    assert [symptom.evidence for symptom in diagnose(judged).symptoms] == [("P1",)]


TOLD = b.chunk("m-1", None)

NOT_JUDGED = [
    pytest.param(replace(t.good(), answer=None), "verdict_missing:answer", id="answer not asked"),
    pytest.param(
        t.good(pairs={(1, "m-1"): "partial", (1, "m-2"): None}),
        "verdict_missing:support",
        id="a part is said, the other source may contradict",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): None}, rest={1: ("full", ("m-4",))}),
        "verdict_missing:support",
        id="another source says it, the cited one may not",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "none"}, rest={1: (None, ("m-4",))}),
        "verdict_missing:support",
        id="the cited source does not say it, the rest is open",
    ),
    pytest.param(
        t.good(pairs={}), "verdict_missing:support", id="cited, and the pair was not asked"
    ),
    pytest.param(
        t.good(pairs={}, citations=()),
        "verdict_missing:support",
        id="not cited, and nothing was asked about it",
    ),
    pytest.param(
        t.fabricated(pairs={}, citations=(), grades={"n-1": None}),
        "verdict_missing:support",
        id="not cited, and the chunk may be relevant",
    ),
    pytest.param(
        t.with_order(t.FOUND, statements={}), "verdict_missing:statements", id="without statements"
    ),
    pytest.param(
        replace(
            t.with_order(t.FOUND), statements=s.verdict("statements", Unjudged(reason="uncertain"))
        ),
        "verdict_missing:statements",
        id="statements undecided",
    ),
    pytest.param(
        s.scene(searches=[s.search(TOLD)], citations=t.CITED),
        "chunk_text_not_captured",
        id="cites a chunk without its text",
    ),
    pytest.param(
        s.scene(searches=[s.search(TOLD)]),
        "chunk_text_not_captured",
        id="may rest on a chunk without its text",
    ),
    pytest.param(
        s.scene(searches=[s.search(TOLD, t.GOOD)], citations=t.CITED, grades={"m-1": 3}, pairs={}),
        "chunk_text_not_captured",
        id="the chunk that it cites has no text in one search",
    ),
    pytest.param(
        t.good(
            citations=(b.citation("m-1", status="target_not_captured"),),
            pairs={},
            rest={1: ("none", ("m-1",))},
        ),
        "chunk_text_not_captured",
        id="cites what the trace does not hold",
    ),
    pytest.param(
        t.good(
            searches=[s.search(t.OTHER, t.GOOD)],
            grades={"n-1": 0, "m-1": None},
            citations=(*t.CITED, b.citation("n-1", number=2)),
            pairs={(1, "n-1"): "full", (1, "m-1"): "full"},
        ),
        "verdict_missing:relevance",
        id="one source is about something else, the other is not judged",
    ),
    pytest.param(
        t.refused(elements=[s.element("declared_missing", 1, in_evidence=None)]),
        "verdict_missing:answer",
        id="declared missing, and whether it was there is open",
    ),
    pytest.param(
        t.refused(probes=[s.hit(1), s.hit(None)]),
        "verdict_missing:probe",
        id="declared missing, and a probe is undecided",
    ),
]


@pytest.mark.parametrize(("judged", "missing"), NOT_JUDGED)
def test_what_is_open_keeps_a_turn_from_passing(judged: JudgedTurn, missing: str) -> None:
    assert t.root(attribute([judged])[0]) == f"not_judged: {missing}"


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        pytest.param(
            t.good(pairs={(1, "m-1"): "full", (1, "m-2"): None}),
            "passed",
            id="what is said in full needs no second source",
        ),
        pytest.param(
            t.good(
                searches=[s.search(t.OTHER, t.GOOD)],
                grades={"n-1": None, "m-1": 3},
                citations=(*t.CITED, b.citation("n-1", number=2)),
                pairs={(1, "n-1"): "full", (1, "m-1"): "full"},
            ),
            "passed",
            id="one source is good, whatever the other is about",
        ),
        pytest.param(
            t.good(pairs={(1, "m-1"): "contradicted", (1, "m-2"): None}),
            "generation.contradicts_source",
            id="nothing mends a contradiction",
        ),
        pytest.param(
            t.good(searches=[s.search(TOLD, t.GOOD)]),
            "passed",
            id="what was asked and answered counts, whatever chunk has no text",
        ),
        pytest.param(
            s.scene(
                searches=[s.search(b.chunk("m-2", None), t.GOOD)],
                citations=t.CITED,
                grades={"m-1": 3},
            ),
            "not_judged: verdict_missing:support",
            id="another chunk than the cited one has no text",
        ),
        pytest.param(
            t.good(pairs={(2, "m-1"): "contradicted"}, rest={2: ("contradicted", ("m-1",))}),
            "not_judged: verdict_missing:support",
            id="verdicts about a paragraph are not about another",
        ),
        pytest.param(
            t.refused(probes=None, routing=Unjudged(reason="uncertain")),
            "passed: corpus_not_probed",
            id="the first note is told",
        ),
        pytest.param(
            t.refused(probed=()), "passed: corpus_not_probed", id="other elements were probed"
        ),
        pytest.param(
            replace(t.good(), routing=None), "passed: routing_not_judged", id="routing not asked"
        ),
        pytest.param(
            t.good(routing=replace(s.routed(), unjudged="no_catalogue")),
            "passed: routing_not_judged",
            id="the routing of this turn is unjudged",
        ),
        pytest.param(
            replace(
                t.good(routing=Unjudged(reason="uncertain")),
                turn=replace(t.good().turn, routing=None),
            ),
            "passed",
            id="nothing was routed",
        ),
        pytest.param(
            t.good(
                pairs={(1, "m-1"): None},
                elements=[s.element(), s.element("silently_missing", text="Which oil?")],
            ),
            "generation.incomplete",
            id="a symptom fails a turn, whatever is open beside it",
        ),
    ],
)
def test_what_is_settled(judged: JudgedTurn, expected: str) -> None:
    assert t.root(attribute([judged])[0]) == expected


def test_relevance_that_was_not_asked_speaks_for_a_chunk() -> None:
    assert t.root(attribute([replace(t.good(), relevance={})])[0]) == "passed"


def test_a_chunk_on_target_may_carry_a_claim() -> None:
    on_target = {"m-1": s.verdict("relevance", s.relevance(1, target=True), chunk_id="m-1")}
    off_target = {"m-1": s.verdict("relevance", s.relevance(1, target=False), chunk_id="m-1")}
    assert shown(replace(t.good(), relevance=on_target)) == []
    assert shown(replace(t.good(), relevance=off_target)) == ["misfounded missing_abstention E1 P1"]


def test_of_two_open_verdicts_the_first_is_told() -> None:
    judged = t.two_elements(
        elements=[s.element(), s.element("declared_missing", in_evidence=None, text="Which oil?")],
        pairs={(1, "m-1"): None},
        probed=(),
    )
    assert diagnose(judged).undecided == ("verdict_missing:support", "verdict_missing:answer")
    assert t.root(attribute([judged])[0]) == "not_judged: verdict_missing:support"


ABSENT = "There is no order 999."
ABSENCE = [s.claim(asserts="absence")]
CUSTOMER = b.tool_call("get_customer", {"name": "Ann"}, {"orders": []}, position=2)

AFTER_A_FAILURE = [
    pytest.param(
        t.with_order(
            t.TICKET,
            answer="Your ticket is created.",
            claims=[s.claim(asserts="success")],
            statements={1: "unsupported"},
        ),
        ["false contradicts_source E1 P1"],
        id="success, and nothing speaks against it",
    ),
    pytest.param(
        t.with_order(t.FAILED, answer=ABSENT, claims=ABSENCE, statements={1: "supported"}),
        ["false absence_misreported E1 P1"],
        id="absence, which only the failure itself supports",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            answer=ABSENT,
            claims=ABSENCE,
            calls=[t.FAILED, CUSTOMER],
            statements=None,
            rest={1: ("full", ("call-2",))},
        ),
        [],
        id="absence, which another source supports",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            answer=ABSENT,
            claims=ABSENCE,
            calls=[t.FAILED, CUSTOMER],
            statements=None,
            rest={1: (None, ("call-2",))},
        ),
        [],
        id="absence, which another source may support",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            answer=ABSENT,
            claims=ABSENCE,
            statements=None,
            rest={1: (None, ("call-1",))},
        ),
        ["false absence_misreported E1 P1"],
        id="absence, which nothing but the failure may support",
    ),
    pytest.param(
        t.with_order(
            t.FAILED,
            answer=ABSENT,
            claims=ABSENCE,
            calls=[t.FAILED, CUSTOMER],
            statements={1: "contradicted"},
            rest={1: ("full", ("call-2",))},
        ),
        ["false absence_misreported E1 P1"],
        id="absence, which one source supports and another contradicts",
    ),
    pytest.param(
        t.with_order(
            t.EMPTY,
            answer=ABSENT,
            claims=[s.claim(asserts="absence", needs_source=False)],
            statements={1: "unsupported"},
        ),
        [],
        id="nothing failed, and the absence needs no source",
    ),
    pytest.param(
        s.scene(statements={1: "supported"}),
        [],
        id="nothing failed, and what supports the claim is not known",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), AFTER_A_FAILURE)
def test_what_is_claimed_after_a_failure(judged: JudgedTurn, expected: list[str]) -> None:
    assert shown(judged) == expected


def test_a_turn_without_a_generation_cites_nothing() -> None:
    (attribution,) = attribute([JudgedTurn(turn=b.turn(answer=None))])
    assert t.root(attribution) == "not_judged: verdict_missing:answer"


def test_what_no_source_says_lacks_a_source_and_not_its_citation() -> None:
    judged = t.good(citations=(), pairs={}, rest={1: ("none", ("m-1",))}, citing_expected=True)
    assert shown(judged) == ["unfounded unsupported_claim E1 P1"]
