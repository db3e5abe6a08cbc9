"""Times in all the units and spellings that exporters use, as nanoseconds since the epoch.

    "2025-07-08T22:10:53.177168Z", "2025-07-08 22:10:53+02:00", "20241013T070535809001Z"
    1784995767655639000 ns │ 1771237536879614 µs │ 1728803135809 ms │ 1700000000.25 s
    [1770132005, 983212750] s and ns, as JavaScript's tracer writes them

A number tells its unit by its size, unless the format knows the unit: the ranges that
stand for the years from 1973 on do not overlap. What was recorded is kept to the
nanosecond; a text without an offset is UTC.
"""

import math
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeAlias

from ingest.otlp_fields import LowHigh

Moment: TypeAlias = str | int | float | list[int] | LowHigh | None

SECOND, MILLISECOND, MICROSECOND = 10**9, 10**6, 10**3
"""Units in nanoseconds."""

_LAST_NS = 2**63 - 1
_ISO = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d):?(\d\d)(?:[.,]?(\d{1,12}))?\s?"
    r"(Z|z|UTC|([+-])(\d\d)(?::?(\d\d))?)?"
)
_NUMBER = re.compile(r"\d{1,20}(?:\.\d{1,20})?")
_DURATION = re.compile(
    r"P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10}(?:\.\d{1,12})?)S)?)?"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SIZES = ((10**17, 1), (10**14, MICROSECOND), (10**11, MILLISECOND))
"""From which number on it counts what."""


def moment_ns(value: Moment, flags: set[str], unit: int | None = None) -> int | None:
    """Return a time as recorded, None when nothing was recorded.

    Args:
        value: The time; zero and an empty text are nothing.
        flags: Receives `bad_time` when *value* is no time.
        unit: Nanoseconds in one of a number, None when its size has to tell.
    """
    if not value:
        return None
    found = _ns(value, unit)
    if found is None or not 0 <= found <= _LAST_NS:
        flags.add("bad_time")
        return None
    return found


def duration_ns(value: str | float | None, unit: int) -> int | None:
    """Return a length of time in nanoseconds; None when it is none, or longer than 292 years.

    Args:
        value: A number, as such or as text, or an ISO 8601 duration such as `PT1M48.7S`.
        unit: Nanoseconds in one of a number.
    """
    found = _length_ns(value, unit)
    return found if found is not None and 0 <= found <= _LAST_NS else None


def end_ns(start_ns: int | None, length_ns: int | None, flags: set[str]) -> int | None:
    """Return when something ended; None when that is not known.

    Args:
        start_ns: When it began.
        length_ns: How long it took.
        flags: Receives `bad_time` when it would have ended after the year 2262.
    """
    if start_ns is None or length_ns is None:
        return None
    if start_ns + length_ns > _LAST_NS:
        flags.add("bad_time")
        return None
    return start_ns + length_ns


def _length_ns(value: str | float | None, unit: int) -> int | None:
    if isinstance(value, str):
        parts = _DURATION.fullmatch(value)
        if parts is not None and value != "P":
            days, hours, minutes, seconds = (Decimal(part or 0) for part in parts.groups())
            return round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * SECOND)
        if _NUMBER.fullmatch(value):
            return round(Decimal(value) * unit)
        try:
            value = float(value)
        except ValueError:
            return None
    # a float times a unit may be infinite though neither is
    return None if value is None or not math.isfinite(value) else round(Decimal(value) * unit)


def _ns(value: Moment, unit: int | None) -> int | None:
    if isinstance(value, str):
        text = value.strip()
        if _NUMBER.fullmatch(text):
            return _counted(Decimal(text) if "." in text else int(text), unit)
        return _iso_ns(text)
    if isinstance(value, list):
        return value[0] * SECOND + value[1] if len(value) == 2 else None  # noqa: PLR2004
    if isinstance(value, LowHigh):
        return (value.high << 32) + (value.low & 0xFFFFFFFF)
    return None if value is None else _counted(value, unit)


def _counted(number: float | Decimal, unit: int | None) -> int | None:
    if unit is None:
        sizes = (size for least, size in _SIZES if number >= least)
        unit = next(sizes, 1 if isinstance(number, int) else SECOND)
    if isinstance(number, float):
        if not math.isfinite(number):
            return None
        number = Decimal(repr(number))
    return round(number * unit)


def _iso_ns(text: str) -> int | None:
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    try:
        moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None
    if match[9]:
        offset = timedelta(hours=int(match[10]), minutes=int(match[11] or 0))
        moment += -offset if match[9] == "+" else offset
    seconds = (moment - _EPOCH) // timedelta(seconds=1) + max(second - 59, 0)
    return seconds * SECOND + int((match[7] or "").ljust(9, "0")[:9])
