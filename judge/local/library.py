"""What the run retrieved, by place and collection: where could a question be answered.

A place is a service and a tenant; nothing crosses from one to another. Looking a need up
goes through an index of terms, so it costs the postings of its terms and not the run.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from judge.local.matching import Rarity
from judge.local.relevance import Match, Need, log_odds, match
from judge.local.text import bag
from judge.local.thresholds import Thresholds

Place: TypeAlias = tuple[str | None, str | None]
"""Service and tenant."""

_LOOKED_AT: Final = 4
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


@dataclass(slots=True)
class _Shelf:
    passages: list[Passage] = field(default_factory=list)
    postings: dict[str, list[int]] = field(default_factory=dict)

    def add(self, passage: Passage) -> None:
        for term in bag(passage.whole):
            self.postings.setdefault(term, []).append(len(self.passages))
        self.passages.append(passage)


class Library:
    """The passages of a run, and how rare their words are."""

    def __init__(self, passages: Iterable[Passage] = ()) -> None:
        """Index *passages*; equal ones count once."""
        distinct = sorted(
            set(passages),
            key=lambda one: (
                one.service or "",
                one.tenant or "",
                one.collection or "",
                one.title or "",
                one.text,
            ),
        )
        self.rarity = Rarity.of(passage.whole for passage in distinct)
        self.fingerprint = _fingerprint(distinct)
        """16 hex digits over all passages; equal runs have equal ones."""
        self._shelves: dict[Place, dict[str, _Shelf]] = {}
        self._everything: dict[Place, _Shelf] = {}
        self._homes: dict[str, set[Place]] = {}
        self._tops: dict[tuple[Place, str], float] = {}
        for passage in distinct:
            at = (passage.service, passage.tenant)
            self._homes.setdefault(passage.text, set()).add(at)
            self._everything.setdefault(at, _Shelf()).add(passage)
            if passage.collection is not None:
                shelves = self._shelves.setdefault(at, {})
                shelves.setdefault(passage.collection, _Shelf()).add(passage)

    def collections(self, place: Place) -> tuple[str, ...]:
        """Return the names of the collections seen at a place, sorted."""
        return tuple(sorted(self._shelves.get(place, ())))

    def best(
        self, need: Need, place: Place, collection: str, limits: Thresholds
    ) -> tuple[float, Passage | None]:
        """Return the best score of a passage about the right thing, and that passage."""
        shelf = self._shelves.get(place, {}).get(collection)
        return (0.0, None) if shelf is None else self._best(need, shelf, limits)

    def standing(self, need: Need, text: str, title: str | None, limits: Thresholds) -> Match:
        """Match a chunk, seen beside the best that the run holds at its place.

        A chunk that shares words with the need is a near miss where another one of the
        same service and tenant meets the need far better.
        """
        found = match(need, text, title, self.rarity, limits)
        if found.score < limits.relevant or found.conflict is not None:
            return found
        tops = (self._top(need, home, limits) for home in self._homes.get(text, ()))
        if max(tops, default=found.odds) - found.odds < limits.outranked:
            return found
        below = limits.relevant - 2 * limits.relevance_margin
        return replace(found, score=below, outranked=True)

    def _top(self, need: Need, place: Place, limits: Thresholds) -> float:
        """Return the best log-odds of any passage at a place, remembered by need."""
        known = self._tops.get((place, need.text))
        if known is None:
            known = log_odds(self._best(need, self._everything[place], limits)[0])
            self._tops[place, need.text] = known
        return known

    def _best(self, need: Need, shelf: _Shelf, limits: Thresholds) -> tuple[float, Passage | None]:
        best, where = 0.0, None
        for passage, score in self._scored(need, shelf, limits):
            if score > best:
                best, where = score, passage
        return best, where

    def _scored(
        self, need: Need, shelf: _Shelf, limits: Thresholds
    ) -> Iterator[tuple[Passage, float]]:
        for number in _candidates(need.weights, shelf):
            passage = shelf.passages[number]
            found = match(need, passage.text, passage.title, self.rarity, limits)
            yield passage, 0.0 if found.conflict else found.score


def _fingerprint(passages: Iterable[Passage]) -> str:
    digest = hashlib.sha256()
    for one in passages:
        parts = [one.service, one.tenant, one.collection, one.title, one.text]
        digest.update(json.dumps(parts).encode())
    return digest.hexdigest()[:16]


def _candidates(weights: Mapping[str, float], shelf: _Shelf) -> list[int]:
    scores: dict[int, float] = {}
    for term, weight in weights.items():
        for number in shelf.postings.get(term, ()):
            scores[number] = scores.get(number, 0.0) + weight
    return sorted(scores, key=lambda number: (-scores[number], number))[:_LOOKED_AT]
