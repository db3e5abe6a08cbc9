"""What the claims of an answer rest on, and whether that is about what was asked.

Questions and answers often share no word ("Can my mother come along?" – "Up to the age of
74."), so an answer that stands in what was found for a question is taken to answer it,
unless something speaks against that: what it rests on is about another model or country, or
another passage of the run meets the question and this one does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.local.claims import Claim
from judge.local.constraints import conflict
from judge.local.evidence import Piece, spoken
from judge.local.holding import Held, hold
from judge.local.identifiers import identifiers
from judge.local.library import Library
from judge.local.needs import Need
from judge.local.numbers import quantities
from judge.local.patterns import pattern
from judge.local.relevance import about_another
from judge.local.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested:
    """A claim, and what the evidence says about it."""

    claim: Claim
    held: Held | None
    """None for a claim that asserts nothing."""

    @property
    def exact(self) -> bool:
        """The claim names a number or an identifier."""
        return bool(quantities(self.claim.text) or identifiers(self.claim.text))

    @property
    def on(self) -> Piece | None:
        """The piece that the claim is taken from, rightly or not; None: from none."""
        if self.held is None or self.held.label not in ("full", "partial", "contradicted"):
            return None
        return self.held.piece


def reports_on_failure(told: Rested, evidence: Sequence[Piece]) -> bool:
    """Tell whether a claim can only report what a failed call was to do.

    Where nothing else stood before the model and the tool acts (its name begins with no
    verb of looking up), what is stated was not done. Results of earlier turns have no arguments.
    """
    made = [piece for piece in evidence if piece.arguments] or evidence
    return (
        told.claim.act == "fact"
        and bool(evidence)
        and all(piece.failed for piece in evidence)
        and not any(pattern("looks_up").search(spoken(piece.tool or "")) for piece in made)
    )


def rested(
    found: Sequence[Claim],
    evidence: Sequence[Piece],
    question: str,
    library: Library,
    limits: Thresholds,
) -> tuple[Rested, ...]:
    """Hold each asserting claim of an answer against all evidence together."""
    return tuple(
        Rested(
            claim=claim,
            held=hold(claim.text, evidence, question, library.rarity, limits)
            if claim.asserts
            else None,
        )
        for claim in found
    )


def apt(need: Need, piece: Piece, library: Library, limits: Thresholds) -> bool:
    """Tell whether nothing speaks against a piece being about what is asked."""
    whole = f"{piece.context}\n{piece.text}"
    if piece.failed or conflict(need.head, whole, library.rarity.places) is not None:
        return False
    if library.other_subject(need, piece.text) is not None:
        return False
    if piece.kind == "tool_result":
        return True
    if about_another(need, whole, library.rarity) is not None:
        return False
    return not library.answered_elsewhere(need, piece.text, piece.title, limits)
