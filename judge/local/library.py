"""What the run retrieved, by place and collection: where could a question be answered.

A place is a service and a tenant; nothing crosses from one to another. Looking a need up
goes through an index of terms, so it costs the postings of its terms and not the run.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from judge.local.matching import Rarity
from judge.local.relevance import Match, Need, match
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
        for passage in distinct:
            if passage.collection is not None:
                place = self._shelves.setdefault((passage.service, passage.tenant), {})
                place.setdefault(passage.collection, _Shelf()).add(passage)

    def collections(self, place: Place) -> tuple[str, ...]:
        """Return the names of the collections seen at a place, sorted."""
        return tuple(sorted(self._shelves.get(place, ())))

    def best(
        self, need: Need, place: Place, collection: str, limits: Thresholds
    ) -> tuple[float, Passage | None]:
        """Return the best score of a passage about the right thing, and that passage."""
        shelf = self._shelves.get(place, {}).get(collection)
        if shelf is None:
            return 0.0, None
        best, where = 0.0, None
        for number in _candidates(need.weights, shelf):
            passage = shelf.passages[number]
            found: Match = match(need, passage.text, passage.title, self.rarity, limits)
            score = 0.0 if found.conflict else found.score
            if score > best:
                best, where = score, passage
        return best, where


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
