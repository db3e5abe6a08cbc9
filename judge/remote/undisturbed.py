"""Ctrl-C at a point where nothing can get lost.

What has come from the service and is not stored yet exists only in variables; an exception
between two lines would drop it. So Ctrl-C waits for the end of such a step, which takes a
fraction of a second. A second one does not wait.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back Ctrl-C until the block has ended.

    Raises:
        KeyboardInterrupt: It came meanwhile; or it came twice, then at once.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    held: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if held:
            before(number, frame)
        held.append(number)

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        before(held[0], None)
