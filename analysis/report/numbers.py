"""How numbers are printed, the same in every report.

An undefined number is `n/a` with its counts, never a coined one. A rate that is not 0 or
1 is never printed as 0 % or 100 %.
"""

from typing import Final

NOTHING: Final = "n/a (0 of 0)"


def count(number: int | None) -> str:
    """Return a number of things: `18,180`, `–` for None."""
    return "–" if number is None else f"{number:,}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its word: `1 turn`, `18,180 turns`, `2 searches`."""
    plural = many or one + ("es" if one.endswith("ch") else "s")
    return f"{count(number)} {one if number == 1 else plural}"


def percent(share: float | None, places: int | None = None) -> str:
    """Return a share as `7.1 %`, `0.29 %`, `<0.01 %`, `>99.9 %`; `n/a` for None.

    Args:
        share: In [0, 1].
        places: Decimals of the percentage; None takes `percent_places`.
    """
    return "n/a" if share is None else f"{_percent_digits(share, places)} %"


def percent_interval(low: float | None, high: float | None, places: int | None = None) -> str:
    """Return the bounds of a rate as `6.7–7.5`; empty when undefined."""
    if low is None or high is None:
        return ""
    digits = percent_places(high) if places is None else places
    return f"{_percent_digits(low, digits)}–{_percent_digits(high, digits)}"


_SMALL = 0.01
"""Below one percent a second digit says more than nothing."""


def percent_places(share: float) -> int:
    """Return with how many decimals a percentage is usually printed."""
    return 2 if share < _SMALL else 1


def _percent_digits(share: float, places: int | None = None) -> str:
    return _bounded(share * 100, percent_places(share) if places is None else places, 100)


SCORE_PLACES: Final = 2
"""Decimals with which a score is usually printed."""


def score(value: float | None, places: int = SCORE_PLACES) -> str:
    """Return a score in [0, 1] as `0.47`; `<0.01` and `>0.99` for what is not 0 or 1."""
    return "n/a" if value is None else _bounded(value, places, 1)


def score_interval(low: float | None, high: float | None, places: int = SCORE_PLACES) -> str:
    """Return the bounds of a score as `0.46–0.48`; empty when undefined."""
    if low is None or high is None:
        return ""
    return f"{score(low, places)}–{score(high, places)}"


def _bounded(value: float, places: int, top: int) -> str:
    step = 10.0**-places
    text = f"{value:.{places}f}"
    if value > 0 and float(text) == 0:
        return f"<{step:.{places}f}"
    if value < top and float(text) == top:
        return f">{top - step:.{places}f}"
    return str(round(value)) if value in (0, top) else text


def points(change: float) -> str:
    """Return a change of a rate in percentage points: `+0.37`, `−0.17`, `±0.00`."""
    shown = f"{abs(change) * 100:.2f}"
    if float(shown) == 0:
        return f"±{shown}"
    return ("+" if change > 0 else "−") + shown


def money(usd: float | None) -> str:
    """Return an amount in US dollars; an unknown price is said to be unknown."""
    return "unknown cost" if usd is None else f"${usd:,.2f}"


def size(count_of_bytes: int) -> str:
    """Return a size as `2.1 GB`, in powers of ten."""
    if count_of_bytes < _KILO:
        return f"{count_of_bytes} B"
    amount = float(count_of_bytes)
    for unit in ("kB", "MB", "GB"):
        amount /= _KILO
        if amount < _KILO:
            return f"{amount:.1f} {unit}"
    return f"{amount / _KILO:.1f} TB"


_KILO = 1_000


def milliseconds(duration: float | None) -> str:
    """Return a duration as `6.18 s` or `340 ms`; `–` for None."""
    if duration is None:
        return "–"
    return f"{duration / _KILO:.2f} s" if duration >= _KILO else f"{duration:.0f} ms"
