"""The texts of a run by what they are about, for finding those nearest to a need.

A direction is kept in one byte a dimension. Products of such bytes add up below 2**24, so
a sum of them is the same in any order and on every machine.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from judge.local.topics import STEPS, Direction

_STEPS: Final = 256
"""Steps per unit; no dimension of a direction reaches half of a unit."""
_MOST: Final = 127
_BLOCK: Final = 8_192
"""Texts compared at a time, so that memory does not grow with the run."""


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """The directions of texts, row by row."""

    codes: NDArray[np.int8]
    lengths: NDArray[np.float64]
    """0 for a text without words."""

    @classmethod
    def of(cls, directions: Iterable[Direction]) -> "Nearest":
        """Take the directions of texts, at least one, in their order."""
        codes = np.array([_coded(one).astype(np.int8) for one in directions])
        squares = [float(row.astype(np.float64) @ row) for row in codes]
        return cls(codes, np.sqrt(np.array(squares)))

    def closeness(self, direction: Direction) -> NDArray[np.float64]:
        """Return the cosine of a direction with each text; 0 where one has no words."""
        wanted = _coded(direction).astype(np.float32)
        length = float(np.sqrt(wanted @ wanted))
        found = np.zeros(len(self.codes))
        if not length:
            return found
        for start in range(0, len(found), _BLOCK):
            block = slice(start, start + _BLOCK)
            found[block] = self.codes[block].astype(np.float32) @ wanted
        return found / (length * np.maximum(self.lengths, 1.0))


def fused(by_words: NDArray[np.float64], by_topic: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return one score per text from the two, each as a part of its best; 0 for no candidate.

    What shares no word with a need is a candidate only if it is about the same.
    """
    words, topic = by_words.max(initial=0.0), by_topic.max(initial=0.0)
    score = np.zeros(len(by_words))
    if words > 0:
        score += by_words / words
    if topic > 0:
        score += np.maximum(by_topic, 0.0) / topic
    score[(by_words <= 0) & (by_topic < ABOUT)] = 0.0
    return score


ABOUT: Final = 0.25
"""Cosine from which two texts are about the same, whatever their words."""


def _coded(direction: Direction) -> Direction:
    return np.clip(np.rint(direction * (_STEPS / STEPS)), -_MOST, _MOST)
