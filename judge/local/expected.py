"""What kind of thing a question asks for: a duration, a price, a date, a number.

"How long may I return shoes?" is answered by a passage with a duration in it. The patterns
are those of `patterns.toml`, in the languages of the word tables.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from judge.local.numbers import CURRENCIES, Quantity, quantities
from judge.local.patterns import pattern

Expected: TypeAlias = Literal["duration", "money", "date", "number"]

_DURATIONS = frozenset({"minute", "month"})
_MONEY = CURRENCIES | {"percent"}

_IN_WORDS: Final[Mapping[Expected, str]] = {"money": "free_of_charge", "duration": "frequency"}
"""Patterns of words that are such a quantity without a number."""
_SAID: Final[Mapping[Expected, str]] = {
    "money": "money_in_words",
    "duration": "duration_in_words",
    "date": "duration_in_words",
}
"""Patterns of words that may be one."""


@lru_cache(maxsize=16_384)
def expected(question: str) -> Expected | None:
    """Return the kind of quantity that *question* asks for, None when it asks for none."""
    return next((kind for name, kind in _KINDS if pattern(name).search(question)), None)


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


def tells(claim: str, kind: Expected) -> bool:
    """Tell whether a claim may give a quantity of a kind, however it is said.

    "Until Friday" is how long, and "half of it" how much.
    """
    said = _SAID.get(kind)
    if states(claim, kind) or (said is not None and pattern(said).search(claim)):
        return True
    return kind == "duration" and holds(claim, "date")


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


_KINDS: Final[tuple[tuple[str, Expected], ...]] = (
    ("asks_duration", "duration"),
    ("asks_when", "date"),
    ("asks_money", "money"),
    ("asks_date", "date"),
    ("asks_number", "number"),
)
"""Patterns with what they ask for, the surest first."""
