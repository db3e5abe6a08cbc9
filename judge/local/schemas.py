"""What the JSON schema of a tool says of the arguments of one call."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from judge.rendering import value_text

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "float": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "dict": (dict,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One wrong argument."""

    argument: str
    value: str | None
    expected: str | None
    known_from: str


def parameters_of(schema: Any) -> tuple[Mapping[str, Any], Sequence[str]]:
    """Return the parameters of a JSON schema by name, and which are required; empty without."""
    if not isinstance(schema, dict):
        return {}, ()
    properties, required = schema.get("properties"), schema.get("required")
    return (
        properties if isinstance(properties, dict) else {},
        [str(name) for name in required] if isinstance(required, list) else (),
    )


def against_schema(
    arguments: Mapping[str, Any], properties: Mapping[str, Any], required: Sequence[str]
) -> Iterator[Mistake]:
    """Yield what the schema itself forbids: left out, of the wrong type, no enum value."""
    for name in required:
        if arguments.get(name) in (None, ""):
            yield Mistake(argument=name, value=None, expected=None, known_from="schema")
    for name, value in arguments.items():
        rule = properties.get(name)
        if not isinstance(rule, dict) or value is None:
            continue
        options = rule.get("enum")
        if isinstance(options, list) and not isinstance(value, list) and value not in options:
            close = [one for one in options if str(one).casefold() == str(value).casefold()]
            if not close:
                yield Mistake(
                    argument=name, value=value_text(value), expected=None, known_from="schema"
                )
        elif not _has_type(value, rule.get("type")):
            yield Mistake(
                argument=name, value=value_text(value), expected=None, known_from="schema"
            )


def _has_type(value: object, wanted: object) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    types = [kind for name in names if isinstance(name, str) for kind in _TYPES.get(name, ())]
    if not types or (isinstance(value, bool) and bool not in types):
        return not types
    if isinstance(value, str) and str not in types:
        # Models often write numbers as text, and tools take them.
        return (
            any(kind in (int, float) for kind in types)
            and value.replace(".", "", 1).lstrip("-").isdigit()
        )
    return isinstance(value, tuple(types)) or (
        isinstance(value, float) and value.is_integer() and int in types
    )


def options_of(rule: object) -> Sequence[object]:
    """Return the values that an enum allows; empty where anything may stand."""
    options = rule.get("enum") if isinstance(rule, dict) else None
    return options if isinstance(options, list) else ()
