"""One number said for another: 473.15 for 473.1473."""

from collections.abc import Set as AbstractSet

_ROUNDING = 0.005
"""Part of a number by which rounding may change it: 5 is not said for 5.3."""

_LITTLE = 0.05
"""Part of a number that is *a bit*."""


def beyond(said: AbstractSet[float], others: AbstractSet[float], *, over: bool) -> bool:
    """Tell whether a number is a bit more (*over*) or less than the one that is said."""
    way = 1 if over else -1
    return any(0 < way * (b - a) <= _LITTLE * a for a in said for b in others)


def same(some: AbstractSet[float], others: AbstractSet[float]) -> bool:
    """Tell whether two readings share a number, or one of them is the other, rounded.

    What can be read in two ways ("1,999") is rounded in neither.
    """
    if some & others:
        return True
    return len(some) == len(others) == 1 and _rounded(*some, *others)


def _rounded(a: float, b: float) -> bool:
    finer, coarser = sorted((a, b), key=_decimals, reverse=True)
    near = abs(a - b) <= _ROUNDING * max(abs(a), abs(b))
    return near and round(finer, _decimals(coarser)) == coarser


def _decimals(number: float) -> int:
    return len(f"{number:.6f}".rstrip("0").partition(".")[2])
