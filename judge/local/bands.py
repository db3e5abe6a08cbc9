"""Ranges that a rule holds for: "from 60 to 119 minutes", "ab 65 Jahren", "more than 5 days".

a find worth 15 €   ─▶   "up to 50 €: 3 €", not "up to 250 €: 6 €"
three days of hire  ─▶   outside of "free if it was hired for at least five days"
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from judge.local.matching import is_part
from judge.local.numbers import CURRENCIES, Quantity, matched, quantities
from judge.local.patterns import pattern
from judge.local.polarity import negated
from judge.local.text import bag, clauses, is_exact
from judge.local.written import apart
from judge.tokens import normalise

_NEAR: Final = 24
"""Characters beside a number that may say which end of a range it is."""
_LONGEST: Final = 1_000
"""Characters of a text that may be a rule: what is longer is a list or no prose."""
_INSIDE: Final = re.compile(r"[A-Za-z0-9_.,]")
"""What stands before a piece of another number: the 5 of "15" and of "1.5"."""
_BETWEEN: Final = re.compile(r"^\s?(?:to|and|bis|und|à|et|a|y|e|tot|en|[-–—])\s?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Band:
    """A range of numbers of one unit, its ends included or not."""

    unit: str | None
    least: float
    most: float
    open_least: bool = False
    open_most: bool = False
    edges: tuple[Quantity, ...] = ()
    """The numbers that it is told by."""

    def holds(self, value: float) -> bool:
        """Tell whether a number, in the same base unit, is in the range."""
        above = value > self.least if self.open_least else value >= self.least
        below = value < self.most if self.open_most else value <= self.most
        return above and below

    def readings(self, number: Quantity) -> frozenset[float]:
        """Return what a number is in the unit of the range: a bare 68 for "65 years"; else none."""
        if number.date is not None or number.rate:
            return frozenset()
        if number.unit == self.unit:
            return number.values
        if number.unit is None and self.unit == "month":
            return frozenset(value * 12 for value in number.values)
        return frozenset()


@lru_cache(maxsize=16_384)
def bands(text: str) -> tuple[Band, ...]:
    """Return the ranges that a text tells, in reading order; none of one that is too long."""
    if len(text) > _LONGEST:
        return ()
    said = apart(normalise(text))
    placed = _placed(said, text)
    found: list[Band] = []
    skip = False
    for place, (start, stop, one) in enumerate(placed):
        if skip:
            skip = False
            continue
        after = placed[place + 1] if place + 1 < len(placed) else None
        if after is not None and _BETWEEN.match(said[stop : after[0]]):
            low, high = one, after[2]
            if low.unit is None or low.unit == high.unit:
                found.append(_between(low, high))
                skip = True
                continue
        band = _limited(said, start, stop, one)
        if band is not None:
            found.append(band)
    return tuple(band for band in found if band.least <= band.most)


def _placed(said: str, text: str) -> list[tuple[int, int, Quantity]]:
    """Return the numbers of a text, dates and rates left out, with where each begins and ends."""
    found: list[tuple[int, int, Quantity]] = []
    ends: dict[str, int] = {}
    for one in quantities(text):
        if one.date is not None or one.rate:
            continue
        start = said.find(one.text, ends.get(one.text, 0))
        while start > 0 and _INSIDE.match(said, start - 1):
            start = said.find(one.text, start + 1)
        if start >= 0:
            ends[one.text] = start + len(one.text)
            found.append((start, ends[one.text], one))
    return sorted(found, key=lambda one: one[:2])


def _between(low: Quantity, high: Quantity) -> Band:
    scale = 1.0
    if low.unit is None and high.unit is not None and high.spoken:
        scale = max(high.values) / max(high.spoken)
    return Band(high.unit, min(low.values) * scale, max(high.values), edges=(low, high))


def _limited(said: str, start: int, stop: int, one: Quantity) -> Band | None:
    before, behind = said[max(start - _NEAR, 0) : start], said[stop : stop + _NEAR]
    value = max(one.values, default=0.0)
    told = {
        kind
        for kind, names in _LIMITS.items()
        for name in names
        if pattern(name).search(before if name.endswith("before") else "")
        or (name.endswith("after") and pattern(name).match(behind))
    }
    if len(told) != 1 or pattern("ahead").search(behind):
        return None  # "up to 5 days before" is at least 5 days before
    (kind,) = told
    if kind in ("from", "above"):
        return Band(one.unit, value, math.inf, open_least=kind == "above", edges=(one,))
    return Band(one.unit, -math.inf, value, open_most=kind == "below", edges=(one,))


_LIMITS: Final = {
    "from": ("at_least_before", "at_least_after", "band_from_before", "band_from_after"),
    "until": ("at_most_before", "at_most_after", "band_until_before"),
    "above": ("band_above_before",),
    "below": ("band_below_before",),
}


def row_meant(names: Sequence[str], given: Iterable[Quantity]) -> int | None:
    """Return the place of the one row whose range has a number that was asked about.

    Of several ranges the narrowest counts: "up to 50" before "up to 250".

    Args:
        names: What the rows are called.
        given: The numbers of the question.
    """
    told = [(place, bands(name)) for place, name in enumerate(names)]
    ranges = [(place, found[0]) for place, found in told if len(found) == 1]
    units = {band.unit for _, band in ranges}
    if len(names) < 2 or len(units) != 1 or None in units:  # noqa: PLR2004 - another row
        return None
    narrowest = sorted(ranges, key=lambda one: (one[1].most, -one[1].least, one[0]))
    values = {value for number in given for value in ranges[0][1].readings(number)}
    rows: set[int] = set()
    for value in values:
        rows.update(next(([place] for place, band in narrowest if band.holds(value)), []))
        if len(rows) > 1:
            return None
    return rows.pop() if rows else None


def out_of_range(
    claim: str, given: str, lines: Iterable[str], least: float
) -> tuple[str, str] | None:
    """Say which range a rule holds for though what is asked about is not in it, and in which line.

    The claim must apply the rule: say what the line says, or its number, and not the range.

    Args:
        claim: A sentence of an answer.
        given: What the user wrote.
        lines: Lines of the evidence.
        least: Share of the rule's terms that must be in the claim.
    """
    asked = [one for one in quantities(given) if one.date is None and not one.rate]
    if not asked or negated(claim) or pattern("denies").search(claim):
        return None
    said, mine = quantities(claim), bag(claim)
    numbers: dict[Quantity, set[str]] | None = None
    lines = tuple(lines)
    for line in lines:
        if pattern("band_rule").search(normalise(line)) is None:
            continue
        told = {word: word in mine or is_part(word, mine) for word in bag(line)}
        told = {word: there for word, there in told.items() if not is_exact(word)}
        there = sum(told.values())
        for rule in clauses(line):
            missed = _missed(bands(rule), asked)
            if missed is None or any(matched(edge, said) for edge in missed[0].edges):
                continue
            band, number = missed
            edges = frozenset[str]().union(*(bag(edge.text) for edge in band.edges)) & told.keys()
            left = there - sum(told[word] for word in edges)
            shares = left / max(len(told) - len(edges), 1) >= least
            if not shares and numbers is None:
                numbers = _parts_with(said, lines)
            if shares or _takes_its_number(numbers or {}, rule, band):
                shown = " to ".join(edge.text for edge in band.edges)
                return f"{number.text} is not in the range of {shown}", line
    return None


def _missed(found: Sequence[Band], asked: Iterable[Quantity]) -> tuple[Band, Quantity] | None:
    """Return the range, of one or of several of different units, that no number asked is in."""
    if len({band.unit for band in found}) < len(found):
        return None
    for band in found:
        inside = [one for one in asked if one.unit == band.unit is not None]
        values = [value for one in inside for value in one.values]
        if values and band.unit not in CURRENCIES and not any(map(band.holds, values)):
            return band, inside[0]
    return None


def _parts_with(said: Iterable[Quantity], lines: Iterable[str]) -> dict[Quantity, set[str]]:
    """Return for each number of a claim, units only, the parts of lines that have it."""
    parts = {part: quantities(part) for line in lines for part in clauses(line)}
    return {
        one: {part for part, numbers in parts.items() if matched(one, numbers)}
        for one in said
        if one.unit is not None
    }


def _takes_its_number(numbers: Mapping[Quantity, set[str]], rule: str, band: Band) -> bool:
    """Tell whether a claim has a number of a rule that no other part of the lines has."""
    mine = [one for one in quantities(rule) if one not in band.edges and one.unit is not None]
    return any(parts == {rule} and matched(one, mine) for one, parts in numbers.items())
