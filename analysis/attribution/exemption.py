"""Replies that owe the user no evidence."""

from judge.answers import AnswerJudgement
from stages.records import Turn

_NO_FLAG = frozenset({"", "none", "null", "false", "0"})


def is_exempt(turn: Turn, answer: AnswerJudgement) -> bool:
    """Tell whether the reply owes the user no evidence.

    A policy refusal counts as one where the trace recorded a flag for it; without a flag it
    is an abstention like any other.
    """
    return not answer.needs_evidence or answer.reply == "clarifying" or is_flagged(turn)


def is_flagged(turn: Turn) -> bool:
    """Tell whether the trace recorded that the answer refuses by policy."""
    flag = turn.generation.flag if turn.generation else None
    return flag is not None and flag.strip().lower() not in _NO_FLAG
