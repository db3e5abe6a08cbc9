"""What each collection is about, told from its neighbours: product, site, country, tariff.

    manual-kolibri-5   every passage says "Kolibri 5"   ─▶  name:kolibri 5
    manual-kolibri-7   every passage says "Kolibri 7"   ─▶  name:kolibri 7

Neighbours share a word of their names, or words that all their passages have. What stands in
the name or in most passages of one, and in few of the other, tells the two apart. A text that
names what tells one of them, and nothing of the other, is about that one, however alike the
passages of both are.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

from judge.local.constraints import constraints
from judge.local.evidence import spoken
from judge.local.names import beginnings
from judge.local.text import bag, is_exact, stem
from judge.local.vectors import load, words
from judge.local.words import plain, stop_words
from judge.tokens import tokens

_MOST: Final = 0.7
"""Share of the passages of a collection, but for one, from which a word is what it is about."""
_FEW: Final = 0.25
"""Share up to which it is not what a neighbour is about."""
_AKIN: Final = 0.75
"""Cosine from which another word, or one of another language, names the same."""
_READ: Final = 64
"""Most passages of a collection from which its label is read."""
_SHORTEST_END: Final = 3
"""Letters of the shortest last part of a joined name; fewer are an ending."""
_FUNCTIONAL: Final = frozenset().union(*stop_words().values())


@dataclass(frozen=True, slots=True)
class Label:
    """What tells one collection."""

    name: frozenset[str]
    """Items of its name."""
    common: frozenset[str]
    """Items that most of its passages have."""
    shares: Mapping[str, float] = field(repr=False)
    """Item or term → share of the passages that have it."""

    @classmethod
    def of(cls, name: str, passages: Sequence[str]) -> "Label":
        """Read the label of a collection from its name and its passages, evenly sampled."""
        ordered = sorted(passages)
        passages = ordered[:: max(-(-len(ordered) // _READ), 1)]
        counted = Counter(item for text in passages for item in items(text) | bag(text))
        shares = {item: count / len(passages) for item, count in counted.items()}
        known = frozenset[str]().union(*map(items, passages))
        common = (one for one in known if (counted[one] - 1) / len(passages) >= _MOST)
        named = items(spoken(name).replace("-", " "))
        whole = frozenset(one for one in named if " " not in one or ":" in one)
        return cls(whole, frozenset(common), shares)

    @property
    def all(self) -> frozenset[str]:
        """Items of the name and of the passages."""
        return self.name | self.common

    def beside(self, other: "Label") -> frozenset[str]:
        """Return what tells this collection from another."""
        own = self.all - other.all
        return frozenset(
            one
            for one in own
            if all(other.shares.get(form, 0.0) <= _FEW for form in (one, _stem(one)))
        )


class Subjects:
    """The collections of one place, each beside its neighbours."""

    def __init__(self, passages: Mapping[str, Sequence[str]]) -> None:
        """Read the labels of collections, given with the texts of their passages."""
        self._labels = {name: Label.of(name, texts) for name, texts in passages.items()}

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the collections that have part of a collection's label, sorted."""
        own = self._labels.get(name)
        if own is None:
            return ()
        return tuple(
            other
            for other, label in sorted(self._labels.items())
            if other != name and not own.all.isdisjoint(label.all)
        )

    def leaning(self, text: str, name: str, other: str, *, akin: bool = False) -> int | None:
        """Tell which of two neighbours a text names.

        Args:
            text: Any.
            name: One collection.
            other: Its neighbour.
            akin: In other words or another language too.

        Returns:
            1 for *name*, -1 for *other*, 0 for both alike, None for neither.
        """
        one, two = self._labels.get(name), self._labels.get(other)
        if one is None or two is None:
            return None
        own, its = _said(one.beside(two), text, akin), _said(two.beside(one), text, akin)
        return (own > its) - (own < its) if own or its else None

    def other_subject(self, asked: str, names: Iterable[str]) -> str | None:
        """Say which neighbour is asked about where a text stands only in other collections.

        Args:
            asked: The question.
            names: The collections that the text stands in.
        """
        found = [self._meant(asked, name) for name in names]
        return None if None in found or not found else found[0]

    def _meant(self, asked: str, name: str) -> str | None:
        for other in self.neighbours(name):
            if self.leaning(asked, name, other, akin=True) == -1:
                return f"it stands in {name}, and {other} was named"
        return None


@lru_cache(maxsize=16_384)
def items(text: str) -> frozenset[str]:
    """Return what may name a subject: words, models, years, places, and "X Plus"."""
    coded = (known for known, _ in constraints(text))
    spelled = [plain(token) for token in tokens(text)]
    paired = (
        f"{word} {next_word}"
        for word, next_word in pairwise(spelled)
        if next_word in _FUNCTIONAL and word not in _FUNCTIONAL and word.isalpha()
    )
    telling = (
        word
        for word in words(text)
        if len(word) > 1 and bag(word) and word not in _FUNCTIONAL and not is_exact(word)
    )
    return frozenset((*coded, *paired, *telling)) - beginnings(text)


@lru_cache(maxsize=16_384)
def _said(wanted: frozenset[str], text: str, akin: bool) -> float:  # noqa: FBT001
    """Return how far a text says any of the items: 1, less in other words, or 0."""
    if not wanted.isdisjoint(items(text)):
        return 1.0
    plain_words = tuple(sorted(one for one in wanted if one.isalpha()))
    if not bag(text).isdisjoint(_stem(one) for one in plain_words):
        return 1.0
    if not akin or not plain_words:
        return 0.0
    offered = [word for word in words(text) if not _begins_any(word, plain_words)]
    return float(load().soft_matches(plain_words, offered, _AKIN).max(initial=0.0))


def _begins_any(word: str, names: Iterable[str]) -> bool:
    """Tell whether a word only begins one of the names: *city* is not CityBus."""
    return any(name.startswith(word) and len(name) >= len(word) + _SHORTEST_END for name in names)


def _stem(word: str) -> str:
    """Return the stem of a word; an idea that many words stand for names nothing."""
    return stem(word) if word.isalpha() else word
