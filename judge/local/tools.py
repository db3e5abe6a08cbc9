"""Which tool of a catalogue fits a request: shared words, weighted by what tells tools apart.

A word that stands in every tool of the catalogue tells nothing; one that stands in a single
tool tells much. Names count more than descriptions, descriptions more than parameters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from judge.local.evidence import spoken
from judge.local.matching import Rarity, overlap, weigh
from judge.local.text import bag, is_exact, terms

_NAME, _DESCRIPTION, _PARAMETERS = 1.0, 0.8, 0.5
_DEEPEST: Final = 8
_COVERED: Final = 0.5
"""Part of the score that is the share of the *tool's* name found in the request."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one tool fits."""

    name: str
    score: float
    """In [0, 1]."""


def fits(request: str, tools: Sequence[Mapping[str, Any]]) -> tuple[Fit, ...]:
    """Score every tool for a request, best first; equal scores stay in recorded order.

    Args:
        request: What the user wants, in words.
        tools: `{name, description, parameters}`; parameters is a JSON schema or None.
    """
    texts = [tool_text(tool) for tool in tools]
    rarity = Rarity.of(map(" ".join, texts))
    # An order number or an amount says nothing about which tool takes it.
    wanted = weigh((term for term in terms(request) if not is_exact(term)), rarity)
    asked = bag(request)
    scored = [
        Fit(str(tool["name"]), _score(wanted, asked, text, rarity))
        for tool, text in zip(tools, texts, strict=True)
    ]
    return tuple(sorted(scored, key=lambda fit: -fit.score))


def _score(
    wanted: Mapping[str, float], asked: frozenset[str], text: tuple[str, str, str], rarity: Rarity
) -> float:
    name, description, parameters = map(bag, text)
    found = 0.0
    for term, weight in wanted.items():
        one = {term: weight}
        found += max(
            _NAME * overlap(one, name).found,
            _DESCRIPTION * overlap(one, description).found,
            _PARAMETERS * overlap(one, parameters).found,
        )
    total = sum(wanted.values())
    share = found / total if total else 0.0
    own = weigh(name, rarity)
    return (1 - _COVERED) * share + _COVERED * overlap(own, asked).share


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
