"""The passages of a collection, to be looked up by their words and their topics."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from judge.local.nearest import Nearest, fused
from judge.local.needs import Need
from judge.local.text import bag
from judge.local.topics import Topics

Place: TypeAlias = tuple[str | None, str | None]
"""Service and tenant."""
_LOOKED_AT: Final = 8
"""Passages of a collection that are scored in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One chunk of the run."""

    collection: str | None
    title: str | None
    text: str
    service: str | None = None
    tenant: str | None = None

    @property
    def whole(self) -> str:
        """Title and text."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """One collection that the catalogue of an agent names."""

    agent: str
    collection: str
    service: str | None = None
    tenant: str | None = None


@dataclass(slots=True)
class Shelf:
    """The passages of one collection, with an index of their terms."""

    passages: list[Passage] = field(default_factory=list)
    postings: dict[str, list[int]] = field(default_factory=dict)

    nearest: Nearest | None = None
    """Made when the shelf is first searched, after the last passage."""

    def add(self, passage: Passage) -> None:
        """Put one more passage on it."""
        for term in bag(passage.whole):
            self.postings.setdefault(term, []).append(len(self.passages))
        self.passages.append(passage)

    def candidates(self, need: Need, topics: Topics) -> list[int]:
        """Return the numbers of the passages that fit a need best, by words and by topic."""
        if self.nearest is None:
            self.nearest = Nearest.of(topics.direction(one.whole) for one in self.passages)
        by_words = np.zeros(len(self.passages))
        for term, weight in need.weights.items():
            by_words[self.postings.get(term, [])] += weight
        scores = fused(by_words, self.nearest.closeness(need.topic.direction))
        best = np.argsort(-scores, kind="stable")[:_LOOKED_AT].tolist()
        return [number for number in best if scores[number] > 0]
