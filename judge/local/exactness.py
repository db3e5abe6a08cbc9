"""What a claim says exactly, numbers and identifiers, and what of it the evidence has.

"It costs 24 €, two hours at 12 €"   ─▶  12 € stands there, 24 € follows from it
"""

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
        if not matched(number, given) and (not number.rate or matched(number, there))
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


_A_BIT: Final = ("just_over", "just_under")


def _a_bit_beyond(number: Quantity, there: Iterable[Quantity], ways: Collection[bool]) -> bool:
    return number.unit is not None and any(
        one.unit == number.unit and beyond(number.values, one.values, over=over)
        for one in there
        for over in ways
    )
