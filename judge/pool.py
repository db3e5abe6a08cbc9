"""The chunks that a run has seen, and a search among them.

    Turn ──add──▶ ChunkPool ──search (BM25 + topic)──▶ what should have been there

Used for probes: a chunk that answers, and that the agent could have found, is the proof
that a search went wrong. A pool is divided by service and tenant; a search sees one
division, its statistics too, so that nothing of another tenant shows in a result or moves
a score.

Memory: the texts (each distinct one held once) and, once a division is searched, an index
of about eight bytes per distinct word of a chunk and 150 per chunk. With the default budget
of 64 million characters that is less than 400 MB; of a larger run a sample is kept, the
same for any order of turns.

Source: Robertson, Zaragoza: *The Probabilistic Relevance Framework: BM25 and Beyond*
(2009), section 3.4, with k1 = 1.2, b = 0.75 and the inverse document frequency of Lucene,
ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
"""

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge.local.nearest import Nearest, fused
from judge.local.text import term, terms
from judge.local.topics import Topics
from judge.rendering import title_of
from judge.sampling import BoundedSample, address_of
from judge.tokens import tokens
from stages.records import Chunk, Turn

K1: Final = 1.2
B: Final = 0.75
CHARACTERS: Final = 64_000_000
"""Default budget for the texts of all chunks together."""

_SPARE = 64
_STEMLESS: Final = "\u0530"
"""First letter beyond Latin, Greek and Cyrillic."""

Place: TypeAlias = tuple[str | None, str | None]
"""Service and tenant; None is a service or tenant of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledChunk:
    """A chunk as the run saw it first; another text under the same id is another chunk."""

    chunk: Chunk
    """With the collection it was found in. Rank, score and context mean nothing here."""
    service: str | None
    tenant: str | None
    first_seen_ns: int | None
    """Earliest start of a turn that retrieved it, None when no such turn has a time."""
    first_turn_id: str

    @property
    def collection(self) -> str | None:
        """Collection that it was found in."""
        return self.chunk.collection


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolHit:
    """A chunk that a search found."""

    found: PooledChunk
    score: float
    """BM25 and closeness of topic, each as a part of the best; comparable within one search."""


class ChunkPool:
    """The distinct chunks of a run that have a text."""

    def __init__(self, characters: int = CHARACTERS) -> None:
        """Make an empty pool.

        Args:
            characters: Budget for all texts together; beyond it, a sample is kept.
        """
        self._sample = BoundedSample(characters)
        self._divisions: dict[Place, dict[int, PooledChunk]] = {}
        self._places: dict[int, Place] = {}
        self._indexes: dict[Place, _Index] = {}
        self._texts: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def complete(self) -> bool:
        """Every chunk that was added is in the pool."""
        return self._sample.complete

    def add(self, turn: Turn) -> None:
        """Add what a turn retrieved. The order in which turns are added has no effect."""
        for retrieval in turn.retrievals:
            for chunk in retrieval.chunks:
                if chunk.text is not None and chunk.text.strip():
                    self._add(turn, chunk, chunk.collection or retrieval.collection)

    def search(
        self,
        text: str,
        *,
        service: str | None,
        tenant: str | None,
        collections: AbstractSet[str | None] | None = None,
        exclude: Collection[str] = (),
        k: int = 5,
    ) -> list[PoolHit]:
        """Return the chunks that fit *text* best, the best first.

        Args:
            text: What is looked for, in any language.
            service: Only chunks that this service retrieved.
            tenant: Only chunks retrieved for this tenant.
            collections: Only chunks of these; None among them stands for chunks whose
                collection is not known. None: of all.
            exclude: Ids of chunks that are not wanted, nor another chunk with their text.
            k: Most chunks to return.

        Returns:
            Only chunks that share a word with *text* or are about the same, each text
            once. Ties are in order of chunk id, then collection.
        """
        place = (service, tenant)
        division = self._divisions.get(place)
        if not division or k < 1:
            return []
        if place not in self._indexes:
            self._indexes[place] = _Index(division.values())
        return self._indexes[place].search(text, collections, exclude, k)

    def _add(self, turn: Turn, chunk: Chunk, collection: str | None) -> None:
        text = chunk.text or ""
        address = address_of(turn.service, turn.tenant, collection, chunk.chunk_id, text)
        if not self._sample.admits(address):
            return
        place = (turn.service, turn.tenant)
        division = self._divisions.setdefault(place, {})
        seen = PooledChunk(
            chunk=replace(
                chunk,
                rank=1,
                first_rank=1,
                score=None,
                text=self._texts.setdefault(text, text),
                collection=collection,
                in_context=None,
            ),
            service=turn.service,
            tenant=turn.tenant,
            first_seen_ns=turn.start_ns,
            first_turn_id=turn.turn_id,
        )
        known = division.get(address)
        if known is None:
            self._indexes.pop(place, None)
            division[address] = seen
            self._places[address] = place
            for gone in self._sample.add(address, len(text)):
                self._drop(gone)
        elif _earlier(seen, known):
            self._indexes.pop(place, None)
            division[address] = seen

    def _drop(self, address: int) -> None:
        place = self._places.pop(address)
        self._indexes.pop(place, None)
        dropped = self._divisions[place].pop(address)
        # Another chunk may share the text; it holds it by itself.
        self._texts.pop(dropped.chunk.text or "", None)


def _earlier(seen: PooledChunk, known: PooledChunk) -> bool:
    return _sighting(seen) < _sighting(known)


def _sighting(pooled: PooledChunk) -> tuple[bool, int, str]:
    return (pooled.first_seen_ns is None, pooled.first_seen_ns or 0, pooled.first_turn_id)


class _Index:
    """An inverted index of one division, built at once."""

    def __init__(self, chunks: Iterable[PooledChunk]) -> None:
        self._chunks = sorted(chunks, key=_order)
        self._by_id: dict[str, list[int]] = {}
        for number, pooled in enumerate(self._chunks):
            self._by_id.setdefault(pooled.chunk.chunk_id, []).append(number)
        self._collections: dict[str | None, int] = {}
        self._collection_of = np.array(
            [
                self._collections.setdefault(pooled.collection, len(self._collections))
                for pooled in self._chunks
            ]
        )
        self._vocabulary: dict[str, int] = {}
        numbers, documents, counts = array("i"), array("i"), array("i")
        lengths = np.zeros(len(self._chunks))
        for document, pooled in enumerate(self._chunks):
            words = Counter(_words(pooled.chunk))
            lengths[document] = words.total()
            for word, count in words.items():
                numbers.append(self._vocabulary.setdefault(word, len(self._vocabulary)))
                documents.append(document)
                counts.append(count)
        # Postings lie sorted by term, then document; term t has [starts[t], starts[t + 1]).
        by_term = np.argsort(np.frombuffer(numbers, np.int32), kind="stable")
        self._documents = np.frombuffer(documents, np.int32)[by_term]
        self._counts = np.frombuffer(counts, np.int32)[by_term]
        sizes = np.bincount(np.frombuffer(numbers, np.int32), minlength=len(self._vocabulary))
        self._starts = np.concatenate(([0], np.cumsum(sizes)))
        mean = lengths.mean() or 1.0
        self._damping = K1 * (1 - B + B * lengths / mean)
        texts = [_whole(pooled.chunk) for pooled in self._chunks]
        self._topics = Topics.of(texts, lambda word: self._rarity(term(word)))
        self._nearest = Nearest.of(map(self._topics.direction, texts))
        self._topics.known.clear()

    def search(
        self,
        text: str,
        collections: AbstractSet[str | None] | None,
        exclude: Collection[str],
        k: int,
    ) -> list[PoolHit]:
        by_words = self._scores(_terms(text))
        by_topic = self._nearest.closeness(self._topics.need([(text, 1.0)]).direction)
        excluded = [number for name in exclude for number in self._by_id.get(name, ())]
        unwanted = np.zeros(len(self._chunks), dtype=bool)
        if collections is not None:
            wanted = [self._collections[name] for name in collections if name in self._collections]
            unwanted = ~np.isin(self._collection_of, wanted)
        unwanted[excluded] = True
        by_words[unwanted] = by_topic[unwanted] = 0
        scores = fused(by_words, by_topic)
        texts = {self._chunks[number].chunk.text for number in excluded}
        # Chunks that repeat a text may fill the first look, hardly ever the second.
        hits = self._best(scores, texts, k, look=k + _SPARE)
        return hits if len(hits) == k else self._best(scores, texts, k, look=len(scores))

    def _best(
        self, scores: NDArray[np.float64], unwanted: AbstractSet[str | None], k: int, look: int
    ) -> list[PoolHit]:
        look = min(look, len(scores))
        least = np.partition(scores, -look)[-look]
        candidates = np.flatnonzero((scores >= least) & (scores > 0))
        # A stable sort keeps ties in the order of the chunks, which is by id.
        ranked = candidates[np.argsort(-scores[candidates], kind="stable")]
        hits: list[PoolHit] = []
        seen = set(unwanted)
        for number in ranked:
            found = self._chunks[number]
            if len(hits) < k and found.chunk.text not in seen:
                hits.append(PoolHit(found=found, score=float(scores[number])))
                seen.add(found.chunk.text)
        return hits

    def _scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        scores = np.zeros(len(self._chunks))
        for word in sorted(set(words) & self._vocabulary.keys()):
            number = self._vocabulary[word]
            postings = slice(self._starts[number], self._starts[number + 1])
            documents, counts = self._documents[postings], self._counts[postings]
            scores[documents] += (
                self._rarity(word) * counts * (K1 + 1) / (counts + self._damping[documents])
            )
        return scores

    def _rarity(self, word: str) -> float:
        """Return the inverse document frequency; of an unknown word, as of the rarest."""
        number = self._vocabulary.get(word)
        known = 1 if number is None else int(self._starts[number + 1] - self._starts[number])
        return math.log1p((len(self._chunks) - known + 0.5) / (known + 0.5))


def _words(chunk: Chunk) -> list[str]:
    return _terms(_whole(chunk))


def _whole(chunk: Chunk) -> str:
    return f"{title_of(chunk.metadata) or ''}\n{chunk.text}"


def _terms(text: str) -> list[str]:
    """Return stems without function words, and whole words of scripts that have no stems."""
    return [*terms(text), *(word for word in tokens(text) if word[0] >= _STEMLESS)]


def _order(pooled: PooledChunk) -> tuple[str, str, str]:
    return (pooled.chunk.chunk_id, pooled.collection or "", pooled.chunk.text or "")
