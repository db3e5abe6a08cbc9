"""Where in the evidence the words of a claim stand: the best line, windows, all of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from judge.local.evidence import Piece
from judge.local.matching import Overlap, credit, overlap, window_bag
from judge.local.text import bag
from judge.local.topics import said_otherwise

_WINDOWS: Final = (1, 2, 3)
"""Lines that are looked at together."""


@dataclass(frozen=True, slots=True)
class Found:
    """The place in one piece of evidence that has most of a claim."""

    score: float
    overlap: Overlap
    """Of the words, in the best window of three lines."""
    line: str
    window: tuple[str, ...]
    piece: Piece
    weights: Mapping[str, float]


def best_place(
    weights: Mapping[str, float], evidence: Iterable[Piece], spoken: Mapping[str, str]
) -> Found:
    """Return the best place among pieces of evidence, at least one; the first of equals.

    Args:
        weights: The terms of the claim.
        evidence: Where to look.
        spoken: Terms that may be said otherwise, each with the word that says it.
    """
    places = (_place(weights, piece, spoken) for piece in evidence)
    return max(places, key=lambda found: found.score)


def _place(weights: Mapping[str, float], piece: Piece, spoken: Mapping[str, str]) -> Found:
    """Look for the words of a claim in one piece: in single lines, windows, and all of it."""
    if not weights or not piece.lines:
        line = piece.lines[0] if piece.lines else ""
        met = Overlap(float(not weights), 1.0, ())
        return Found(met.share, met, line, piece.lines[:1], piece, weights)
    around = credit(weights, bag(piece.context))
    single = np.maximum([credit(weights, bag(line)) for line in piece.lines], around)
    words = [spoken.get(term, "") for term in weights]
    single = np.maximum(single, said_otherwise(words, piece.lines))
    worth = np.array([*weights.values()])
    line, window, shares = "", piece.lines[:1], []
    for size in _WINDOWS:
        joined = _in_windows(single, min(size, len(single)))
        sums = joined @ worth
        start = int(sums.argmax())
        shares.append(float(sums[start] / worth.sum()))
        window = piece.lines[start : start + size]
        line = window[0] if size == 1 else line
    met = overlap(weights, window_bag(window) | bag(piece.context))
    whole = float(np.maximum(single.max(axis=0), credit(weights, piece.bag)) @ worth / worth.sum())
    score = 0.35 * shares[0] + 0.25 * shares[1] + 0.3 * shares[2] + 0.1 * whole
    if piece.structured:
        # Keys and values are no sentences: what matters is that the record holds it.
        score = max(score, 0.3 + 0.7 * whole)
    return Found(score, met, line, window, piece, weights)


def _in_windows(rows: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the best credit of each term in every run of *size* lines."""
    joined = rows[: len(rows) - size + 1]
    for offset in range(1, size):
        joined = np.maximum(joined, rows[offset : offset + len(joined)])
    return joined
