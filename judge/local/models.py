"""Models that are called by their number alone.

    "Can I open an Aeris 40 on my own?"   "And the 60?"  ─▶  And the Aeris 60?

Only where the run's passages name such a model, and the conversation another one of its
kind: any other number may be a quantity.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from judge.local.constraints import constraints, kind_of, numbered_names
from judge.local.identifiers import identifiers
from judge.local.patterns import pattern
from judge.local.words import plain, stop_words

_NAME = "name:"
_CODE = re.compile(r"([a-z]{2,})(\d{1,4})")
_BARE: Final = re.compile(r"(?<![\w.,:/-])(\d{1,4})(er|ern|ers)?(?![\w%€$£°]|[.,:/-]\d|\s?[%€$£°])")
"""A number that stands alone; *60er* is one in German."""
_FOLLOWS: Final = re.compile(r"\s+([^\W\d_]+)")
_FUNCTIONAL: Final = frozenset().union(*stop_words().values())


class Models:
    """The models that the passages of a run name, by their numbers."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read the models of *texts*."""
        self._named: dict[str, dict[str, str]] = {}
        for text in texts:
            for word, number in numbered_names(text):
                written = f"{word} {number}".title()
                if written in text:  # "below 14" is no name
                    kind = kind_of(f"{_NAME}{word} {number}")
                    self._named.setdefault(number, {})[kind] = written
            for known, written in identifiers(text).items():
                code = _CODE.fullmatch(known)
                if code is not None:
                    self._named.setdefault(code[2], {})[kind_of(known)] = written

    def all_in_full(self, messages: Sequence[str]) -> list[str]:
        """Return the user's messages, oldest first, each with its models' names."""
        told: list[str] = []
        for message in messages:
            told.append(self.in_full(message, told))
        return told

    def in_full(self, question: str, earlier: Sequence[str]) -> str:
        """Return a question with the names of the models that it calls by their number.

        Args:
            question: The user's message.
            earlier: The user's messages before it.
        """
        if not any(map(str.isdigit, question)):
            return question
        spoken_of = {
            kind_of(known) for text in (question, *earlier) for known, _ in constraints(text)
        }

        def named(bare: re.Match[str]) -> str:
            models = self._named.get(bare[1], {})
            meant = [written for kind, written in models.items() if kind in spoken_of]
            called = bare[2] or _is_called(question[: bare.start()], question[bare.end() :])
            return meant[0] if len(meant) == 1 and called else bare[0]

        return _BARE.sub(named, question)


def _is_called(before: str, after: str) -> bool:
    """Tell whether a number may stand for a model: behind an article, and before no noun.

    "The 60 in the tower" and "not the 60!" do, "the 60 guests" and "from 40 to 60" do not.
    """
    if pattern("article_before").search(before) is None:
        return False
    follows = _FOLLOWS.match(after)
    return follows is None or plain(follows[1].casefold()) in _FUNCTIONAL
