"""The time window of a run: which turns are looked at.

A window is half open, `[since, until)`, in integer nanoseconds since the Unix epoch. A
turn belongs to it by the start of its root span. Text without an offset is UTC unless a
time zone is named. Seconds as floats would lose the last nanosecond of a day, so none are
used.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from ingest.errors import UsageError

_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_UNIT_S = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_FRACTION = re.compile(r"[.,](\d+)")
_NS = 1_000_000_000
_NAMED = ("last-week", "yesterday", "today")
"""Periods of a calendar: such a `since` alone ends where its period does."""
_FORMS = (
    "Use 90m, 12h, 7d, 2w, today, yesterday, last-week, now, or an ISO date or time such as "
    "2026-01-31T09:00."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """From when until when; None is open."""

    since_ns: int | None = None
    until_ns: int | None = None

    def __contains__(self, start_ns: object) -> bool:
        """Tell whether a turn that starts then belongs to the window.

        A turn whose start was not recorded (None) belongs only to the open window.
        """
        if self.since_ns is None and self.until_ns is None:
            return True
        if not isinstance(start_ns, int):
            return False
        after = self.since_ns is None or start_ns >= self.since_ns
        return after and (self.until_ns is None or start_ns < self.until_ns)

    def __str__(self) -> str:
        """Return the resolved window as it is printed and stored."""
        since = "the first turn" if self.since_ns is None else iso(self.since_ns)
        until = "the last turn" if self.until_ns is None else iso(self.until_ns)
        return f"{since} - {until}"


def resolve_window(
    since: str | None, until: str | None, *, now_ns: int, zone: tzinfo = UTC
) -> Window:
    """Return the window that two options mean.

    Args:
        since: Start, e.g. `7d`, `yesterday`, `last-week` or an ISO time; None is open.
        until: End, likewise; None is open behind an ISO time, now behind an age, and the end of
            the day or week behind the name of one.
        now_ns: The current time; ages count back from it.
        zone: Time zone of text without an offset, and of days and weeks.

    Raises:
        UsageError: A text that is no time, or a window that ends before it starts.
    """
    start = None if since is None else _moment(since, "--since", now_ns, zone)
    end = None if until is None else _moment(until, "--until", now_ns, zone)
    if since is not None and until is None:
        word = since.strip()
        if word in _NAMED:
            end = _period(word, now_ns, zone)[1]
        elif _AGO.fullmatch(word):
            end = now_ns
    if start is not None and end is not None and end <= start:
        raise UsageError(
            "--until",
            f"the window {iso(start)} - {iso(end)} is empty",
            "Let --until be later than --since.",
        )
    return Window(since_ns=start, until_ns=end)


def _moment(text: str, option: str, now_ns: int, zone: tzinfo) -> int:
    word = text.strip()
    if word == "now":
        return now_ns
    if word in _NAMED:
        return _period(word, now_ns, zone)[0]
    if ago := _AGO.fullmatch(word):
        return now_ns - int(ago[1]) * _UNIT_S[ago[2]] * _NS
    try:
        return _iso_ns(word, zone)
    except (ValueError, OverflowError):
        raise UsageError(option, f"{text!r} is no point in time", _FORMS) from None


def _iso_ns(text: str, zone: tzinfo) -> int:
    fraction = _FRACTION.search(text)
    digits = fraction[1] if fraction else ""
    if len(digits) > 9:  # noqa: PLR2004 - nanoseconds have nine digits
        raise ValueError("finer than a nanosecond")
    whole = datetime.fromisoformat(_FRACTION.sub("", text, count=1))
    if whole.tzinfo is None:
        whole = whole.replace(tzinfo=zone)
    since_epoch = whole - datetime(1970, 1, 1, tzinfo=UTC)
    seconds = since_epoch.days * _UNIT_S["d"] + since_epoch.seconds
    return seconds * _NS + int(digits.ljust(9, "0") or 0)


def _period(name: str, now_ns: int, zone: tzinfo) -> tuple[int, int]:
    """Return where a named day or week begins and ends, at midnights of the zone."""
    today = datetime.fromtimestamp(now_ns // _NS, zone).date()
    match name:
        case "today":
            first, days = today, 1
        case "yesterday":
            first, days = today - timedelta(days=1), 1
        case _:
            first, days = today - timedelta(days=today.weekday() + 7), 7
    return _midnight(first, zone), _midnight(first + timedelta(days=days), zone)


def _midnight(day: date, zone: tzinfo) -> int:
    # not so many times 24 hours: a week with a change of the clocks has one more or less
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()) * _NS


def iso(time_ns: int) -> str:
    """Return a time as ISO 8601 in UTC, with a fraction only where there is one."""
    seconds, rest = divmod(time_ns, _NS)
    text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{text}{fraction}Z"
