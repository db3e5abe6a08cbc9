"""How relevant one chunk is to one information need: grades 0 to 3, and how sure.

    need ──terms × rarity──▶ features ──logistic──▶ score ──thresholds──▶ grade
                 chunk ──▶ constraints ──▶ conflict: the grade is 1 at most

The score is the estimated chance that a person would call the chunk useful. What the user
wrote before counts only where the question leans on it ("and on the BX-300?").
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from judge.local.constraints import conflict
from judge.local.encoder import closeness, meaning
from judge.local.expected import expected, holds
from judge.local.grams import likeness
from judge.local.identifiers import identifiers
from judge.local.matching import (
    Overlap,
    Rarity,
    best_window,
    overlap,
    saturated,
)
from judge.local.names import capitals
from judge.local.needs import Need
from judge.local.telling import finished, introduces
from judge.local.text import bag, collapse, is_exact, stem, term, terms
from judge.local.thresholds import Thresholds
from judge.local.topics import meets_any, met
from judge.local.vectors import words
from judge.local.words import compound_idea

_NEVER = 1e-6
_OF_A_RECORD = 1.5
"""Log-odds that a passage loses where a single order or claim is asked about."""
_OF_A_FIELD = 20.0
"""The same where a tool tells what is asked of it: more than any passage has."""
_OF_A_CODE = 4.0
"""Log-odds that a passage gains which has the code that is asked about."""
_OF_A_COMPOUND = 1.5
"""Log-odds that a passage gains which has a compound of the question, and not its idea alone."""
_OF_BEFORE = 2.5
"""Log-odds that a passage loses which has nothing of a follow-up's own words, or none of
those that it writes with a capital: the names, and in German the nouns."""
_NEARLY = 0.6
"""Cosine from which a word says nearly what a name or noun does."""
_UNLIKE = 0.02
"""Likeness of spelling that any two texts of one language have."""
_RARE = 3
"""Passages of the run up to which a number or identifier tells them apart."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a chunk meets a need."""

    score: float
    """In [0, 1]."""
    overlap: Overlap
    conflict: str | None
    """What the chunk is about instead, None when it may be about the same."""
    alone: float | None = None
    """The score without a look at the rest of the run, where `score` has taken one."""

    @property
    def odds(self) -> float:
        """The score as log-odds, the scale on which the features add up."""
        return log_odds(self.score)


def log_odds(score: float) -> float:
    """Return the log-odds of a score in [0, 1]; finite at both ends."""
    return math.log(max(score, _NEVER) / max(1 - score, _NEVER))


def chance(odds: float) -> float:
    """Return the chance in [0, 1] that log-odds stand for; the inverse of `log_odds`."""
    return 1 / (1 + math.exp(-odds))


def match(need: Need, chunk: str, title: str | None, rarity: Rarity, limits: Thresholds) -> Match:
    """Hold one chunk against a need."""
    whole = f"{title}\n{chunk}" if title else chunk
    values, found = features(need, whole, rarity)
    model = limits.relevance
    linear = model.intercept + sum(
        weight * value for weight, value in zip(model.weights, values, strict=True)
    )
    if need.record is not None:
        linear -= _OF_A_RECORD  # whether order 4711 was sent, no passage tells
    if need.of_record:
        linear -= _OF_A_FIELD
    if need.before and not _has_own(need.question, whole):
        linear -= _OF_BEFORE  # it is about what was asked before, and not about this
    if _explains_code(need.question, whole, rarity):
        linear += _OF_A_CODE
    if not _long_words(need.question).isdisjoint(_long_words(whole)):
        linear += _OF_A_COMPOUND
    return Match(chance(linear), found, about_another(need, whole, rarity))


def about_another(need: Need, whole: str, rarity: Rarity) -> str | None:
    """Say what a text is about instead of what a need names, None where it may be the same."""
    known = conflict(need.head, whole, rarity.places)
    return known if known is not None else rarity.objects.other(need.head, whole)


def _explains_code(question: str, whole: str, rarity: Rarity) -> bool:
    """Tell whether a passage has a code that is asked about, and few others of the run have it.

    The other words of such a question tell where the code was seen ("the one in the hall
    shows E4"). A model is no code: many passages name it.
    """
    asked = identifiers(question).keys() & identifiers(whole).keys()
    return any(0 < rarity.frequency.get(code, 0) <= _RARE for code in asked)


@lru_cache(maxsize=16_384)
def _long_words(text: str) -> frozenset[str]:
    """Return the compounds that stand for a wider idea: *Monatskarte* is more than a month."""
    return frozenset(
        word for word in words(text) if compound_idea(word) and term(word) != stem(word)
    )


def _has_own(question: str, whole: str) -> bool:
    """Tell whether a passage has any of a follow-up's own words, and of those it writes large."""
    named = capitals(question)
    if any(map(is_exact, bag(named))):
        named = ""  # a model that differs is a conflict, and one that is not named none
    return meets_any(named, whole, _NEARLY) and meets_any(question, whole)


def features(need: Need, whole: str, rarity: Rarity) -> tuple[tuple[float, ...], Overlap]:
    """Return what the score is made of; the order is that of `thresholds.json`.

    A number or identifier is a topic only where a single chunk has it: what shares nothing
    but the model number with the need is about another question on the same model.
    """
    kind = expected(need.head)
    told = kind is not None and holds(whole, kind)
    topic = {
        term: weight
        for term, weight in need.weights.items()
        if not (is_exact(term) and not 0 < rarity.frequency.get(term, 0) <= _RARE)
        and not (told and term in ASKING)
    } or need.weights
    offered = bag(whole)
    found = overlap(topic, offered)
    heaviest = max(topic, key=lambda term: topic[term], default=None)
    named = [term for term in need.weights if is_exact(term)]
    values = (
        found.share,
        saturated(topic, whole, rarity.average),
        0.0 if heaviest is None else overlap({heaviest: 1.0}, offered).found,
        0.0 if kind is None else 1.0 if told else -1.0,
        math.log1p(len(terms(whole))),
        math.log1p(len(topic)),
        0.0 if not named else 1.0 if all(term in offered for term in named) else -0.5,
        math.log(likeness(need.grams, whole, rarity.grams) + _UNLIKE),
        rarity.topics.closeness(need.topic, whole),
        met(need.topic, whole),
        finished(whole),
        float(introduces(whole)),
        closeness(need.meaning, meaning(whole)),
    )
    return values, found


ASKING = frozenset({"@cost", "@pay", "@age", "@date"})
"""Words that ask for a quantity: a passage answers them with the quantity itself."""


def best_sentence(need: Need, chunk: str) -> str | None:
    """Return the sentence of *chunk* that meets the need best, verbatim."""
    _, window = best_window(need.weights, chunk, 1)
    return collapse(window[0]) if window else None
