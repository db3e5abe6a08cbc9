"""JSON schemas of replies, made from the records that replies are read into.

    judge.answers.Relevance ──▶ {"type": "object", "properties": {"reason": …}, …}

Every field is required, no other is allowed, and `reason` stands first, because a model
writes in the order of the schema. What a schema of structured outputs cannot say (numbers
within a range, lengths) is checked by `judge.replies`.
"""

import dataclasses
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from judge.question import QuestionKind
from judge.replies import ANSWERS

Schema: TypeAlias = dict[str, Any]

_SIMPLE: Final[Mapping[object, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    types.NoneType: "null",
}
_GRADES: Final = frozenset({"grade", "understanding", "coherence", "completeness"})
_GRADE_SCHEMA: Final[Schema] = {"type": "integer", "enum": [0, 1, 2, 3]}
_UNJUDGED_SCHEMA: Final[Schema] = {
    "anyOf": [
        {"type": "string", "enum": ["uncertain", "no_catalogue", "not_captured"]},
        {"type": "null"},
    ]
}
"""A judge may say that it lacks what to judge by; technical failures are not its to declare."""


@cache
def reply_schema(kind: QuestionKind) -> Schema:
    """Return the schema of the one object that a reply to this kind of question is."""
    return _of_type(ANSWERS[kind])


def _of_type(hint: Any) -> Schema:
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint]}
    if dataclasses.is_dataclass(hint):
        return _of_record(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (types.UnionType, Union):
        return {"anyOf": [_of_type(argument) for argument in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _of_type(arguments[0])}
    raise ValueError(f"no schema for {hint!r}")


def _of_record(record: Any) -> Schema:
    hints = get_type_hints(record)
    names = sorted((field.name for field in dataclasses.fields(record)), key="reason".__ne__)
    return {
        "type": "object",
        "properties": {name: _of_field(name, hints[name]) for name in names},
        "required": names,
        "additionalProperties": False,
    }


def _of_field(name: str, hint: Any) -> Schema:
    if name in _GRADES:
        return _GRADE_SCHEMA
    return _UNJUDGED_SCHEMA if name == "unjudged" else _of_type(hint)
