"""One attribute value of OTLP/JSON as a Python value.

    {"intValue": "7"}                                   7
    {"arrayValue": {"values": [{"stringValue": "a"}]}}  ["a"]
    {"doubleValue": "NaN"}                              None, `non_finite_number`
    {"bytesValue": "AAE="}                              "AAE=" (base64 text)

What cannot be read is None and leaves a word in `flags`, so that nothing is guessed and
nothing is silent. Snake-case keys and values without a type around them are understood.

Source: opentelemetry-proto, common/v1/common.proto; JSON mapping of the OTLP
specification (int64 as decimal text, non-finite doubles as text).
"""

import math
import re
from collections.abc import Iterable
from typing import cast

from ingest.span import Value

MAX_DEPTH = 64
"""Lists and maps inside each other; what is deeper becomes None, `too_deep`."""

MAX_DIGITS = 20
"""Of an integer, sign aside; more fit no OTLP type."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,20}")
_NUMBER = re.compile(r"[+-]?[0-9.]{1,40}(?:[eE][+-]?[0-9]{1,4})?")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1


def value_of(node: object, flags: set[str], depth: int = 0) -> Value:
    """Return the value of an AnyValue in its JSON form.

    Args:
        node: The decoded JSON: normally an object with one typed key.
        flags: Receives a word for each oddity met.
        depth: Lists and maps around this value.
    """
    if not isinstance(node, dict):
        return plain_value(node, flags, depth)
    for name, content in node.items():
        kind = str(name).replace("_", "").lower()
        if content is None:
            continue
        if kind in {"stringvalue", "bytesvalue"}:
            return content if isinstance(content, str) else plain_value(content, flags, depth)
        if kind == "intvalue":
            return integer(content, flags)
        if kind == "doublevalue":
            return double(content, flags)
        if kind == "boolvalue":
            return _boolean(content, flags)
        if kind in {"arrayvalue", "kvlistvalue"}:
            return _container(kind, content, flags, depth + 1)
    if any(content is not None for content in node.values()):
        flags.add("unknown_value")
    return None


def pairs_of(nodes: Iterable[object], flags: set[str], depth: int = 0) -> dict[str, Value]:
    """Return a list of KeyValue in its JSON form as a dict; the last of equal keys wins."""
    found: dict[str, Value] = {}
    for node in nodes:
        key = node.get("key") if isinstance(node, dict) else None
        if not isinstance(node, dict) or not isinstance(key, str):
            flags.add("bad_attribute")
            continue
        if key in found:
            flags.add("duplicate_key")
        found[key] = value_of(node.get("value"), flags, depth)
    return found


def plain_value(node: object, flags: set[str], depth: int = 0) -> Value:
    """Return ordinary JSON as a value: only what no attribute can hold changes."""
    if isinstance(node, str):
        return whole_text(node, flags)
    if node is None or isinstance(node, bool):
        return node
    if isinstance(node, int):
        return integer(node, flags)
    if isinstance(node, float):
        return double(node, flags)
    if depth >= MAX_DEPTH:
        flags.add("too_deep")
        return None
    if isinstance(node, list):
        return [plain_value(item, flags, depth + 1) for item in node]
    if isinstance(node, dict):
        return {str(key): plain_value(item, flags, depth + 1) for key, item in node.items()}
    flags.add("unknown_value")
    return None


def whole_text(text: str, flags: set[str]) -> str:
    """Return *text* with each half of a broken surrogate pair replaced by U+FFFD."""
    if not _SURROGATE.search(text):
        return text
    flags.add("surrogate_replaced")
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def integer(content: object, flags: set[str]) -> int | None:
    """Return a 64-bit integer written as number, text or whole float; else None."""
    whole = isinstance(content, float) and content.is_integer()
    if whole or (isinstance(content, str) and _INTEGER.fullmatch(content)):
        content = int(cast("str | float", content))
    if isinstance(content, bool) or not isinstance(content, int):
        flags.add("bad_number")
        return None
    if not _SMALLEST <= content <= _LARGEST:
        flags.add("oversize_number")
        return None
    return content


def double(content: object, flags: set[str]) -> float | None:
    """Return a finite double written as number or text; NaN and infinities are None."""
    if isinstance(content, str):
        if content.strip("+-") in {"NaN", "Infinity"}:
            content = math.nan
        elif _NUMBER.fullmatch(content):
            try:
                content = float(content)
            except ValueError:
                content = None
    if isinstance(content, bool) or not isinstance(content, int | float):
        flags.add("bad_number")
        return None
    if isinstance(content, int):
        checked = integer(content, flags)
        return None if checked is None else float(checked)
    if not math.isfinite(content):
        flags.add("non_finite_number")
        return None
    return content


def _boolean(content: object, flags: set[str]) -> bool | None:
    if isinstance(content, bool):
        return content
    if isinstance(content, str) and content in {"true", "false"}:
        return content == "true"
    flags.add("bad_attribute")
    return None


def _container(kind: str, content: object, flags: set[str], depth: int) -> Value:
    nodes = content.get("values") if isinstance(content, dict) else content
    if nodes is None:
        nodes = []
    if not isinstance(nodes, list):
        flags.add("bad_attribute")
        return None
    if depth > MAX_DEPTH:
        flags.add("too_deep")
        return None
    if kind == "kvlistvalue":
        return pairs_of(nodes, flags, depth)
    return [value_of(node, flags, depth) for node in nodes]
