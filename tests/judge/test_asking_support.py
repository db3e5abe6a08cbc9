from collections.abc import Iterable
from typing import Any

import pytest

from judge.answers import (
    AnswerJudgement,
    ParagraphClaim,
    Relevance,
    Support,
    SupportLabel,
    Unjudged,
)
from judge.asking_support import rest_questions, support_questions, together_questions
from judge.question import Question, Verdict
from judge.rendering import items
from stages.records import Turn
from tests.builders import (
    chunk,
    citation,
    evidence,
    generation,
    paragraph,
    retrieval,
    tool_call,
    turn,
)

Labels = dict[tuple[int, tuple[str, ...]], SupportLabel | None]
"""None: unjudged."""


def cited_turn(*targets: str, **fields: Any) -> Turn:
    """Build a turn of one paragraph that cites *targets*, with chunks a, b and c."""
    citations = [citation(target, number=n) for n, target in enumerate(targets, start=1)]
    found = [chunk("a", "A", 1), chunk("b", "B", 2), chunk("c", "C", 3)]
    return turn(answer=generation(citations=citations), chunks=found, **fields)


def verdicts(labels: Labels) -> dict[tuple[int, tuple[str, ...]], Verdict[Support]]:
    return {
        key: Verdict(
            question=next(support_questions(cited_turn("a"))),
            key="0" * 64,
            answer=Unjudged(reason="uncertain")
            if label is None
            else Support(reason="", label=label),
            judge="j",
            prompt_version="v",
            model="m",
        )
        for key, label in labels.items()
    }


def relevance(grades: dict[str, int | None]) -> dict[str, Verdict[Relevance]]:
    return {
        chunk_id: Verdict(
            question=next(support_questions(cited_turn("a"))),
            key="0" * 64,
            answer=Unjudged(reason="uncertain")
            if grade is None
            else Relevance(reason="", target=True, intent=True, usable=True, grade=grade),
            judge="j",
            prompt_version="v",
            model="m",
        )
        for chunk_id, grade in grades.items()
    }


def judgement(*needy: int, paragraphs: int = 1) -> AnswerJudgement:
    """Build a judgement in which the paragraphs *needy* need a source."""
    return AnswerJudgement(
        reason="",
        needs_evidence=True,
        reply="answered",
        elements=(),
        paragraphs=tuple(
            ParagraphClaim(paragraph=number, needs_source=number in needy, claim="fact")
            for number in range(1, paragraphs + 1)
        ),
        understanding=3,
        coherence=3,
        completeness=3,
    )


def ids(questions: Iterable[Question]) -> list[tuple[int | None, tuple[str, ...]]]:
    return [(q.subject.paragraph, q.subject.evidence_ids) for q in questions]


# Pairs


def test_a_pair_shows_the_paragraph_and_what_it_cites() -> None:
    asked = turn(
        answer=generation("30 days [1].", [citation("a")]),
        chunks=[chunk("a", "Window: 30 days", metadata={"title": "Returns"})],
    )
    (question,) = support_questions(asked)
    assert question.content == {
        "question": "How long may I return shoes?",
        "lead_in": None,
        "paragraph": {"kind": "prose", "text": "30 days [1].", "markers": ["[1]"]},
        "evidence": [
            {
                "label": "evidence 1",
                "kind": "chunk",
                "title": "Returns",
                "tool": None,
                "arguments": None,
                "status": None,
                "text": "Window: 30 days",
                "cited_as": ["[1]"],
            }
        ],
    }
    assert (question.subject.paragraph, question.subject.evidence_ids) == (1, ("a",))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(cited_turn(), [], id="no citation"),
        pytest.param(cited_turn("a"), [(1, ("a",))], id="one"),
        pytest.param(cited_turn("b", "a"), [(1, ("b",)), (1, ("a",))], id="in reading order"),
        pytest.param(cited_turn("a", "a"), [(1, ("a",))], id="twice the same is one pair"),
        pytest.param(cited_turn("gone"), [], id="cited text is not there"),
        pytest.param(
            turn(answer=generation(citations=[citation("a", status="unknown_id")]), chunks=["A"]),
            [],
            id="a citation that does not resolve",
        ),
        pytest.param(
            turn(answer=generation(citations=[citation("p-1", paragraph=None)]), chunks=["A"]),
            [],
            id="a citation outside every paragraph",
        ),
        pytest.param(
            turn(
                answer=generation(citations=[citation("a")]),
                chunks=[chunk("a", "A", in_context=False)],
            ),
            [(1, ("a",))],
            id="a chunk that was retrieved and not shown to the model",
        ),
        pytest.param(
            turn(
                answer=generation(citations=[citation("old", status="resolved_earlier_turn")]),
                evidence=(evidence("old", from_turn=1),),
                number=2,
            ),
            [(1, ("old",))],
            id="evidence of an earlier turn",
        ),
        pytest.param(turn(answer=None), [], id="no answer"),
    ],
)
def test_pairs(asked: Turn, expected: list[tuple[int, tuple[str, ...]]]) -> None:
    assert ids(support_questions(asked)) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("prose", None),
        ("list", "You may return:"),
        ("table", "You may return:"),
        ("code", "You may return:"),
    ],
)
def test_a_list_is_shown_with_its_lead_in(kind: str, expected: str | None) -> None:
    blocks = (paragraph("You may return:"), paragraph("- shoes [1]", 2, kind=kind))  # type: ignore[arg-type]
    answer = generation("…", [citation("p-1", paragraph=2)], paragraphs=blocks)
    (question,) = support_questions(turn(answer=answer, chunks=["A"]))
    assert question.content["lead_in"] == expected


# Together


@pytest.mark.parametrize(
    ("targets", "labels", "expected"),
    [
        pytest.param(("a",), {(1, ("a",)): "none"}, [], id="one piece is no several"),
        pytest.param(
            ("b", "a"),
            {(1, ("a",)): "partial", (1, ("b",)): "partial"},
            [(1, ("a", "b"))],
            id="several, none full: ids sorted",
        ),
        pytest.param(
            ("a", "b"), {(1, ("a",)): "full", (1, ("b",)): "none"}, [], id="one alone is enough"
        ),
        pytest.param(
            ("a", "b"), {(1, ("a",)): None, (1, ("b",)): "none"}, [(1, ("a", "b"))], id="unjudged"
        ),
        pytest.param(("a", "b"), {}, [(1, ("a", "b"))], id="pairs never asked"),
        pytest.param(
            ("a", "b"), {(2, ("a",)): "full"}, [(1, ("a", "b"))], id="full in another paragraph"
        ),
    ],
)
def test_together(
    targets: tuple[str, ...], labels: Labels, expected: list[tuple[int, tuple[str, ...]]]
) -> None:
    asked = cited_turn(*targets)
    assert ids(together_questions(asked, verdicts(labels))) == expected


def test_cited_pieces_together_lie_in_the_turns_order() -> None:
    (question,) = together_questions(cited_turn("c", "a"), {})
    assert [item["text"] for item in items(question.content["evidence"])] == ["A", "C"]


# Rest


@pytest.mark.parametrize(
    ("targets", "pairs", "togethers", "expected"),
    [
        pytest.param(("a",), {(1, ("a",)): "full"}, {}, [], id="cited one is enough"),
        pytest.param(("a",), {(1, ("a",)): "partial"}, {}, [(1, ("b", "c"))], id="partial"),
        pytest.param(
            ("a",), {(1, ("a",)): "contradicted"}, {}, [(1, ("b", "c"))], id="contradicted"
        ),
        pytest.param(("a",), {(1, ("a",)): None}, {}, [(1, ("b", "c"))], id="unjudged"),
        pytest.param(
            ("b", "a"),
            {(1, ("a",)): "partial", (1, ("b",)): "none"},
            {(1, ("a", "b")): "full"},
            [],
            id="enough together",
        ),
        pytest.param(
            ("b", "a"),
            {(1, ("a",)): "partial", (1, ("b",)): "none"},
            {(1, ("a", "b")): "partial"},
            [(1, ("c",))],
            id="not even together",
        ),
        pytest.param(("a", "b", "c"), {}, {}, [], id="nothing is left"),
    ],
)
def test_rest_of_a_paragraph_that_cites(
    targets: tuple[str, ...],
    pairs: Labels,
    togethers: Labels,
    expected: list[tuple[int, tuple[str, ...]]],
) -> None:
    questions = list(
        rest_questions(
            cited_turn(*targets),
            judgement(1),
            verdicts(pairs),
            verdicts(togethers),
            {},
            citing_expected=False,
        )
    )
    assert ids(questions) == expected
    assert all(question.subject.rest for question in questions)


@pytest.mark.parametrize(
    ("needy", "citing", "cites_elsewhere", "expected"),
    [
        pytest.param(True, True, False, True, id="citing is expected"),
        pytest.param(True, False, True, True, id="the turn cites elsewhere"),
        pytest.param(True, False, False, False, id="nobody cites"),
        pytest.param(False, True, True, False, id="needs no source"),
    ],
)
def test_rest_of_a_paragraph_that_cites_nothing(
    *, needy: bool, citing: bool, cites_elsewhere: bool, expected: bool
) -> None:
    citations = [citation("p-1", paragraph=2)] if cites_elsewhere else []
    asked = turn(answer=generation("One.\n\nTwo.", citations), chunks=["A"])
    claims = judgement(*([1] if needy else []), paragraphs=2)
    questions = rest_questions(asked, claims, {}, {}, {}, citing_expected=citing)
    assert ids(questions) == ([(1, ("p-1",))] if expected else [])


def test_no_rest_is_asked_when_the_answer_is_unjudged() -> None:
    asked = cited_turn("a")
    assert list(rest_questions(asked, None, {}, {}, {}, citing_expected=True)) == []


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        pytest.param({"b": 2, "c": 3}, ("b", "c", "call-1"), id="relevant ones and tool results"),
        pytest.param({"b": 1, "c": 2}, ("c", "call-1"), id="grade 1 is not relevant"),
        pytest.param({"b": None, "c": 0}, ("b", "call-1"), id="an unjudged one may support"),
        pytest.param({"b": 0, "c": 0}, ("call-1",), id="only the tool result"),
    ],
)
def test_what_the_rest_is_made_of(grades: dict[str, int | None], expected: tuple[str, ...]) -> None:
    asked = cited_turn("a", tool_calls=(tool_call(status="error", error="down"),))
    (question,) = rest_questions(
        asked, judgement(1), {}, {}, relevance(grades), citing_expected=False
    )
    assert question.subject.evidence_ids == tuple(sorted(expected))


def test_a_chunk_that_was_not_shown_to_the_model_is_not_in_the_rest() -> None:
    asked = turn(
        answer=generation(),
        chunks=[chunk("a", "A", in_context=False), chunk("b", "B", in_context=None)],
    )
    (question,) = rest_questions(asked, judgement(1), {}, {}, {}, citing_expected=True)
    assert question.subject.evidence_ids == ("b",)


def test_the_most_relevant_have_room_and_stand_in_the_turns_order() -> None:
    found = [chunk(f"c-{n:02}", "x" * 9_000, n) for n in range(1, 9)]
    grades: dict[str, int | None] = dict.fromkeys((f"c-{n:02}" for n in range(1, 9)), 2)
    grades |= {"c-08": 3, "c-05": 3}
    asked = turn(answer=generation(), retrievals=(retrieval(found),))
    (question,) = rest_questions(
        asked, judgement(1), {}, {}, relevance(grades), citing_expected=True
    )
    assert question.subject.evidence_ids == ("c-01", "c-02", "c-03", "c-05", "c-08")


def test_tool_results_go_before_unjudged_chunks_and_relevant_chunks_before_both() -> None:
    unjudged = [chunk(f"u-{n:02}", "u", n) for n in range(1, 12)]
    relevant = [chunk("r-1", "r", 12), chunk("r-2", "r", 13)]
    call = tool_call()
    asked = turn(
        answer=generation(),
        retrievals=(retrieval([*unjudged, *relevant]),),
        tool_calls=(call,),
    )
    grades: dict[str, int | None] = {"r-1": 2, "r-2": 3, "u-01": None}
    (question,) = rest_questions(
        asked, judgement(1), {}, {}, relevance(grades), citing_expected=True
    )
    # Twelve pieces have room: the two relevant ones, the call, nine of eleven unjudged.
    kept = ("call-1", "r-1", "r-2", *(f"u-{n:02}" for n in range(1, 10)))
    assert question.subject.evidence_ids == tuple(sorted(kept))
