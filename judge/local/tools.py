"""Which tool of a catalogue fits a request: shared words, weighted by what tells tools apart.

A word that stands in every tool of the catalogue tells nothing; one that stands in a single
tool tells much. Names count more than descriptions, descriptions more than parameters. A
word in other words, or in another language ("Polizze", `get_policy`), counts by its likeness.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from judge.local.evidence import spoken
from judge.local.matching import Rarity, credit
from judge.local.text import bag, is_exact, term
from judge.local.topics import ALIKE
from judge.local.vectors import load, words

_NAME, _DESCRIPTION, _PARAMETERS = 1.0, 0.8, 0.5
_BEFORE: Final = 0.3
"""Weight of the message that a request goes on from; half of it for each one further back."""
_DEEPEST: Final = 8
_COVERED: Final = 0.5
"""Part of the score that is the share of the *tool's* name found in the request."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one tool fits."""

    name: str
    score: float
    """In [0, 1]."""


def fits(
    request: str, tools: Sequence[Mapping[str, Any]], before: Sequence[str] = ()
) -> tuple[Fit, ...]:
    """Score every tool for a request, best first; equal scores stay in recorded order.

    Args:
        request: What the user wants, in words.
        tools: `{name, description, parameters}`; parameters is a JSON schema or None.
        before: What the request goes on from; it counts less.
    """
    texts = [tool_text(tool) for tool in tools]
    rarity = Rarity.of(map(" ".join, texts))
    wanted: dict[str, float] = {}
    fading = ((said, _BEFORE / 2**back) for back, said in enumerate(reversed(before)))
    for text, share in ((request, 1.0), *fading):
        for word in words(text):
            # An order number or an amount says nothing about which tool takes it.
            if not is_exact(word):
                wanted.setdefault(word, share * rarity.weight(term(word)))
    scored = [
        Fit(str(tool["name"]), _score(wanted, text, rarity))
        for tool, text in zip(tools, texts, strict=True)
    ]
    return tuple(sorted(scored, key=lambda fit: -fit.score))


def _score(wanted: Mapping[str, float], text: tuple[str, str, str], rarity: Rarity) -> float:
    best = [0.0] * len(wanted)
    for part, worth in zip(text, (_NAME, _DESCRIPTION, _PARAMETERS), strict=True):
        best = [
            max(known, worth * one)
            for known, one in zip(best, _alike(tuple(wanted), part), strict=True)
        ]
    total = sum(wanted.values())
    found = sum(weight * one for weight, one in zip(wanted.values(), best, strict=True))
    share = found / total if total else 0.0
    own = {word: rarity.weight(term(word)) for word in words(text[0])}
    named = _alike(tuple(own), " ".join(wanted))
    whole = sum(own.values())
    told = sum(weight * one for weight, one in zip(own.values(), named, strict=True))
    return (1 - _COVERED) * share + _COVERED * (told / whole if whole else 0.0)


@lru_cache(maxsize=16_384)
def _alike(wanted: tuple[str, ...], text: str) -> tuple[float, ...]:
    """Return for each word whether a text has it, in part or in other words: 1, less, or 0."""
    offered = bag(text)
    exact = credit(map(term, wanted), offered)
    alike = load().soft_matches(wanted, words(text), ALIKE)
    return tuple(max(one, float(other)) for one, other in zip(exact, alike, strict=True))


def tool_text(tool: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return name, description and parameters of a tool as words."""
    parameters = " ".join(_parameter_words(tool["parameters"]))
    return spoken(str(tool["name"])), tool["description"] or "", parameters


def _parameter_words(schema: object, depth: int = 0) -> Iterator[str]:
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    properties = schema.get("properties")
    for name, value in (properties if isinstance(properties, dict) else {}).items():
        yield spoken(name)
        if isinstance(value, dict):
            description, options = value.get("description"), value.get("enum")
            if isinstance(description, str):
                yield description
            for option in options if isinstance(options, list) else ():
                yield spoken(str(option))
            yield from chain(
                _parameter_words(value, depth + 1), _parameter_words(value.get("items"), depth + 1)
            )
