"""Were the arguments of one tool call what the conversation fixes.

Three checks, and nothing else is called wrong:

    schema      a required argument is missing, a value has the wrong type or is no enum value
    mistaken    an identifier, date, number or place that differs from what was said
    dropped     a value that the user gave has an argument of its own and was left out

A value that can be neither confirmed nor refuted leaves the call undecided.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from judge.local.constraints import places, places_of_value
from judge.local.evidence import spoken
from judge.local.identifiers import family, identifiers
from judge.local.numbers import quantities
from judge.local.schemas import Mistake, against_schema, options_of, parameters_of
from judge.local.text import bag, collapse
from judge.rendering import value_text
from judge.tokens import normalise

_PAGING: Final = bag("limit top k n count page size offset max results number results per page")
_PLACE_WORDS: Final = frozenset(
    {"country", "region", "market", "location", "@country", "jurisdict"}
)
_THING_WORDS: Final = bag(
    "model product device item sku order ticket invoice booking claim case id number code version"
)
_SESSION_WORDS: Final = bag("customer user account session tenant member profile caller")
_SEARCH_WORDS: Final = bag("query question text search prompt input message keywords")
_PUNCTUATION = re.compile(r"[?!.,;:()\"'-]")
_DEEPEST: Final = 8
_SHORTEST_OPTION: Final = 3
"""Shorter enum values ("in", "no") stand in a question by chance."""
_SHORTEST_INNER: Final = 3
"""Shorter codes ("E4") stand in a longer name by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing that was said or found before the call."""

    where: str
    """`question`, `turn 2`, `result of call 1`."""
    text: str
    of_this_turn: bool = False
    """A result of the turn that is judged, before the call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The verdict on all arguments of a call."""

    mistakes: tuple[Mistake, ...]
    unknown: tuple[str, ...]
    """Arguments whose value was said nowhere, with nothing to put in its place."""


def check_arguments(
    arguments: Mapping[str, Any], schema: Any, question: str, said: Sequence[Said]
) -> Checked:
    """Check the arguments of one call.

    Args:
        arguments: As parsed.
        schema: JSON schema of the tool's parameters, None when not recorded.
        question: The user's message of this turn.
        said: All that was known before the call besides the question, latest first.
    """
    properties, required = parameters_of(schema)
    mistakes = [*against_schema(arguments, properties, required)]
    unknown: list[str] = []
    known = [Said(where="question", text=question), *said]
    faulty = {mistake.argument for mistake in mistakes}
    for name, value in arguments.items():
        if name in faulty or bag(spoken(name)) <= _SEARCH_WORDS:
            continue
        for text in _texts(value):
            found = _mistaken(name, text, arguments, known, options_of(properties.get(name)))
            if isinstance(found, Mistake):
                mistakes.append(found)
                break
            if found:
                unknown.append(name)
                break
    mistakes += _dropped(arguments, properties, question, {one.argument for one in mistakes})
    return Checked(mistakes=tuple(mistakes), unknown=tuple(unknown))


def _mistaken(
    name: str,
    text: str,
    arguments: Mapping[str, Any],
    known: Sequence[Said],
    options: Sequence[object],
) -> Mistake | bool:
    """Return the mistake in one value, True when it was said nowhere, False when it is fine."""
    for whole, written in identifiers(text).items():
        used = _named_in(whole, known)
        if any(used in _squeezed(one.text) for one in known):
            rival = _asked_instead(used, arguments, known)
            if rival is None:
                continue
            return Mistake(
                argument=name, value=written, expected=rival.text, known_from=rival.where
            )
        right = _sibling(used, known) or _of_same_shape(name, used, known)
        if right is not None:
            return Mistake(argument=name, value=text, expected=right.text, known_from=right.where)
        return True
    return _other_date(name, text, known) or _other_place(name, text, known, options) or False


def _named_in(whole: str, known: Sequence[Said]) -> str:
    """Return the said identifier that a longer name is made of: *RX-200* in *manual-rx-200*."""
    if any(whole in _squeezed(one.text) for one in known):
        return whole
    for one in known:
        for other in identifiers(one.text):
            if other.isdigit() or len(other) < _SHORTEST_INNER:
                continue
            before, found, after = whole.partition(other)
            if found and f"{before}{after}".isalpha():
                return other
    return whole


def _asked_instead(used: str, arguments: Mapping[str, Any], known: Sequence[Said]) -> Said | None:
    """Return the sibling that the question names while the one used stands only further back."""
    question, *rest = known
    if used in _squeezed(question.text):
        return None
    sent = _squeezed(value_text(dict(arguments)))
    if any(used in _squeezed(one.text) for one in rest if one.of_this_turn):
        return None  # an order leads to its parcel
    for other, written in identifiers(question.text).items():
        if family(other) == family(used) and other not in sent and len(other) == len(used):
            return Said(where=question.where, text=written)
    return None


def _sibling(used: str, known: Sequence[Said]) -> Said | None:
    """Return the identifier of the same shape that was said last."""
    for one in known:
        for other, written in identifiers(one.text).items():
            alike = other.isdigit() == used.isdigit() and abs(len(other) - len(used)) <= 1
            if family(other) == family(used) and alike:
                return Said(where=one.where, text=written)
    return None


def _of_same_shape(name: str, used: str, known: Sequence[Said]) -> Said | None:
    """Return the last identifier written like one that was said nowhere: *TC-9*, *BP-230*.

    Who the user is need not be said, so arguments that name them are left out.
    """
    if bag(spoken(name)) & _SESSION_WORDS:
        return None
    for one in known:
        for other, written in identifiers(one.text).items():
            if _shape(other) == _shape(used):
                return Said(where=one.where, text=written)
    return None


def _shape(identifier: str) -> str:
    return re.sub(r"[a-z]+", "a", family(identifier))


def _other_date(name: str, text: str, known: Sequence[Said]) -> Mistake | None:
    dates = [quantity for quantity in quantities(text) if quantity.date and quantity.date[2]]
    said = [
        (quantity, one)
        for one in known
        for quantity in quantities(one.text)
        if quantity.date and quantity.date[2]
    ]
    if len(dates) != 1 or not said or any(dates[0].agrees(quantity) for quantity, _ in said):
        return None
    asked = [(quantity, one) for quantity, one in said if one.where == "question"]
    if not asked:
        return None  # a date worked out from "tomorrow" is said nowhere
    quantity, one = asked[0]
    return Mistake(argument=name, value=text, expected=quantity.text, known_from=one.where)


def _other_place(
    name: str, text: str, known: Sequence[Said], options: Sequence[object]
) -> Mistake | None:
    named, asked = places_of_value(text), places(known[0].text)
    if not named or not asked or named & asked or not bag(spoken(name)) & _PLACE_WORDS:
        return None
    expected = _place_option(options, asked) or ", ".join(sorted(asked))
    return Mistake(argument=name, value=text, expected=expected, known_from=known[0].where)


def _place_option(options: Sequence[object], asked: frozenset[str]) -> str | None:
    """Return the value of an enum that names one of the places, as the schema spells it."""
    spelled = (option for option in options if isinstance(option, str))
    return next((option for option in spelled if places_of_value(option) & asked), None)


def _dropped(
    arguments: Mapping[str, Any], properties: Mapping[str, Any], question: str, faulty: set[str]
) -> Iterator[Mistake]:
    sent = value_text(dict(arguments))
    squeezed = _squeezed(sent)
    asked = f" {_PUNCTUATION.sub(' ', collapse(normalise(question)).casefold())} "
    for name, rule in properties.items():
        if name in arguments or name in faulty or not isinstance(rule, dict):
            continue
        options = rule.get("enum")
        words = bag(spoken(name))
        if isinstance(options, list):
            option = _option_said(options, asked) or (
                _place_option(options, places(question)) if words & _PLACE_WORDS else None
            )
            if option is not None:
                yield Mistake(argument=name, value=None, expected=option, known_from="question")
        elif words & _PLACE_WORDS and places(question) and not places(question) & places(sent):
            expected = ", ".join(sorted(places(question)))
            yield Mistake(argument=name, value=None, expected=expected, known_from="question")
        elif words & _THING_WORDS:
            for other, written in identifiers(question).items():
                if other not in squeezed and not other.isdigit():
                    yield Mistake(
                        argument=name, value=None, expected=written, known_from="question"
                    )
                    break


def _option_said(options: Sequence[object], asked: str) -> str | None:
    for option in options:
        if not isinstance(option, str) or len(option) < _SHORTEST_OPTION:
            continue
        if f" {spoken(option).casefold()} " in asked:
            return option
    return None


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    match value:
        case str():
            yield value
        case bool() | None:
            return
        case int() | float():
            yield str(value)
        case list():
            for item in value:
                yield from _texts(item, depth + 1)
        case dict():
            for item in value.values():
                yield from _texts(item, depth + 1)


def _squeezed(text: str) -> str:
    return "".join(char for char in normalise(text).casefold() if char.isalnum())
