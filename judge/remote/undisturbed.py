"""Ctrl-C, or a polite kill, at a point where nothing can get lost.

What has come from the service and is not stored yet exists only in variables; an exception
between two lines would drop it. So a signal waits for the end of such a step, which takes a
fraction of a second. A second one does not wait.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back signals that have a handler until the block has ended.

    Raises:
        KeyboardInterrupt: One came meanwhile; or it came twice, then at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: handler for number, handler in handlers.items() if callable(handler)}
    held: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if held:
            before[signal.Signals(number)](number, frame)
        held.append(number)

    for number in before:
        signal.signal(number, hold)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if held:
        before[signal.Signals(held[0])](held[0], None)
