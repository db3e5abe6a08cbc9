"""The judge on the development examples: every fault that can be planted, and none.

The floors are a little below what was reached when they were written; falling below one
means that a change made the judge worse on turns that it was made with.
"""

import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pytest

from judge.answers import AnswerJudgement, Relevance, Support
from judge.asking import answer_question, relevance_questions
from judge.asking_support import support_questions
from judge.local import LocalJudge
from judge.question import Question
from judge.replies import read_reply
from stages.records import Turn
from tests.judge.local.faults import built, good_turns

REFUSALS = {
    "de": "Dazu konnte ich leider keine Informationen finden.",
    "fr": "Je n'ai trouvé aucune information à ce sujet.",
    "es": "No encontré información sobre eso.",
    "ja": "申し訳ございませんが、該当する情報が見つかりませんでした。",
    "ar": "عذرا، لم أجد معلومات حول ذلك.",
    "en": "I'm sorry, but I could not find any information about this in our documents.",
}
ADDITIONS = {
    "de": "Außerdem bieten wir kostenlose Schulungen in Hamburg an.",
    "fr": "Nous offrons aussi des cours gratuits à Lyon.",
    "es": "También ofrecemos cursos gratuitos en Sevilla.",
    "ja": "また、大阪で無料の講習会を開催しています。",
    "ar": "كما نقدم دورات تدريبية مجانية في دبي.",
    "en": "We also offer free barista training sessions in our Hamburg academy every Friday.",
}
NUMBER_WORDS = {"two": "five", "zwei": "fünf", "dos": "cinco", "einen Monat": "drei Monate"}
TURNS = list(good_turns())


def supports(judge: LocalJudge, turn: Turn) -> Iterator[tuple[Question, str]]:
    asked = list(support_questions(turn))
    for question, reply in zip(asked, judge.answer(asked), strict=True):
        if reply.error is not None:
            yield question, reply.error
        else:
            answer = read_reply(question, reply.text)
            assert isinstance(answer, Support)
            yield question, answer.label


def answer(judge: LocalJudge, turn: Turn) -> AnswerJudgement:
    question = answer_question(turn)
    (reply,) = judge.answer([question])
    found = read_reply(question, reply.text)
    assert isinstance(found, AnswerJudgement)
    return found


def share(found: Sequence[object], wanted: Collection[object]) -> float:
    return sum(one in wanted for one in found) / len(found)


def language(record: Mapping[str, Any]) -> str:
    return str(record.get("lang", "en"))


def test_good_paragraphs_are_supported(judge: LocalJudge) -> None:
    labels = [label for record in TURNS for _, label in supports(judge, built(record))]
    assert share(labels, {"full", "partial"}) == 1
    assert share(labels, {"full"}) >= 0.75


def test_good_answers_answer_every_element_from_the_evidence(judge: LocalJudge) -> None:
    found = [answer(judge, built(record)) for record in TURNS]
    assert share([one.reply for one in found], {"answered"}) >= 0.95
    known = [element.in_evidence for one in found for element in one.elements]
    assert share(known, {True}) >= 0.95
    assert all(one.understanding >= 2 for one in found)


def test_the_chunk_that_answers_is_relevant_and_few_others_are(
    judge: LocalJudge,
) -> None:
    grades: dict[bool, list[int | None]] = {True: [], False: []}
    for record in TURNS:
        asked = list(relevance_questions(built(record)))
        cited = {chunk_id for _, ids in record["answer"] for chunk_id in ids}
        for question, reply in zip(asked, judge.answer(asked), strict=True):
            given = None if reply.error else read_reply(question, reply.text)
            grade = given.grade if isinstance(given, Relevance) else None
            grades[question.subject.chunk_id in cited].append(grade)
    assert share(grades[True], {2, 3}) >= 0.9
    assert share(grades[False], {2, 3}) <= 0.1


def test_a_changed_number_contradicts(judge: LocalJudge) -> None:
    labels = []
    for record in TURNS:
        for number, (text, cited) in enumerate(record["answer"]):
            changed = with_another_number(text)
            if changed and cited:
                paragraphs = [list(block) for block in record["answer"]]
                paragraphs[number][0] = changed
                labels += [
                    label
                    for question, label in supports(judge, built(record, answer=paragraphs))
                    if question.subject.paragraph == number + 1
                ]
    assert len(labels) > 30
    assert share(labels, {"contradicted"}) >= 0.9
    assert "full" not in labels


def with_another_number(text: str) -> str | None:
    numbers = list(re.finditer(rf"\d+(?:[.,]\d+)?|{'|'.join(NUMBER_WORDS)}", text))
    if not numbers:
        return None
    last = numbers[-1]
    digits = re.sub(r"[.,]", "", last[0])
    other = NUMBER_WORDS.get(last[0]) or str(int(digits) + 7)
    return f"{text[: last.start()]}{other}{text[last.end() :]}"


def test_a_refusal_is_an_abstention_and_its_evidence_is_seen(judge: LocalJudge) -> None:
    found = [
        answer(judge, built(record, answer=[[REFUSALS[language(record)], []]])) for record in TURNS
    ]
    assert share([one.reply for one in found], {"abstained"}) == 1
    assert share([one.elements[0].in_evidence for one in found], {True}) >= 0.9


def test_an_added_paragraph_has_no_support(judge: LocalJudge) -> None:
    labels = []
    for record in TURNS:
        added = [ADDITIONS[language(record)], record["chunks"][:1]]
        paragraphs = [*record["answer"], added]
        labels += [
            label
            for question, label in supports(judge, built(record, answer=paragraphs))
            if question.subject.paragraph == len(paragraphs)
        ]
    assert share(labels, {"none"}) >= 0.95
    assert not {"full", "partial"} & set(labels)


def test_another_chunk_cited_gives_no_support(judge: LocalJudge) -> None:
    labels = []
    for record in TURNS:
        if len(record["chunks"]) > 1:
            wrong = record["chunks"][1]
            paragraphs = [
                [text, [wrong]] for text, ids in record["answer"] if ids and wrong not in ids
            ]
            if paragraphs:
                turn = built(record, answer=paragraphs)
                labels += [label for _, label in supports(judge, turn)]
    assert share(labels, {"none"}) >= 0.9
    # One chunk in another language says most of its claim.
    assert labels.count("full") <= 1


def test_the_answer_to_another_question_is_off_topic(judge: LocalJudge) -> None:
    found = []
    for place, record in enumerate(TURNS):
        others = [
            other
            for other in TURNS
            if language(other) == language(record) and other["id"] != record["id"]
        ]
        if others:
            other = others[place * 7 % len(others)]
            paragraphs = [[text, []] for text, _ in other["answer"]]
            found.append(answer(judge, built(record, answer=paragraphs)))
    # In the words of the same trade, some of these might answer what was asked.
    assert share([one.understanding for one in found], {0, 1}) >= 0.65


def test_a_dropped_chunk_is_no_evidence_any_more(judge: LocalJudge) -> None:
    known = []
    for record in TURNS:
        if len(record["chunks"]) > 1:
            paragraphs = [[text, []] for text, _ in record["answer"]]
            turn = built(record, answer=paragraphs, chunks=record["chunks"][1:])
            known.append(answer(judge, turn).elements[0].in_evidence)
    assert share(known, {False}) >= 0.9


def test_half_an_answer_leaves_an_element_out(judge: LocalJudge) -> None:
    missing = []
    for record in TURNS:
        if record.get("elements") == 2:
            for kept in (0, 1):
                found = answer(judge, built(record, answer=[record["answer"][kept]]))
                missing.append("silently_missing" in {one.status for one in found.elements})
    assert share(missing, {True}) >= 0.75


@pytest.mark.slow
def test_thousands_of_relevance_questions_a_second(judge: LocalJudge) -> None:
    asked = [question for record in TURNS for question in relevance_questions(built(record))]
    list(judge.answer(asked))
    start = time.process_time()
    for _ in range(20):
        list(judge.answer(asked))
    rate = 20 * len(asked) / (time.process_time() - start)
    assert rate > 2_000
