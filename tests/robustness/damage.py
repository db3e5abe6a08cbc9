"""What an accident did to a document."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.robustness.corpus import Document


@dataclass(frozen=True, kw_only=True)
class Damaged:
    """The bytes of a document after one accident."""

    data: bytes
    touched: frozenset[int] | None = None
    """Positions of the records that were hit; None when it may have been any."""


Mutator = Callable[[Document, Random], Damaged]
