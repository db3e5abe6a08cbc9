"""Vectors of words, and how alike terms and texts are by them.

The file holds a direction per row in whole numbers from -7 to 7, two to a byte, and for
each word the row that speaks for it. All sums here are sums of whole numbers below 2**53,
so a likeness is the same to the last bit on every machine.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from judge.local.text import language_by_words
from judge.local.vectors.spelling import related
from judge.local.words import plain, stop_words
from judge.tokens import tokens

FILE: Final = Path(__file__).with_name("vectors.npz")
_ZERO: Final = 8
"""The half byte that means 0."""
_WEIGHT_STEPS: Final = 64
"""Steps per unit in which weights are counted, so that sums stay whole."""
_REMEMBERED: Final = 200_000
_REMEMBERED_TEXTS: Final = 1_024
"""Texts whose words are kept unpacked: 50 kB each for one of a hundred words."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vectors:
    """Words with a place each in one space of several languages.

    A term is a word as the local judge has it, casefolded and without accents; the key of
    an idea ("@refund") counts as the word in it. Whole words are found more often than
    stems. Numbers, identifiers and words that nothing known resembles have no vector.
    """

    row: Mapping[str, int]
    """Word → row of `codes`; several forms of a word may share one."""
    in_order: Sequence[str]
    """The words, sorted."""
    codes: NDArray[np.uint8]
    """One row per direction, two dimensions to a byte: first half low, second half high."""
    _found: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _texts: dict[tuple[str, ...], tuple[Floats, Floats]] = field(default_factory=dict)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return 2 * int(self.codes.shape[1])

    def vector(self, term: str) -> Floats | None:
        """Return the direction of a term, of length 1; None when it has none."""
        matrix, lengths = self._whole([term])
        return None if lengths[0] == 0 else matrix[0] / lengths[0]

    def similarity(self, first: str, second: str) -> float:
        """Return the cosine of two terms: 1 for the same term, 0 where one has no vector."""
        if first == second:
            return 1.0
        matrix, _ = self._whole([first, second])
        return cosine(*matrix.astype(np.float64))

    def soft_matches(
        self, need_terms: Sequence[str], text_terms: Iterable[str], threshold: float
    ) -> NDArray[np.float64]:
        """Return for each needed term how much the likest term of a text is like it.

        Args:
            need_terms: What is looked for.
            text_terms: What the text has, in any order; repeats change nothing.
            threshold: Cosine below which two terms count as unlike.

        Returns:
            One number per needed term, in its order: 1 for a term that stands in the text,
            a cosine from *threshold* on, else 0.
        """
        offered = list(dict.fromkeys(text_terms))
        best = np.zeros(len(need_terms))
        if len(need_terms) and offered:
            best = self.likenesses(need_terms, offered).max(axis=1)
            best[best < threshold] = 0.0
        present = frozenset(offered)
        best[[term in present for term in need_terms]] = 1.0
        return np.minimum(best, 1.0)

    def likenesses(self, some: Sequence[str], others: Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of each of *some* terms (rows) with each of *others* (columns)."""
        first, first_lengths = self._whole(some)
        second, second_lengths = self._remembered(tuple(others))
        # Unknown terms are rows of zeros, and like nothing.
        scale = np.maximum(np.outer(first_lengths, second_lengths), 1.0)
        found: NDArray[np.float64] = (first @ second.T).astype(np.float64) / scale
        return np.minimum(found, 1.0)

    def weighted(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """Return the sum of terms, each with its weight, for `cosine`; zeros without any."""
        matrix, _ = self._whole(list(weights))
        steps = np.rint(np.fromiter(weights.values(), float, len(weights)) * _WEIGHT_STEPS)
        total: NDArray[np.float64] = steps @ matrix.astype(np.float64)
        return total

    def sentence(
        self, text: str, weights: Mapping[str, float] | None = None
    ) -> NDArray[np.float64]:
        """Return the direction of a text, for `cosine`: the weighted sum of its words.

        Args:
            text: Any text.
            weights: Weight of each word of `words`; those without one count 0. None: each
                counts as often as it stands there.
        """
        counted: dict[str, float] = {}
        for word in words(text):
            weight = 1.0 if weights is None else weights.get(word, 0.0)
            counted[word] = counted.get(word, 0.0) + weight
        return self.weighted(counted)

    def _whole(self, terms: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the vectors of *terms* in whole numbers, and their lengths."""
        rows = [self._rows(term) for term in terms]
        flat = [row for found in rows for row in found]
        packed = self.codes[flat]
        values = np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32) - _ZERO
        counts = np.fromiter(map(len, rows), np.intp, len(rows))
        whole = values
        if (counts != 1).any():
            whole = np.zeros((len(rows), self.dimensions), dtype=np.float32)
            known = np.flatnonzero(counts)
            if len(known):
                starts = np.cumsum(counts) - counts
                whole[known] = np.add.reduceat(values, starts[known], axis=0)
        return whole, np.sqrt(np.einsum("ij,ij->i", whole, whole))

    def _remembered(self, terms: tuple[str, ...]) -> tuple[Floats, Floats]:
        """Return `_whole` of the terms of a text, which many needs are held against."""
        found = self._texts.get(terms)
        if found is None:
            if len(self._texts) >= _REMEMBERED_TEXTS:
                self._texts.clear()
            found = self._texts[terms] = self._whole(terms)
        return found

    def _rows(self, term: str) -> tuple[int, ...]:
        """Return the rows that together speak for a term; empty when none does."""
        found = self._found.get(term)
        if found is None:
            word = plain(term.removeprefix("@").casefold())
            if word in self.row:
                found = (self.row[word],)
            else:
                found = tuple(self.row[one] for one in related(word, self.row, self.in_order))
            if len(self._found) < _REMEMBERED:
                self._found[term] = found
        return found


def cosine(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return how alike two directions are, from -1 to 1; 0 where one is zeros."""
    lengths = math.sqrt(float(first @ first)) * math.sqrt(float(second @ second))
    return min(float(first @ second) / lengths, 1.0) if lengths else 0.0


@lru_cache(maxsize=16_384)
def words(text: str) -> tuple[str, ...]:
    """Return the words of *text* that carry its topic, in reading order, repeats kept."""
    ignored = stop_words().get(language_by_words(text) or "en", frozenset())
    found = (plain(token) for token in tokens(text))
    return tuple(word for word in found if word.isalpha() and word not in ignored)


@cache
def load() -> Vectors:
    """Return the vectors that are shipped."""
    with np.load(FILE, allow_pickle=False) as stored:
        in_order = stored["words"].tobytes().decode("utf-8").split("\n")
        rows = stored["rows"].tolist()
        codes: NDArray[np.uint8] = stored["codes"]
    return Vectors(row=dict(zip(in_order, rows, strict=True)), in_order=in_order, codes=codes)
