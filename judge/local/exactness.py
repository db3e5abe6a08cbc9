"""What a claim says exactly, numbers and identifiers, and what of it the evidence has.

"It costs 24 €, two hours at 12 €"   ─▶  12 € stands there, 24 € follows from it
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from judge.local.evidence import Piece
from judge.local.identifiers import identifiers
from judge.local.numbers import Quantity, matched, quantities
from judge.local.patterns import pattern
from judge.local.rounding import beyond
from judge.local.worked_out import parts_of
from judge.tokens import normalise


@dataclass(frozen=True, slots=True)
class Exact:
    """What a claim says exactly, and what of it stands nowhere."""

    numbers: tuple[Quantity, ...]
    """Numbers of the claim that stand nowhere."""
    names: tuple[str, ...]
    """Identifiers of the claim that stand nowhere, canonical."""
    wanted: int
    """Numbers and identifiers that had to be found; what was worked out need not be."""
    reckoned: tuple[Quantity, ...] = ()
    """Numbers of the claim that were worked out, and those that they follow from."""

    @property
    def missing(self) -> int:
        """How many of them stand nowhere."""
        return len(self.numbers) + len(self.names)

    @property
    def penalty(self) -> float:
        """What the score of the claim loses for what is missing."""
        return 0.35 * self.missing / self.wanted + 0.1 if self.missing else 0.0


def exact_parts(claim: str, question: str, evidence: Sequence[Piece]) -> Exact:
    """Look for the numbers and identifiers of a claim that the user did not bring up."""
    there = [
        quantity
        for piece in evidence
        for text in (*piece.lines, piece.context)
        for quantity in quantities(text)
    ]
    names = {
        name
        for piece in evidence
        for text in (piece.text, piece.context)
        for name in identifiers(text)
    }
    given, known = quantities(question), identifiers(question)
    numbers = [
        number
        for number in quantities(claim)
        if not matched(number, given)
        and (matched(number, there) or _must_stand(number, claim, there))
    ]
    wanted = [name for name in identifiers(claim) if name not in known]
    squeezed = "".join(
        char for piece in evidence for char in piece.text.casefold() if char.isalnum()
    )
    stated = [*quantities(claim), *given]
    lines = [line for piece in evidence for line in piece.lines]
    said = normalise(claim)
    ways = [name == "just_over" for name in _A_BIT if pattern(name).search(said)]
    unmatched = [
        number
        for number in numbers
        if not matched(number, there) and not _a_bit_beyond(number, there, ways)
    ]
    unmatched = [one for one in unmatched if not _counted_from_unseen(one, claim, numbers, there)]
    reckoned = {}
    for number in unmatched:
        parts = parts_of(number, claim, stated, there, lines)
        if parts is not None:
            reckoned[number] = parts
    return Exact(
        tuple(number for number in unmatched if number not in reckoned),
        tuple(name for name in wanted if name not in names and name not in squeezed),
        len(numbers) - len(reckoned) + len(wanted),
        (*reckoned, *(part for parts in reckoned.values() for part in parts)),
    )


def _must_stand(number: Quantity, claim: str, there: Iterable[Quantity]) -> bool:
    """Tell whether a number must be found: no rate, no difference, no *half* of its own."""
    if number.rate:
        return False
    # "Two days later" is a period of its own; "a year too young" says how far a limit is.
    periods = number.unit in ("minute", "month") and pattern("too").search(normalise(claim)) is None
    if is_difference(claim, number) and not periods:
        return False
    # "Half of it" and "the only one" are told by words that say more than a number.
    spelled = number.unit in (None, "percent") and number.text not in normalise(claim)
    return not spelled or any(one.unit == "percent" == number.unit for one in there)


def _counted_from_unseen(
    wanted: Quantity, claim: str, numbers: Sequence[Quantity], there: Sequence[Quantity]
) -> bool:
    """Tell whether a date is said to follow from a period of the evidence.

    "Five days before, so by 22 December": from which date it counts was said earlier.
    """
    if (wanted.date is None or wanted.date[2] is None) and wanted.unit != "clock":
        return False
    periods = (one for one in numbers if one.unit in ("minute", "month") and not one.rate)
    return pattern("deadline").search(normalise(claim)) is not None and any(
        matched(one, (other for other in there if other.unit == one.unit)) for one in periods
    )


_A_BIT: Final = ("just_over", "just_under")


def _a_bit_beyond(number: Quantity, there: Iterable[Quantity], ways: Collection[bool]) -> bool:
    return number.unit is not None and any(
        one.unit == number.unit and beyond(number.values, one.values, over=over)
        for one in there
        for over in ways
    )


def is_difference(claim: str, number: Quantity) -> bool:
    """Tell whether a number says by how much something differs: *an hour later*, *um 11 €*."""
    said = normalise(claim)
    start = said.find(number.text)
    if start < 0 or number.date is not None or number.unit == "clock":
        return False
    after = pattern("differs_by").match(said, start + len(number.text))
    return after is not None or _BY.search(said[max(start - _NEAR, 0) : start]) is not None


_NEAR: Final = 12
"""Characters before a difference that may say so: *by about*, and what stands before it."""
_BY = re.compile(r"(?<![^\W_])(?:by|um) (?:just |only |about |etwa |rund |nur )?$", re.IGNORECASE)
