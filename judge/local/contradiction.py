"""What in the evidence speaks against a claim: another number, another name, a denial.

    "every 800 hours"          ×  "every 500 hours"                 another number
    "Opened ones can be …"     ×  "Opened ones cannot be …"         one denies the other
    "is cancelled"             ×  "status: shipped"                 words that exclude

Only lines about the same count, and a negation only in the clause it stands in.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from judge.local.bands import out_of_range
from judge.local.bounds import other_bound
from judge.local.constraints import conflict
from judge.local.evidence import Piece
from judge.local.exactness import Exact, is_difference
from judge.local.identifiers import family, identifiers
from judge.local.locating import Found
from judge.local.matching import overlap, window_bag
from judge.local.nearby import Near
from judge.local.numbers import Quantity, matched, quantities
from judge.local.polarity import conditional, excluded, negated
from judge.local.states import other_state
from judge.local.text import bag, clauses, terms
from judge.local.thresholds import Thresholds
from judge.local.units import units

FOREIGN: Final = 0.6
"""Share of a threshold that a claim in another language than its evidence must reach."""
_SAME_LINE: Final = 0.3
"""Share of the claim's terms in a line whose other number contradicts."""
_CLOSE: Final = 0.5
"""Closeness in meaning from which a line is about the same."""
_CLOSE_ABROAD: Final = 0.45
_ALIKE: Final = 0.72
"""Dice coefficient from which two clauses say the same but for a negation."""
_FEWEST_TERMS: Final = 2


def against(
    claim: str,
    given: str,
    found: Found,
    exact: Exact,
    limits: Thresholds,
    *,
    foreign: bool,
    near: Near | None = None,
) -> tuple[str, str] | None:
    """Say what contradicts the claim in lines about the same, and in which line.

    Another number contradicts in a sentence that shares half its words, or that is close in
    meaning; a negation needs two clauses that say the same otherwise.
    """
    state = _other_state(claim, found)
    if state is not None:
        return state
    if not found.piece.structured:
        ranged = out_of_range(claim, given, found.piece.lines, _SAME_LINE)
        if ranged is not None:
            return ranged
    if (
        near is not None
        and near.closeness >= (_CLOSE_ABROAD if foreign else _CLOSE)
        and near.piece is found.piece
    ):
        other = _other_number(claim, near.piece, exact, (near.line,))
        if other is not None:
            return other
    nearby = found.window or (found.line,)
    # What the user wrote counts little for support, but it tells what a sentence is about.
    dates = (bag(one.text) for one in quantities(claim) if one.date or one.unit == "clock")
    exactly = frozenset[str]().union(*dates)
    telling = (term for term in terms(claim) if not (_is_letter(term) or term in exactly))
    wanted = dict.fromkeys(telling, 1.0)
    shared = max(found.overlap.share, overlap(wanted, window_bag(nearby)).share)
    if shared < limits.same_subject * (FOREIGN if foreign else 1):
        return None
    alike = [line for line in nearby if overlap(wanted, bag(line)).share >= _SAME_LINE]
    found_otherwise = (
        _other_number(claim, found.piece, exact, alike)
        or _other_count(claim, given, exact, nearby)
        or _other_name(claim, exact, nearby)
    )
    if found_otherwise is not None:
        return found_otherwise
    turned = other_bound(claim, alike)
    if turned is not None:
        return turned
    if exact.missing or foreign or found.overlap.share < limits.same_statement:
        return None
    return _denied(claim, nearby)


def _is_letter(term: str) -> bool:
    """Tell whether a term is one Latin letter: the sign of a unit (°C, V, g), no subject."""
    return len(term) == 1 and term.isascii() and term.isalpha()


def _other_number(
    claim: str, piece: Piece, exact: Exact, alike: Sequence[str]
) -> tuple[str, str] | None:
    claimed, said = (*quantities(claim), *exact.reckoned), bag(claim)
    for number in exact.numbers:
        if _about_other(claim, number, piece) or is_difference(claim, number):
            continue
        for line in alike:
            found = list(_numbers_in(line, piece))
            only = sum(number.rivals(other) for _, other in found) == 1
            alone = only and bool(number.unit or number.date)
            for key, other in found:
                about = alone or key is None or not said.isdisjoint(key)
                if about and number.rivals(other) and not matched(other, claimed):
                    return f"{number.text} against {other.text}", line
    return None


def _numbers_in(line: str, piece: Piece) -> Iterator[tuple[frozenset[str] | None, Quantity]]:
    """Yield the numbers of a line, those of a record with the terms of their field."""
    if piece.structured:
        for key, value in piece.leaves(line):
            # "price eur: 21.90" has its unit in its name.
            unit = next((word for word in key.casefold().split() if word in units()), "")
            told = quantities(f"{value} {unit}" if value[-1:].isdigit() else value)
            yield from ((bag(key) - bag(unit), number) for number in told)
    else:
        yield from ((None, number) for number in quantities(line))


def _about_other(claim: str, number: Quantity, piece: Piece) -> bool:
    """Tell whether the part of a claim that has a number is about another thing than a piece.

    "130 km for the Kolibri 7, 85 km for the Kolibri 5" takes its numbers from two places.
    """
    named = clauses(claim.replace(": ", " "))  # "The Kolibri 7: about 130 km"
    parts = [part for part in named if number.text in part]
    return any(conflict(part, f"{piece.context}\n{piece.text}") is not None for part in parts)


def _other_count(
    claim: str, given: str, exact: Exact, nearby: Sequence[str]
) -> tuple[str, str] | None:
    """Compare what is counted: *five users* against *two users*, though a 5 stands elsewhere."""
    said = quantities(given)
    for number in quantities(claim):
        if number.noun is None or number in exact.reckoned or matched(number, said):
            continue
        found = [(one, line) for line in nearby for one in quantities(line)]
        counts = [(one, line) for one, line in found if one.noun == number.noun]
        # "hold 8 and 12 people" counts people twice.
        beside = [one for one, line in found if any(line == other for _, other in counts)]
        if (
            counts
            and all(number.recounts(one) for one, _ in counts)
            and not matched(number, beside)
        ):
            other, line = counts[0]
            return f"{number.text} against {other.text} {number.noun}", line
    return None


def _other_name(claim: str, exact: Exact, nearby: Sequence[str]) -> tuple[str, str] | None:
    claimed = identifiers(claim)
    for name in exact.names:
        for line in nearby:
            for sibling, written in identifiers(line).items():
                if family(sibling) == family(name) and sibling not in claimed:
                    return f"{name} against {written}", line
    return None


def _other_state(claim: str, found: Found) -> tuple[str, str] | None:
    """Compare what a claim says of a thing's state with the state in its record."""
    if not found.piece.structured:
        return None
    # "Has not been shipped yet" says of a pending order that it is no other.
    told = " ; ".join(part for part in clauses(claim) if not negated(part))
    for key, value in found.piece.leaves(found.line):
        if bag(key) & _STATE:
            words = excluded(told, value) or other_state(claim, value)
            if words is not None:
                return words, found.line
    return None


_STATE: Final = bag(
    "status state decision outcome result phase stage zustand stand statut estado stato"
)


def _denied(claim: str, nearby: Sequence[str]) -> tuple[str, str] | None:
    """Compare clause by clause: a negation counts only in the clause it stands in."""
    parts = [(part, line) for line in nearby for part in (line, *clauses(line))]
    for mine in clauses(claim):
        wanted = bag(mine)
        if len(wanted) < _FEWEST_TERMS:
            continue
        closest, where, share = "", "", 0.0
        for part, line in parts:
            offered = bag(part)
            if len(offered) < _FEWEST_TERMS:
                continue
            common = len(wanted & offered)
            alike = 2 * common / (len(wanted) + len(offered))
            if alike > share:
                closest, where, share = part, line, alike
        if share < _ALIKE:
            continue
        if conditional(mine) != conditional(closest):
            continue  # "call first, otherwise …" says what "unless you call first" says
        # A sentence that denies in another of its parts agrees with a claim that does as well.
        same = closest == where and negated(claim) == negated(closest)
        if negated(mine) != negated(closest) and not same:
            return "one denies what the other says", where
        words = excluded(mine, closest)
        if words is not None:
            return words, where
    return None
