"""Likeness of spelling: how many runs of letters two texts share, weighed by rarity.

    "zurückgegeben"  ─▶  #zur zuru uruc ruck … geb#  ◀─ shares with ─▶  "Rückgabe"

Runs of four letters within words meet other forms and compounds of a word in any language
that writes with letters; scripts without spaces are cut into runs of two characters.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from judge.local.words import plain
from judge.tokens import tokens

_LENGTH: Final = 4
_DENSE: Final = 2
_SAMPLED: Final = 2_000
"""Texts in which runs are counted: enough to tell common from rare."""
_PRIOR: Final = 12
"""Texts without any known run, added to every run of the agent."""


@dataclass(frozen=True, slots=True)
class GramRarity:
    """How rare each run of letters is among the texts of a run."""

    texts: int = 0
    frequency: Mapping[str, int] = field(default_factory=dict)
    typical: float = 1.0
    """Root mean square of the weights of all runs in all texts."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> "GramRarity":
        """Count in how many of *texts* each run stands, evenly sampled where they are many."""
        ordered = sorted(set(texts))
        sampled = ordered[:: max(len(ordered) // _SAMPLED, 1)]
        counted: Counter[str] = Counter()
        for text in sampled:
            counted.update(grams(text).keys())
        bare = cls(len(sampled), counted)
        squares = sum(count * bare.weight(gram) ** 2 for gram, count in counted.items())
        typical = math.sqrt(squares / counted.total()) if counted else 1.0
        return cls(len(sampled), counted, typical)

    def weight(self, gram: str) -> float:
        """Return the inverse document frequency; one that is unknown is as rare as any."""
        known = self.frequency.get(gram, 1)
        return math.log(1 + (self.texts + _PRIOR - known + 0.5) / (known + 0.5))


@dataclass(frozen=True, slots=True)
class GramNeed:
    """What is looked for, as runs of letters."""

    products: Mapping[str, float]
    """What a text gains for each run that it has once."""
    length: float


@lru_cache(maxsize=16_384)
def grams(text: str) -> Mapping[str, float]:
    """Return each run of letters of *text* with its damped count."""
    counted: Counter[str] = Counter()
    for token in tokens(text):
        counted.update(_of_word(plain(token) or token))
    return {gram: 1 + math.log(count) for gram, count in counted.items()}


def gram_need(parts: Iterable[tuple[str, float]], rarity: GramRarity) -> GramNeed:
    """Put texts together, each with its weight; a run counts where it weighs most."""
    counts: dict[str, float] = {}
    for text, share in parts:
        for gram, count in grams(text).items():
            counts[gram] = max(counts.get(gram, 0.0), share * count)
    weighted = {gram: count * rarity.weight(gram) for gram, count in counts.items()}
    products = {gram: value * rarity.weight(gram) for gram, value in weighted.items()}
    return GramNeed(products, math.sqrt(sum(value * value for value in weighted.values())))


def likeness(need: GramNeed, text: str, rarity: GramRarity) -> float:
    """Return about the cosine between a need and a text, 0 without anything shared.

    The length of the text is taken as if its runs were typically rare, so that it need not
    be found anew for every run of the agent.
    """
    offered = grams(text)
    if not need.length or not offered:
        return 0.0
    product = sum(value * offered[gram] for gram, value in need.products.items() if gram in offered)
    return product / (need.length * _length(text) * rarity.typical)


@lru_cache(maxsize=16_384)
def _length(text: str) -> float:
    return math.sqrt(sum(count * count for count in grams(text).values()))


@lru_cache(maxsize=65_536)
def _of_word(word: str) -> tuple[str, ...]:
    dense = not word[0].isascii()
    length, edged = (_DENSE, word) if dense else (_LENGTH, f"#{word}#")
    return tuple(edged[i : i + length] for i in range(max(len(edged) - length + 1, 1)))
