"""What tells one claim from another: its words, and among them its numbers and names."""

import re
from functools import lru_cache

from judge.tokens import tokens

_CITATION = re.compile(r"\s*[\[【][^\[\]【】\n]{1,40}[\]】]")
_WORD = re.compile(r"\w+(?:[-./:]\w+)*")

_SHORT = 3
"""ASCII letters of a word that says nothing by itself; scripts without spaces have pairs."""


def plain(text: str) -> str:
    """Return a text without citations, casefolded, on one line."""
    return " ".join(_CITATION.sub("", text).split()).casefold()


@lru_cache(maxsize=1024)
def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, casefolded; codes and dates are one word."""
    return frozenset(match[0] for match in _WORD.finditer(text.casefold()))


@lru_cache(maxsize=1024)
def content_words(text: str) -> frozenset[str]:
    """Return the terms of a text but its citations and short words ("of", "the", "und")."""
    return frozenset(
        term for term in tokens(plain(text)) if len(term) > _SHORT or not term.isascii()
    )


def names_and_numbers(text: str) -> frozenset[str]:
    """Return the words of a text that hold a digit: numbers, dates, codes, model names."""
    return frozenset(word for word in words(text) if any(char.isdigit() for char in word))
