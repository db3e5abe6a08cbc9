"""Is a place or one value of an enum the one that the conversation names."""

import re
from collections.abc import Sequence
from typing import Final

from judge.local.constraints import places, places_of_value
from judge.local.evidence import spoken
from judge.local.names import capitals
from judge.local.patterns import pattern
from judge.local.said import Said
from judge.local.schemas import Mistake
from judge.local.text import bag

PLACE_WORDS: Final = frozenset({"country", "region", "market", "location", "@country", "jurisdict"})
"""Words of an argument that takes a place."""

_SHORTEST_OPTION: Final = 5
"""Shorter enum values ("in", "low") stand in a message by chance."""


def other_place(
    name: str, text: str, known: Sequence[Said], options: Sequence[object]
) -> Mistake | None:
    """Return the place of the question, for another place."""
    named, asked = places_of_value(text), places(known[0].text)
    if not named or not asked or named & asked or not bag(spoken(name)) & PLACE_WORDS:
        return None
    expected = place_option(options, asked) or ", ".join(sorted(asked))
    return Mistake(argument=name, value=text, expected=expected, known_from=known[0].where)


def other_option(
    name: str, text: str, known: Sequence[Said], options: Sequence[object]
) -> Mistake | None:
    """Return the one value of an enum that was said, for one that was said nowhere.

    Further back than the question only a name counts, which a capital shows: what is "open"
    or "low" in an earlier message is said of something else.
    """
    spelled = [one for one in options if isinstance(one, str) and len(one) >= _SHORTEST_OPTION]
    if text not in spelled:
        return None
    last = _last_said(known, spelled)
    if last is not None and last.text != text:
        return Mistake(argument=name, value=text, expected=last.text, known_from=last.where)
    if any(_says(text, one.text) for one in known):
        return None
    for one in known:
        said = [
            option
            for option in spelled
            if (_says(option, one.text) if one is known[0] else _names(option, one.text))
        ]
        if said:
            expected = said[0] if len(said) == 1 else None
            return Mistake(argument=name, value=text, expected=expected, known_from=one.where)
    return None


def _last_said(known: Sequence[Said], options: Sequence[str]) -> Said | None:
    """Return the value that a message named last, alone, where the question and turn name none."""
    question, *before = known
    now = [question, *(one for one in before if one.of_this_turn)]
    if pattern("the_other").search(question.text) or any(
        _says(option, one.text) for one in now for option in options
    ):
        return None
    for one in before:
        said = [option for option in options if _names(option, one.text)]
        if said:
            alone = len(said) == 1 and not one.where.startswith("result")
            return Said(where=one.where, text=said[0]) if alone else None
    return None


def _says(option: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(spoken(option))}(?!\w)", text, re.IGNORECASE) is not None


def _names(option: str, text: str) -> bool:
    """Tell whether a text has a word with a capital inside a sentence."""
    return bag(spoken(option)) <= bag(capitals(text))


def place_option(options: Sequence[object], asked: frozenset[str]) -> str | None:
    """Return the value of an enum that names one of the places, as the schema spells it."""
    spelled = (option for option in options if isinstance(option, str))
    return next((option for option in spelled if places_of_value(option) & asked), None)
