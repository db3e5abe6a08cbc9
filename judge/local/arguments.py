"""Were the arguments of one tool call what the conversation fixes.

Three checks, and nothing else is called wrong:

    schema      a required argument is missing, a value has the wrong type or is no enum value
    mistaken    an identifier, date, number or place that differs from what was said, a day that
                no calendar has, or another user than in earlier calls of the conversation
    dropped     a value that the user gave has an argument of its own and was left out

A value that can be neither confirmed nor refuted leaves the call undecided.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from judge.local.argument_options import PLACE_WORDS, place_option
from judge.local.argument_values import check_value, texts_of
from judge.local.constraints import places
from judge.local.evidence import spoken
from judge.local.identifiers import identifiers
from judge.local.said import Said, squeezed
from judge.local.schemas import Mistake, against_schema, options_of, parameters_of
from judge.local.text import bag, collapse
from judge.rendering import value_text
from judge.tokens import normalise

_THING_WORDS: Final = bag(
    "model product device item sku order ticket invoice booking claim case id number code version"
)
_SEARCH_WORDS: Final = bag("query question text search prompt input message keywords")
_PUNCTUATION = re.compile(r"[?!.,;:()\"'-]")
_SHORTEST_OPTION: Final = 3
"""Shorter enum values ("in", "no") stand in a question by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The verdict on all arguments of a call."""

    mistakes: tuple[Mistake, ...]
    unknown: tuple[str, ...]
    """Arguments whose value was said nowhere, with nothing to put in its place."""


def check_arguments(
    arguments: Mapping[str, Any],
    schema: Any,
    question: str,
    said: Sequence[Said],
    sent: Mapping[str, Said] = MappingProxyType({}),
    searched: AbstractSet[str] = frozenset(),
) -> Checked:
    """Check the arguments of one call.

    Args:
        arguments: As parsed.
        schema: JSON schema of the tool's parameters, None when not recorded.
        question: The user's message of this turn.
        said: All that was known before the call besides the question, latest first.
        sent: By argument, what earlier turns of the conversation last called tools with.
        searched: Collections that the call searched; they are judged as collections.
    """
    properties, required = parameters_of(schema)
    mistakes = [*against_schema(arguments, properties, required)]
    unknown: list[str] = []
    known = [Said(where="question", text=question), *said]
    faulty = {mistake.argument for mistake in mistakes}
    for name, value in arguments.items():
        if (
            name in faulty
            or (isinstance(value, str) and value in searched)
            or bag(spoken(name)) <= _SEARCH_WORDS
        ):
            continue
        options = options_of(properties.get(name))
        for text in texts_of(value):
            found = check_value(name, text, arguments, known, sent, options)
            if isinstance(found, Mistake):
                mistakes.append(found)
                break
            if found:
                unknown.append(name)
                break
    mistakes += _dropped(arguments, properties, question, {one.argument for one in mistakes})
    return Checked(mistakes=tuple(mistakes), unknown=tuple(unknown))


def _dropped(
    arguments: Mapping[str, Any], properties: Mapping[str, Any], question: str, faulty: set[str]
) -> Iterator[Mistake]:
    sent = value_text(dict(arguments))
    sent_text = squeezed(sent)
    asked = f" {_PUNCTUATION.sub(' ', collapse(normalise(question)).casefold())} "
    for name, rule in properties.items():
        if name in arguments or name in faulty or not isinstance(rule, dict):
            continue
        options = rule.get("enum")
        words = bag(spoken(name))
        if isinstance(options, list):
            option = _option_said(options, asked) or (
                place_option(options, places(question)) if words & PLACE_WORDS else None
            )
            if option is not None:
                yield Mistake(argument=name, value=None, expected=option, known_from="question")
        elif words & PLACE_WORDS and places(question) and not places(question) & places(sent):
            expected = ", ".join(sorted(places(question)))
            yield Mistake(argument=name, value=None, expected=expected, known_from="question")
        elif words & _THING_WORDS:
            for other, written in identifiers(question).items():
                if other not in sent_text and not other.isdigit():
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
