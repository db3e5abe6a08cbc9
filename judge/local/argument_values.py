"""Is one value of a tool call what the conversation says.

An identifier, date, number or place that differs from what was said is a mistake; so is a
day that no calendar has, and another user than in earlier calls of the conversation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from judge.local.argument_options import other_option, other_place
from judge.local.evidence import spoken
from judge.local.identifiers import family, identifiers
from judge.local.numbers import Quantity, quantities, years
from judge.local.patterns import pattern
from judge.local.said import Said, leaves, squeezed
from judge.local.schemas import Mistake
from judge.local.text import bag
from judge.rendering import value_text

_PAGING: Final = bag("limit top k n count page size offset max results number results per page")
_LENGTHS_APART: Final = 2
"""Most characters by which numbers of one kind differ: no form A1 is meant by E-2207."""
_SESSION_WORDS: Final = bag("customer user account session tenant member profile caller")
_ISO_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_YEAR = re.compile(r"\d{4}")
_NUMBER = re.compile(r"\d{1,7}(?:\.\d{1,4})?|\d{1,2}:\d{2}")
_DEEPEST: Final = 8
_SHORTEST_INNER: Final = 3
"""Shorter codes ("E4") stand in a longer name by chance."""


def check_value(
    name: str,
    text: str,
    arguments: Mapping[str, Any],
    known: Sequence[Said],
    sent: Mapping[str, Said],
    options: Sequence[object],
) -> Mistake | bool:
    """Return the mistake in one value, True when it was said nowhere, False when it is fine.

    Args:
        name: Of the argument.
        text: The value.
        arguments: All that were sent.
        known: What was said before the call, the question first, then latest first.
        sent: By argument, what earlier turns last called tools with.
        options: What the schema allows; empty for anything.
    """
    found = _other_user(name, text, known, sent) or _other_field(name, text, known)
    if found is not None:
        return found
    for whole, written in identifiers(text).items():
        used = _named_in(whole, known)
        if any(used in squeezed(one.text) for one in known):
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
    return (
        _other_date(name, text, known)
        or _no_date(name, text, known)
        or _other_day(name, text, arguments, known)
        or _other_year(name, text, arguments, known)
        or _other_number(name, text, arguments, known)
        or other_place(name, text, known, options)
        or other_option(name, text, known, options)
        or False
    )


def _other_user(
    name: str, text: str, known: Sequence[Said], sent: Mapping[str, Said]
) -> Mistake | None:
    """Return who the user was in earlier calls; that need not be said, and does not change."""
    before = sent.get(name)
    words = bag(spoken(name))
    if before is None or before.text == text or not words & _SESSION_WORDS:
        return None
    if any(squeezed(text) in squeezed(one.text) for one in known):
        return None
    return Mistake(argument=name, value=text, expected=before.text, known_from=before.where)


def _other_field(name: str, text: str, known: Sequence[Said]) -> Mistake | None:
    """Return what a call before gave for the same key, where something else was sent.

    What the question names itself is taken from there.
    """
    question, *rest = known
    given = [one for one in rest if one.of_this_turn and name in one.fields]
    told = frozenset[str]().union(*(one.fields[name] for one in given))
    if not told or text in told or squeezed(text) in squeezed(question.text):
        return None
    expected = min(told) if len(told) == 1 else None
    return Mistake(argument=name, value=text, expected=expected, known_from=given[0].where)


def _named_in(whole: str, known: Sequence[Said]) -> str:
    """Return the said identifier that a longer name is made of: *RX-200* in *manual-rx-200*."""
    if any(whole in squeezed(one.text) for one in known):
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
    if used in squeezed(question.text):
        return None
    sent = squeezed(value_text(dict(arguments)))
    if any(used in squeezed(one.text) for one in rest if one.of_this_turn):
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
            if _shape(other) == _shape(used) and abs(len(other) - len(used)) <= _LENGTHS_APART:
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


def _no_date(name: str, text: str, known: Sequence[Said]) -> Mistake | None:
    """Return the mistake of a day that no calendar has; a date that was asked for, if it is one."""
    found = _ISO_DATE.search(text)
    if found is None:
        return None
    try:
        date.fromisoformat(found[0])
    except ValueError:
        asked = [one.text for one in quantities(known[0].text) if one.date and one.date[2]]
        expected = asked[0] if len(asked) == 1 else None
        where = known[0].where if expected else "schema"
        return Mistake(argument=name, value=text, expected=expected, known_from=where)
    return None


def _other_day(
    name: str, text: str, arguments: Mapping[str, Any], known: Sequence[Said]
) -> Mistake | None:
    """Return the one day that the question names by its number alone, and that was not sent."""
    found, question = _ISO_DATE.search(text), known[0]
    days = {next(filter(None, one)) for one in pattern("day_alone").findall(question.text)}
    if found is None or len(days) != 1 or any(one.date for one in quantities(question.text)):
        return None
    (day,) = days
    sent = _ISO_DATE.findall(value_text(dict(arguments)))
    if any(int(one[-2:]) == int(day) for one in sent):
        return None
    expected = f"{found[0][:-2]}{int(day):02}"
    try:
        date.fromisoformat(expected)
    except ValueError:
        return None  # its month has no such day, and another may be meant
    return Mistake(argument=name, value=text, expected=expected, known_from=question.where)


def _other_year(
    name: str, text: str, arguments: Mapping[str, Any], known: Sequence[Said]
) -> Mistake | None:
    """Return the one year of the question that was sent nowhere, for another year."""
    used, asked = years(text), years(known[0].text)
    if not _YEAR.fullmatch(text) or not used or used & asked:
        return None
    sent = " ; ".join(text for value in arguments.values() for text in texts_of(value))
    left = asked - years(sent)
    if len(asked) != 1 or not left:
        return None
    return Mistake(argument=name, value=text, expected=str(min(left)), known_from=known[0].where)


def _other_number(
    name: str, text: str, arguments: Mapping[str, Any], known: Sequence[Said]
) -> Mistake | None:
    """Return the one number of the question that was sent nowhere, for one that nobody said."""
    if not _NUMBER.fullmatch(text) or bag(spoken(name)) & _PAGING:
        return None
    used = _numbers(text)
    if not used or any(
        one.agrees(other) for one in used for said in known for other in _numbers(said.text)
    ):
        return None
    sent = _numbers(" ; ".join(text for value in arguments.values() for text in texts_of(value)))
    left = [one for one in _numbers(known[0].text) if not any(one.agrees(other) for other in sent)]
    if len(left) != 1 or _are_apart(left[0], used[0]):
        return None
    return Mistake(argument=name, value=text, expected=left[0].text, known_from=known[0].where)


def _are_apart(one: Quantity, other: Quantity) -> bool:
    """Tell whether two numbers measure different things: "two hours" is no time of day."""
    return one.unit is not None and other.unit is not None and not one.rivals(other)


def _numbers(text: str) -> list[Quantity]:
    return [one for one in quantities(text) if one.date is None]


def texts_of(value: object) -> Iterator[str]:
    """Yield the texts and numbers inside a value."""
    return (text for _, text in leaves(value, _DEEPEST))
