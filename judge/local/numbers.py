"""Numbers with their units, dates, and identifiers: what an answer must get exactly right.

    "14 days after 3 May, RX-200, €1,299.00"
        ─▶  20160 minute · date -/5/3 · 1299 euro      and the identifier rx200

Values are compared after conversion into a base unit (2 weeks are 14 days), a date with
what both sides give of it. "1.299" is read both ways, since its language is not known.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

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
            return bare.unit is None and any(part in bare.values for part in parts)
        if self.unit is not None and other.unit is not None and self.unit != other.unit:
            return False
        if self.unit is None or other.unit is None:
            return bool(self.spoken & other.spoken or self.values & other.values)
        return bool(self.values & other.values)

    @property
    def spoken(self) -> frozenset[float]:
        """The number as written, before any conversion; empty when it is spelled out."""
        return frozenset(_values(_DIGITS.search(normalise(self.text))))

    def rivals(self, other: "Quantity") -> bool:
        """Tell whether *other* measures the same kind of thing, so that both cannot hold."""
        if self.date is not None or other.date is not None:
            return self.date is not None and other.date is not None
        return self.unit == other.unit


_DIGITS = re.compile(r"\d+(?:[.,'’ \u00a0]\d{3})*(?:[.,]\d+)?")
_NUMBER = r"\d+(?:[.,'’\u00a0 ]\d{3}(?!\d))*(?:[.,]\d+)?"
_ISO = re.compile(
    r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_NUMERIC_DATE = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})?(?![\d/])")
_CJK_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]")
_CLOCK = re.compile(
    r"(?<![\d:])(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s?(a\.?m\.?|p\.?m\.?|uhr|h(?=\b)|時|点)?(?![\d:])",
    re.IGNORECASE,
)
_SPACED_MODEL = re.compile(r"\b([A-Z]{2,5}) (\d{2,5})\b(?![.,]\d)")
_IDENTIFIER = re.compile(r"[A-Za-z0-9]+(?:[-_/.#][A-Za-z0-9]+)*")
_SINGULAR_DIGITS: Final = 5
"""A bare number of this many digits may be an id; it counts as a number as well."""
_EARLIEST, _LATEST = 1900, 2100


@lru_cache(maxsize=65_536)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the dates, times, amounts and bare numbers of *text*, identifiers left out."""
    found, text = _dates(normalise(text))
    clocks, text = _clocks(_without_identifiers(text))
    return (*found, *clocks, *_amounts(text))


@lru_cache(maxsize=65_536)
def identifiers(text: str) -> Mapping[str, str]:
    """Return model names, order numbers and the like: canonical form → as written.

    Canonical: casefolded, separators dropped, so RX-200, `rx_200` and "RX 200" are one.
    """
    text = _ISO.sub(" ", normalise(text))
    found = {_canonical(word): word for word in _IDENTIFIER.findall(text) if _is_identifier(word)}
    for match in _SPACED_MODEL.finditer(text):
        if match[1].casefold() not in _units():
            found.setdefault(_canonical(match[0]), match[0])
    return found


def family(identifier: str) -> str:
    """Return what siblings share: the letters with every digit as `9`, runs shortened.

    RX-200 and RX-300 are siblings, A-1234 and A-98765 too.
    """
    return re.sub(r"\d+", "9", identifier)


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


def _is_identifier(word: str) -> bool:
    if len(word) < 3:  # noqa: PLR2004 - 5G and the like are words, E4 is a code
        return word[0].isalpha() and word[0].isupper() and word[-1].isdigit() and len(word) == 2  # noqa: PLR2004
    digits = sum(char.isdigit() for char in word)
    letters = sum(char.isalpha() for char in word)
    if not digits:
        return False
    if not letters:
        return word.isdigit() and len(word) >= _SINGULAR_DIGITS
    return not _MEASURE.fullmatch(word) and not _ISO.match(word)


def _canonical(word: str) -> str:
    return re.sub(r"[\W_]", "", word).casefold()


def _without_identifiers(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        named = _is_identifier(match[0]) and not match[0].isdigit()
        return " " * len(match[0]) if named else match[0]

    return _IDENTIFIER.sub(blank, _SPACED_MODEL.sub(_blank_model, text))


def _blank_model(match: re.Match[str]) -> str:
    return match[0] if match[1].casefold() in _units() else " " * len(match[0])


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

    text = _ISO.sub(lambda m: take(m, m[1], int(m[2]), m[3]), text)
    text = _CJK_DATE.sub(lambda m: take(m, m[1], int(m[2]), m[3]), text)
    text = _day_month().sub(lambda m: take(m, m[3], _months()[m[2].casefold()], m[1]), text)
    text = _month_day().sub(lambda m: take(m, m[3], _months()[m[1].casefold()], m[2]), text)

    def numeric(match: re.Match[str]) -> str:
        first, second = int(match[1]), int(match[2])
        if match[3] is None and not match[0].endswith("."):
            return match[0]  # 24/7, 1.5
        # 03/25/2024 can only be month first; 03/04/2024 is read day first.
        swap = second > 12 >= first  # noqa: PLR2004 - months
        day, month = (second, first) if swap else (first, second)
        return take(match, match[3], month, str(day))

    text = _NUMERIC_DATE.sub(numeric, text)

    def year(match: re.Match[str]) -> str:
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

    return found, _year().sub(year, text)


def _clocks(text: str) -> tuple[list[Quantity], str]:
    found: list[Quantity] = []

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
    for match in _amount().finditer(text):
        before, number, after = match["before"], match["number"], match["after"]
        near = (match["near"] or "").split()[-1:]
        unit = _unit(before) or _unit(after) or _unit("".join(near))
        base, factor = unit or (None, 1.0)
        values = frozenset(round(value * factor, 6) for value in _values(_DIGITS.match(number)))
        found.append(Quantity(values=values, unit=base, text=match[0].strip()))
    spelled = list(_number_word().finditer(text))
    for match in spelled:
        unit = _unit(match["unit"])
        base, factor = unit or (None, 1.0)
        value = float(_number_words()[match["word"].casefold()])
        found.append(
            Quantity(values=frozenset({round(value * factor, 6)}), unit=base, text=match[0].strip())
        )
    taken = {match.start() for match in spelled}
    for match in _count_word().finditer(text):
        if match.start() not in taken:
            value = float(_number_words()[match[0].casefold()])
            found.append(Quantity(values=frozenset({value}), unit=None, text=match[0]))
    return found


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
    return None if not word else _units().get(word.casefold().strip("-. "))


@cache
def _tables() -> Mapping[str, object]:
    return tomllib.loads(Path(__file__).with_name("units.toml").read_text("utf-8"))


@cache
def _units() -> Mapping[str, tuple[str, float]]:
    table: list[dict[str, str]] = _tables()["unit"]  # type: ignore[assignment]
    return {
        word: (unit["base"], float(unit["factor"]))
        for unit in table
        for word in unit["words"].split()
    }


@cache
def _months() -> Mapping[str, int]:
    table: dict[str, str] = _tables()["months"]  # type: ignore[assignment]
    return {word: int(number) for number, words in table.items() for word in words.split()}


@cache
def _number_words() -> Mapping[str, int]:
    table: dict[str, str] = _tables()["numbers"]  # type: ignore[assignment]
    return {word: int(number) for number, words in table.items() for word in words.split()}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _year() -> re.Pattern[str]:
    """A bare year: no amount with a unit, no part of a longer number."""
    units = _any_of(word for word in _units() if word not in {"年", "年間"})
    return re.compile(
        rf"(?<![\d.,#€$£¥-])(?:19|20)\d{{2}}(?![\d.,]\d|\d|\s?(?:{units})(?![^\W\d_]))",
        re.IGNORECASE,
    )


@cache
def _day_month() -> re.Pattern[str]:
    names = _any_of(_months())
    return re.compile(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th|er)?\.?\s(?:of\s|de\s)?({names})\b\.?(?:,?\s(?:de\s)?(\d{{4}}))?",
        re.IGNORECASE,
    )


@cache
def _month_day() -> re.Pattern[str]:
    names = _any_of(_months())
    return re.compile(
        rf"\b({names})\b\.?\s(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s(\d{{4}}))?", re.IGNORECASE
    )


@cache
def _amount() -> re.Pattern[str]:
    signs = _any_of(word for word in _units() if not word[-1].isascii() or not word.isalpha())
    words = _any_of(word for word in _units() if word.isalpha())
    before = r"€|\$|£|¥|US\$|EUR|USD|GBP|CHF|JPY"
    return re.compile(
        rf"(?P<before>(?:{before})\s?)?(?<![A-Za-z0-9_.,])(?P<number>{_NUMBER})"
        rf"(?:\s?-?(?P<after>{signs}|(?:{words})(?![^\W\d_]))|\s(?P<near>[^\W\d_]+\s(?:{words})(?![^\W\d_])))?",
        re.IGNORECASE,
    )


@cache
def _count_word() -> re.Pattern[str]:
    counts: dict[str, str] = _tables()["counts"]  # type: ignore[assignment]
    return re.compile(
        rf"(?<![^\W_])(?:{_any_of(counts['words'].split())})(?![^\W_])", re.IGNORECASE
    )


@cache
def _number_word() -> re.Pattern[str]:
    # One or two letters after an article ("a h…") are no unit.
    spelled = [word for word in _units() if word.isalpha() and len(word) > 2]  # noqa: PLR2004
    numbers, units = _any_of(_number_words()), _any_of(spelled)
    return re.compile(
        rf"(?<![^\W_])(?P<word>{numbers})[\s-](?:[^\W\d_]+\s)?(?P<unit>{units})(?![^\W\d_])",
        re.IGNORECASE,
    )


_MEASURE = re.compile(
    r"\d+(?:[.,]\d+)*(?:"
    r"km|cm|mm|m|kg|g|ml|l|h|min|s|w|v|gb|mb|eur|usd|gbp|chf|bar|st|nd|rd|th|er|x|k|am|pm"
    r"|hours?|days?|weeks?|months?|years?|T\d+|-?(?:day|year|month|week|hour|minute)s?"
    r"|-?(?:tägig|jährig|stündig|stufig|fach)\w*)"
    r"|\d+(?:-\d+)?-(?:[A-Za-z]{4,}|day|way)(?:-[A-Za-z]+)*|\d{1,2}h\d{2}|[A-Za-z]{4,}-\d{1,2}|\d{1,2}[ap]m-\d{1,2}[ap]m",
    re.IGNORECASE,
)
