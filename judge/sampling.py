"""A share of many things that fits a budget and does not depend on their order."""

import hashlib
import heapq
import json

from ingest.span import Value


class BoundedSample:
    """Decides what to keep when not everything fits: what has the lowest addresses.

    An address is a hash, so what is kept is a random sample, and the same one for any
    order in which things are offered and any number of times they are.
    """

    def __init__(self, budget: int) -> None:
        """Make an empty sample.

        Args:
            budget: The most that the sizes of all kept things may add up to.
        """
        self._budget = budget
        self._total = 0
        self._highest: list[tuple[int, int]] = []
        self._ceiling: int | None = None

    @property
    def complete(self) -> bool:
        """Everything that was offered is kept."""
        return self._ceiling is None

    def admits(self, address: int) -> bool:
        """Tell whether a thing at *address* may still be kept."""
        return self._ceiling is None or address < self._ceiling

    def add(self, address: int, size: int) -> list[int]:
        """Keep a thing that is admitted and not kept yet.

        Returns:
            Addresses of what has to go for it, perhaps its own.
        """
        heapq.heappush(self._highest, (-address, size))
        self._total += size
        gone: list[int] = []
        while self._total > self._budget:
            negative, size = heapq.heappop(self._highest)
            self._total -= size
            self._ceiling = -negative
            gone.append(-negative)
        return gone


def address_of(*parts: Value) -> int:
    """Return the address of a thing that is told apart by *parts*: a 64-bit hash."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True)
    hashed = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(hashed.digest())
