"""Is an answer well formed: no loops, no scraps, no word salad.

Whether it is right is not asked here.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from judge.local.patterns import pattern
from judge.local.text import collapse, sentences
from judge.local.words import plain, stop_words
from judge.tokens import tokens

_ENOUGH_SENTENCES: Final = 4
_ENOUGH_WORDS: Final = 25
_LOOPING: Final = 0.5
"""Share of distinct sentences, or of distinct runs of three words, below which it loops."""
_SALAD: Final = 0.06
"""Share of function words below which Latin prose is no language."""
_PARTS: Final = 4
"""Parts of a sentence between commas from which it may be made of scraps."""
_SCRAP: Final = 4
"""Words up to which a part that opens like a clause breaks off before it is one."""
_SCRAPS: Final = 2
_COMMA = re.compile(r"[,;:–—](?:\s+|$)")
_MARKER = re.compile(r"\[[^\[\]]*\]|【[^【】]*】")
_PART_WORD = re.compile(r"\w+")


def coherence(paragraphs: Sequence[Mapping[str, Any]]) -> int:
    """Grade the form of an answer.

    3, unless it repeats itself or is made of scraps (1), or is no language (0).
    """
    prose = [one["text"] for one in paragraphs if one["kind"] == "prose"]
    said = [collapse(part).casefold() for text in prose for part in sentences(text)]
    words = [plain(token) for text in prose for token in tokens(text)]
    if len(said) >= _ENOUGH_SENTENCES and len(set(said)) / len(said) <= _LOOPING:
        return 1
    if any(_in_scraps(part) for text in prose for part in sentences(text)):
        return 1
    if len(words) >= _ENOUGH_WORDS:
        runs = list(zip(words[:-2], words[1:-1], words[2:], strict=True))
        if len(set(runs)) / len(runs) <= _LOOPING:
            return 1
        if _share_of_function_words(words) < _SALAD:
            return 0
    return 3


def _in_scraps(sentence: str) -> bool:
    """Tell whether the parts of a sentence open like clauses and break off at once.

    "The bikes, because in spring, then the helmets, which of two, and always.": one short part
    is good style ("which leaves 140 €"), several beside each other say nothing.
    """
    parts = [part for part in _COMMA.split(_MARKER.sub(" ", sentence)) if part.strip()]
    if len(parts) < _PARTS:
        return False
    short = [
        part.strip()
        for part in parts
        if len(_PART_WORD.findall(part)) <= _SCRAP and pattern("joins").search(part.strip())
    ]
    return len(short) >= _SCRAPS and any(map(pattern("joins_clauses").search, short))


def _share_of_function_words(words: Sequence[str]) -> float:
    """Return the largest share over the known languages; 1 for scripts without a list."""
    if sum(word.isascii() for word in words) < 0.9 * len(words):
        return 1.0
    counted = Counter(words)
    return max(
        sum(count for word, count in counted.items() if word in listed)
        for listed in stop_words().values()
    ) / len(words)
