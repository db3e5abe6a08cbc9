"""What tells neighbouring collections apart: the name of the object that each is about.

    camp-birkensee  "Birkensee: … a lead of 2 m …" ─┐  near-copies: the passages of one
    camp-dornhalde  "Dornhalde: … a lead of 5 m …" ─┘  name *Birkensee* all through

Where many passages of two collections are near-copies of each other, the words that the
passages of one name and those of the other do not are what each is about. Whoever asks for
one of them is not helped by the other, whatever else the two passages share.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from judge.local.constraints import numbered_names
from judge.local.names import beginnings
from judge.local.text import bag, language_by_words, stem
from judge.local.vectors import words
from judge.local.words import plain, stop_words
from judge.tokens import tokens

_FEWEST: Final = 4
"""Passages of a collection from which it tells what it is about."""
_MOST: Final = 32
"""Passages of a collection that are looked at, and collections of a place."""
_ALL_THROUGH: Final = 0.7
"""Share of the passages that name what they are about."""
_ASTRAY: Final = 0.1
"""Share of the neighbour's passages that may name it as well."""
_SEVERAL: Final = 2
"""Passages that have a word from which it hints at what they are about."""
_ALIKE: Final = 0.35
"""Shared terms of all terms from which two passages are near-copies."""
_VOCABULARY: Final = 0.25
"""Share of the words of the smaller collection that its neighbour has as well."""
_COLUMNS: Final = 2_048
_NEIGHBOURS: Final = 0.4
"""Share of the passages of the smaller collection that have a near-copy in the other."""
_SHORTEST: Final = 3
"""Letters of the shortest word that names something."""


@dataclass(frozen=True, slots=True)
class Distinction:
    """Two neighbouring collections: the terms that mark each, and the word to call it by.

    One of the two may have no mark of its own: *Veska* beside *Veska Mini*.
    """

    marks: tuple[frozenset[str], frozenset[str]]
    called: tuple[str, str]
    shared: frozenset[str]
    """Terms that all passages of both name."""
    hints: tuple[frozenset[str], frozenset[str]]
    """Other words that several passages of one name, and none of the other."""
    language: str | None
    """In which both are written."""

    @property
    def plain(self) -> int | None:
        """The side without a mark of its own."""
        return next((side for side in (0, 1) if not self.marks[side]), None)


@dataclass(frozen=True, slots=True)
class _Read:
    """The terms of the texts of a collection."""

    named: tuple[frozenset[str], ...]
    counted: Mapping[str, int]
    written: Mapping[str, Counter[str]]
    language: str | None
    core: frozenset[str]
    """What the texts name all through."""
    coded: NDArray[np.float32]
    """1 for each term of a text, in a column of its own or shared by few."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> "_Read":
        chosen = sorted(set(texts))
        chosen = chosen[:: max(len(chosen) // _MOST, 1)]
        language = language_by_words(" ".join(chosen))
        functional = frozenset(map(stem, stop_words().get(language or "en", ())))
        named = tuple(terms_of(text) - functional for text in chosen)
        counted = Counter(one for terms in named for one in terms)
        least = _ALL_THROUGH * len(named)
        coded = np.zeros((len(named), _COLUMNS), dtype=np.float32)
        for row, terms in zip(coded, named, strict=True):
            row[[crc32(one.encode()) % _COLUMNS for one in terms]] = 1.0
        written: dict[str, Counter[str]] = {}
        for text in chosen:
            for word in words(text):
                written.setdefault(stem(word), Counter())[word] += 1
        return cls(
            named,
            counted,
            written,
            language,
            frozenset(one for one, count in counted.items() if count >= least),
            coded,
        )

    def tells(self, other: "_Read") -> frozenset[str]:
        """Return what these texts name all through, and the others do not."""
        most = _ASTRAY * len(other.named)
        return frozenset(one for one in self.core if other.counted.get(one, 0) <= most)

    def hints(self, other: "_Read") -> frozenset[str]:
        """Return what several of these texts name, and none of the others."""
        return frozenset(
            one
            for one, count in self.counted.items()
            if count >= _SEVERAL and one not in other.counted
        )

    def copies(self, other: "_Read") -> int:
        """Return how many of these texts have a near-copy among the others."""
        both = self.coded @ other.coded.T
        sizes, others = self.coded.sum(axis=1), other.coded.sum(axis=1)
        either = sizes[:, None] + others[None, :] - both
        return int((both >= _ALIKE * either).any(axis=1).sum())

    def call(self, marks: AbstractSet[str]) -> str:
        """Return the mark that most texts name, as they write it."""
        best = max(sorted(marks), key=lambda one: self.counted[one])
        forms = self.written.get(best)
        return best if not forms else max(sorted(forms), key=lambda word: forms[word])


def distinctions_of(collections: Mapping[str, Sequence[str]]) -> Iterator[Distinction]:
    """Yield what tells the neighbouring collections of one place apart.

    Args:
        collections: The texts of every collection, by its name.
    """
    kept = [
        _Read.of(collections[name])
        for name in sorted(collections)[:_MOST]
        if len(collections[name]) >= _FEWEST
    ]
    for pair in combinations(kept, 2):
        yield from _apart(*pair)


def _apart(first: _Read, second: _Read) -> Iterator[Distinction]:
    """Yield what tells two collections apart where they are near-copies."""
    vocabulary = min(len(first.counted), len(second.counted))
    if len(first.counted.keys() & second.counted.keys()) < _VOCABULARY * vocabulary:
        return
    marks = first.tells(second), second.tells(first)
    shared = first.core & second.core
    if not any(marks) or not (all(marks) or shared):
        return
    shorter, longer = sorted((first, second), key=lambda one: len(one.named))
    if shorter.copies(longer) >= _NEIGHBOURS * len(shorter.named):
        plain = f"{first.call(shared)} " if shared and not all(marks) else ""
        called = (
            plain + first.call(marks[0]) if marks[0] else plain.strip(),
            plain + second.call(marks[1]) if marks[1] else plain.strip(),
        )
        hints = first.hints(second), second.hints(first)
        yield Distinction(marks, called, shared, hints, first.language)


@lru_cache(maxsize=16_384)
def terms_of(text: str) -> frozenset[str]:
    """Return what may be a name: words cut to stems, codes, and names with their number."""
    codes = (one for one in bag(text) if not one.isdigit() and any(map(str.isdigit, one)))
    numbered = (f"{word} {number}" for word, number in numbered_names(text))
    begun = beginnings(text)
    spelled = (
        stem(word)
        for word in map(plain, tokens(text))
        if word.isalpha() and word not in begun and (len(word) >= _SHORTEST or not word.isascii())
    )
    return frozenset((*spelled, *codes, *numbered))
