"""Which element of a question a claim is meant for, where several might be."""

from collections.abc import Sequence
from typing import Final

from judge.local.expected import Expected, expected, gives, is_kind
from judge.local.matching import overlap
from judge.local.numbers import quantities
from judge.local.patterns import pattern
from judge.local.resting import Rested
from judge.local.sought import Element
from judge.local.text import bag
from judge.local.thresholds import Thresholds

_GIVEN: Final = 2
"""The claim gives the price or duration that an element asks for, or has its words."""


def by_grounds(
    elements: Sequence[Element],
    claims: Sequence[Rested],
    strengths: Sequence[Sequence[float]],
    limits: Thresholds,
) -> list[list[float]]:
    """Take a claim from elements that only might be meant where another one is meant."""
    grounds = [
        [_grounds(element, claim, limits) if claim.claim.asserts else 0 for claim in claims]
        for element in elements
    ]
    relevant = [any(_is_source(one, told, limits) for one in elements) for told in claims]
    most = [max(column) for column in zip(*grounds, strict=True)]
    return [
        [
            0.0
            if own < best
            else max(strength, limits.addressed)
            if own == _GIVEN and at_hand
            else strength
            for strength, own, best, at_hand in zip(row, given, most, relevant, strict=True)
        ]
        for row, given in zip(strengths, grounds, strict=True)
    ]


def _grounds(element: Element, told: Rested, limits: Thresholds) -> int:
    """Rank what speaks for a claim being meant for an element.

    Its words, or the kind of quantity that is asked for, or that what it rests on is
    relevant to the element; else nothing.
    """
    kind = expected(element.need.head)
    if kind in ("money", "duration") and gives(told.claim.text, kind):
        return _GIVEN
    if kind in (None, "number") and _measured(element, told, limits):
        return _GIVEN
    if overlap(element.own, bag(told.claim.text)).share >= limits.addressed:
        return _GIVEN if kind is None else 1
    return int(_is_source(element, told, limits))


def _measured(element: Element, told: Rested, limits: Thresholds) -> bool:
    """Tell whether a claim without words of an element has the measure that it asks for.

    "How hot, and for how long?" – "At 80 °C for six hours" gives both at once.
    """
    if pattern("asks_measure").search(element.need.head) is None:
        return False
    kinds: tuple[Expected, ...] = ("duration", "money", "date")
    units = [one for one in quantities(told.claim.text) if one.unit is not None]
    others = [one for one in units if any(is_kind(one, kind) for kind in kinds)]
    return 0 < len(others) < len(units) and _is_source(element, told, limits)


def _is_source(element: Element, told: Rested, limits: Thresholds) -> bool:
    """Tell whether a claim rests on a piece that is relevant to an element."""
    return any(piece == told.on and score >= limits.relevant for score, piece in element.sources)
