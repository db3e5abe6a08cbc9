"""How much of one text stands in another, counted in the rarity of its terms.

    need  ─▶ terms × weight ──┐
                              ├─▶ Overlap: share of the weight found, and what is missing
    chunk ─▶ bag of terms ────┘

A term is worth its inverse document frequency in the run, so that words which stand in
every chunk of the run decide nothing. A compound meets its part ("Rücktrittsversicherung",
"Versicherung") at a discount.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from judge.local.grams import GramRarity
from judge.local.objects import Objects
from judge.local.text import bag, sentences, terms
from judge.local.text import term as term_of
from judge.local.topics import Topics
from judge.local.words import compound_idea

_PART_OF_COMPOUND: Final = 0.7
_SHORTEST_PART: Final = 5
"""Letters that a word must have to count as part of a longer one."""
_K1: Final = 3.0
_B: Final = 0.9
_PRIOR: Final = 12
"""Documents without any known term, added to every run: a run of five chunks cannot tell
rare words from common ones."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare each term is among the chunks of a run."""

    documents: int
    frequency: Mapping[str, int]
    average: float
    """Terms of an average text; 0 without any."""
    places: frozenset[str] | None = None
    """Places that a text is about, by their English name; None where it was not looked."""
    objects: Objects = field(default_factory=Objects, compare=False)
    """What tells neighbouring collections apart."""
    grams: GramRarity = field(default_factory=GramRarity)
    topics: Topics = field(default_factory=lambda: Topics(_no_rarity), compare=False)

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Rarity":
        """Count in how many of the distinct *texts* each term stands."""
        distinct = set(texts)
        counted: Counter[str] = Counter()
        for text in distinct:
            counted.update(bag(text))
        length = sum(len(terms(text)) for text in distinct)
        average = length / len(distinct) if distinct else 0.0
        bare = cls(len(distinct), counted, average)
        return replace(
            bare,
            grams=GramRarity.of(distinct),
            topics=Topics.of(distinct, lambda word: bare.weight(term_of(word))),
        )

    def weight(self, term: str) -> float:
        """Return the inverse document frequency; above 0 for every term."""
        known = self.frequency.get(term, 0)
        # Found nowhere in the run: rare, but no rarer than what stands in one chunk.
        known = max(known, 1)
        return math.log(1 + (self.documents + _PRIOR - known + 0.5) / (known + 0.5))


def _no_rarity(word: str) -> float:
    """Weigh every word alike, where no run is known."""
    del word
    return 1.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """The share of one text's terms that stand in another."""

    found: float
    """Weight of the terms that were found."""
    total: float
    """Weight of all terms; 0 when there was nothing to look for."""
    missing: tuple[str, ...]
    """Terms that were not found, rarest first."""

    @property
    def share(self) -> float:
        """Found of total, 0 when there was nothing to look for."""
        return self.found / self.total if self.total else 0.0


def overlap(wanted: Mapping[str, float], offered: frozenset[str]) -> Overlap:
    """Look for each wanted term, given with its weight, in a bag of terms."""
    found = 0.0
    missing = []
    for term, weight in wanted.items():
        if term in offered:
            found += weight
        elif is_part(term, offered):
            found += weight * _PART_OF_COMPOUND
        else:
            missing.append(term)
    missing.sort(key=lambda term: -wanted[term])
    return Overlap(found, sum(wanted.values()), tuple(missing))


def credit(wanted: Iterable[str], offered: frozenset[str]) -> list[float]:
    """Return for each wanted term how far a bag of terms has it: 1, a part's share, or 0."""
    return [
        1.0 if term in offered else _PART_OF_COMPOUND if is_part(term, offered) else 0.0
        for term in wanted
    ]


def is_part(term: str, offered: frozenset[str]) -> bool:
    """Tell whether *term* is the first or last part of an offered word, or has one as its own."""
    heads, tails, ideas = _ends(offered)
    if term.startswith("@"):
        return term in ideas
    if len(term) < _SHORTEST_PART or not term.isalpha():
        return False
    if compound_idea(term) in offered:
        return True
    head = term[:_SHORTEST_PART]
    tail = term[-_SHORTEST_PART:]
    for other in (*heads.get(head, ()), *tails.get(tail, ())):
        shorter, longer = sorted((term, other), key=len)
        if longer.startswith(shorter) or longer.endswith(shorter):
            return True
    return False


@lru_cache(maxsize=16_384)
def _ends(
    offered: frozenset[str],
) -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]], frozenset[str]]:
    """Index words by their first and last letters, and the ideas that compounds end in."""
    heads: dict[str, list[str]] = {}
    tails: dict[str, list[str]] = {}
    for term in offered:
        if len(term) >= _SHORTEST_PART and term.isalpha():
            heads.setdefault(term[:_SHORTEST_PART], []).append(term)
            tails.setdefault(term[-_SHORTEST_PART:], []).append(term)
    ideas = (compound_idea(term) for term in offered)
    return heads, tails, frozenset(idea for idea in ideas if idea is not None)


def weigh(found: Iterable[str], rarity: Rarity) -> dict[str, float]:
    """Return each distinct term with its weight, in reading order."""
    return {term: rarity.weight(term) for term in found}


@lru_cache(maxsize=16_384)
def windows(text: str, size: int) -> tuple[tuple[str, ...], ...]:
    """Return every run of *size* sentences; one shorter run when there are fewer."""
    parts = sentences(text)
    last = max(len(parts) - size, 0)
    return tuple(parts[start : start + size] for start in range(last + 1)) if parts else ()


@lru_cache(maxsize=65_536)
def window_bag(window: tuple[str, ...]) -> frozenset[str]:
    """Return the distinct terms of a window."""
    return frozenset().union(*(bag(sentence) for sentence in window))


def best_window(
    wanted: Mapping[str, float], text: str, size: int
) -> tuple[Overlap, tuple[str, ...]]:
    """Return the window of *text* that holds most of the wanted weight, the first of equals."""
    best = Overlap(0.0, sum(wanted.values()), tuple(wanted))
    where: tuple[str, ...] = ()
    for window in windows(text, size):
        found = overlap(wanted, window_bag(window))
        if found.found > best.found or not where:
            best, where = found, window
    return best, where


def saturated(wanted: Mapping[str, float], text: str, average: float) -> float:
    """Return BM25 over its own upper bound, in [0, 1]: how often, for the text's length.

    Args:
        wanted: Terms with their weights.
        text: The text to score.
        average: Terms of an average text of the run.

    Source:
        Robertson, Zaragoza: The Probabilistic Relevance Framework (2009); k1 and b are
        higher than usual, since one passage is graded and not a collection ranked.
    """
    counted, length = _counts(text)
    scale = _K1 * (1 - _B + _B * length / average) if average else _K1
    total = sum(wanted.values())
    if not total:
        return 0.0
    score = sum(
        weight * counted[term] / (counted[term] + scale)
        for term, weight in wanted.items()
        if term in counted
    )
    return score / total


@lru_cache(maxsize=16_384)
def _counts(text: str) -> tuple[Counter[str], int]:
    found = terms(text)
    return Counter(found), len(found)
