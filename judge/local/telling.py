"""How a passage tells what it tells, whatever is asked.

    "Scrabble is a word game for two to four players."   introduces its subject
    "Released 1980 Format 7'' Length 2:44 Label Atco"     stands in no finished sentence

An introduction answers most questions on its subject; a table that lost its lines answers
few. List items, headings and scripts that do not mark the end of a sentence are left alone.
"""

from functools import lru_cache
from typing import Final

from judge.local.patterns import pattern
from judge.local.text import sentences
from judge.tokens import tokens

_CLOSING: Final = "\"'”’»)]}*_ `"
_LONG: Final = 12
"""Tokens up to which a line may be a heading or an item, and needs no end."""
_MARKED: Final = 0x0530
"""First character beyond the scripts in which a sentence ends with a stop."""


@lru_cache(maxsize=16_384)
def finished(text: str) -> float:
    """Return the share of a text's tokens that stand in no unfinished sentence; 1 without any."""
    lengths = [(len(tokens(sentence)), sentence) for sentence in sentences(text)]
    total = sum(length for length, _ in lengths)
    unfinished = sum(length for length, one in lengths if length > _LONG and _breaks_off(one))
    return 1 - unfinished / total if total else 1.0


def _breaks_off(sentence: str) -> bool:
    last = sentence.rstrip(_CLOSING)[-1:]
    return last.isalnum() and ord(last) < _MARKED


@lru_cache(maxsize=16_384)
def introduces(text: str) -> bool:
    """Tell whether the first sentence says what its subject is."""
    first = next(iter(sentences(text)), "")
    return pattern("introduces").search(first) is not None
