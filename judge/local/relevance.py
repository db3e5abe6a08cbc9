"""How relevant one chunk is to one information need: grades 0 to 3, and how sure.

    need ──terms × rarity──▶ features ──logistic──▶ score ──thresholds──▶ grade
                 chunk ──▶ constraints ──▶ conflict: the grade is 1 at most

The score is the estimated chance that a person would call the chunk useful. What the user
wrote before counts only where the question leans on it ("and on the BX-300?").
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from judge.local.constraints import conflict
from judge.local.expected import expected, holds
from judge.local.matching import (
    Overlap,
    Rarity,
    best_window,
    overlap,
    saturated,
    weigh,
)
from judge.local.numbers import identifiers
from judge.local.patterns import pattern
from judge.local.text import bag, collapse, terms
from judge.local.thresholds import Thresholds

_WINDOW = 2
_LEANING_TERMS = 2
"""A question with so few terms of its own leans on what was asked before."""
_EARLIER_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Need:
    """An information need, weighed against the rarity of its words in the run."""

    text: str
    """The question, with the earlier message that it leans on."""
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Match:
    """How a chunk meets a need."""

    score: float
    """In [0, 1]."""
    overlap: Overlap
    conflict: str | None
    """What the chunk is about instead, None when it may be about the same."""
    window: tuple[str, ...]
    """The sentences that meet the need best."""


def need_of(question: str, earlier: Sequence[str], rarity: Rarity) -> Need:
    """Weigh a question; the user's last message helps where the question is not whole."""
    weights = weigh(terms(question), rarity)
    text = question
    leans = len(weights) <= _LEANING_TERMS or pattern("leaning").search(question) is not None
    if earlier and leans:
        before = earlier[-1]
        named = identifiers(question)
        for term, weight in weigh(terms(before), rarity).items():
            # "And on the BX-300?" replaces the model that was asked about before.
            if not (named and any(char.isdigit() for char in term)):
                weights.setdefault(term, weight * _EARLIER_WEIGHT)
        text = question if named else f"{before}\n{question}"
    return Need(text, weights)


def match(need: Need, chunk: str, title: str | None, rarity: Rarity, limits: Thresholds) -> Match:
    """Hold one chunk against a need."""
    whole = f"{title}\n{chunk}" if title else chunk
    values, found, window = features(need, chunk, whole, rarity)
    model = limits.relevance
    linear = model.intercept + sum(
        weight * value for weight, value in zip(model.weights, values, strict=True)
    )
    score = 1 / (1 + math.exp(-linear)) if need.weights else 0.0
    if not found.found:
        score = min(score, limits.unrelated)
    return Match(score, found, conflict(need.text, whole), window)


def features(
    need: Need, chunk: str, whole: str, rarity: Rarity
) -> tuple[tuple[float, ...], Overlap, tuple[str, ...]]:
    """Return what the score is made of; the order is that of `thresholds.json`."""
    weights = need.weights
    found = overlap(weights, bag(whole))
    near, window = best_window(weights, chunk, _WINDOW)
    heaviest = max(weights.values(), default=0.0)
    missing = max((weights[term] for term in found.missing), default=0.0)
    kind = expected(need.text)
    answered = 0.0 if kind is None else 1.0 if holds("\n".join(window), kind) else -1.0
    values = (
        found.share,
        near.share,
        saturated(weights, whole, rarity.average),
        _adjacency(tuple(weights), whole),
        missing / heaviest if heaviest else 0.0,
        missing,
        math.log1p(len(weights)),
        math.log1p(len(terms(whole))),
        answered,
    )
    return values, found, window


def _adjacency(wanted: Sequence[str], text: str) -> float:
    """Return the share of neighbouring wanted terms that stand close together in *text*."""
    pairs = list(pairwise(wanted))
    if not pairs:
        return 0.0
    places: dict[str, list[int]] = {}
    for position, term in enumerate(terms(text)):
        places.setdefault(term, []).append(position)
    close = sum(
        any(abs(a - b) <= 2 for a in places.get(one, ()) for b in places.get(other, ()))  # noqa: PLR2004 - with one word between
        for one, other in pairs
    )
    return close / len(pairs)


def best_sentence(need: Need, chunk: str) -> str | None:
    """Return the sentence of *chunk* that meets the need best, verbatim."""
    _, window = best_window(need.weights, chunk, 1)
    return collapse(window[0]) if window else None


def judge_relevance(
    content: Mapping[str, Any], rarity: Rarity, limits: Thresholds
) -> Mapping[str, Any] | None:
    """Answer a `relevance` or `probe` question; None when undecided."""
    need = need_of(content["need"], content["earlier"], rarity)
    text, title = content["chunk"]["text"], content["chunk"]["title"]
    found = match(need, text, title, rarity, limits)
    grade = grade_of(found, limits)
    if grade is None:
        return None
    relevant = grade >= 2  # noqa: PLR2004 - the definition of relevant
    return {
        "reason": _reason(found),
        "target": found.conflict is None and grade > 0,
        "intent": relevant,
        "usable": relevant,
        "grade": grade,
        "quote": best_sentence(need, text) if relevant else None,
    }


def grade_of(found: Match, limits: Thresholds) -> int | None:
    """Return the grade 0 to 3 that a match comes to, None when undecided."""
    if found.conflict is not None:
        return 1 if found.score >= limits.related else 0
    if abs(found.score - limits.relevant) < limits.relevance_margin:
        return None
    cuts = (limits.related, limits.relevant, limits.answers)
    return sum(found.score >= cut for cut in cuts)


def _reason(found: Match) -> str:
    if found.conflict is not None:
        return found.conflict
    missing = ", ".join(term.lstrip("@") for term in found.overlap.missing[:3])
    lacking = f"; not there: {missing}" if missing else ""
    return f"{found.overlap.share:.0%} of the need's words, score {found.score:.2f}{lacking}"
