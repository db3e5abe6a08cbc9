"""Progress on stderr: a bar on a terminal, a line now and then elsewhere, or JSON lines.

What is printed are the product's own words and numbers, never text of a trace.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, TypeVar

import click

from analysis.cli.output import columns_of
from analysis.report.numbers import counted

ProgressKind: TypeAlias = Literal["auto", "plain", "json", "none"]
PROGRESS_KINDS: Final[tuple[ProgressKind, ...]] = ("auto", "plain", "json", "none")

_EVERY_S: Final[dict[str, float]] = {"bar": 0.1, "plain": 10.0, "json": 1.0}
_UNITS: Final[dict[str, str]] = {
    "reading": "span",
    "asking": "conversation",
    "judging": "conversation",
    "sending": "judgement",
}

_F = TypeVar("_F", bound=Callable[..., Any])


def progress_option(command: _F) -> _F:
    """Add `--progress KIND`, which arrives as `progress_kind`."""
    return click.option(
        "--progress",
        "progress_kind",
        type=click.Choice(PROGRESS_KINDS),
        default="auto",
        show_default=True,
        help="How progress is told on stderr.",
    )(command)


def progress_kind(name: str) -> ProgressKind:
    """Return the kind of progress that an option names."""
    return next(kind for kind in PROGRESS_KINDS if kind == name)


class Progress:
    """Tells how far a run is. Call it as often as you like."""

    def __init__(self, kind: ProgressKind, *, quiet: bool = False) -> None:
        tty = sys.stderr is not None and sys.stderr.isatty()  # None: closed by the caller
        shown = ("bar" if tty else "plain") if kind == "auto" else kind
        self._kind = "none" if quiet else shown
        self._told_at = 0.0 if self._kind == "bar" else time.monotonic()
        self._step = ""
        self._started_at = time.monotonic()
        self._open_line = False
        self._told = -1
        """How much was done when it was last told, -1 for a new step."""

    def __call__(self, step: str, done: int, of: int | None) -> None:
        """Tell the step, how much is done, and how much there is (None: not known)."""
        if self._kind == "none":
            return
        now = time.monotonic()
        if step != self._step:
            self._step, self._started_at = step, now
            self._told = -1
        if done != of and now - self._told_at < _EVERY_S[self._kind]:
            return
        if done == self._told and done == of:
            return
        self._told_at, self._told = now, done
        if self._kind == "json":
            event = {"event": "progress", "step": step, "done": done, "of": of}
            click.echo(json.dumps(event), err=True)
        elif self._kind == "bar":
            room = max(columns_of(sys.stderr) - 1, 1)  # a wrapped line stays behind
            click.echo(f"\r\x1b[2K{self._line(step, done, of, now)[:room]}", err=True, nl=False)
            self._open_line = True
        else:
            click.echo(self._line(step, done, of, now), err=True)

    def close(self) -> None:
        """Leave the line that a bar was drawn on."""
        if self._open_line:
            click.echo("\r\x1b[2K", err=True, nl=False)
            self._open_line = False

    def _line(self, step: str, done: int, of: int | None, now: float) -> str:
        unit = _UNITS.get(step, "")
        if not of:
            return f"{step.capitalize()}  {counted(done, unit)}"
        spent = now - self._started_at
        left = spent / done * (of - done) if done else None
        eta = "" if left is None or done >= of else f"  about {_clock(left)} left"
        return f"{step.capitalize()}  {done:,}/{counted(of, unit)}  {done / of:4.0%}{eta}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
