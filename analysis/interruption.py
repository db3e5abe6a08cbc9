"""How a command ends when it is asked to: Ctrl-C, or a polite kill.

Either becomes a `KeyboardInterrupt`, so that what is under way is stored and what is half
written is removed. Nothing is imported here that takes time.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

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


def _end_at_once(number: int, frame: FrameType | None) -> None:
    """End while nothing is open yet; an exception could be swallowed by a half-done import."""
    del number, frame
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, b"interrupted\n")
    os._exit(INTERRUPTED)


@contextmanager
def starting() -> Iterator[None]:
    """End quietly when interrupted inside: for imports that take time."""
    with _handling(_end_at_once):
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
