"""The word tables of `words.toml`, read once: function words and ideas.

An idea is a set of words that say the same to a customer in any language. Its key starts
with `@`, which no word does, so ideas and words live in one vocabulary.
"""

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

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
