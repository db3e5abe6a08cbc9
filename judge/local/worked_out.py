"""Numbers that follow from others: sums, differences, products, and what is left.

    "two nights at 55 €"            ─▶  110 €
    "10,000 cycles, 6,210 done"     ─▶  3,790
    "7:50, six hours before"        ─▶  1:50

One of the two numbers must be said in the claim or by the user, and both where the number is
short and the claim does not say that it works something out: some two numbers of a text make
any third by chance.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import chain, product
from typing import Final

from judge.local.numbers import CURRENCIES, Quantity, quantities
from judge.local.patterns import pattern
from judge.local.text import bag
from judge.local.units import number_words
from judge.tokens import normalise

_CLOSE: Final = 0.005
_EXACT: Final = 1e-9
_ROUGHLY: Final = 0.02
"""The same after *about*."""
_DAY: Final = 1440.0
_TELLING: Final = 3
"""Digits from which two numbers hardly come to a third by chance."""
_TIMES: Final = {
    frozenset({"@month", "@year"}): 12.0,
    frozenset({"@week", "@year"}): 52.0,
    frozenset({"@day", "@week"}): 7.0,
}
_MOST: Final = 60
"""Numbers that are tried on either side."""


def parts_of(
    wanted: Quantity,
    claim: str,
    stated: Sequence[Quantity],
    offered: Sequence[Quantity],
    lines: Sequence[str] = (),
) -> tuple[Quantity, Quantity] | None:
    """Return the two numbers from which a number follows, None where it follows from none.

    Args:
        wanted: A number of a claim.
        claim: The claim.
        stated: The numbers of the claim and of what the user wrote.
        offered: Those of the evidence.
        lines: The lines of the evidence; where a claim says what all comes to, both numbers
            may be those of one line: "up to 20 tickets, at 3 € each".
    """
    mine = [one for one in stated if one is not wanted][:_MOST]
    theirs = list(offered)[:_MOST]
    reckons = pattern("reckons").search(normalise(claim)) is not None
    if wanted.unit is None and not (reckons or wanted.date):
        return None
    anywhere = (
        _is_telling(wanted) or wanted.unit == "clock" or (reckons and wanted.unit is not None)
    )
    pairs = (
        *product(mine, mine),
        *product(mine, theirs if anywhere or wanted.date else ()),
        *_in_periods(claim, mine, theirs),
    )
    if wanted.unit in CURRENCIES and pattern("totals").search(normalise(claim)):
        pairs += (*chain.from_iterable(map(_prices_and_counts, lines)),)
    said, roughly = set(mine), pattern("roughly").search(normalise(claim)) is not None
    found = (
        pair
        for pair in pairs
        if pair[0] is not pair[1]
        and (
            _makes(wanted, *pair, said=said.issuperset(pair), roughly=roughly)
            or (reckons and _leaves(wanted, *pair, said=said.issuperset(pair)))
        )
    )
    return next(found, None)


def _prices_and_counts(line: str) -> Iterator[tuple[Quantity, Quantity]]:
    told = quantities(line)[:_MOST]
    prices = [one for one in told if one.unit in CURRENCIES]
    counts = (one for one in told if one.unit not in CURRENCIES and one.date is None)
    return product(prices, counts)


def _in_periods(
    claim: str, mine: Sequence[Quantity], theirs: Sequence[Quantity]
) -> Iterator[tuple[Quantity, Quantity]]:
    """Pair money with how often its period is in another that is named: 12 months are a year."""
    told = bag(claim)
    for periods, times in _TIMES.items():
        if periods <= told:
            often = Quantity(values=frozenset({times}), unit=None, text=f"{times:g}")
            yield from ((one, often) for one in (*mine, *theirs) if one.unit in CURRENCIES)


def _makes(wanted: Quantity, one: Quantity, other: Quantity, *, said: bool, roughly: bool) -> bool:
    """Tell whether two numbers make a third; *said*: both stand in the claim or the question."""
    if wanted.date is not None:
        return any(_counts_to(wanted, *pair) for pair in ((one, other), (other, one)))
    results = chain(
        _sums(wanted.unit, one, other),
        _products(wanted, one, other, said=said),
        _products(wanted, other, one, said=said),
    )
    near = _ROUGHLY if roughly and said else _CLOSE if _is_telling(wanted) else _EXACT
    return any(math.isclose(*both, rel_tol=near) for both in product(wanted.values, results))


def _leaves(wanted: Quantity, one: Quantity, other: Quantity, *, said: bool) -> bool:
    """Tell whether a number follows where one of them has the unit: *at 300 h, 214 done, 86*."""
    units = {one.unit, other.unit, wanted.unit}
    if None not in units or len(units) > 2 or not (said or wanted.unit):  # noqa: PLR2004 - and none
        return False
    sums = {a + sign * b for a, b in product(one.spoken, other.spoken) for sign in (1, -1)}
    near = _CLOSE if _is_telling(wanted) else _EXACT
    return any(math.isclose(a, abs(b), rel_tol=near) for a, b in product(wanted.spoken, sums))


def _sums(unit: str | None, one: Quantity, other: Quantity) -> Iterator[float]:
    """Yield sums and differences, and what lies between two times or dates."""
    units = (one.unit, other.unit)
    if one.date is not None or other.date is not None:
        yield from _between(unit, one, other)
    elif units == (unit, unit) and unit != "clock":
        for a, b in product(one.values, other.values):
            yield a + b
            yield abs(a - b)
    elif unit == "minute" and units == ("clock", "clock"):
        for a, b in product(one.values, other.values):
            yield (a - b) % _DAY
            yield (b - a) % _DAY
    elif unit == "clock" and set(units) == {"clock", "minute"}:
        time, span = (one, other) if one.unit == "clock" else (other, one)
        for a, b in product(time.values, span.values):
            yield (a - b) % _DAY
            yield (a + b) % _DAY


def _between(unit: str | None, one: Quantity, other: Quantity) -> Iterator[float]:
    """Yield the days or months between two dates that both say them."""
    if one.date is None or other.date is None:
        return
    (year, month, day), (other_year, other_month, other_day) = one.date, other.date
    if year is None or other_year is None or month is None or other_month is None:
        return
    # "From February to December" are eleven months, though ten lie between them.
    if unit == "month":
        months = abs(12.0 * (year - other_year) + month - other_month)
        yield from (months, months + 1)
    elif unit == "minute" and day is not None and other_day is not None:
        try:
            days = abs((date(year, month, day) - date(other_year, other_month, other_day)).days)
        except ValueError:  # the 31st of June
            return
        yield from (days * _DAY, (days + 1) * _DAY)


def _counts_to(wanted: Quantity, start: Quantity, span: Quantity) -> bool:
    """Tell whether days or months counted from one date, on or back, come to another."""
    if start.date is None or span.date is not None or span.unit not in ("minute", "month"):
        return False
    (year, month, day), (said_year, *said) = start.date, wanted.date or (None, None, None)
    if month is None or day is None or None in said:
        return False
    found = []
    for value, sign in product(span.values, (1, -1)):
        if span.unit == "month" and value.is_integer():
            years, place = divmod(month - 1 + sign * int(value), 12)
            found.append(((year or _ANY_YEAR) + years, place + 1, day))
        elif span.unit == "minute" and value >= _DAY and value % _DAY == 0:
            try:
                there = date(year or _ANY_YEAR, month, day) + sign * timedelta(minutes=value)
            except (ValueError, OverflowError):  # the 31st of June
                continue
            found.append((there.year, there.month, there.day))
    yearless = None in (year, said_year)
    return any(rest == said and (yearless or there == said_year) for there, *rest in found)


_ANY_YEAR: Final = 2001


def _products(wanted: Quantity, rate: Quantity, count: Quantity, *, said: bool) -> Iterator[float]:
    """Yield a rate times a count, and a whole divided by one."""
    if rate.date is not None or count.date is not None:
        return
    if said and wanted.unit is None and rate.unit == count.unit and rate.unit in CURRENCIES:
        # "the 156 € at 12 € a day": how often one amount goes into another
        yield from (a / b for a, b in product(rate.values, count.values) if b > 0)
    if rate.unit != wanted.unit:
        return
    if count.unit == "percent":
        yield from (a * share / 100 for a, share in product(rate.values, count.values))
        return
    if not (said or wanted.unit in {None, *CURRENCIES} or _is_telling(wanted)):
        return
    for value, factor in product(rate.values, _as_written(count)):
        if factor > 1:
            yield value * factor
            yield value / factor


def _as_written(count: Quantity) -> Iterable[float]:
    """Return a count as written: *two days* are two, and *2,500 kWh* are 2,500."""
    if count.unit is None:
        return count.values
    named = number_words().get(next(iter(count.text.split()), "").casefold())
    return count.spoken or (frozenset() if named is None else frozenset({float(named)}))


def _is_telling(number: Quantity) -> bool:
    """Tell whether a number has digits enough not to come about by chance."""
    return len("".join(filter(str.isdigit, number.text)).strip("0")) >= _TELLING
