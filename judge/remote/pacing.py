"""How many requests may be under way: more while all goes well, half when it does not."""

import time
from dataclasses import dataclass


@dataclass(slots=True)
class Pace:
    """Adapts to the service: grows by one per round that went well, halves when overloaded."""

    most: int
    """Never more than so many at once."""
    limit: float = 0.0
    paused_until: float = 0.0
    """Nothing is sent before this time, monotonic seconds."""

    def __post_init__(self) -> None:
        self.limit = float(self.most)

    def allowed(self, in_flight: int) -> int:
        """Return how many more may be sent now."""
        if time.monotonic() < self.paused_until:
            return 0
        return max(0, int(self.limit) - in_flight)

    def went_well(self) -> None:
        """Enter a reply."""
        self.limit = min(float(self.most), self.limit + 1.0 / self.limit)

    def overloaded(self, wait_s: float | None) -> None:
        """Enter that the service could not keep up.

        Args:
            wait_s: What it asked to wait; None: it did not say.
        """
        self.limit = max(1.0, self.limit / 2)
        if wait_s is not None:
            self.paused_until = max(self.paused_until, time.monotonic() + wait_s)
