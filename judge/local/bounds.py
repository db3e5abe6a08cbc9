"""Limits said the other way round: *at least* for *up to*.

    "a slope of at least 25 %"   ×   "a slope of up to 25 %"

Only limits that include their number are compared: "more than 15 %" and "up to 15 %" may
stand for the two sides of one rule.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from judge.local.numbers import Quantity, quantities
from judge.local.patterns import pattern
from judge.local.polarity import negated
from judge.local.text import clauses
from judge.tokens import normalise

Bound: TypeAlias = Literal["at_least", "at_most"]
_BOUNDS: Final[tuple[Bound, Bound]] = ("at_least", "at_most")
_NEAR: Final = 24
"""Characters around a number in which the word for its limit stands."""


def other_bound(claim: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """Say which limit of a claim a line gives as the opposite limit, and in which line."""
    for number, bound in bounds(claim):
        for line in lines:
            same = [told for other, told in bounds(line) if _is(number, other)]
            if same and bound not in same:
                return f"{number.text} is {same[0].replace('_', ' ')}", line
    return None


def _is(number: Quantity, other: Quantity) -> bool:
    return number.unit is not None and number.unit == other.unit and number.agrees(other)


@lru_cache(maxsize=16_384)
def bounds(text: str) -> tuple[tuple[Quantity, Bound], ...]:
    """Return the numbers of a text that are said to be a least or a most."""
    return tuple(_bounds(text))


def _bounds(text: str) -> Iterator[tuple[Quantity, Bound]]:
    for clause in clauses(text):
        said = normalise(clause)
        # "Not at least", and "up to 5 days before" is at least 5 days before.
        if negated(clause) or pattern("ahead").search(said):
            continue
        for number in quantities(clause):
            start = said.find(number.text)
            if start < 0 or number.date is not None:
                continue
            end = start + len(number.text)
            before, after = said[max(start - _NEAR, 0) : start], said[end : end + _NEAR]
            for bound in _BOUNDS:
                if pattern(f"{bound}_before").search(before) or pattern(f"{bound}_after").match(
                    after
                ):
                    yield number, bound
