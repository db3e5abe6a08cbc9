"""One sentence for every failed turn: plain, bounded, and nothing of the trace breaks it."""

import re
from dataclasses import replace

import pytest

from analysis.attribution import KINDS, Cause, Fault, Symptom, attribute
from analysis.attribution.generation_faults import generation_fault
from analysis.attribution.sentences import LONGEST, sentence_of
from analysis.attribution.wording import listed, place, quoted, short
from analysis.judged import JudgedTurn, ProbeHit
from judge.answers import CallJudgement, WrongArgument
from stages.records import Stage
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

QUESTION = "“How often is the filter of the RX-200 changed?”"
CLAIM = "“The filter is changed every 500 hours. [1]”"
TITLED = b.chunk("m-9", "Every 500 hours.", metadata={"title": "RX-200 service", "section": "4"})


def titled(**fields: object) -> ProbeHit:
    """Build a probe of a chunk with a title."""
    found = s.hit(**fields)  # type: ignore[arg-type]  # any argument of hit
    return replace(found, chunk=TITLED)


def call(*wrong: WrongArgument, reason: str = "") -> CallJudgement:
    """Build the judgement of a call with these wrong arguments."""
    return CallJudgement(
        position=1, tool_ok=True, args_ok=False, wrong_arguments=wrong, reason=reason
    )


def faithful_to(judgement: CallJudgement) -> JudgedTurn:
    """Build an answer that is faithful to the result of one call."""
    return t.with_order(t.FOUND, routing=s.routed(calls=[judgement]))


SENTENCES = [
    pytest.param(
        t.refused(probes=[titled()]),
        "Routing searched manuals-rx300; the chunk that answers is in manuals-rx200, RX-200 service (m-9), and was never searched.",
        id="wrong collection",
    ),
    pytest.param(
        t.refused(searches=[s.search(t.OTHER, collection=None)], probes=[s.hit(collection=None)]),
        "Routing searched an unnamed collection; the chunk that answers is in an unnamed collection, chunk m-9, and was never searched.",
        id="wrong collection, none has a name",
    ),
    pytest.param(
        t.refused(probes=[s.hit(reachable_by=["rx200-bot", "parts-bot"])]),
        "Routing gave the question to service-bot, which cannot reach manuals-rx200; rx200-bot, parts-bot can, and chunk m-9 there answers it.",
        id="wrong agent, the chunk known",
    ),
    pytest.param(
        t.refused(searches=[], routing=s.routed(agent_ok=False, fits="rx200-bot")),
        "Routing: agent service-bot took the question; rx200-bot fits.",
        id="wrong agent, nothing found",
    ),
    pytest.param(
        t.refused(searches=[], routing=s.routed(agent_ok=False)),
        "Routing: agent service-bot took the question.",
        id="wrong agent, and who fits is not known",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit()]),
        f"Routing never searched manuals-rx200, where chunk m-9 answers {QUESTION}.",
        id="missing resource, the chunk known",
    ),
    pytest.param(
        t.refused(routing=s.routed(missing=["parts"])),
        "Routing: collection parts was never called.",
        id="missing resource, nothing found",
    ),
    pytest.param(
        t.fabricated(
            probes=[s.hit(searched=True)],
            routing=s.routed(refined=False, lost=["RX-200", "2024"]),
            refined="filter\nchange",
        ),
        "Routing searched “filter change”: the refined query lost RX-200, 2024; chunk m-9 would have answered.",
        id="drifted",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(searched=True)], routing=s.routed(refined=False)),
        "Routing: the refined query lost a constraint of the question; chunk m-9 would have answered.",
        id="drifted, neither query nor constraint known",
    ),
    pytest.param(
        t.fabricated(probes=[s.hit(searched=True)], refined="filter RX-200"),
        "Routing refined the query to “filter RX-200” and did not search that; chunk m-9 would have answered.",
        id="ignored",
    ),
    pytest.param(
        faithful_to(
            call(
                WrongArgument(
                    argument="order_id", value="1043", expected="1034", known_from="turn 1"
                ),
                WrongArgument(argument="year", value=None, expected=None, known_from=""),
            )
        ),
        "Routing: get_order was called with order_id = 1043, should be 1034 (turn 1); year left out.",
        id="wrong arguments",
    ),
    pytest.param(
        faithful_to(call(reason="the number is another order's")),
        "Routing: get_order was called with wrong arguments: the number is another order's.",
        id="wrong arguments, told in words only",
    ),
    pytest.param(
        faithful_to(call()),
        "Routing: get_order was called with wrong arguments.",
        id="wrong arguments, not told which",
    ),
    pytest.param(
        faithful_to(CallJudgement(position=1, tool_ok=False, args_ok=None, fits="get_ticket")),
        "Routing: called get_order where get_ticket fits.",
        id="wrong tool",
    ),
    pytest.param(
        faithful_to(CallJudgement(position=1, tool_ok=False, args_ok=None)),
        "Routing: called get_order.",
        id="wrong tool, and which fits is not known",
    ),
    pytest.param(
        t.refused(calls=[t.FAILED]), "Retrieval: get_order failed: time-out.", id="a tool failed"
    ),
    pytest.param(
        t.refused(calls=[b.tool_call("get_order", {}, None, status="error")]),
        "Retrieval: get_order failed.",
        id="a tool failed without a word",
    ),
    pytest.param(
        t.refused(searches=[s.search(status="error", error="503 try\nlater")]),
        "Retrieval: the search of manuals-rx200 failed: 503 try later.",
        id="a search failed",
    ),
    pytest.param(
        t.refused(searches=[s.search(status="error", collection=None)]),
        "Retrieval: the search of an unnamed collection failed.",
        id="a search without a name failed without a word",
    ),
    pytest.param(
        t.refused(calls=[t.EMPTY], records_elsewhere={"call-1": "get_order returned it in c-7/1"}),
        "Retrieval: get_order returned nothing although get_order returned it in c-7/1.",
        id="wrongly empty",
    ),
    pytest.param(
        t.refused(probes=[s.hit(retrieved=True, rank=40)]),
        "Retrieval: chunk m-9 was retrieved at rank 40 and cut before the prompt.",
        id="ranked too low",
    ),
    pytest.param(
        t.refused(probes=[titled(searched=True)]),
        "Retrieval searched manuals-rx200 and did not return RX-200 service (m-9), which answers.",
        id="missed",
    ),
    pytest.param(
        t.refused(searches=[s.search()], probes=[s.hit(searched=True)]),
        "Retrieval searched manuals-rx200 and got nothing, although chunk m-9 there answers.",
        id="nothing retrieved",
    ),
    pytest.param(
        t.two_elements(probes=[s.hit(element=1, searched=True)]),
        "Retrieval brought part of the evidence from manuals-rx200, but not chunk m-9, which answers “Which oil?”.",
        id="part of it",
    ),
    pytest.param(
        t.good(pairs={(1, "m-1"): "contradicted"}),
        f"Generation: P1 contradicts what stood before the model: {CLAIM}.",
        id="contradicts",
    ),
    pytest.param(
        t.fabricated(),
        f"Generation: P1 was asserted although nothing relevant stood before the model: {CLAIM}.",
        id="asserted beside nothing",
    ),
    pytest.param(
        t.two_elements(second_in_evidence=True),
        "Generation: element 2 was left out: “Which oil?”.",
        id="left out",
    ),
    pytest.param(
        t.refused(elements=[s.element("declared_missing", 1)]),
        f"Generation: element 1 was refused although its evidence stood before the model: {QUESTION}.",
        id="refused",
    ),
    pytest.param(
        t.good(understanding=0),
        "Generation: the answer does not answer what was asked.",
        id="off topic",
    ),
    pytest.param(
        t.good(coherence=0), "Generation: the answer cannot be followed.", id="incoherent"
    ),
    pytest.param(
        t.good(language="en", answer_language="de"),
        "Generation: the answer is in another language than the question (question en, answer de).",
        id="another language",
    ),
    pytest.param(
        t.good(
            citations=(
                b.citation("m-1"),
                *(b.citation(None, f"[{n}]", number=n, paragraph=None) for n in range(95, 100)),
            )
        ),
        "Generation: the answer cites a source that does not exist ([95], [96], [97] and 2 more).",
        id="cites what is not there, outside every paragraph",
    ),
    pytest.param(
        t.fabricated(probes=None),
        f"{QUESTION} is not supported by the evidence; the corpus was not probed for what would answer it, so the stage stays open (retrieval or generation).",
        id="open: not probed",
    ),
    pytest.param(
        t.fabricated(pairs={(1, "n-1"): "full"}, off_target=["n-1"], probes=[s.hit(None)]),
        f"{QUESTION} rests on a source about something else; the judge left the probe for its evidence undecided, so the stage stays open (retrieval or generation).",
        id="open: probe undecided",
    ),
    pytest.param(
        t.two_elements(),
        "“Which oil?” was not answered; no chunk of this run answers it, so the stage stays open (retrieval).",
        id="open: not in the observed corpus",
    ),
    pytest.param(
        t.two_elements(elements=[s.element(), s.element("silently_missing", text=" ")], probed=()),
        "Generation: element 2 was left out: What was asked.",
        id="an element without words",
    ),
]


@pytest.mark.parametrize(("judged", "sentence"), SENTENCES)
def test_a_failed_turn_says(judged: JudgedTurn, sentence: str) -> None:
    assert attribute([judged])[0].sentence == sentence


def test_what_is_inherited_names_the_turn_and_what_failed_there() -> None:
    first = t.good(pairs={(1, "m-1"): "contradicted"})
    again = s.scene(turn=2, elements=[s.element(in_evidence=False)], statements={1: "unsupported"})
    assert attribute([first, again])[1].sentence == (
        f"Repeats what failed in turn c-1/1 by generation: {CLAIM}; "
        "there, P1 contradicts what stood before the model."
    )


HOSTILE = "\n\n</b> x\t“x”\r\u2028" + "ā" * 400 + "\nEnd."
EVIL = b.chunk(HOSTILE, HOSTILE, metadata={"title": HOSTILE})


def hostile_turn(*, found: bool) -> tuple[JudgedTurn, ProbeHit | None]:
    """Build a turn in which every name and text is hostile."""
    judged = s.scene(
        HOSTILE,
        searches=[s.search(EVIL, collection=HOSTILE)],
        calls=[b.tool_call(HOSTILE, {}, None, status="error", error=HOSTILE)],
        refined=HOSTILE,
    )
    probe = ProbeHit(
        element=0,
        chunk=EVIL,
        collection=HOSTILE,
        first_seen_ns=None,
        seen_before=True,
        retrieved=False,
        searched=False,
        reachable_by=(HOSTILE,) * 9,
        verdict=s.hit().verdict,
    )
    return judged, probe if found else None


@pytest.mark.parametrize("inherited_from", [None, HOSTILE], ids=["own", "inherited"])
@pytest.mark.parametrize("found", [True, False], ids=["chunk found", "no chunk"])
@pytest.mark.parametrize(
    ("stage", "kind"),
    [pytest.param(stage, kind, id=kind) for stage, kinds in KINDS.items() for kind in kinds],
)
def test_hostile_text_breaks_no_sentence(
    stage: Stage, kind: str, *, found: bool, inherited_from: str | None
) -> None:
    judged, probe = hostile_turn(found=found)
    symptom = Symptom(
        kind="unfounded", element=0, asked=HOSTILE, paragraphs=(1,), evidence=(HOSTILE,)
    )
    fault = (
        generation_fault(symptom, kind)
        if stage == "generation"
        else Fault(stage=stage, kind=kind, explanation=HOSTILE)
    )
    cause = Cause(symptom=symptom, fault=fault, found=probe, inherited_from=inherited_from)
    sentence = sentence_of(judged, cause)
    assert stage in sentence.lower()
    check_form(sentence)


@pytest.mark.parametrize(
    "missing",
    [
        "corpus_not_probed",
        "verdict_missing:probe",
        "verdict_missing:answer",
        "verdict_missing:routing",
        "evidence_seen_only_later",
        "not_in_observed_corpus",
    ],
)
@pytest.mark.parametrize("kind", ["misfounded", "unfounded", "missing"])
def test_what_stays_open_is_said_in_the_same_form(kind: str, missing: str) -> None:
    symptom = Symptom(kind=kind, element=0, asked=HOSTILE, evidence=("E1", HOSTILE))  # type: ignore[arg-type]  # a symptom
    cause = Cause(symptom=symptom, fault=None, possible=("routing", "retrieval"), missing=missing)
    sentence = sentence_of(hostile_turn(found=False)[0], cause)
    assert sentence.endswith(", so the stage stays open (routing or retrieval).")
    check_form(sentence)


def check_form(sentence: str) -> None:
    assert sentence.endswith(".")
    assert len(sentence) <= LONGEST
    assert not re.search(r"[\n\r\t\u2028]|  |None|“”|\(\)", sentence)


def test_a_text_of_the_longest_length_is_not_cut() -> None:
    assert short("x" * 60) == "x" * 60
    assert short("x" * 61) == "x" * 59 + "…"
    assert short("x " * 40, 10) == "x x x x x…"
    assert quoted("y" * 91) == f"“{'y' * 89}…”"


def test_what_has_no_name_is_called_so() -> None:
    assert short(" \n") == "(empty)"
    assert place(None) == place("") == "an unnamed collection"
    assert place("faq") == "faq"
    assert listed([], "nobody") == listed([None, ""], "nobody") == "nobody"


def test_three_names_are_listed_and_the_others_counted() -> None:
    assert listed(["a", "b", None, "a", "c"], "") == "a, b, c"
    assert listed("abcd", "") == "a, b, c and 1 more"


def test_a_title_needs_words() -> None:
    blank = b.chunk("m-9", metadata={"title": " ", "heading": 4, "section": "Filters"})
    probe = s.hit(searched=True)
    named = ProbeHit(
        element=0,
        chunk=blank,
        collection=probe.collection,
        first_seen_ns=None,
        seen_before=True,
        retrieved=False,
        searched=True,
        verdict=probe.verdict,
    )
    (attribution,) = attribute([t.refused(probes=[named])])
    assert "did not return Filters (m-9)" in attribution.sentence


def test_a_claim_outside_every_paragraph_is_not_quoted() -> None:
    symptom = Symptom(kind="false", detail="contradicts_source", paragraphs=(7,))
    cause = Cause(symptom=symptom, fault=generation_fault(symptom, "contradicts_source"))
    assert sentence_of(s.scene(claims=[s.claim()]), cause) == (
        "Generation: P7 contradicts what stood before the model."
    )
