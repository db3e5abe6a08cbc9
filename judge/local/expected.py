"""What kind of thing a question asks for: a duration, a price, a date, a number.

"How long may I return shoes?" is answered by a passage with a duration in it. The patterns
are those of `patterns.toml`, in the languages of the word tables.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias

from judge.local.numbers import CURRENCIES, Quantity, quantities
from judge.local.patterns import pattern

Expected: TypeAlias = Literal["duration", "money", "date", "number"]

_DURATIONS = frozenset({"minute", "month", "second"})
_MONEY = CURRENCIES | {"percent"}

_IN_WORDS: Final[Mapping[Expected, str]] = {"money": "free_of_charge", "duration": "frequency"}
"""Patterns of words that are such a quantity without a number."""


@lru_cache(maxsize=16_384)
def expected(question: str) -> Expected | None:
    """Return the kind of quantity that *question* asks for, None when it asks for none."""
    return next((kind for kind in _KINDS if _asks(kind).search(question)), None)


def holds(text: str, kind: Expected) -> bool:
    """Tell whether *text* has a quantity of that kind."""
    return any(is_kind(quantity, kind) for quantity in quantities(text))


def gives(claim: str, kind: Expected) -> bool:
    """Tell whether a claim gives what was asked for: *free* is a price, *monthly* how often."""
    said = _IN_WORDS.get(kind)
    return holds(claim, kind) or (said is not None and pattern(said).search(claim) is not None)


def states(text: str, kind: Expected) -> bool:
    """Tell whether a text gives a quantity of a kind beyond doubt: money has its currency."""
    if kind != "money":
        return gives(text, kind)
    told = any(pattern(name).search(text) for name in ("free_of_charge", "small_money"))
    return told or any(quantity.unit in _MONEY for quantity in quantities(text))


def is_kind(quantity: Quantity, kind: Expected) -> bool:
    """Tell whether a quantity is of the kind that was asked for."""
    match kind:
        case "duration":
            return quantity.unit in _DURATIONS
        case "money":
            return quantity.unit in _MONEY or (quantity.unit is None and quantity.date is None)
        case "date":
            return quantity.date is not None or quantity.unit in _DURATIONS | {"clock"}
        case "number":
            return True


_KINDS: tuple[Expected, ...] = ("duration", "money", "date", "number")


@cache
def _asks(kind: Expected) -> re.Pattern[str]:
    return pattern(f"asks_{kind}")
