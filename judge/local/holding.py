"""One claim held against evidence: does it stand there, wholly, partly, or otherwise.

    claim ──terms × rarity──▶ share found in the best lines ──▶ score
      │                                                           │
      └─ numbers, identifiers, negation, exclusive words ─────────┴──▶ label

Words decide whether claim and evidence are about the same; numbers, identifiers and
negation decide whether they agree. Words that the user brought into the conversation need
no source and count little.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from judge.answers import SupportLabel
from judge.local.constraints import conflict
from judge.local.evidence import Piece
from judge.local.matching import Overlap, Rarity, credit, overlap, weigh, window_bag
from judge.local.numbers import Quantity, family, identifiers, matched, quantities
from judge.local.patterns import pattern
from judge.local.polarity import conditional, excluded, negated
from judge.local.text import bag, clauses, language_by_words, terms
from judge.local.thresholds import Thresholds

_GIVEN: Final = 0.3
"""Weight of a term that the user wrote first."""
_FEWEST_TERMS_TO_CONTRADICT: Final = 2
_FOREIGN: Final = 0.6
"""Share of the thresholds that a claim in another language than its evidence must reach."""
_SAME_LINE: Final = 0.3
"""Share of the claim's terms in a line whose other number contradicts."""
_WINDOWS: Final = (1, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What the evidence says about one claim."""

    label: SupportLabel | None
    """None when undecided."""
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
    exact = _exact(claim, question, usable)
    weights = _weights(claim, question, exact, usable, rarity)
    found = _best(weights, usable)
    foreign = _foreign(claim, found.piece)
    about_other = conflict(claim, f"{found.piece.context}\n{found.piece.text}")
    score = _with_numbers(found.score, weights, exact) - exact.penalty
    against = _against(claim, found, exact, limits, foreign=foreign)
    # A name that the user did not bring up is part of what is claimed, not of what it is about.
    if against is not None and (about_other is None or exact.names):
        return Held(
            label="contradicted", score=0.0, line=against[1], piece=found.piece, reason=against[0]
        )
    if about_other is not None and found.overlap.share < 1:
        return Held(label="none", score=0.0, line=None, piece=None, reason=about_other)
    label = _label(score, exact, limits, foreign=foreign)
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
    claim: str, question: str, exact: "_Exact", evidence: Sequence[Piece], rarity: Rarity
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


@dataclass(frozen=True, slots=True)
class _Found:
    score: float
    overlap: Overlap
    """Of the words, in the best window of three lines."""
    line: str
    window: tuple[str, ...]
    piece: Piece
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Exact:
    numbers: tuple[Quantity, ...]
    """Numbers of the claim that stand nowhere."""
    names: tuple[str, ...]
    """Identifiers of the claim that stand nowhere, canonical."""
    wanted: int
    """Numbers and identifiers that had to be found."""

    @property
    def missing(self) -> int:
        return len(self.numbers) + len(self.names)

    @property
    def penalty(self) -> float:
        return 0.35 * self.missing / self.wanted + 0.1 if self.missing else 0.0


def _best(weights: Mapping[str, float], evidence: Iterable[Piece]) -> _Found:
    return max((_found(weights, piece) for piece in evidence), key=lambda found: found.score)


def _found(weights: Mapping[str, float], piece: Piece) -> _Found:
    """Look for the words of a claim in one piece: in single lines, windows, and all of it."""
    if not weights or not piece.lines:
        line = piece.lines[0] if piece.lines else ""
        met = Overlap(float(not weights), 1.0, ())
        return _Found(met.share, met, line, piece.lines[:1], piece, weights)
    around = credit(weights, bag(piece.context))
    single = np.maximum([credit(weights, bag(line)) for line in piece.lines], around)
    worth = np.array([*weights.values()])
    line, window, shares = "", piece.lines[:1], []
    for size in _WINDOWS:
        joined = _in_windows(single, min(size, len(single)))
        sums = joined @ worth
        start = int(sums.argmax())
        shares.append(float(sums[start] / worth.sum()))
        window = piece.lines[start : start + size]
        line = window[0] if size == 1 else line
    met = overlap(weights, window_bag(window) | bag(piece.context))
    whole = overlap(weights, piece.bag).share
    score = 0.35 * shares[0] + 0.25 * shares[1] + 0.3 * shares[2] + 0.1 * whole
    if piece.structured:
        # Keys and values are no sentences: what matters is that the record holds it.
        score = max(score, 0.3 + 0.7 * whole)
    return _Found(score, met, line, window, piece, weights)


def _in_windows(rows: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the best credit of each term in every run of *size* lines."""
    joined = rows[: len(rows) - size + 1]
    for offset in range(1, size):
        joined = np.maximum(joined, rows[offset : offset + len(joined)])
    return joined


def _exact(claim: str, question: str, evidence: Sequence[Piece]) -> _Exact:
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
    numbers = [number for number in quantities(claim) if not matched(number, given)]
    wanted = [name for name in identifiers(claim) if name not in known]
    squeezed = "".join(
        char for piece in evidence for char in piece.text.casefold() if char.isalnum()
    )
    return _Exact(
        tuple(number for number in numbers if not matched(number, there)),
        tuple(name for name in wanted if name not in names and name not in squeezed),
        len(numbers) + len(wanted),
    )


def _with_numbers(score: float, weights: Mapping[str, float], exact: _Exact) -> float:
    """Let each number or identifier count like a word: where it stands, it stands exactly."""
    found, words = exact.wanted - exact.missing, len(weights)
    return (score * words + found) / (words + found) if words + found else score


def _against(
    claim: str, found: _Found, exact: _Exact, limits: Thresholds, *, foreign: bool
) -> tuple[str, str] | None:
    """Say what contradicts the claim in lines about the same, and in which line.

    Another number in a sentence that shares half its words contradicts; a negation needs
    two clauses that say the same otherwise.
    """
    if found.overlap.share < limits.same_subject * (_FOREIGN if foreign else 1):
        return None
    nearby = found.window or (found.line,)
    claimed = quantities(claim)
    wanted = dict.fromkeys(terms(claim), 1.0)
    alike = [line for line in nearby if overlap(wanted, bag(line)).share >= _SAME_LINE]
    for number in exact.numbers:
        for line in alike:
            for other in quantities(line):
                if number.rivals(other) and not matched(other, claimed):
                    return f"{number.text} against {other.text}", line
    for name in exact.names:
        for line in nearby:
            for sibling, written in identifiers(line).items():
                if family(sibling) == family(name) and sibling not in identifiers(claim):
                    return f"{name} against {written}", line
    if exact.missing or foreign or found.overlap.share < limits.same_statement:
        return None
    return _denied(claim, nearby)


def _denied(claim: str, nearby: Sequence[str]) -> tuple[str, str] | None:
    """Compare clause by clause: a negation counts only in the clause it stands in."""
    parts = [(part, line) for line in nearby for part in (line, *clauses(line))]
    for mine in clauses(claim):
        wanted = bag(mine)
        if len(wanted) < _FEWEST_TERMS_TO_CONTRADICT:
            continue
        closest, where, share = "", "", 0.0
        for part, line in parts:
            offered = bag(part)
            if len(offered) < _FEWEST_TERMS_TO_CONTRADICT:
                continue
            common = len(wanted & offered)
            alike = 2 * common / (len(wanted) + len(offered))
            if alike > share:
                closest, where, share = part, line, alike
        if share < _ALIKE:
            continue
        if conditional(mine) != conditional(closest):
            continue  # "call first, otherwise …" says what "unless you call first" says
        if negated(mine) != negated(closest):
            return "one denies what the other says", where
        words = excluded(mine, closest)
        if words is not None:
            return words, where
    return None


_ALIKE = 0.72
"""Dice coefficient from which two clauses say the same but for a negation."""


def _special(claim: str, evidence: Sequence[Piece]) -> Held | None:
    """Judge claims about actions and absence by the status of the source."""
    failed = [piece for piece in evidence if piece.failed]
    empty = [piece for piece in evidence if piece.empty]
    usable = len(evidence) - len(failed) - len(empty)
    if failed and not usable and pattern("success").search(claim):
        piece = failed[0]
        return Held(
            label="contradicted",
            score=0.0,
            line=_first(piece),
            piece=piece,
            reason="the action is reported as done, but the tool failed",
        )
    absence = pattern("absence").search(claim) is not None
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
            ):
                return Held(
                    label="contradicted",
                    score=0.0,
                    line=_first(piece),
                    piece=piece,
                    reason="the result holds what is said not to exist",
                )
    return None


def _first(piece: Piece) -> str | None:
    return piece.lines[0] if piece.lines else None


def _foreign(claim: str, piece: Piece) -> bool:
    if piece.structured:
        return False
    mine, theirs = language_by_words(claim), language_by_words(piece.text)
    if claim.isascii() != piece.text.isascii() and (mine is None) != (theirs is None):
        return True
    return mine is not None and theirs is not None and mine != theirs


def _label(
    score: float, exact: _Exact, limits: Thresholds, *, foreign: bool
) -> SupportLabel | None:
    if foreign:
        return _foreign_label(score, exact, limits)
    if score >= limits.supported and not exact.missing:
        return "full"
    if score >= limits.partly_supported:
        return "partial"
    return "none" if score < limits.partly_supported - limits.support_margin else None


def _foreign_label(score: float, exact: _Exact, limits: Thresholds) -> SupportLabel | None:
    """Across languages numbers, identifiers and ideas carry the comparison."""
    found = exact.wanted - exact.missing
    if exact.missing and not found:
        return "none" if score < limits.partly_supported * _FOREIGN else "partial"
    if score >= limits.supported * _FOREIGN:
        return "partial" if exact.missing else "full"
    if found:
        return "full" if found > 1 and not exact.missing else "partial"
    return None


def _reason(label: SupportLabel | None, score: float, found: _Found, exact: _Exact) -> str:
    missing = [number.text for number in exact.numbers] + list(exact.names)
    if missing:
        return f"{', '.join(missing)} is not in the evidence"
    if label == "full" or not found.overlap.missing:
        return f"{score:.0%} of it stands in {found.piece.label}"
    words = ", ".join(word.lstrip("@") for word in found.overlap.missing[:3])
    return f"{score:.0%} of it stands in {found.piece.label}; not there: {words}"
