"""Is an answer well formed: no loops, no word salad. Whether it is right is not asked here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from judge.local.text import collapse, sentences
from judge.local.words import plain, stop_words
from judge.tokens import tokens

_ENOUGH_SENTENCES: Final = 4
_ENOUGH_WORDS: Final = 25
_LOOPING: Final = 0.5
"""Share of distinct sentences, or of distinct runs of three words, below which it loops."""
_SALAD: Final = 0.06
"""Share of function words below which Latin prose is no language."""


def coherence(paragraphs: Sequence[Mapping[str, Any]]) -> int:
    """Grade the form of an answer: 3 unless it repeats itself (1) or is no language (0)."""
    prose = [one["text"] for one in paragraphs if one["kind"] == "prose"]
    said = [collapse(part).casefold() for text in prose for part in sentences(text)]
    words = [plain(token) for text in prose for token in tokens(text)]
    if len(said) >= _ENOUGH_SENTENCES and len(set(said)) / len(said) <= _LOOPING:
        return 1
    if len(words) >= _ENOUGH_WORDS:
        runs = list(zip(words[:-2], words[1:-1], words[2:], strict=True))
        if len(set(runs)) / len(runs) <= _LOOPING:
            return 1
        if _share_of_function_words(words) < _SALAD:
            return 0
    return 3


def _share_of_function_words(words: Sequence[str]) -> float:
    """Return the largest share over the known languages; 1 for scripts without a list."""
    if sum(word.isascii() for word in words) < 0.9 * len(words):
        return 1.0
    counted = Counter(words)
    return max(
        sum(count for word, count in counted.items() if word in listed)
        for listed in stop_words().values()
    ) / len(words)
