"""Lexical search: BM25 over one collection, and a reranker that looks at word pairs.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond
(2009), with k1 = 1.2, b = 0.75 and the idf that cannot become negative.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sample_traces.agent.corpus import Passage

K1 = 1.2
B = 0.75
_WORD = re.compile(r"\w+(?:-\w+)*")
_ENDINGS = ("ing", "en", "er", "es", "ed", "e", "n", "s")
_MIN_STEM = 4
_ENGLISH = """
a an and are at be can do does for from has have how i if in is it its many me much must my of
on or our own should that the then there to up was we what when where which who will with you
your
"""
_GERMAN = """
als am an auf aus bei bis das dem den der des die ein eine einem einen einer es für gibt hat
habe ich ihr im in ist kann man mein meine mich mir mit nach oder und viel viele vom von wann
was wie wir wird wo zu zum zur
"""
_STOP_WORDS = {*_ENGLISH.split(), *_GERMAN.split()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One passage found."""

    passage: Passage
    score: float
    """Of whoever ordered the list last; comparable only within it."""


def words(text: str) -> list[str]:
    """Return the words of *text* that count in a search, cut down to their stems."""
    found = (match.group() for match in _WORD.finditer(text.lower()))
    return [_stem(word) for word in found if word not in _STOP_WORDS]


def search(query: str, passages: Sequence[Passage], limit: int) -> list[Hit]:
    """Return the best passages that share a word with *query*, best first.

    Ties keep the order of the document. Empty when no word is shared.
    """
    documents = [Counter(words(passage.text)) for passage in passages]
    lengths = [sum(document.values()) for document in documents]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    idf = {word: _idf(word, documents) for word in set(words(query))}
    hits = [
        Hit(passage=passage, score=round(_score(idf, document, length / mean), 4))
        for passage, document, length in zip(passages, documents, lengths, strict=True)
    ]
    found = [hit for hit in hits if hit.score > 0]
    return sorted(found, key=lambda hit: -hit.score)[:limit]


def rerank(query: str, hits: Sequence[Hit]) -> list[Hit]:
    """Put the hits in a new order, by the share of the query's word pairs they hold.

    Pairs are looked up without regard to order; a hit's old score breaks ties.
    """
    asked = words(query)
    pairs = {frozenset(pair) for pair in pairwise(asked)}
    rescored = [Hit(passage=hit.passage, score=_pair_score(pairs, hit)) for hit in hits]
    return sorted(rescored, key=lambda hit: -hit.score)


def _idf(word: str, documents: Sequence[Counter[str]]) -> float:
    having = sum(word in document for document in documents)
    return math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))


def _score(idf: dict[str, float], document: Counter[str], relative_length: float) -> float:
    norm = K1 * (1 - B + B * relative_length)
    # in a fixed order, so that rounding gives the same sum on every run
    return sum(
        idf[word] * document[word] * (K1 + 1) / (document[word] + norm) for word in sorted(idf)
    )


def _pair_score(pairs: set[frozenset[str]], hit: Hit) -> float:
    text = words(hit.passage.text)
    held = {frozenset(pair) for pair in pairwise(text)}
    share = len(pairs & held) / len(pairs) if pairs else 0.0
    return round(share + hit.score / 100, 4)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            return word.removesuffix(ending)
    return word
