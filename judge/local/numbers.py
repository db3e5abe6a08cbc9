"""Numbers with their units, and dates: what an answer must get exactly right.

    "14 days after 3 May, €1,299.00"  ─▶  20160 minute · date -/5/3 · 1299 euro

Values are compared after conversion into a base unit (2 weeks are 14 days), a date with
what both sides give of it. "1.299" is read both ways, since its language is not known.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from judge.local.identifiers import ISO_DATE, without_identifiers
from judge.local.rounding import same
from judge.local.spelled import spoken_clocks, with_parts
from judge.local.text import term
from judge.local.units import (
    amount,
    count_word,
    day_month,
    month_day,
    months,
    number_word,
    number_words,
    periods,
    units,
    year,
)
from judge.local.words import plain, stop_words
from judge.local.written import apart, with_shares
from judge.tokens import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One number of a text."""

    values: frozenset[float]
    """In the base unit; two readings where the notation is ambiguous. Empty for a date."""
    unit: str | None
    """Base unit; None for a bare number."""
    date: tuple[int | None, int | None, int | None] | None = None
    """Year, month and day, each None where not given."""
    text: str = ""
    """As written, for reasons and quotes."""
    noun: str | None = None
    """The term after a number without a unit: what is counted."""
    rate: bool = False
    """It says how often ("4 a year", "quarterly"), which need not be found again."""

    def agrees(self, other: "Quantity") -> bool:
        """Tell whether *other* says the same number, as far as both tell."""
        if self.date is not None and other.date is not None:
            return all(
                mine is None or theirs is None or mine == theirs
                for mine, theirs in zip(self.date, other.date, strict=True)
            )
        if self.date is not None or other.date is not None:
            bare, date = (other, self) if self.date else (self, other)
            parts = date.date or ()
            # "Bluetooth 5.3." at the end of a sentence reads like a day of March.
            values = {*parts, *date.spoken}
            return bare.unit is None and any(value in bare.values for value in values)
        if self.unit is not None and other.unit is not None and self.unit != other.unit:
            return False
        if "clock" in (self.unit, other.unit) and None in (self.unit, other.unit):
            bare, clock = (other, self) if self.unit == "clock" else (self, other)
            hours = {value % 12 for value in bare.values if value <= 24}  # noqa: PLR2004
            return bool(bare.spoken & clock.spoken) or any(
                value / 60 % 12 in hours for value in clock.values
            )
        if self.unit is None or other.unit is None:
            return bool(self.spoken & other.spoken) or same(self.values, other.values)
        return same(self.values, other.values)

    @property
    def spoken(self) -> frozenset[float]:
        """The number as written, before any conversion."""
        digits = frozenset(_values(_DIGITS.search(normalise(self.text))))
        word = next(iter(re.split(r"[\s-]", self.text)), "").casefold()
        named = number_words().get(word)
        # "one" and "two" stand for too much else.
        return digits or (frozenset({float(named)}) if named and named >= _TELLING else frozenset())

    def rivals(self, other: "Quantity") -> bool:
        """Tell whether *other* measures the same kind of thing, so that both cannot hold.

        So do amounts in two currencies: what costs 49 euros does not cost 49 dollars.
        """
        if self.rate or other.rate:
            return False
        if self.date is not None or other.date is not None:
            return self.date is not None and other.date is not None
        if not any(
            mine <= _FARTHEST * theirs and theirs <= _FARTHEST * mine
            for mine, theirs in product(self.values, other.values)
        ):
            return False
        counted = {self.noun, other.noun} - {None}
        alike = self.unit == other.unit or {self.unit, other.unit} <= CURRENCIES
        return alike and len(counted) < 2  # noqa: PLR2004 - one noun

    def recounts(self, other: "Quantity") -> bool:
        """Tell whether *other* counts the same things and comes to another number."""
        alike = self.noun is not None and self.noun == other.noun
        return alike and not same(self.values, other.values)


CURRENCIES = frozenset({"euro", "dollar", "pound", "franc", "yen"})
_THINGS = frozenset({"meter", "bar", "degree", "second"})
"""Units that are also things."""
_DECIMALS = 12
"""Thirds of a minute add up to one again, within what `worked_out` takes for equal."""
_AFTER_AN = frozenset("aeiouh")
_FARTHEST = 150
"""Times by which two numbers of one thing may differ: a slip takes another digit or unit."""
_TELLING = 3
"""The least number that means a number wherever it is spelled out."""
_DIGITS = re.compile(r"\d+(?:[.,'’ \u00a0]\d{3}(?!\d))*(?:[.,]\d+)?")
_PER = re.compile(
    rf"(?:\d|[%€$£]|(?<![^\W\d_])(?:once|twice|times|cents?|einmal|zweimal|mal|fois|ve[zc]e?s?"
    rf"|volt[ae]|keer|{'|'.join(word for word, value in number_words().items() if value > 1)}))"
    r"(?:\s(?!(?:after|within|for|before|in|than|of|nach|vor|für|binnen|innerhalb)\s)[^\W\d_]+)"
    r"{0,2}\s$",
    re.IGNORECASE,
)
"""What stands before a unit of which something happens so often: *4 €*, *once*, *two doses*."""
_NEXT_WORD = re.compile(r"\s[^\W\d_]{3,}")
_NO_NOUNS = frozenset().union(*stop_words().values())
_NUMERIC_DATE = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})?(?![\d/])")
_CJK_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]")
_CLOCK = re.compile(
    r"(?<![\d:])(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s?((?:a\.?m\.?|p\.?m\.?|uhr|h)(?![^\W\d_])|時|点)?(?![\d:])",
    re.IGNORECASE,
)


@lru_cache(maxsize=65_536)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the dates, times, amounts and bare numbers of *text*, identifiers left out."""
    found, text = _dates(with_shares(with_parts(apart(normalise(text)))))
    clocks, text = _clocks(without_identifiers(text))
    return (*found, *clocks, *_amounts(text))


def years(text: str) -> frozenset[int]:
    """Return the calendar years that *text* names."""
    return frozenset(
        quantity.date[0]
        for quantity in quantities(text)
        if quantity.date is not None and quantity.date[0] is not None
    )


def matched(wanted: Quantity, offered: Iterable[Quantity]) -> bool:
    """Tell whether one of *offered* says the same number as *wanted*."""
    return any(wanted.agrees(one) for one in offered)


def _dates(text: str) -> tuple[list[Quantity], str]:
    found: list[Quantity] = []

    def take(match: re.Match[str], year: str | None, month: int, day: str | None) -> str:
        number = int(year) if year else None
        if number is not None and number < 100:  # noqa: PLR2004 - two-digit years
            number += 2000
        parts = (number, month, int(day) if day else None)
        if 1 <= month <= 12 and (parts[2] is None or 1 <= parts[2] <= 31):  # noqa: PLR2004
            found.append(Quantity(values=frozenset(), unit=None, date=parts, text=match[0].strip()))
            return " " * len(match[0])
        return match[0]

    text = ISO_DATE.sub(
        lambda m: take(m, m[1], int(m[2]), m[3]) + (f" {m[4]}" if m[4] != "00:00" else ""),
        text,
    )
    text = _CJK_DATE.sub(lambda m: take(m, m[1], int(m[2]), m[3]), text)
    text = day_month().sub(lambda m: take(m, m[3], months()[m[2].casefold()], m[1]), text)
    text = month_day().sub(lambda m: take(m, m[3], months()[m[1].casefold()], m[2]), text)

    def numeric(match: re.Match[str]) -> str:
        first, second = int(match[1]), int(match[2])
        if match[3] is None and not match[0].endswith("."):
            return match[0]  # 24/7, 1.5
        # 03/25/2024 can only be month first; 03/04/2024 is read day first.
        swap = second > 12 >= first  # noqa: PLR2004 - months
        day, month = (second, first) if swap else (first, second)
        return take(match, match[3], month, str(day))

    text = _NUMERIC_DATE.sub(numeric, text)

    def bare_year(match: re.Match[str]) -> str:
        number = int(match[0])
        found.append(
            Quantity(
                values=frozenset({float(number)}),
                unit=None,
                date=(number, None, None),
                text=match[0],
            )
        )
        return " " * len(match[0])

    return found, year().sub(bare_year, text)


def _clocks(text: str) -> tuple[list[Quantity], str]:
    spoken, text = spoken_clocks(text)
    found = [Quantity(values=values, unit="clock", text=words) for values, words in spoken]

    def take(match: re.Match[str]) -> str:
        hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").casefold()
        colon = ":" in match[0]
        if hour > 24 or minute > 59 or not (colon or half) or (half == "h" and not match[2]):  # noqa: PLR2004
            return match[0]
        if half.startswith("p") and hour < 12:  # noqa: PLR2004
            hour += 12
        readings = {hour * 60.0 + minute}
        found.append(Quantity(values=frozenset(readings), unit="clock", text=match[0].strip()))
        return " " * len(match[0])

    return found, _CLOCK.sub(take, text)


def _amounts(text: str) -> list[Quantity]:
    found = []
    for match in amount().finditer(text):
        before, number, after = match["before"], match["number"], match["after"]
        near = (match["near"] or "").split()[-1:]
        unit = _unit(before) or _unit(after) or _unit("".join(near))
        base, factor = unit or (None, 1.0)
        written = _values(_DIGITS.match(number))
        values = frozenset(round(value * factor, _DECIMALS) for value in written)
        noun = None if unit else _noun(text, match.end())
        found.append(Quantity(values=values, unit=base, text=match[0].strip(), noun=noun))
    spelled = list(number_word().finditer(text))
    for match in spelled:
        unit = _unit(match["unit"])
        base, factor = unit or (None, 1.0)
        word = match["word"].casefold()
        value = float(number_words()[word])
        if match["between"] and match["unit"].casefold() in _THINGS:
            continue  # "a smart meter" is no metre
        if word == "a" and match["unit"] and match["unit"].casefold() == "second":
            continue  # "a second tent"
        if word == "an" and match[0].casefold()[3:4] not in _AFTER_AN:
            continue  # German: "an Werktagen"
        values = frozenset({round(value * factor, _DECIMALS)})
        rate = value == 1 and _PER.search(text[: match.start()]) is not None
        found.append(Quantity(values=values, unit=base, text=match[0].strip(), rate=rate))
    for told, value, named in periods():
        base, factor = units()[named]
        values = frozenset({value * factor})
        often = (
            Quantity(values=values, unit=base, text=one[0], rate=True)
            for one in told.finditer(text)
        )
        found.extend(often)
    taken = {match.start() for match in spelled}
    for match in count_word().finditer(text):
        if match.start() not in taken:
            value = float(number_words()[match[0].casefold()])
            noun = _noun(text, match.end())
            found.append(Quantity(values=frozenset({value}), unit=None, text=match[0], noun=noun))
    return found


def _noun(text: str, start: int) -> str | None:
    """Return the term right after a number: *120 requests*."""
    match = _NEXT_WORD.match(text, start)
    if match is None or match[0].strip().casefold() in _NO_NOUNS:
        return None
    return term(plain(match[0].strip().casefold()))


def _values(match: re.Match[str] | None) -> Iterator[float]:
    """Yield each way to read the digits: separators group thousands, or mark decimals."""
    if match is None:
        return
    raw = re.sub(r"['’ \u00a0]", "", match[0])
    head, mark, tail = raw.rpartition("." if raw.rfind(".") > raw.rfind(",") else ",")
    if not mark:
        yield float(raw)
        return
    whole = re.sub(r"[.,]", "", head)
    if len(tail) == 3 and head != "0":  # noqa: PLR2004 - thousands
        yield float(whole + tail)
        if not re.search(r"[.,]", head):
            yield float(f"{whole}.{tail}")
    else:
        yield float(f"{whole or 0}.{tail}")


def _unit(word: str | None) -> tuple[str, float] | None:
    return None if not word else units().get(word.casefold().strip("-. "))
