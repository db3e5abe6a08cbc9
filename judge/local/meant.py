"""Which of several elements each claim of an answer is meant for, by what both mean.

    "How early must I ask for leave,     × "It has to be in six weeks ahead."   .38  ◀ meant for
     and how soon do I get an answer?"                                          .11

How close a question and its answer are differs from question to question, so a claim is
compared with the elements among each other, and only a clear difference tells.
"""

from collections.abc import Sequence
from typing import Final

from judge.local.encoder import closeness_of
from judge.local.resting import Rested
from judge.local.sought import Element
from judge.local.text import clauses

_LONG: Final = 5
"""Words from which a clause tells what it is about."""
_OF_A_CLAUSE: Final = 0.7
"""Part of what a clause tells beyond its claim."""


def lead(element: Element, others: Sequence[Element], told: Rested) -> float:
    """Return how much closer a claim is to an element than to the closest of the others.

    Of a claim that answers two at once, the clause counts as well that is most for this one.
    From -2 to 2; below 0 it is closer to another one.
    """
    said = told.claim.text
    whole = _ahead(element, others, said)
    parts = [part for part in clauses(said) if len(part.split()) >= _LONG and part != said]
    best = max((_ahead(element, others, part) for part in parts), default=whole)
    return whole + _OF_A_CLAUSE * max(best - whole, 0.0)


def _ahead(element: Element, others: Sequence[Element], said: str) -> float:
    return _closeness(element, said) - max(_closeness(other, said) for other in others)


def _closeness(element: Element, said: str) -> float:
    return closeness_of(element.need.question, said)
