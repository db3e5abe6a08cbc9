"""How a command ends when it is asked to: Ctrl-C, or a polite kill.

Either becomes a `KeyboardInterrupt`, so that what is under way is stored and what is half
written is removed. Nothing is imported here that takes time.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

INTERRUPTED: Final = 130
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """Whether the process was asked to end."""

    def __init__(self) -> None:
        self.happened = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Take the signal."""
        del number, frame
        self.happened = True
        raise KeyboardInterrupt


def end_at_once(message: str) -> NoReturn:
    """End the process with a message, once everything is closed.

    Python would otherwise end itself by the signal where that arrived in the midst of some
    imports, and wait for threads that wait for a judge.
    """
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    with suppress(OSError, ValueError):
        print(message, file=sys.stderr, flush=True)  # noqa: T201 - the last word
    os._exit(INTERRUPTED)


def _end_while_starting(number: int, frame: FrameType | None) -> None:
    """End while nothing is open yet; an exception could be swallowed by a half-done import."""
    del number, frame
    end_at_once("interrupted.")


@contextmanager
def starting() -> Iterator[None]:
    """End quietly when interrupted inside: for imports that take time."""
    with _handling(_end_while_starting):
        yield


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Raise `KeyboardInterrupt` inside when the process is asked to end, and remember it."""
    interruption = Interruption()
    with _handling(interruption):
        yield interruption


@contextmanager
def _handling(handler: "signal._HANDLER") -> Iterator[None]:
    """Handle the signals inside; elsewhere than in the main thread they cannot be."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, known in before.items():
        if known is not signal.SIG_IGN:  # nohup, or a shell's background job
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known if known is not None else signal.SIG_DFL)
