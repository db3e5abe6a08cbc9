"""Which tool looks a record up: the one whose parameters are written for its number.

"Karte B-30418"      card_no: "Card number, B- and five digits"   ─▶ get_loans
"Still on KL5-29031" frame_no: "Frame number such as KL5-12345"   ─▶ get_warranty
"Claim C-7", earlier sent as claim_no to get_claim                ─▶ get_claim
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from judge.local.evidence import spoken
from judge.local.identifiers import family, identifiers
from judge.rendering import value_text

_PREFIX = re.compile(r"(?<!\w)([A-Z]{1,4}\d{0,2})-(?!\w)")
"""Letters that a description says a number begins with: *C- and five digits*."""
_LETTERS = re.compile(r"[a-z]+")
_NUMBERED: Final = frozenset({"number", "no", "nr", "num", "id", "code", "reference", "ref", "key"})
_DEEPEST: Final = 6

Taken = Mapping[str, AbstractSet[str]]
"""Tool → families of the identifiers that it was called with before."""


def takers(record: str, tools: Sequence[Mapping[str, Any]], taken: Taken) -> tuple[str, ...]:
    """Return the names of the tools that look up what *record* is a number of.

    Args:
        record: An identifier as written.
        tools: `{name, description, parameters}`.
        taken: What tools were called with before.

    Returns:
        The tools whose parameters are written for such an identifier, or that were called
        with one like it; without any, those that take any number at all.
    """
    if not identifiers(record):
        return ()
    exact = written_for(record, tools, taken)
    if exact:
        return exact
    others = (tool for tool in tools if not any(map(_says_which, _parameters(tool))))
    return tuple(str(tool["name"]) for tool in others if any(map(_is_number, _parameters(tool))))


def written_for(record: str, tools: Sequence[Mapping[str, Any]], taken: Taken) -> tuple[str, ...]:
    """Return the tools that take identifiers written like *record*, by all that is known.

    A parameter of the same name takes the same: the `order_id` of a second tool need not say
    again how orders are numbered.
    """
    known = next(iter(identifiers(record)), None)
    if known is None:
        return ()
    names = {name for tool in tools for name, text in _parameters(tool) if _is_for(known, text)}
    return tuple(
        str(tool["name"])
        for tool in tools
        if not names.isdisjoint(name for name, _ in _parameters(tool))
        or family(known) in taken.get(str(tool["name"]), ())
    )


def can_be_called(tool: Mapping[str, Any], known: Iterable[str]) -> bool:
    """Tell whether the number that a tool requires was said; True for one that requires none.

    Args:
        tool: `{name, description, parameters}`.
        known: Texts in which it may have been said.
    """
    schema = tool["parameters"]
    required = schema.get("required") if isinstance(schema, dict) else None
    told = dict(_parameters(tool))
    numbers = [
        (name, told.get(name, ""))
        for name in (map(str, required) if isinstance(required, list) else ())
        if _is_number((name, "")) or _says_which((name, told.get(name, "")))
    ]
    if not numbers:
        return True
    said = {one for text in known for one in identifiers(text)}
    return all(
        any(_is_for(one, text) for one in said) if _says_which((name, text)) else bool(said)
        for name, text in numbers
    )


def families(arguments: Any) -> frozenset[str]:
    """Return the families of the identifiers in the arguments of a call."""
    return frozenset(map(family, identifiers(value_text(arguments))))


def _is_for(known: str, text: str) -> bool:
    """Tell whether a parameter, by what is said of it, takes an identifier written so."""
    letters = _LETTERS.match(known)
    return family(known) in map(family, identifiers(text)) or (
        letters is not None and letters[0] in {one.casefold() for one in _PREFIX.findall(text)}
    )


def _says_which(parameter: tuple[str, str]) -> bool:
    """Tell whether a parameter says how its number is written."""
    _, text = parameter
    return bool(_PREFIX.search(text) or identifiers(text))


def _is_number(parameter: tuple[str, str]) -> bool:
    """Tell whether a parameter is the number of something, by its name."""
    name, _ = parameter
    return not _NUMBERED.isdisjoint(spoken(name).casefold().split())


def _parameters(tool: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield name and what is said of every parameter: description, examples, pattern."""
    schema = tool["parameters"] if depth == 0 else tool
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, rule in (properties if isinstance(properties, dict) else {}).items():
        if not isinstance(rule, dict):
            continue
        said = [rule.get("description"), rule.get("example"), rule.get("pattern")]
        examples = rule.get("examples")
        said += examples if isinstance(examples, list) else []
        yield str(name), "\n".join(text for text in said if isinstance(text, str))
        if depth < _DEEPEST:
            yield from _parameters(rule, depth + 1)
