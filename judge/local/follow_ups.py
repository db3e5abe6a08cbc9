"""Which of the user's earlier messages a question goes on from, and how far.

    complete   "Where is my order 1043?"            nothing but model, place and year
    leaning    "Does it work in the rain?"          the message that says what *it* is
    elliptic   "And for a family?" "No, the 5."     the question that is asked again of it

The walk back ends at the first message that is complete: what was asked before that is
another subject. A message that names its own subject before its pronoun ("I own a BX-200,
is it covered?") is complete as well.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from judge.local.patterns import pattern
from judge.local.text import bag

FollowUp: TypeAlias = Literal["complete", "leaning", "elliptic"]

_SUBJECT: Final = 2
"""Terms of the clauses before a pronoun from which it stands for something in them."""
_WHOLE: Final = 2
"""Terms from which what is neither elliptic nor has a pronoun can stand alone."""
_OPENING: Final = 2
"""Words of a clause among which the one stands that asks."""
_KINDS: Final = bag("day week month year hour minute cost price pay much")
"""Terms that say what kind of thing is asked for, and nothing of the subject."""


@lru_cache(maxsize=16_384)
def follow_up(question: str) -> FollowUp:
    """Return how a question goes on from what was asked before, by its words alone."""
    question = without_form(question)
    if pattern("asked_again").search(question) or pattern("asks_of").search(question):
        return "elliptic"
    opened = pattern("goes_on").search(question)
    if opened and not pattern("question_word").search(question[opened.end() :]):
        return "elliptic"
    own = bag(question) - _KINDS
    if len(own) < _WHOLE and not (own and pattern("question_word").search(question)):
        return "elliptic"
    told = not _asks(question) and not pattern("requests").search(question)
    return "leaning" if told or _has_open_pronoun(question) else "complete"


def without_form(question: str) -> str:
    """Return a question without what it opens with on how to answer, if anything else is asked.

    "In English, please. And on Sundays?" asks what "And on Sundays?" does.
    """
    return pattern("asks_for_form").sub("", question, count=1) or question


def _asks(question: str) -> bool:
    """Tell whether a clause has a question mark, or begins with a word that asks.

    "Two of us are no members" states something, and goes on from what was asked.
    """
    clauses = pattern("clause_end").split(question)
    opening = (" ".join(clause.split()[:_OPENING]) for clause in clauses)
    return pattern("question_mark").search(question) is not None or any(
        pattern("question_word").search(words) for words in opening
    )


def _has_open_pronoun(question: str) -> bool:
    """Tell whether a pronoun stands for something that the clauses before it do not name."""
    pronoun = pattern("leaning").search(question)
    if pronoun is None:
        return False
    clauses = pattern("clause_end").split(question[: pronoun.start()])
    return len(bag(" ".join(clauses[:-1]))) < _SUBJECT


def gone_on_from(question: str, earlier: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the earlier messages without which a question cannot be understood.

    Args:
        question: What is asked now.
        earlier: The user's messages before it, oldest first.
        most: Most messages.

    Returns:
        Oldest first; empty for a question that is complete.
    """
    found: list[str] = []
    leads = question
    for said in reversed(earlier):
        if follow_up(leads) == "complete" or len(found) >= most:
            break
        if bag(said):
            found.append(said)
            leads = said
    return tuple(reversed(found))
