"""Attribute values, read tolerantly.

The same fact arrives as a structure, as JSON, as JSON inside a JSON string, as a Python
repr, cut by a length limit, or masked. `decode` reads all of them and says how much was
recorded. It never decodes a string that stands inside an object or a list: that string
is the user's, whatever it looks like.

Nothing here recurses deeper than 64 levels or runs code, whatever the text holds.
"""

import ast
import json
import math
import re
from dataclasses import dataclass

from ingest.cut_json import parse_prefix, read_cut_string
from ingest.span import Capture, Value

MAX_DEPTH = 64
"""Containers in containers; deeper text stays text."""

_MAX_LITERAL = 1_000_000
"""Characters of a Python repr that is still parsed."""
_MAX_DIGITS = 20
_MAX_PLACEHOLDER = 400

_PLACEHOLDERS = frozenset(
    {
        "__redacted__",
        "<redacted>",
        "[redacted]",
        "<masked>",
        "[masked]",
        "<hidden>",
        "<filtered>",
        "[filtered]",
        "<elided>",
        "<omitted>",
        "<not captured>",
        "<not serializable>",
        "<non-serializable>",
        "<unserializable>",
        "<truncated>",
        "***",
    }
)
_OBJECT_REPR = re.compile(r"<.{1,380}\bat 0x[0-9a-fA-F]+>{1,2}|\[Scrubbed due to .{0,200}\]")
_CUT_MARK = re.compile(
    r"(?:\.{3}|…)?\s{0,4}[\[(<]\s?truncated\b[^\])>]{0,40}[\])>]\s{0,4}\Z", re.IGNORECASE
)
_CUT_MARK_REACH = 80

_JSON_SKELETON = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{\]}]', re.DOTALL)
_PYTHON_SKELETON = re.compile(
    r""""(?:[^"\\]++|\\.)*+"?|'(?:[^'\\]++|\\.)*+'?|[\[{(\])}]""", re.DOTALL
)
# An open string runs to the end: looking for strings again behind each quote inside it
# would take quadratic time.
_PYTHON_STRING = re.compile(
    r""""(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|'(?:[^'\\]++|\\.)*+(?:'|\\?\Z)""", re.DOTALL
)
# Brackets, commas, colons and constants. Operators, names, calls and subscripts are left
# out: chains of them nest without a bracket, deeper than the parser's stack.
_PYTHON_SHAPE = re.compile(
    r"""(?:
        (?<![\w)\]}.]) [\[{(]
      | [\]}),:]
      | (?<![\w)\]}.])
        (?: -?\d++(?:\.\d*+)?+(?:[eE][+-]?\d++)?+ | True | False | None | nan | inf )
        (?!\w)
    )*+""",
    re.VERBOSE,
)
_SPACE = re.compile(r"\s++")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """What an attribute says, and how much of it was recorded."""

    value: Value
    """A list or an object where the text held one, else the text; None when nothing was
    captured, and for a captured `null`."""
    capture: Capture = "captured"
    last_cut: bool = False
    """The last item of the list is incomplete."""


NOT_CAPTURED = Decoded(value=None, capture="not_captured")


def decode(value: Value) -> Decoded:
    """Read an attribute value in whichever way it was encoded.

    Only lists, objects and JSON strings are unwrapped: the text `7` stays a text, since
    a tool that answers in words may answer with a number.
    """
    if value is None or is_placeholder(value):
        return NOT_CAPTURED
    if not isinstance(value, str):
        return Decoded(value=value)
    text = value.strip()
    if text in ("null", "None"):
        return Decoded(value=None)
    if text[:1] not in ("{", "[", "(", '"'):
        return Decoded(value=value, capture=_capture(text))
    try:
        whole = parse_json_layers(text)
    except ValueError:
        return _decode_damaged(value, text)
    if is_placeholder(whole):
        return NOT_CAPTURED
    return Decoded(value=whole, capture=_capture(whole) if isinstance(whole, str) else "captured")


def _decode_damaged(value: str, text: str) -> Decoded:
    literal = parse_python_literal(text)
    if literal is not None:
        return NOT_CAPTURED if is_placeholder(literal) else Decoded(value=literal)
    bare = _CUT_MARK.sub("", text) if is_cut(text) else text
    bare = read_cut_string(bare, _DECODER) or bare
    prefix = None if _too_deep(bare, _JSON_SKELETON) else parse_prefix(bare, _DECODER)
    if prefix is not None:
        return Decoded(value=prefix.value, capture="truncated", last_cut=prefix.last_cut)
    return Decoded(value=value, capture=_capture(text))


def parse_json_layers(text: str) -> Value:
    """Parse JSON, and again while the whole result is a string that holds JSON.

    Args:
        text: JSON; also JSON with raw control characters in its strings.

    Returns:
        The innermost value. Numbers that are not finite are None; integers of more than
        20 digits stay text; half surrogate pairs become U+FFFD.

    Raises:
        ValueError: *text* is no JSON, or its containers nest deeper than `MAX_DEPTH`.
    """
    value = _load(text)
    while isinstance(value, str) and value.lstrip().startswith(("{", "[", '"')):
        try:
            value = _load(value)
        except ValueError:
            break  # a text that only begins like JSON
    return _without_surrogates(value) if "\\u" in text.lower() else value


def parse_python_literal(text: str) -> Value:
    """Parse the repr of a dict, list, tuple or set; None where *text* is none.

    Tuples and sets become lists. Texts above a million characters are not tried.
    """
    if text[:1] not in ("{", "[", "(") or len(text) > _MAX_LITERAL:
        return None
    if _too_deep(text, _PYTHON_SKELETON):
        return None
    shape = _SPACE.sub("", _PYTHON_STRING.sub("0", text))
    if not _PYTHON_SHAPE.fullmatch(shape):
        return None
    try:
        literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return _plain(literal) if isinstance(literal, (dict, list, tuple, set)) else None


def is_placeholder(value: Value) -> bool:
    """Tell whether a recorder wrote this in place of the content.

    A list or an object is one when it is not empty and all its leaves are; reprs of
    generators and other objects are, since they hold no content.
    """
    if isinstance(value, str):
        text = value.strip()
        if len(text) > _MAX_PLACEHOLDER:
            return False
        return text.lower() in _PLACEHOLDERS or bool(_OBJECT_REPR.fullmatch(text))
    if isinstance(value, dict):
        return bool(value) and all(map(is_placeholder, value.values()))
    if isinstance(value, list):
        return bool(value) and all(map(is_placeholder, value))
    return False


def text_of(value: Value) -> str | None:
    """Return a captured text; None for anything else, masked texts included."""
    return value if isinstance(value, str) and not is_placeholder(value) else None


def identifier(value: Value) -> str | None:
    """Return an id or a name as text; None for empty, masked and structured values."""
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return text_of(value) or None


def number(value: Value) -> float | None:
    """Return a finite number, also from text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def count(value: Value) -> int | None:
    """Return a count of tokens or the like, also from text; None below zero."""
    found = number(value)
    return int(found) if found is not None and found >= 0 else None


def is_cut(text: str) -> bool:
    """Tell whether *text* ends with a recorder's mark such as `...[truncated 80 chars]`."""
    return bool(_CUT_MARK.search(text[-_CUT_MARK_REACH:]))


def _load(text: str) -> Value:
    if _too_deep(text, _JSON_SKELETON):
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    value: Value = _DECODER.decode(text)
    return value


def _capture(text: str) -> Capture:
    return "truncated" if is_cut(text) else "captured"


def _too_deep(text: str, skeleton: re.Pattern[str]) -> bool:
    if text.count("[") + text.count("{") + text.count("(") <= MAX_DEPTH:
        return False
    depth = 0
    for match in skeleton.finditer(text):
        if match[0] in "[{(":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif match[0] in "]})":
            depth -= 1
    return False


def _finite(text: str) -> float | None:
    found = float(text)
    return found if math.isfinite(found) else None


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= _MAX_DIGITS else text


def _nothing(_constant: str) -> None:
    return None


_DECODER = json.JSONDecoder(
    parse_float=_finite,
    parse_int=_integer,
    parse_constant=_nothing,
    strict=False,
)


def _without_surrogates(value: Value) -> Value:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", k): _without_surrogates(v) for k, v in value.items()}
    return value


def _plain(literal: object) -> Value:
    if literal is None or isinstance(literal, bool | int):
        return literal
    if isinstance(literal, str):
        return _SURROGATE.sub("\ufffd", literal)
    if isinstance(literal, float):
        return literal if math.isfinite(literal) else None
    if isinstance(literal, dict):
        return {str(key): _plain(item) for key, item in literal.items()}
    if isinstance(literal, list | tuple):
        return [_plain(item) for item in literal]
    if isinstance(literal, set):
        return sorted((_plain(item) for item in literal), key=repr)
    return str(literal)
