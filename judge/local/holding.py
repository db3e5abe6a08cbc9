"""One claim held against evidence: does it stand there, wholly, partly, or otherwise.

    claim ──terms × rarity──▶ share found in the best lines ──▶ score
      │                                                           │
      └─ numbers, identifiers, negation, exclusive words ─────────┴──▶ label

Words decide whether claim and evidence are about the same; numbers, identifiers and
negation decide whether they agree. Words that the user brought into the conversation need
no source and count little.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from judge.answers import SupportLabel
from judge.local.absences import denies_record
from judge.local.constraints import conflict
from judge.local.contradiction import FOREIGN, against
from judge.local.evidence import Piece, is_foreign
from judge.local.exactness import Exact, exact_parts
from judge.local.fields import misread
from judge.local.identifiers import identifiers
from judge.local.locating import Found, best_place
from judge.local.matching import Rarity, credit, weigh
from judge.local.names import names
from judge.local.nearby import Near, nearest_line
from judge.local.numbers import quantities
from judge.local.patterns import pattern
from judge.local.states import other_named_value
from judge.local.swapped import swapped
from judge.local.text import bag, term, terms
from judge.local.thresholds import Thresholds
from judge.local.vectors import words

_RECORDED: Final = 0.2
"""What a claim gains whose numbers and names all stand in a record: its other words are the
answer's own, since a record has only keys and codes."""
_TOLD_EXACTLY: Final = 0.15
"""What is added for a claim whose numbers and names all stand there."""
_GIVEN: Final = 0.3
"""Weight of a term that the user wrote first."""


_UNNAMED: Final = 0.1
"""What a claim loses for each name that stands nowhere in the evidence."""
_MOST_UNNAMED: Final = 3
_FEWEST_TERMS: Final = 2
"""Terms of a claim that hardly tells what it is about."""
_OF_ANOTHER: Final = 0.6
"""What is left of the score of a claim that the evidence makes of another name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What the evidence says about one claim."""

    label: SupportLabel
    score: float
    """In [0, 1]: how much of the claim stands in the evidence."""
    line: str | None
    """The line that says most of it, as the piece holds it."""
    piece: Piece | None
    reason: str
    exact: bool = True
    """Every number and identifier of the claim stands in the evidence."""

    @property
    def quote(self) -> str | None:
        """The line, verbatim from its piece."""
        return None if self.piece is None or self.line is None else self.piece.quote(self.line)


def hold(
    claim: str,
    evidence: Sequence[Piece],
    question: str,
    rarity: Rarity,
    limits: Thresholds,
) -> Held:
    """Hold one asserting sentence against pieces of evidence, taken together."""
    special = _special(claim, evidence)
    if special is not None:
        return special
    usable = [piece for piece in evidence if not (piece.failed or piece.empty)]
    if not usable:
        return Held(
            label="none", score=0.0, line=None, piece=None, reason="the source gave nothing"
        )
    exact = exact_parts(claim, question, usable)
    weights = _weights(claim, question, exact, usable, rarity)
    named = names(claim) & weights.keys()
    spoken = {term(word): word for word in words(claim)}
    for name in named:
        spoken.pop(name, None)
    found = best_place(weights, usable, spoken)
    foreign = is_foreign(claim, found.piece)
    about_other = conflict(claim, f"{found.piece.context}\n{found.piece.text}")
    score = _with_numbers(found.score, weights, exact) - exact.penalty
    score -= _UNNAMED * min(_unnamed(named, bag(question), usable), _MOST_UNNAMED)
    if found.piece.structured and exact.wanted and not exact.missing:
        score += _RECORDED
    near = None
    if exact.missing or score < limits.supported:
        # "It takes 14 days" is about what was asked.
        short = len(weights) <= _FEWEST_TERMS and not named
        near = nearest_line(f"{question} {claim}" if short else claim, usable)
    opposed = against(claim, question, found, exact, limits, foreign=foreign, near=near)
    # A name that the user did not bring up is part of what is claimed, not of what it is about.
    if opposed is not None and (about_other is None or exact.names):
        return Held(
            label="contradicted", score=0.0, line=opposed[1], piece=found.piece, reason=opposed[0]
        )
    amiss = misread(claim, question, usable)
    if amiss is not None:
        return Held(label="contradicted", score=0.0, line=amiss[1], piece=amiss[2], reason=amiss[0])
    recorded = _other_record(claim, question, found, usable)
    if recorded is not None:
        return Held(
            label="contradicted", score=0.0, line=found.line, piece=found.piece, reason=recorded
        )
    if about_other is not None and found.overlap.share < 1:
        return Held(label="none", score=0.0, line=None, piece=None, reason=about_other)
    label = _label(score, near, exact, limits, foreign=foreign)
    other = None if label == "none" else _other_name(claim, found, usable)
    if other is not None:
        left = max(score, 0.0) * _OF_ANOTHER
        return Held(label="none", score=left, line=None, piece=None, reason=other, exact=False)
    reason = _reason(label, score, found, exact)
    return Held(
        label=label,
        score=max(score, 0.0),
        line=found.line,
        piece=found.piece,
        reason=reason,
        exact=not exact.missing,
    )


def _weights(
    claim: str, question: str, exact: Exact, evidence: Sequence[Piece], rarity: Rarity
) -> Mapping[str, float]:
    """Weigh the words of a claim: digits are compared apart, what the user wrote counts little.

    The words of a number that agrees ("two weeks" for 14 days) need not be found again.
    """
    given = bag(question)
    there = frozenset[str]().union(*(piece.bag for piece in evidence))
    agreed = {
        term
        for number in quantities(claim)
        if number not in exact.numbers
        for term in bag(number.text)
    } - there
    return {
        term: weight * (_GIVEN if term in given else 1.0)
        for term, weight in weigh(terms(claim), rarity).items()
        if not term[0].isdigit() and term not in agreed
    }


def _unnamed(named: AbstractSet[str], given: AbstractSet[str], evidence: Sequence[Piece]) -> int:
    """Count the names of a claim that neither the user nor the evidence has."""
    offered = frozenset[str]().union(*(piece.bag for piece in evidence))
    return sum(not met for met in credit(named - given, offered))


def _other_record(claim: str, question: str, found: Found, evidence: Sequence[Piece]) -> str | None:
    """Say what a record calls a thing that the claim calls otherwise.

    Claim and record are about the same thing where both have its number.
    """
    piece = found.piece
    held = identifiers(f"{piece.context}\n{piece.text}") if piece.structured else {}
    if held.keys().isdisjoint(identifiers(claim)):
        return None
    # The parts of "HW-305" are no names of their own.
    there = frozenset[str]().union(
        *(piece.bag | bag(piece.text.replace("-", " ")) for piece in evidence)
    )
    return other_named_value(claim, question, tuple(piece.leaves(found.line)), there)


def _other_name(claim: str, found: Found, evidence: Sequence[Piece]) -> str | None:
    """Say which name a line has in the place of one that stands nowhere in the evidence."""
    if not found.overlap.missing:
        return None
    for line in dict.fromkeys((found.line, *found.window)):
        names_of_two = swapped(claim, line)
        if names_of_two is None:
            continue
        put, instead = names_of_two
        if not any(put.casefold() in piece.text.casefold() for piece in evidence):
            return f"{instead} stands there, not {put}"
    return None


def _with_numbers(score: float, weights: Mapping[str, float], exact: Exact) -> float:
    """Let each number or identifier count like a word: where it stands, it stands exactly."""
    found, words = exact.wanted - exact.missing, len(weights)
    return (score * words + found) / (words + found) if words + found else score


def _special(claim: str, evidence: Sequence[Piece]) -> Held | None:
    """Judge claims about actions and absence by the status of the source."""
    failed = [piece for piece in evidence if piece.failed]
    empty = [piece for piece in evidence if piece.empty]
    usable = len(evidence) - len(failed) - len(empty)
    reports = pattern("success").search(claim) is not None
    if failed and not usable and reports and not pattern("hedged").search(claim):
        piece = failed[0]
        return Held(
            label="contradicted",
            score=0.0,
            line=_first(piece),
            piece=piece,
            reason="the action is reported as done, but the tool failed",
        )
    absence = pattern("absence").search(claim) is not None or denies_record(claim, evidence)
    if absence and not usable:
        sought = set(identifiers(claim))
        if any(sought & set(identifiers(piece.arguments)) for piece in failed):
            # Another call that found nothing does not tell what the failed one would have.
            empty = [piece for piece in empty if sought & set(identifiers(piece.arguments))]
    if empty and absence and not usable:
        piece = empty[0]
        return Held(
            label="full",
            score=1.0,
            line=_first(piece),
            piece=piece,
            reason="the search found nothing",
        )
    if failed and pattern("unknown").search(claim):
        piece = failed[0]
        return Held(
            label="full", score=1.0, line=_first(piece), piece=piece, reason="the tool did fail"
        )
    if absence:
        named = set(identifiers(claim))
        for piece in evidence:
            if (
                piece.structured
                and not (piece.failed or piece.empty)
                and named & set(identifiers(piece.text))
                and not _holds_none(piece)
            ):
                return Held(
                    label="contradicted",
                    score=0.0,
                    line=_first(piece),
                    piece=piece,
                    reason="the result holds what is said not to exist",
                )
    return None


def _holds_none(piece: Piece) -> bool:
    """Tell whether a record says of anything that there is none."""
    values = (value for line in piece.lines for _, value in piece.leaves(line))
    return any(value.strip().casefold() in _NONE for value in values)


_NONE: Final = ("0", "0.0", "0.00", "none", "no", "false", "null", "[]", "")


def _first(piece: Piece) -> str | None:
    return piece.lines[0] if piece.lines else None


def _label(
    score: float, near: Near | None, exact: Exact, limits: Thresholds, *, foreign: bool
) -> SupportLabel:
    """Words or meaning say that a claim stands there; numbers and names, that it does exactly."""
    if not exact.missing and score >= limits.supported * (FOREIGN if foreign else 1):
        return "full"
    found = exact.wanted - exact.missing
    if foreign and found > 1 and not exact.missing:
        return "full"
    likely = score + (near.closeness if near else 0.0)
    if found and not exact.missing:
        likely += _TOLD_EXACTLY
    if likely >= limits.said_alike and not exact.missing:
        return "full"
    return "partial" if likely >= limits.partly_supported else "none"


def _reason(label: SupportLabel, score: float, found: Found, exact: Exact) -> str:
    missing = [number.text for number in exact.numbers] + list(exact.names)
    if missing:
        return f"{', '.join(missing)} is not in the evidence"
    if label == "full" or not found.overlap.missing:
        return f"{score:.0%} of it stands in {found.piece.label}"
    words = ", ".join(word.lstrip("@") for word in found.overlap.missing[:3])
    return f"{score:.0%} of it stands in {found.piece.label}; not there: {words}"
