"""Messages that thank or take leave, and ask for nothing.

"Thanks, that clears it up."    ─▶  nothing is asked: what is left closes
"Thanks, I need a refund."      ─▶  something is: what is left requests
"""

import re
from functools import cache
from typing import Final

from judge.local.elements import asks
from judge.local.encoder import Meaning, closest, meaning
from judge.local.patterns import pattern
from judge.local.text import bag

_STOPS: Final = re.compile(r"[,.;:!…–—、。！،]+")
_FEW_WORDS: Final = 1
"""Words of content that a message of thanks may have ("lovely, thanks")."""
_NEAR: Final = 0.36
"""Closeness to a sentence that closes or requests, from which another does so, too."""
_CLOSINGS: Final = (
    "That helps me.",
    "Now it is clear to me.",
    "I will think about it.",
    "That is all for now.",
    "I will do that.",
    "Good to know.",
    "That was quick.",
    "I am satisfied.",
    "Never mind then.",
    "Too bad, but all right.",
    "That answers my question.",
    "I do not need anything else.",
)
_REQUESTS: Final = (
    "I need help with this.",
    "Please send it to me.",
    "It does not work.",
    "I want my money back.",
    "I would like to know more about it.",
    "I have another question about it.",
    "Tell me about the other one.",
    "I have lost my card.",
    "Please cancel my order.",
    "The answer is wrong.",
    "My name is on the list and I am waiting.",
)


def is_courtesy(said: str) -> bool:
    """Tell whether a message only thanks or takes leave.

    Besides a courtesy it has hardly a word, or what says, in any of the encoder's languages,
    that all is well: nearer to a sentence that closes than to one that requests.

    Args:
        said: The message, normalised; a text without a courtesy is none.
    """
    if not pattern("courtesy").search(said) or asks(said) or any(map(str.isdigit, said)):
        return False
    left = pattern("courtesy").sub(" ", said)
    rest = meaning(_beside(said) or " ".join(left.strip(" ,.;:!-–—)").split()))
    closing, request = (closest(rest, known) for known in _models())
    if request >= _NEAR and request > closing:
        return False
    few = len(bag(pattern("polite_words").sub(" ", left))) <= _FEW_WORDS
    return few or (closing >= _NEAR and closing > request)


def _beside(said: str) -> str:
    """Return the clauses without a courtesy: of "Vielen Dank, das hilft", *das hilft*."""
    parts = [part.strip() for part in _STOPS.split(said)]
    return ", ".join(part for part in parts if part and not pattern("courtesy").search(part))


@cache
def _models() -> tuple[tuple[Meaning, ...], tuple[Meaning, ...]]:
    return tuple(map(meaning, _CLOSINGS)), tuple(map(meaning, _REQUESTS))
