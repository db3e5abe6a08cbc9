"""The time window that several commands take: `--since`, `--until`, `--tz`."""

from collections.abc import Callable, Mapping
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from analysis.cli import clock
from ingest.errors import UsageError

if TYPE_CHECKING:
    from analysis.window import Window

_SECOND_NS = 1_000_000_000

F = TypeVar("F", bound=Callable[..., Any])


def window_options(command: F) -> F:
    """Add `--since`, `--until` and `--tz`."""
    command = click.option(
        "--tz", metavar="ZONE", help="Time zone of times without an offset.  [default: UTC]"
    )(command)
    command = click.option(
        "--until", metavar="WHEN", help="Only turns that start before then, written likewise."
    )(command)
    return click.option(
        "--since",
        metavar="WHEN",
        help="Only turns that start then or later: 90m, 12h, 7d, 2w (ago), today, yesterday, "
        "last-week, 2026-01-31, 2026-01-31T09:00.",
    )(command)


def window_of(options: Mapping[str, Any]) -> "Window":
    """Return the window that a command line names; ages count back from now.

    Raises:
        UsageError: A value is no point in time or no time zone, or the window is empty.
    """
    from analysis.window import resolve_window

    zone = _zone(options.get("tz"))
    # to the next second: the nanoseconds of an age would be printed, and mean nothing
    now_ns = -(-clock.now_ns() // _SECOND_NS) * _SECOND_NS
    return resolve_window(options["since"], options["until"], now_ns=now_ns, zone=zone)


def _zone(name: str | None) -> tzinfo:
    if name is None:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(
            "--tz", f"{name!r} is no time zone", "Use a name such as Europe/Berlin."
        ) from None
