"""Questions on request: what a judge sees of an answer, and of a whole conversation."""

from judge.on_request import TRANSCRIPT_CHARACTERS, criterion_questions, invented_question
from judge.rendering import items
from tests.builders import conversation, generation, tool_call, turn


def test_an_invented_question_shows_the_answer_alone() -> None:
    question = invented_question(turn(answer="30 days.\n\nHats never."))
    assert question is not None
    assert question.kind == "questions"
    assert [one["text"] for one in items(question.content["paragraphs"])] == [
        "30 days.",
        "Hats never.",
    ]
    assert question.content.keys() == {"paragraphs"}


def test_without_an_answer_there_is_nothing_to_invent() -> None:
    assert invented_question(turn(answer=generation(None))) is None


def test_each_goal_is_asked_of_the_conversation_once() -> None:
    talk = conversation(
        turn(question="How long?", answer="30 days."),
        turn(
            question="And hats?",
            answer="Never.",
            number=2,
            tool_calls=(
                tool_call(name="look_up", arguments={"id": 7}, result="none", status="ok"),
            ),
        ),
    )
    polite, short = criterion_questions(talk, ["Be polite.", "Be short."])
    assert (polite.turn_id, polite.subject.criterion) == (None, "Be polite.")
    assert short.content["goal"] == "Be short."
    shown = items(polite.content["transcript"])
    assert [(one["turn"], one["role"]) for one in shown] == [
        (1, "user"),
        (1, "assistant"),
        (2, "user"),
        (2, "tool"),
        (2, "assistant"),
    ]
    assert '"tool": "look_up"' in str(shown[3]["text"])


def test_of_a_long_conversation_the_end_is_shown() -> None:
    turns = [turn(question=f"q{n}", answer="a" * 15_000, number=n) for n in range(1, 20)]
    (question,) = criterion_questions(conversation(*turns), ["goal"])
    first, *rest = items(question.content["transcript"])
    assert first["role"] == "note"
    assert rest[-1]["turn"] == 19
    assert sum(len(str(one["text"])) for one in rest) <= TRANSCRIPT_CHARACTERS
    assert first["text"] == f"[{2 * 19 - len(rest)} earlier messages were left out]"
