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
    """Return the tools that take identifiers written like *record*, by all that is known."""
    known = next(iter(identifiers(record)), None)
    return tuple(
        str(tool["name"])
        for tool in tools
        if known is not None
        and (_takes(known, tool) or family(known) in taken.get(str(tool["name"]), ()))
    )


def can_be_called(tool: Mapping[str, Any], known: Iterable[str]) -> bool:
    """Tell whether the number that a tool requires was said; True for one that requires none.

    Args:
        tool: `{name, description, parameters}`.
        known: Texts in which it may have been said.
    """
    schema = tool["parameters"]
    required = schema.get("required") if isinstance(schema, dict) else None
    names = required if isinstance(required, list) else []
    if not any(_is_number((str(name), "")) for name in names):
        return True
    return any(identifiers(text) for text in known)


def families(arguments: Any) -> frozenset[str]:
    """Return the families of the identifiers in the arguments of a call."""
    return frozenset(map(family, identifiers(value_text(arguments))))


def _takes(known: str, tool: Mapping[str, Any]) -> bool:
    letters = _LETTERS.match(known)
    return any(
        family(known) in map(family, identifiers(text))
        or (letters is not None and letters[0] in {one.casefold() for one in _PREFIX.findall(text)})
        for _, text in _parameters(tool)
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
