"""Canaries: the same texts, something false, and who is asked about it."""

from dataclasses import replace

import pytest

from judge.answers import Answer, Relevance, Support, Unjudged
from judge.asking import answer_question, relevance_questions
from judge.asking_support import support_questions
from judge.canaries import canary_of, is_fooled, wants_canary
from judge.prompting.rendering import render_data
from judge.prompting.templates import load_template
from judge.question import AnyVerdict, Verdict
from tests.builders import chunk, citation, generation, turn

TURN = turn(
    chunks=[chunk("p", "Shoes: 30 days."), chunk("q", "Hats: never.")],
    answer=generation("30 days [1].", [citation("p")]),
)
RELEVANT = Relevance(reason="", target=True, intent=True, usable=True, grade=3)
USELESS = replace(RELEVANT, grade=1)


def support(label: str) -> Support:
    return Support(reason="", label=label)  # type: ignore[arg-type]


def verdict(
    answer: Answer | Unjudged, *, flags: tuple[str, ...] = (), key: str = "f" * 64
) -> AnyVerdict:
    (question, *_) = relevance_questions(TURN)
    return Verdict(
        question=question,
        key=key,
        answer=answer,
        judge="anthropic/m",
        prompt_version="relevance/1/0",
        model="m",
        flags=flags,
    )


def test_a_canary_keeps_the_texts_and_asks_for_what_is_in_none() -> None:
    for question in (*relevance_questions(TURN), *support_questions(TURN)):
        canary = canary_of(question)
        assert canary is not None
        assert canary.subject.canary
        assert str(canary.subject) == f"canary of {question.subject}"
        kept = "chunk" if question.kind == "relevance" else "evidence"
        assert canary.content[kept] == question.content[kept]
        shown = render_data(canary, load_template(canary.kind))
        assert "lighthouse" in shown
        assert "How long may I return shoes" not in shown
        assert "30 days [1]" not in shown


def test_equal_texts_share_a_canary_whoever_asked() -> None:
    first, second = relevance_questions(TURN)
    other_need = replace(first, content={**first.content, "need": "What else?"})
    contents = [canary_of(one).content for one in (first, second, other_need)]  # type: ignore[union-attr]
    assert contents[0] == contents[2] != contents[1]


def test_a_question_without_a_claim_has_none() -> None:
    assert canary_of(answer_question(TURN)) is None


@pytest.mark.parametrize(
    ("answer", "fooled"),
    [
        (RELEVANT, True),
        (USELESS, False),
        (support("full"), True),
        (support("partial"), True),
        (support("none"), False),
        (support("contradicted"), False),
        (Unjudged(reason="refused"), False),
    ],
)
def test_who_is_fooled(answer: Answer | Unjudged, *, fooled: bool) -> None:
    assert is_fooled(answer) is fooled


def test_what_is_flagged_is_asked_about_and_one_in_so_many() -> None:
    assert wants_canary(verdict(RELEVANT, flags=("orders",)), 0)
    assert not wants_canary(verdict(USELESS, flags=("orders",)), 1)
    assert not wants_canary(verdict(RELEVANT), 0)
    assert not wants_canary(verdict(Unjudged(reason="refused"), flags=("orders",)), 1)
    chosen = [wants_canary(verdict(RELEVANT, key=f"{n:08x}".ljust(64, "0")), 10) for n in range(40)]
    assert chosen.count(True) == 4
