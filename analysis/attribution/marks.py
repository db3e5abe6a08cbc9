"""What tells one claim from another: its words, and among them its numbers and names."""

import re

_CITATION = re.compile(r"\s*[\[【][^\[\]【】\n]{1,40}[\]】]")
_WORD = re.compile(r"\w+(?:[-./:]\w+)*")


def plain(text: str) -> str:
    """Return a text without citations, casefolded, on one line."""
    return " ".join(_CITATION.sub("", text).split()).casefold()


def words(text: str) -> set[str]:
    """Return the distinct words of a text, casefolded; codes and dates are one word."""
    return {match[0] for match in _WORD.finditer(text.casefold())}


def names_and_numbers(text: str) -> frozenset[str]:
    """Return the words of a text that hold a digit: numbers, dates, codes, model names."""
    return frozenset(word for word in words(text) if any(char.isdigit() for char in word))
