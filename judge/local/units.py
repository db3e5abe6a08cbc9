"""The units, months and number words of `units.toml`, and the patterns made of them."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_BETWEEN = (
    r"(?!(?:an?|per|each|every|the|in|of|and|or|to|im|dem|den|der|pro|je|und|oder|bis|par|et|ou|al|por|y|o|e)\s)"
    r"[^\W\d_]+"
)
"""A word between a number and its unit: *10 working days*, but not *4 a year*."""
_NUMBER = r"\d+(?:[.,'’\u00a0 ]\d{3}(?!\d))*(?:[.,]\d+)?"


@cache
def _tables() -> Mapping[str, object]:
    return tomllib.loads(Path(__file__).with_name("units.toml").read_text("utf-8"))


@cache
def units() -> Mapping[str, tuple[str, float]]:
    """Return base unit and factor of every spelling of a unit."""
    table: list[dict[str, str]] = _tables()["unit"]  # type: ignore[assignment]
    return {
        word: (unit["base"], float(unit["factor"]))
        for unit in table
        for word in unit["words"].split()
    }


@cache
def months() -> Mapping[str, int]:
    """Return the number of every spelling of a month."""
    table: dict[str, str] = _tables()["months"]  # type: ignore[assignment]
    return {word: int(number) for number, words in table.items() for word in words.split()}


@cache
def number_words() -> Mapping[str, int]:
    """Return the value of every number word."""
    table: dict[str, str] = _tables()["numbers"]  # type: ignore[assignment]
    return {word: int(number) for number, words in table.items() for word in words.split()}


@cache
def periods() -> tuple[tuple[re.Pattern[str], float, str], ...]:
    """Return what tells how often something happens, with the number and unit of its period."""
    table: list[dict[str, Any]] = _tables()["period"]  # type: ignore[assignment]
    return tuple(
        (re.compile(rf"\b(?:{'|'.join(one['words'])})\b", re.IGNORECASE), one["every"], one["unit"])
        for one in table
    )


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def year() -> re.Pattern[str]:
    """A bare year: no amount with a unit, no part of a longer number."""
    named = _any_of(word for word in units() if word not in {"年", "年間"})
    return re.compile(
        rf"(?<![\d.,#€$£¥-])(?:19|20)\d{{2}}(?![\d.,]\d|\d|\s?(?:{named})(?![^\W\d_]))",
        re.IGNORECASE,
    )


@cache
def day_month() -> re.Pattern[str]:
    """Match *3 May 2024*."""
    names = _any_of(months())
    return re.compile(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th|er)?\.?\s(?:of\s|de\s)?({names})\b\.?(?:,?\s(?:de\s)?(\d{{4}}))?",
        re.IGNORECASE,
    )


@cache
def month_day() -> re.Pattern[str]:
    """Match *May 3, 2024*."""
    names = _any_of(months())
    return re.compile(
        rf"\b({names})\b\.?\s(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s(\d{{4}}))?", re.IGNORECASE
    )


@cache
def amount() -> re.Pattern[str]:
    """Match a number with the unit before or after it."""
    signs = _any_of(word for word in units() if not word[-1].isascii() or not word.isalpha())
    words = _any_of(word for word in units() if word.isalpha())
    before = r"€|\$|£|¥|US\$|EUR|USD|GBP|CHF|JPY"
    return re.compile(
        rf"(?P<before>(?:{before})\s?)?(?<![A-Za-z0-9_.,])(?P<number>{_NUMBER})"
        # "the Fox 5 costs EUR 449", and "GBP 1,500 GBP 75" are two amounts.
        rf"(?(before)|(?:\s?-?(?P<after>{signs}|(?:{words})(?![^\W\d_]))"
        rf"|\s(?P<near>{_BETWEEN}\s(?:{words})(?![^\W\d_])(?!\s\d)))?)",
        re.IGNORECASE,
    )


@cache
def count_word() -> re.Pattern[str]:
    """Match a number word before any noun."""
    counts: dict[str, str] = _tables()["counts"]  # type: ignore[assignment]
    return re.compile(
        rf"(?<![^\W_])(?:{_any_of(counts['words'].split())})(?![^\W_])", re.IGNORECASE
    )


@cache
def number_word() -> re.Pattern[str]:
    """Match a number word with its unit."""
    # One or two letters after an article ("a h…") are no unit.
    spelled = [word for word in units() if word.isalpha() and len(word) > 2]  # noqa: PLR2004
    numbers, named = _any_of(number_words()), _any_of(spelled)
    return re.compile(
        rf"(?<![^\W_])(?P<word>{numbers})[\s-](?P<between>(?!(?:{numbers})\s){_BETWEEN}\s)?(?P<unit>{named})(?![^\W\d_])",
        re.IGNORECASE,
    )
