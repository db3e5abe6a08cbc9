"""Names in a claim: words written with a capital inside a sentence, in Latin, Greek or Cyrillic.

    "Refunds go to Martha Klein."  ─▶  martha, klein

They say of whom or what something is claimed, so no other word stands for them. German
writes every noun so, and scripts without capitals tell no names; there is none in either.
"""

import re
from functools import lru_cache
from typing import Final

from judge.local.text import language_by_words, sentences, term
from judge.local.words import plain, stop_words
from judge.tokens import normalise, tokens

_MARKS: Final = "\"'([{„“”‘’«»*_-–—:,;.!?"


_JOINED: Final = re.compile(r"\b[^\W\d_]+[a-zß-ÿ](?:[A-Z][a-z]+)+\b")
_CAMEL: Final = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])")


@lru_cache(maxsize=16_384)
def beginnings(text: str) -> frozenset[str]:
    """Return the words, casefolded, that only begin names of joined words: *city* in CityBus.

    The last part is what it is, and may stand for it alone ("the bus"); its beginning stands
    for something else ("into the city").
    """
    joined = _JOINED.findall(normalise(text))
    if not joined:
        return frozenset()
    begun = {plain(part.casefold()) for name in joined for part in _CAMEL.split(name)[:-1]}
    return frozenset(begun) - {plain(one) for one in tokens(_JOINED.sub(" ", normalise(text)))}


@lru_cache(maxsize=16_384)
def capitals(text: str) -> str:
    """Return the words that *text* writes with a capital inside a sentence, in any language.

    In German they are its nouns, elsewhere its names; function words are left out.
    """
    functional = stop_words().get(language_by_words(text) or "en", frozenset())
    written = (word for sentence in sentences(text) for word in sentence.split()[1:])
    found = (word for word in written if word.lstrip(_MARKS)[:1].isupper())
    return " ".join(word for word in found if not functional.issuperset(map(plain, tokens(word))))


@lru_cache(maxsize=16_384)
def names(text: str) -> frozenset[str]:
    """Return the terms of the names in *text*."""
    if language_by_words(text) == "de":
        return frozenset()
    return frozenset(
        term(plain(token))
        for sentence in sentences(text)
        for written in sentence.split()[1:]
        if written.lstrip(_MARKS)[:1].isupper()
        for token in tokens(written)[:1]
        if token.isalpha()
    )
