from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.attribution.surface_symptoms import form_symptoms
from analysis.metrics import generation as metrics
from analysis.metrics.measured import Measured, undefined
from analysis.metrics.ratio import NOTHING, Ratio
from analysis.metrics.reasons import REASONS
from judge.answers import (
    AnswerJudgement,
    ElementStatus,
    InventedQuestions,
    Statement,
    StatementLabel,
    Unjudged,
)
from stages.records import Gap
from tests import builders as b
from tests.analysis.attribution.scenes import verdict
from tests.analysis.metrics.turns import judged, said

INVENTED = InventedQuestions(reason="", questions=("a?", "b?", "c?"))
OF_THE_ANSWER = [
    metrics.measure_understanding,
    metrics.measure_coherence,
    metrics.measure_completeness,
    metrics.measure_abstention,
]
RIGHT, WRONG = Ratio(1, 1), Ratio(0, 1)


@pytest.mark.parametrize(
    ("grade", "expected"),
    [(0, Ratio(0, 1)), (1, Ratio(1 / 3, 1)), (2, Ratio(2 / 3, 1)), (3, Ratio(1, 1))],
)
def test_a_grade_is_a_share_of_three(grade: int, expected: Ratio) -> None:
    assert metrics.graded(grade) == expected


def test_each_grade_is_read_from_its_own_field() -> None:
    turn = judged(judgement=said(understanding=1, coherence=2, completeness=0))
    assert metrics.measure_understanding(turn) == Measured(hits=1 / 3, total=1)
    assert metrics.measure_coherence(turn) == Measured(hits=2 / 3, total=1)
    assert metrics.measure_completeness(turn) == Measured(hits=0, total=1)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        pytest.param("de", "de", RIGHT, id="same"),
        pytest.param("de", "en", WRONG, id="other"),
        pytest.param("pt-BR", "pt", RIGHT, id="a region does not matter"),
        pytest.param("zh_Hant", "ZH", RIGHT, id="nor script and case"),
        pytest.param(None, "de", NOTHING, id="question unknown"),
        pytest.param("de", None, NOTHING, id="answer unknown"),
        pytest.param("de", "und", NOTHING, id="a code for not known"),
        pytest.param("zxx", "de", NOTHING, id="a code for no language"),
        pytest.param("de", "unknown", NOTHING, id="no code"),
        pytest.param("", "de", NOTHING, id="empty"),
    ],
)
def test_language_compliance(question: str | None, answer: str | None, expected: Ratio) -> None:
    assert metrics.language_compliance(question, answer) == expected


@pytest.mark.parametrize(
    ("detected", "told", "expected"),
    [
        pytest.param(("de", "de"), ("de", "en"), Measured(hits=1, total=1), id="detector first"),
        pytest.param(("de", "en"), ("de", "de"), Measured(hits=0, total=1), id="also when other"),
        pytest.param(("de", None), ("en", "de"), Measured(hits=1, total=1), id="judge on one"),
        pytest.param((None, "de"), ("en", "en"), Measured(hits=0, total=1), id="on the question"),
        pytest.param((None, None), ("de", "de"), Measured(hits=1, total=1), id="judge on both"),
        pytest.param((None, "de"), (None, "de"), undefined("language_uncertain"), id="nobody"),
        pytest.param(("de", "de"), None, Measured(hits=1, total=1), id="without a judge"),
        pytest.param(("de", None), None, undefined("language_uncertain"), id="no judge to ask"),
    ],
)
def test_language_of_a_turn(
    detected: tuple[str | None, str | None],
    told: tuple[str | None, str | None] | None,
    expected: Measured,
) -> None:
    judgement = told and said(question_language=told[0], answer_language=told[1])
    turn = judged(judgement=judgement, language=detected[0], answer_language=detected[1])
    assert metrics.measure_language(turn) == expected


@pytest.mark.parametrize("local", [False, True])
def test_a_guess_of_the_local_judge_is_no_word_on_a_language(*, local: bool) -> None:
    judgement = said(question_language="en", answer_language="fr")
    turn = judged(judgement=judgement, language="en", answer="zorg blat de fum")
    assert turn.answer is not None
    by = replace(turn.answer, judge="local/local-1" if local else "anthropic/a-model")
    expected = undefined("language_uncertain") if local else Measured(hits=0, total=1)
    assert metrics.measure_language(replace(turn, answer=by)) == expected


@pytest.mark.parametrize(
    ("question", "needs_evidence", "expected"),
    [
        pytest.param(
            "Now in German.", False, undefined("another_language_asked_for"), id="a translation"
        ),
        pytest.param("Now in Dutch.", False, Measured(hits=0, total=1), id="into another one"),
        pytest.param("What is that in German?", True, Measured(hits=0, total=1), id="a fact"),
    ],
)
def test_a_translation_is_in_the_language_that_was_asked_for(
    question: str, expected: Measured, *, needs_evidence: bool
) -> None:
    turn = judged(
        judgement=said(needs_evidence=needs_evidence),
        language="en",
        answer_language="de",
        question=question,
    )
    assert metrics.measure_language(turn) == expected


@settings(max_examples=60, deadline=None)
@given(
    detected=st.tuples(*[st.sampled_from([None, "en", "de"])] * 2),
    told=st.tuples(*[st.sampled_from([None, "en", "de", "und"])] * 2),
    needs_evidence=st.booleans(),
)
def test_with_the_local_judge_the_metric_is_0_only_where_the_turn_fails_by_it(
    detected: tuple[str | None, str | None],
    told: tuple[str | None, str | None],
    *,
    needs_evidence: bool,
) -> None:
    judgement = said(
        question_language=told[0], answer_language=told[1], needs_evidence=needs_evidence
    )
    turn = judged(judgement=judgement, language=detected[0], answer_language=detected[1])
    assert turn.answer is not None
    turn = replace(turn, answer=replace(turn.answer, judge="local/local-1"))
    symptoms = [one.detail for one in form_symptoms(turn.turn, judgement)]
    fails = "wrong_language" in symptoms
    assert (metrics.measure_language(turn).value == 0) is fails


def test_an_undecided_judge_leaves_the_language_to_the_detector() -> None:
    unjudged = Unjudged(reason="api_error")
    turn = judged(judgement=unjudged, language="de", answer_language="en")
    assert metrics.measure_language(turn) == Measured(hits=0, total=1)
    turn = judged(judgement=unjudged, language="de")
    assert metrics.measure_language(turn) == undefined("language_uncertain")


@pytest.mark.parametrize(
    ("generation", "reason"),
    [
        pytest.param(None, "no_generation", id="no answer was generated"),
        pytest.param(b.generation(None), "answer_not_captured", id="it was not captured"),
    ],
)
def test_without_an_answer_there_is_no_language(generation: Any, reason: str) -> None:
    turn = judged(generation=generation, language="de", answer_language="de")
    assert metrics.measure_language(turn) == undefined(reason)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(said(evidence_sufficient=True), RIGHT, id="answered, sufficient"),
        pytest.param(said(evidence_sufficient=False), WRONG, id="answered, insufficient"),
        pytest.param(said(evidence_sufficient=None), NOTHING, id="answered, undecided"),
        pytest.param(
            said(reply="abstained", evidence_sufficient=False), RIGHT, id="abstained, insufficient"
        ),
        pytest.param(
            said(reply="abstained", evidence_sufficient=True), WRONG, id="abstained, sufficient"
        ),
        pytest.param(
            said(reply="abstained", evidence_sufficient=None), NOTHING, id="abstained, undecided"
        ),
        pytest.param(
            said(evidence_sufficient=True, needs_evidence=False), NOTHING, id="small talk"
        ),
        pytest.param(
            said(reply="clarifying", evidence_sufficient=True), NOTHING, id="a question back"
        ),
        pytest.param(
            said(reply="policy_refusal", evidence_sufficient=True), NOTHING, id="by policy"
        ),
    ],
)
def test_appropriate_abstention(answer: AnswerJudgement, expected: Ratio) -> None:
    assert metrics.appropriate_abstention(answer) == expected


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        pytest.param(
            [("answered", True), ("declared_missing", False)], RIGHT, id="the missing is not there"
        ),
        pytest.param(
            [("answered", True), ("silently_missing", False)], RIGHT, id="nor when kept silent"
        ),
        pytest.param(
            [("answered", True), ("declared_missing", True)], WRONG, id="the missing is there"
        ),
        pytest.param(
            [("declared_missing", False), ("silently_missing", True)], WRONG, id="one of two is"
        ),
        pytest.param(
            [("declared_missing", None), ("silently_missing", True)], WRONG, id="one decides alone"
        ),
        pytest.param(
            [("declared_missing", False), ("silently_missing", None)], NOTHING, id="one undecided"
        ),
        pytest.param(
            [("answered", False), ("declared_missing", False)],
            RIGHT,
            id="answered without evidence is another matter",
        ),
        pytest.param(
            [("answered", None), ("declared_missing", False)],
            RIGHT,
            id="answered elements decide nothing",
        ),
    ],
)
def test_abstention_in_part(
    elements: list[tuple[ElementStatus, bool | None]], expected: Ratio
) -> None:
    answer = said(reply="partly", elements=elements, evidence_sufficient=True)
    assert metrics.appropriate_abstention(answer) == expected


@pytest.mark.parametrize(
    ("answer", "flag", "expected"),
    [
        pytest.param(
            said(evidence_sufficient=True), None, Measured(hits=1, total=1), id="answered"
        ),
        pytest.param(
            said(reply="abstained", evidence_sufficient=True),
            None,
            Measured(hits=0, total=1),
            id="abstained wrongly",
        ),
        pytest.param(
            said(reply="abstained", evidence_sufficient=True),
            "politics",
            undefined("policy_refusal"),
            id="a flag makes it a policy reply",
        ),
        pytest.param(
            said(reply="policy_refusal"), None, undefined("policy_refusal"), id="by policy"
        ),
        pytest.param(said(reply="clarifying"), None, undefined("clarifying"), id="a question back"),
        pytest.param(
            said(needs_evidence=False), "politics", undefined("needs_no_evidence"), id="small talk"
        ),
        pytest.param(said(), None, undefined("sufficiency_undecided"), id="undecided"),
    ],
)
def test_abstention_of_a_turn(
    answer: AnswerJudgement, flag: str | None, expected: Measured
) -> None:
    turn = judged(judgement=answer, generation=b.generation("I do not know.", flag=flag))
    assert metrics.measure_abstention(turn) == expected


UNREAD = Gap(stage="retrieval", reason="chunk_text_not_captured")


@pytest.mark.parametrize(
    ("answer", "hits"),
    [
        pytest.param(said(evidence_sufficient=True), 1, id="what was read suffices"),
        pytest.param(said(evidence_sufficient=False), None, id="the rest may suffice"),
        pytest.param(said(reply="abstained", evidence_sufficient=True), 0, id="it was there"),
        pytest.param(said(reply="abstained", evidence_sufficient=False), None, id="perhaps it was there"),
    ],
)  # fmt: skip
def test_evidence_that_was_not_recorded_refutes_nothing(
    answer: AnswerJudgement, hits: int | None
) -> None:
    turn = judged(judgement=answer, gaps=(UNREAD,))
    expected = undefined(UNREAD.reason) if hits is None else Measured(hits=hits, total=1)
    assert metrics.measure_abstention(turn) == expected


@pytest.mark.parametrize(
    ("gaps", "reason"),
    [
        pytest.param(["retrieval_not_captured"], "retrieval_not_captured", id="of a search"),
        pytest.param(["tool_result_not_captured"], "tool_result_not_captured", id="of a tool"),
        pytest.param(
            ["tool_result_not_captured", "chunk_text_not_captured"],
            "chunk_text_not_captured",
            id="the first by name",
        ),
        pytest.param(["prompt_not_captured"], None, id="nothing of the evidence"),
    ],
)
def test_what_leaves_evidence_unread(gaps: list[str], reason: str | None) -> None:
    turn = judged(
        judgement=said(evidence_sufficient=False),
        gaps=tuple(Gap(stage="retrieval", reason=one) for one in gaps),
    )
    expected = Measured(hits=0, total=1) if reason is None else undefined(reason)
    assert metrics.measure_abstention(turn) == expected


@pytest.mark.parametrize(
    ("missing", "hits"),
    [([True, None], 0), ([False, False], None), ([False, True], 0)],
    ids=["one is there", "none was read", "one is there all the same"],
)
def test_missing_elements_that_may_stand_in_what_was_not_recorded(
    missing: list[bool | None], hits: int | None
) -> None:
    elements: list[tuple[ElementStatus, bool | None]] = [
        ("silently_missing", one) for one in missing
    ]
    answer = said(reply="partly", elements=elements)
    found = metrics.appropriate_abstention(answer, whole=False)
    assert found == (NOTHING if hits is None else Ratio(hits, 1))
    known = metrics.appropriate_abstention(answer)
    assert known == Ratio(int(True not in missing), 1)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({}, "not_asked", id="not asked"),
        pytest.param({"not_judged": "not_captured"}, "not_captured", id="nothing was asked"),
        pytest.param({"judgement": Unjudged(reason="uncertain")}, "uncertain", id="undecided"),
    ],
)
def test_why_an_answer_is_not_judged(fields: dict[str, Any], reason: str) -> None:
    turn = judged(**fields)
    assert [measure(turn) for measure in OF_THE_ANSWER] == [undefined(reason)] * 4


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        pytest.param(["supported", "unsupported"], Measured(hits=1, total=2), id="one of two"),
        pytest.param(
            ["supported", "contradicted"], Measured(hits=1, total=2), id="contradicted is not"
        ),
        pytest.param(["unsupported"], Measured(hits=0, total=1), id="none is zero"),
        pytest.param([], undefined("no_statements"), id="no statement"),
        pytest.param(None, undefined("not_asked"), id="not asked"),
        pytest.param(Unjudged(reason="too_long"), undefined("too_long"), id="undecided"),
    ],
)
def test_groundedness(labels: Any, expected: Measured) -> None:
    assert metrics.measure_groundedness(judged(statements=labels)) == expected


def test_statements_of_a_turn_that_was_not_judged() -> None:
    turn = judged(not_judged="incomplete")
    assert metrics.measure_groundedness(turn) == undefined("incomplete")


@given(st.lists(st.sampled_from(["supported", "unsupported", "contradicted"])))
def test_groundedness_is_the_sum_of_its_statements(labels: list[StatementLabel]) -> None:
    statements = [Statement(text="So.", paragraph=1, label=label) for label in labels]
    whole = metrics.groundedness(statements)
    assert whole == sum((metrics.groundedness([one]) for one in statements), NOTHING)
    assert whole == metrics.groundedness(statements[::-1])


@pytest.mark.parametrize(
    ("cosines", "expected"),
    [
        pytest.param((0.5, 1.0, 0.0), Ratio(0.5, 1), id="mean"),
        pytest.param((0.5, None, 1.0), Ratio(0.75, 1), id="what is not known does not count"),
        pytest.param((-0.5, 0.5), Ratio(0.25, 1), id="the opposite is no less than nothing"),
        pytest.param((1.0000001, 1.0), Ratio(1, 1), id="rounding"),
        pytest.param((None, None, None), NOTHING, id="no known word"),
        pytest.param((), NOTHING, id="nothing invented"),
    ],
)
def test_answer_relevance(cosines: tuple[float | None, ...], expected: Ratio) -> None:
    assert metrics.answer_relevance(cosines) == expected


@pytest.mark.parametrize(
    ("turn", "reply", "first", "later"),
    [
        pytest.param(1, "answered", Measured(hits=0.5, total=1), "first_turn", id="first"),
        pytest.param(2, "answered", "follow_up", Measured(hits=0.5, total=1), id="follow-up"),
        pytest.param(1, "partly", Measured(hits=0.5, total=1), "first_turn", id="partly"),
        pytest.param(1, "abstained", "abstained", "first_turn", id="abstained"),
        pytest.param(1, "clarifying", "clarifying", "first_turn", id="asks back"),
        pytest.param(1, "policy_refusal", "policy_refusal", "first_turn", id="policy"),
    ],
)
def test_first_turns_and_follow_ups_are_told_apart(
    turn: int, reply: Any, first: Measured | str, later: Measured | str
) -> None:
    one = judged(judgement=said(reply=reply))
    asked = replace(
        one,
        turn=replace(one.turn, turn=turn),
        invented=verdict("questions", INVENTED),
        likeness=(0.25, 0.75, None),
    )
    wanted = [undefined(one) if isinstance(one, str) else one for one in (first, later)]
    assert metrics.measure_relevance(asked) == wanted[0]
    assert metrics.measure_relevance(asked, follow_up=True) == wanted[1]


@pytest.mark.parametrize(
    ("judgement", "likeness", "flag", "expected"),
    [
        pytest.param(said(), (0.5,), "none", Measured(hits=0.5, total=1), id="no flag"),
        pytest.param(said(), (0.5,), "safety", undefined("policy_refusal"), id="a flag"),
        pytest.param(
            said(needs_evidence=False), (0.5,), None, Measured(hits=0.5, total=1), id="small talk"
        ),
        pytest.param(said(), (None,), None, undefined("no_known_word"), id="no known word"),
        pytest.param(
            Unjudged(reason="uncertain"), (0.5,), None, undefined("uncertain"), id="what it was"
        ),
        pytest.param(None, (0.5,), None, undefined("not_asked"), id="nobody asked what it was"),
    ],
)
def test_why_relevance_has_no_value(
    judgement: Any, likeness: tuple[float | None, ...], flag: str | None, expected: Measured
) -> None:
    one = judged(judgement=judgement, generation=b.generation("Some answer.", flag=flag))
    asked = replace(one, invented=verdict("questions", INVENTED), likeness=likeness)
    assert metrics.measure_relevance(asked) == expected


def test_every_reply_that_has_no_relevance_is_worded() -> None:
    assert {"abstained", "clarifying", "policy_refusal"} <= REASONS.keys()


def test_relevance_that_nobody_asked_for_has_no_value() -> None:
    assert metrics.measure_relevance(judged(judgement=said())) == undefined("not_asked")
    open_one = replace(
        judged(judgement=said()), invented=verdict("questions", Unjudged(reason="refused"))
    )
    assert metrics.measure_relevance(open_one) == undefined("refused")
