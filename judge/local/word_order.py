"""Do the words of a text stand in an order, or might they stand in any.

    passages of the run ──▶ which words follow which ──▶ WordOrder
    "is free. and The need a password"  stops and capitals astray: beside itself shuffled,
                                        hardly better ─▶ no order

How a language goes on from *of* or *der*, the run's own passages tell: function words stand
for themselves, all others for their kind. A text is compared with its own words in other
orders, so that rare words and an odd style weigh on both sides alike. Words of content
alone (a list, a table) have no order that could be told.

A run has too few passages for that alone to tell: a good sentence in words of its own may go
on as none of them does. So a text is looked at only where its capitals and stops stand
where no sentence begins or ends.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from judge.local.text import ends_in_abbreviation, language_by_words
from judge.local.units import months
from judge.local.words import plain, stop_words

_WORD = re.compile(r"[^\W_]*\d[^\W_]*(?:[.,:/-][^\W_]+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|[.!?;:,()]")
_START, _STOP, _PAUSE, _NUMBER, _NAME, _PLAIN = "^", ".", ",", "#", "N", "c"
_SAMPLED: Final = 2_000
"""Passages of a language that are looked at."""
_KNOWN: Final = 400
"""Words of a language that the passages must have."""
FEWEST: Final = 8
"""Kinds in a text below which chance is too strong."""
_RECORD: Final = 0.4
"""Share of names and numbers above which a text is a record."""
_LONGEST: Final = 200
_SHUFFLES: Final = 60
_PRIOR: Final = 0.5
_NO_BETTER: Final = 0.8
"""Standard deviations above its shuffled words up to which a text with one break has no order."""
_HARDLY_BETTER: Final = 2.0
"""The same for a text with several."""
_SPOKEN: Final = 0.08
"""Share of function words below which a passage is no prose, and teaches no order."""
_ENOUGH: Final = 2_000
"""Characters that tell."""
_STOP_INSIDE = re.compile(r"([^\s!?]+)[.!?][\"'”’»)\]]*\s+([^\W\d_])")
_INNER = re.compile(r"(?<=\w) ([^\W\d_]{2,})\b")
_CLOSING: Final = "\"'”’»)]* "


@dataclass(frozen=True, slots=True)
class _Language:
    kinds: Mapping[str, int]
    pairs: Mapping[tuple[str, str], int]
    total: int

    def likeliness(self, kinds: Sequence[str]) -> float:
        """Return how much likelier the pairs are than their parts by themselves: a log."""
        return sum(self._ratio(first, second) for first, second in pairwise(kinds))

    def _ratio(self, first: str, second: str) -> float:
        apart = (self.kinds.get(first, 0) + 1) * (self.kinds.get(second, 0) + 1) / self.total
        return math.log((self.pairs.get((first, second), 0) + _PRIOR) / (apart + _PRIOR))


class WordOrder:
    """How the languages of a run go on from word to word."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Learn from the passages of a run; nothing is counted before the first question."""
        self._texts = tuple(texts)

    @cached_property
    def _languages(self) -> Mapping[str, _Language]:
        by_language: dict[str, list[str]] = {}
        for text in sorted(set(self._texts)):
            language = language_by_words(text)
            if language is not None and language in stop_words() and _is_prose(text, language):
                by_language.setdefault(language, []).append(text)
        return {
            language: _learned(texts[:: max(len(texts) // _SAMPLED, 1)], language)
            for language, texts in by_language.items()
        }

    def is_lost(self, text: str) -> bool:
        """Tell whether the words of a prose text stand in no order.

        False where that cannot be told: a short text, or a language of which the run has few
        passages.
        """
        language = language_by_words(text)
        known = self._languages.get(language) if language else None
        if language is None or known is None:
            return False
        broken = breaks(text, language)
        kinds = _kinds(text, language)[:_LONGEST] if broken else []
        if known.total < _KNOWN or len(kinds) < FEWEST or _mostly_names(kinds, language):
            return False
        found = known.likeliness(kinds)
        inner, draw = kinds[1:-1], random.Random(len(kinds))
        others = []
        for _ in range(_SHUFFLES):
            draw.shuffle(inner)
            others.append(known.likeliness([_START, *inner, _STOP]))
        mean = sum(others) / _SHUFFLES
        spread = math.sqrt(sum((one - mean) ** 2 for one in others) / _SHUFFLES)
        return found < mean + (_NO_BETTER if broken == 1 else _HARDLY_BETTER) * spread


def _is_prose(text: str, language: str) -> bool:
    """Tell whether a passage has the function words of sentences: a form or JSON has few."""
    kinds = _kinds(text[:_ENOUGH], language)
    others = {_START, _STOP, _PAUSE, _NUMBER, _NAME, _PLAIN}
    return sum(kind not in others for kind in kinds) >= _SPOKEN * len(kinds)


def breaks(text: str, language: str) -> int:
    """Count the places where no sentence would begin or end as this text does.

    It begins with a small letter, breaks off behind finished sentences, goes on in small
    letters behind a stop, or with a capital *The*. A careless style does so as well, and
    keeps the order of its words. A text without any capital says nothing by them.
    """
    if not any(map(str.isupper, text)):
        return 0
    stops = [(one[1], one[2]) for one in _STOP_INSIDE.finditer(text)]
    functional = stop_words()[language] - _POLITE - _NOUNS
    found = [
        text[0].islower(),
        bool(stops) and text.rstrip(_CLOSING)[-1:].isalnum(),
        *(after.islower() and not _is_cut(word, language) for word, after in stops),
        *(word.istitle() and plain(word.casefold()) in functional for word in _INNER.findall(text)),
    ]
    return sum(found)


def _is_cut(word: str, language: str) -> bool:
    """Tell whether a stop belongs to the word before it: "ca.", "p.m.", "am 3. und 4. Mai"."""
    ordinal = language == "de" and word.isdigit()
    return len(word) == 1 or "." in word or ordinal or ends_in_abbreviation(f"{word}.")


_NOUNS: Final = frozenset({"tag", "mal", "betrag", "may", "will", "case", "note", "ete"})
"""Function words that are names or nouns as well, and then have a capital anywhere."""
_POLITE: Final = frozenset(
    {"i", "sie", "ihr", "ihnen", "ihre", "ihrem", "ihren", "ihrer", "ihres"}
    | {"u", "uw", "usted", "vous", "lei"}
)
"""Function words that some languages write with a capital anywhere."""


def _mostly_names(kinds: Sequence[str], language: str) -> bool:
    """Tell whether a text is a record more than a sentence: names, numbers and dates.

    German writes every noun like a name.
    """
    exact = (_NUMBER,) if language == "de" else (_NAME, _NUMBER)
    words = [kind for kind in kinds if kind not in (_START, _STOP, _PAUSE)]
    return sum(kind in exact for kind in words) > _RECORD * len(words)


def _learned(texts: Iterable[str], language: str) -> _Language:
    kinds: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for text in texts:
        found = _kinds(text, language)
        kinds.update(found)
        pairs.update(pairwise(found))
    return _Language(kinds, pairs, kinds.total())


def _kinds(text: str, language: str) -> list[str]:
    """Return the words of a text as kinds, from start to stop; function words are kept."""
    functional = stop_words()[language]
    found = [_START]
    for word in _WORD.findall(text):
        known = plain(word.casefold())
        if any(map(str.isdigit, word)) or known in months():
            if found[-1] == _STOP and found[-2:-1] == [_NUMBER]:
                found.pop()  # "12. März"
            kind = _NUMBER
        elif not word[0].isalpha():
            kind = _STOP if word in ".!?" else _PAUSE
        elif known in functional:
            kind = known
        else:
            kind = _NAME if word[0].isupper() else _PLAIN
        if kind != _NUMBER or found[-1] != _NUMBER:
            found.append(kind)
    while found[-1] in (_STOP, _PAUSE):
        found.pop()
    return [*found, _STOP]
