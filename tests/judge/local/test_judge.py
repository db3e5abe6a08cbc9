import json
from collections.abc import Iterator

import pytest

from judge.answers import Unjudged
from judge.asking import answer_question, relevance_questions, statements_question
from judge.asking_routing import routing_questions
from judge.asking_support import support_questions
from judge.local import Library, LocalJudge, Passage
from judge.question import Judge, Question, Subject
from judge.replies import read_reply
from tests.builders import conversation
from tests.judge.local.faults import built, good_turns, library


def questions() -> Iterator[Question]:
    for record in good_turns():
        turn = built(record)
        yield from relevance_questions(turn)
        yield from support_questions(turn)
        yield answer_question(turn)
        statements = statements_question(turn, on_request=True)
        if statements is not None:
            yield statements
        yield from routing_questions(conversation(turn))


def test_every_reply_is_valid_or_declared_undecided() -> None:
    judge: Judge = LocalJudge(library())
    asked = list(questions())
    replies = list(judge.answer(asked))
    assert len(replies) == len(asked)
    for question, reply in zip(asked, replies, strict=True):
        if reply.error is None:
            answer = read_reply(question, reply.text)
            assert not isinstance(answer, Unjudged), (question.kind, answer)
        assert reply.cost_usd == 0


def test_the_reason_stands_first() -> None:
    judge = LocalJudge(library())
    decided = [reply.text for reply in judge.answer(list(questions())[:20]) if not reply.error]
    assert {next(iter(json.loads(text))) for text in decided} == {"reason"}


def test_equal_runs_give_equal_replies_in_any_order_of_passages() -> None:
    passages = [
        Passage(collection="a", title=None, text=text)
        for text in ("Shoes: 30 days.", "Hats: never.", "Shipping costs 5 EUR.")
    ]
    one, other = LocalJudge(Library(passages)), LocalJudge(Library(reversed(passages * 2)))
    assert one.identity == other.identity
    asked = list(questions())[:50]
    assert [reply.text for reply in one.answer(asked)] == [
        reply.text for reply in other.answer(asked)
    ]


def test_another_run_is_another_judge() -> None:
    empty, full = LocalJudge(Library()), LocalJudge(library())
    assert empty.identity != full.identity
    assert empty.identity.provider == "local"
    assert empty.prompt_version("answer") == full.prompt_version("support")


@pytest.mark.parametrize("kind", ["questions", "criterion"])
def test_what_takes_a_language_model_is_undecided(kind: str) -> None:
    question = Question(
        kind=kind,  # type: ignore[arg-type]
        conversation_id="c",
        turn_id="c/1",
        subject=Subject(),
        content={},
    )
    (reply,) = LocalJudge(Library()).answer([question])
    assert reply.error == "uncertain"


def test_an_empty_run_is_judged_as_well() -> None:
    replies = list(LocalJudge(Library()).answer(list(questions())[:30]))
    assert len(replies) == 30
