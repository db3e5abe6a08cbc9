"""Replies that owe the user no evidence."""

import re

from analysis.judged import JudgedTurn
from judge.answers import AnswerJudgement
from stages.records import Turn

_NO_FLAG = frozenset({"", "none", "null", "false", "0"})


_RECORD = re.compile(r"(?!(?:1[5-9]|20)\d\d\b)(?<![\w.,])[^\W_]*\d{4}[\w-]*")
"""What numbers an order or a claim; a year does not."""


def is_exempt(judged: JudgedTurn, answer: AnswerJudgement) -> bool:
    """Tell whether the reply owes the user no evidence.

    A policy refusal counts as one where the trace recorded a flag for it; without a flag it
    is an abstention like any other.
    """
    return (
        not answer.needs_evidence
        or answer.reply == "clarifying"
        or is_flagged(judged.turn)
        or is_closed_book(judged, answer)
    )


def is_closed_book(judged: JudgedTurn, answer: AnswerJudgement) -> bool:
    """Tell whether the reply comes from the model alone, and nothing shows that it may not.

    No source was searched and the run knows of none. What was done, and what is known of a
    record that the user names, needs a source all the same.
    """
    acted = any(paragraph.claim == "success" for paragraph in answer.paragraphs)
    return judged.sourceless and not acted and not _RECORD.search(judged.turn.question or "")


def is_flagged(turn: Turn) -> bool:
    """Tell whether the trace recorded that the answer refuses by policy."""
    flag = turn.generation.flag if turn.generation else None
    return flag is not None and flag.strip().lower() not in _NO_FLAG
