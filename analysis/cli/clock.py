"""The one clock of the command line."""

import time


def now_ns() -> int:
    """Return the current time in nanoseconds since the Unix epoch."""
    return time.time_ns()
