"""What tells neighbouring collections apart: the name of the object that each is about.

    camp-birkensee  "Birkensee: … a lead of 2 m …" ─┐  near-copies: the passages of one
    camp-dornhalde  "Dornhalde: … a lead of 5 m …" ─┘  name *Birkensee* all through

Where many passages of two collections are near-copies of each other, the words that the
passages of one name and those of the other do not are what each is about. Whoever asks for
one of them is not helped by the other, whatever else the two passages share.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from judge.local.constraints import constraints, numbered_names
from judge.local.names import beginnings
from judge.local.patterns import pattern
from judge.local.text import bag, language_by_words, stem
from judge.local.vectors import load, words
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
_SAME_WORD: Final = 0.85
"""Cosine from which a word names the same (*north*, *northern*)."""
_SAME_ABROAD: Final = 0.62
"""The same where text and name are in two languages."""

_REMEMBERED: Final = 50_000

Sides: TypeAlias = tuple[bool, bool]
Named: TypeAlias = Mapping[int, Sides]
"""Numbers of distinctions → which of the two sides are named."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """What tells the collections of a run apart."""

    distinctions: tuple[Distinction, ...] = ()
    marks: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict, repr=False)
    """Distinctions and their sides by the terms that mark them."""
    constrained: frozenset[str] | None = None
    """The models, places and years that passages name; None where no run is known."""
    known: dict[tuple[str, bool], Named] = field(default_factory=dict, repr=False)
    """What texts name, by text and whether only exact words count."""

    @classmethod
    def of(cls, places: Iterable[Mapping[str, Sequence[str]]]) -> "Objects":
        """Find the neighbouring collections of each place.

        Args:
            places: For each place the texts of every collection, by its name.
        """
        found: dict[Distinction, None] = {}
        constrained: set[str] = set()
        for collections in places:
            constrained.update(
                known
                for texts in collections.values()
                for text in texts
                for known, _ in constraints(text)
            )
            kept = [
                _Read.of(collections[name])
                for name in sorted(collections)[:_MOST]
                if len(collections[name]) >= _FEWEST
            ]
            found.update((one, None) for pair in combinations(kept, 2) for one in _apart(*pair))
        marks: dict[str, list[tuple[int, int]]] = {}
        for number, one in enumerate(found):
            for side in (0, 1):
                for mark in one.marks[side]:
                    marks.setdefault(mark, []).append((number, side))
        return cls(tuple(found), marks, frozenset(constrained))

    def other(self, wanted: str, offered: str) -> str | None:
        """Say what *offered* is about instead of what *wanted* names, None where it may be.

        A plain name may be short for the one with an addition.
        """
        if not self.distinctions or pattern("compares").search(wanted):
            return None
        asked, there = self.named(wanted), self.named(offered, exactly=True)
        for number in sorted(asked.keys() & there.keys()):
            one = self.distinctions[number]
            for side in (0, 1):
                alone = asked[number][side] and not asked[number][1 - side]
                if alone and one.marks[side] and there[number] == (side == 1, side == 0):
                    return f"it is about {one.called[1 - side]}, not {one.called[side]}"
        return None

    def named(self, text: str, *, exactly: bool = False) -> Named:
        """Tell which sides of which distinctions a text names; remembered."""
        if not self.distinctions:
            return {}
        found = self.known.get((text, exactly))
        if found is None:
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            found = self.known[text, exactly] = self._named(text, exactly=exactly)
        return found

    def _named(self, text: str, *, exactly: bool) -> Named:
        terms = _terms(text)
        sides = {place for mark in terms & self.marks.keys() for place in self.marks[mark]}
        if not exactly:
            sides.update(self._alike(text))
        found: dict[int, Sides] = {}
        for number, side in sides:
            if self.distinctions[number].plain is None or self.distinctions[number].shared <= terms:
                first, second = found.get(number, (False, False))
                found[number] = (first or side == 0, second or side == 1)
        for number, one in enumerate(self.distinctions):
            # The plain name is meant where nothing is added to it.
            if one.plain is not None and number not in found and one.shared <= terms:
                found[number] = (one.plain == 0, one.plain == 1)
        return found

    def _alike(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield what a text calls by another word, or by one of another language."""
        spoken = tuple(dict.fromkeys(words(text)))
        called = [
            (one.called[side], number, side)
            for number, one in enumerate(self.distinctions)
            for side in (0, 1)
            if one.plain is None and one.called[side].isalpha()
        ]
        if not spoken or not called:
            return
        language = language_by_words(text)
        likest = load().soft_matches([name for name, _, _ in called], spoken, _SAME_ABROAD)
        for (_, number, side), likeness in zip(called, likest, strict=True):
            abroad = language is not None and language != self.distinctions[number].language
            if likeness >= (_SAME_ABROAD if abroad else _SAME_WORD):
                yield number, side

    def has(self, name: str) -> bool:
        """Tell whether a name is a mark of some collection."""
        return bool(self.named(name, exactly=True))

    def tells(self, constraint: str) -> bool:
        """Tell whether passages may be told apart by a model, place or year."""
        return self.constrained is None or constraint in self.constrained

    def without_replaced(self, said: str, question: str) -> str:
        """Return an earlier message without the marks of what a question names another for."""
        asked, there = self.named(question), self.named(said)
        replaced = frozenset[str]().union(
            *(
                self.distinctions[number].marks[side]
                for number in asked.keys() & there.keys()
                for side in (0, 1)
                if asked[number] == (side == 1, side == 0)
            )
        )
        if not replaced:
            return said
        return " ".join(word for word in said.split() if replaced.isdisjoint(_terms(word)))

    def carried(self, question: str, before: Sequence[str], *, loosely: bool) -> Iterator[str]:
        """Yield what earlier messages name and the question leaves to them.

        Args:
            question: What is asked now.
            before: The messages before it, oldest first.
            loosely: The question does not go on from them: only what none of them contradicts
                holds still.
        """
        asked = self.named(question)
        told = [self.named(said) for said in before]
        for number in sorted({number for named in told for number in named} - asked.keys()):
            one = self.distinctions[number]
            said = [named[number] for named in told if number in named]
            held = (any(first for first, _ in said), any(second for _, second in said))
            first, second = held if loosely else said[-1]
            side = 0 if first else 1
            if first != second and not self._hints(one, 1 - side, question):
                yield one.called[side]

    def _hints(self, one: Distinction, side: int, question: str) -> bool:
        """Tell whether a question has a word that only one of two collections has."""
        return not one.hints[side].isdisjoint(_terms(question))


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
        named = tuple(_terms(text) - functional for text in chosen)
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
def _terms(text: str) -> frozenset[str]:
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
