"""Rates of turns with intervals that know that turns come in conversations."""

import numpy as np
from numpy.typing import NDArray

from analysis.breakdown.model import SMALL_TOTAL, Change, Rate
from analysis.intervals import design_effect, newcombe

Mask = NDArray[np.bool_]
Codes = NDArray[np.int64]


class Base:
    """The turns that a set of rates are shares of, and the conversations they belong to."""

    def __init__(self, conversation: Codes) -> None:
        """Take one conversation code per turn."""
        self.n = len(conversation)
        _, self._place, self._sizes = np.unique(
            conversation, return_inverse=True, return_counts=True
        )

    def rate(self, hit: Mask) -> Rate:
        """Return the share of the turns for which *hit* is true."""
        by_conversation = np.bincount(self._place[hit], minlength=len(self._sizes))
        effect = design_effect(by_conversation, self._sizes) if self.n else 1.0
        return Rate.of(int(hit.sum()), self.n, effect)


def change(now: Rate, before: Rate) -> Change:
    """Return the difference of two rates of independent runs.

    Without bounds, so never clear, where a rate counts too few turns to be compared.
    """
    if now.value is None or before.value is None:
        return Change(before=before, difference=None)
    if min(now.n, before.n) < SMALL_TOTAL:
        return Change(before=before, difference=now.value - before.value)
    bounds = newcombe(now, before)
    return Change(
        before=before,
        difference=now.value - before.value,
        low=bounds.low,
        high=bounds.high,
    )
