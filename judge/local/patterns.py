"""The phrases of `patterns.toml`, compiled once.

Each entry is a list of regular expressions, any of which may match. They are searched in
normalised text without regard to case, and none of them repeats a repetition, so matching
takes time in the length of the text.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return the pattern that matches any phrase of the entry *name*."""
    phrases: list[str] = _tables()[name]
    return re.compile("|".join(f"(?:{phrase})" for phrase in phrases), re.IGNORECASE)


@cache
def word_sets(name: str) -> tuple[frozenset[str], ...]:
    """Return the sets of terms listed under *name*."""
    return tuple(frozenset(words.split()) for words in _tables()["word_sets"][name])


@cache
def state_patterns() -> Mapping[str, re.Pattern[str]]:
    """Return what names each state of a record, by the state's name."""
    phrases: Mapping[str, str] = _tables()["states"]
    return {name: re.compile(phrase, re.IGNORECASE) for name, phrase in phrases.items()}


@cache
def _tables() -> dict[str, Any]:
    text = Path(__file__).with_name("patterns.toml").read_text("utf-8")
    return tomllib.loads(text)
