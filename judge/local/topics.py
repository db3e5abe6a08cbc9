"""What texts are about, told by the directions of their words.

    need  ──words × rarity──▶ direction ──┐
    chunk ──words × rarity──▶ direction ──┴─▶ closeness, less what the whole run is about
    need  ──each word ─────▶ itself, a part of a compound, or the likest word of the chunk ─▶ met

Both tell that a passage speaks of what was asked in other words, and neither that it says
it: numbers, names and negation are for others. A likeness is counted in whole numbers, so
it is the same on every machine.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from judge.local.text import bag, term
from judge.local.vectors import cosine, load, words

ALIKE: Final = 0.45
"""Cosine from which a word is taken for another way to say the one that is looked for."""
_SAMPLED: Final = 2_000
"""Texts of a run from which is told what all of them are about."""
_PRIOR: Final = 12
"""Texts about nothing, added to every run: five chunks have no common topic to leave out."""
STEPS: Final = 2_048
"""Steps per unit in which directions are counted."""
_REMEMBERED: Final = 16_384

Direction = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TopicNeed:
    """What is looked for: its words with their weights, and the direction they point in."""

    weights: Mapping[str, float]
    direction: Direction = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """The directions of the texts of a run."""

    weigh: Callable[[str], float]
    """Rarity of a word in the run."""
    common: Direction | None = None
    """What all texts of the run are about, in steps; None where none has words."""
    known: dict[str, Direction] = field(default_factory=dict, repr=False)
    """Directions that were asked for, by text."""

    @classmethod
    def of(cls, texts: Iterable[str], weigh: Callable[[str], float]) -> "Topics":
        """Find what the distinct *texts* have in common, evenly sampled where they are many."""
        ordered = sorted(set(texts))
        sampled = ordered[:: max(len(ordered) // _SAMPLED, 1)]
        if not sampled:
            return cls(weigh)
        bare = cls(weigh)
        total = sum((bare.direction(text) for text in sampled), np.zeros(load().dimensions))
        return cls(weigh, np.rint(total / (len(sampled) + _PRIOR)))

    def need(self, parts: Iterable[tuple[str, float]]) -> TopicNeed:
        """Put texts together, each with its weight; a word counts where it weighs most."""
        weights: dict[str, float] = {}
        for text, share in parts:
            for word in words(text):
                weights[word] = max(weights.get(word, 0.0), share * self.weigh(word))
        return TopicNeed(weights, _steps(load().weighted(weights)))

    def direction(self, text: str) -> Direction:
        """Return the direction of a text, in steps, less what is common; remembered."""
        found = self.known.get(text)
        if found is None:
            counts = Counter(words(text))
            weights = {word: count * self.weigh(word) for word, count in counts.items()}
            found = _steps(load().weighted(weights))
            if self.common is not None and found.any():
                found = found - self.common
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            self.known[text] = found
        return found

    def closeness(self, need: TopicNeed, text: str) -> float:
        """Return how far a text points where the need does, from -1 to 1; 0 without words."""
        return cosine(need.direction, self.direction(text))


def met(need: TopicNeed, text: str) -> float:
    """Return the share of a need's words that a text has or says otherwise, in [0, 1]."""
    weights = np.fromiter(need.weights.values(), float, len(need.weights))
    total = float(weights.sum())
    return float(weights @ _met(tuple(need.weights), text)) / total if total else 0.0


@lru_cache(maxsize=16_384)
def meets_any(question: str, text: str, least: float = ALIKE) -> bool:
    """Tell whether a text has any word of a question, or one as much like it as *least*.

    True for a question without words.
    """
    wanted, offered = words(question), bag(text)
    if not wanted or any(term(word) in offered for word in wanted):
        return True
    return bool(load().soft_matches(wanted, words(text), least).any())


@lru_cache(maxsize=16_384)
def _met(wanted: tuple[str, ...], text: str) -> Direction:
    offered = bag(text)
    exact = [float(term(word) in offered) for word in wanted]
    return np.maximum(load().soft_matches(wanted, words(text), ALIKE), exact)


def said_otherwise(wanted: Sequence[str], lines: Sequence[str]) -> Direction:
    """Return for each line how far it says each wanted word in another, 0 below `ALIKE`.

    Args:
        wanted: Words; an empty one is said by nothing.
        lines: The lines of a text.
    """
    spoken = [words(line) for line in lines]
    place = {word: number for number, word in enumerate(dict.fromkeys(chain(*spoken)))}
    if not wanted or not place:
        return np.zeros((len(lines), len(wanted)))
    alike = load().likenesses(wanted, list(place))
    alike[alike < ALIKE] = 0.0
    rows = [alike[:, [place[word] for word in line]].max(axis=1, initial=0.0) for line in spoken]
    return np.array(rows)


def _steps(direction: Direction) -> Direction:
    length = np.sqrt(float(direction @ direction))
    return np.rint(direction * (STEPS / length)) if length else direction
