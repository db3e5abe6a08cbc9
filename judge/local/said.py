"""What was said or found before a call, by which its arguments are checked."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from judge.tokens import normalise

_DEEPEST: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing that was said or found before the call."""

    where: str
    """`question`, `turn 2`, `result of call 1`."""
    text: str
    of_this_turn: bool = False
    """A result of the turn that is judged, before the call."""
    fields: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What a result names by key; without the keys that its own call was made with."""


def squeezed(text: str) -> str:
    """Return the letters and digits of *text*: "RX-200" stands in "manual rx 200"."""
    return "".join(char for char in normalise(text).casefold() if char.isalnum())


def fields_of(result: str | None, arguments: Any) -> Mapping[str, frozenset[str]]:
    """Return the texts and numbers of a JSON result by key, less the keys of the call itself.

    Empty for what is no JSON, or nested too deeply to be meant.
    """
    try:
        value = json.loads(result or "")
    except (ValueError, RecursionError):
        return {}
    own = arguments if isinstance(arguments, dict) else {}
    found: dict[str, set[str]] = {}
    for name, text in leaves(value, _DEEPEST):
        if name not in own:
            found.setdefault(name, set()).add(text)
    return {name: frozenset(texts) for name, texts in found.items()}


def leaves(value: object, deepest: int, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts and numbers inside a value, each with the key that it stands under.

    Args:
        value: Any JSON value.
        deepest: Levels below *value* that are looked at.
        name: The key of the value itself.
    """
    if deepest < 0:
        return
    match value:
        case dict():
            for key, inner in value.items():
                yield from leaves(inner, deepest - 1, str(key))
        case list():
            for inner in value:
                yield from leaves(inner, deepest - 1, name)
        case bool() | None:
            return
        case str() | int() | float():
            yield name, str(value)
