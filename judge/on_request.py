"""Questions that are asked only where somebody wants them: invented questions, and goals.

`questions`
    paragraphs [{paragraph, kind, text, markers}]  all blocks of the answer, and nothing else

`criterion`
    goal       str        as somebody wrote it
    transcript [{turn, role: user | tool | assistant | note, text}]   oldest first
"""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from ingest.span import Value
from judge.question import Question, Subject
from judge.rendering import (
    ARGUMENT_CHARACTERS,
    EVIDENCE_CHARACTERS,
    QUESTION_CHARACTERS,
    bounded_value,
    numbered_paragraphs,
    shortened,
)
from stages.records import Conversation, ToolCall, Turn

TRANSCRIPT_CHARACTERS: Final = 100_000
"""Of all messages together; the oldest ones are left out."""


def invented_question(turn: Turn) -> Question | None:
    """Ask which questions the answer of a turn would answer; None where it has no text."""
    paragraphs = numbered_paragraphs(turn)
    if not paragraphs:
        return None
    return Question(
        kind="questions",
        conversation_id=turn.conversation_id,
        turn_id=turn.turn_id,
        subject=Subject(),
        content={"paragraphs": paragraphs},
    )


def criterion_questions(conversation: Conversation, goals: Iterable[str]) -> Iterator[Question]:
    """Ask of a whole conversation how far it meets each written goal, in order of the goals."""
    transcript = _transcript(conversation)
    for goal in goals:
        yield Question(
            kind="criterion",
            conversation_id=conversation.conversation_id,
            turn_id=None,
            subject=Subject(criterion=goal),
            content={"goal": shortened(goal, QUESTION_CHARACTERS), "transcript": transcript},
        )


def _transcript(conversation: Conversation) -> list[Value]:
    messages = [message for turn in conversation.turns for message in _messages(turn)]
    room = TRANSCRIPT_CHARACTERS
    kept: list[Value] = []
    for message in reversed(messages):
        room -= len(str(message["text"]))
        if room < 0:
            left = f"[{len(messages) - len(kept)} earlier messages were left out]"
            kept.append({"turn": None, "role": "note", "text": left})
            break
        kept.append(message)
    return kept[::-1]


def _messages(turn: Turn) -> Iterator[dict[str, Value]]:
    answer = None if turn.generation is None else turn.generation.answer
    if turn.question:
        text = shortened(turn.question, QUESTION_CHARACTERS)
        yield {"turn": turn.turn, "role": "user", "text": text}
    for call in turn.tool_calls:
        yield {"turn": turn.turn, "role": "tool", "text": _call_text(call)}
    if answer:
        text = shortened(answer, EVIDENCE_CHARACTERS)
        yield {"turn": turn.turn, "role": "assistant", "text": text}


def _call_text(call: ToolCall) -> str:
    """Return a call as one line of JSON, its result cut short."""
    shown = {
        "tool": call.name,
        "arguments": bounded_value(call.arguments),
        "status": call.status,
        "result": bounded_value(call.error if call.status == "error" else call.result),
    }
    return shortened(json.dumps(shown, ensure_ascii=False), 2 * ARGUMENT_CHARACTERS)
