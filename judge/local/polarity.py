"""Does a sentence deny: negations, and words that exclude each other.

"Opened machines can be returned."  ×  "Opened machines cannot be returned."
"Your order was cancelled."         ×  "status: shipped"
"""

import re
from functools import lru_cache

from judge.local.patterns import pattern, word_sets
from judge.local.text import bag, term
from judge.local.words import plain
from judge.tokens import normalise, tokens

_BARE_NO = re.compile(
    r"^\W*(?:no|nein|non|não|nee|sí|yes|ja|oui|si)\b\s*[,.:;!–-]+\s*", re.IGNORECASE
)


_NUMBER = re.compile(r"\bno\.?\s?:", re.IGNORECASE)


@lru_cache(maxsize=65_536)
def negated(text: str) -> bool:
    """Tell whether *text* denies: an odd number of negations.

    A leading "No," answers the question and is no negation of what follows; "claim no: 7" is
    a number.
    """
    said = _NUMBER.sub(":", _BARE_NO.sub("", normalise(text)).replace("’", "'"))
    return len(pattern("negation").findall(said)) % 2 == 1


@lru_cache(maxsize=65_536)
def conditional(text: str) -> bool:
    """Tell whether *text* says under which condition something holds."""
    return pattern("conditional").search(normalise(text)) is not None


def excluded(claimed: str, offered: str) -> str | None:
    """Name the two words by which *claimed* and *offered* cannot both be true, or None.

    Only words of one set that stand on one side each count, so that a passage which lists
    all of them ("red or green") denies nothing.
    """
    mine, theirs = _words(claimed), _words(offered)
    for words in word_sets("exclusive"):
        claimed_here, offered_here = mine & words, theirs & words
        if claimed_here and offered_here and not claimed_here & offered_here:
            return f"{_shown(claimed_here)} against {_shown(offered_here)}"
    return None


@lru_cache(maxsize=32_768)
def _words(text: str) -> frozenset[str]:
    return bag(text) | {term(plain(token)) for token in tokens(text)}


def _shown(words: frozenset[str]) -> str:
    return ", ".join(sorted(word.lstrip("@") for word in words))
