"""The word tables of `words.toml`, read once: function words and ideas.

An idea is a set of words that say the same to a customer in any language. Its key starts
with `@`, which no word does, so ideas and words live in one vocabulary.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

_SHORTEST_COMPOUND: Final = 9
_SHORTEST_FIRST_PART: Final = 3
_SHORTEST_END: Final = 5
_LEAST_BEGINNING: Final = 3
"""Characters of the shortest beginning that `words.toml` may mark with `*`."""


@cache
def stop_words() -> Mapping[str, frozenset[str]]:
    """Return the function words of each language, without accents."""
    return {code: frozenset(words.split()) for code, words in _tables()["stop"].items()}


@lru_cache(maxsize=65_536)
def idea(word: str) -> str | None:
    """Return the key of the idea that *word* (casefolded, plain) expresses, or None.

    A whole word wins over a beginning, and a longer beginning over a shorter one.
    """
    words, beginnings = _ideas()
    if word in words:
        return words[word]
    for length in range(len(word), _LEAST_BEGINNING - 1, -1):
        if word[:length] in beginnings:
            return beginnings[word[:length]]
    return None


def joined_phrases(text: str) -> str:
    """Return *text* with each phrase that says one idea ("money back") as one word of it."""
    pattern, words = _phrases()
    return pattern.sub(lambda match: words[match[0].casefold()], text)


@cache
def _phrases() -> tuple[re.Pattern[str], Mapping[str, str]]:
    words: dict[str, str] = {}
    known, beginnings = _ideas()
    for name, listed in _tables()["phrases"].items():
        key = f"@{name}"
        whole = next((word for word, idea_key in known.items() if idea_key == key), None)
        begun = next((word for word, idea_key in beginnings.items() if idea_key == key), name)
        words.update(dict.fromkeys(listed.split("|"), whole or begun))
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.IGNORECASE), words


@lru_cache(maxsize=65_536)
def compound_idea(word: str) -> str | None:
    """Return the idea that a long word ends in: *mahngebuhr* is about a fee.

    Ends of five letters and more count, the longest first, since a compound is a kind of
    what it ends in.
    """
    if len(word) < _SHORTEST_COMPOUND or not word.isalpha():
        return None
    for start in range(_SHORTEST_FIRST_PART, len(word) - _SHORTEST_END + 1):
        found = idea(word[start:])
        if found is not None:
            return found
    return None


@lru_cache(maxsize=65_536)
def plain(word: str) -> str:
    """Return *word* without the accents of Latin letters; other scripts are untouched."""
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFD", word)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return bare if bare.isascii() else word


@cache
def _ideas() -> tuple[Mapping[str, str], Mapping[str, str]]:
    words: dict[str, str] = {}
    beginnings: dict[str, str] = {}
    for name, listed in _tables()["ideas"].items():
        for entry in listed.split():
            if entry.endswith("*"):
                beginnings.setdefault(entry[:-1], f"@{name}")
            else:
                words.setdefault(entry, f"@{name}")
    return words, beginnings


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    text = Path(__file__).with_name("words.toml").read_text("utf-8")
    return tomllib.loads(text)
