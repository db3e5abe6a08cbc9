"""Attributes by dotted name, flat or nested.

Most recorders write one attribute per leaf, some backends fold the names back into
objects and lists. Both give the same answers here:

    {"retrieval.documents.0.document.id": "kb-17"}
    {"retrieval": {"documents": [{"document": {"id": "kb-17"}}]}}
    {"retrieval.documents": [{"document.id": "kb-17"}]}

Positions in a name are numbers: `10` comes after `2`, and a gap closes.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ingest.attributes import Attributes as LazyAttributes
from ingest.span import Value
from ingest.values import identifier, text_of

Attributes: TypeAlias = Mapping[str, Value]

_MAX_SEGMENTS = 32
"""Names with more segments keep the rest as one key; nothing recurses deeper."""
_MAX_POSITION = 9
"""Digits of a position in a list."""
_ABSENT: Value = "\0absent"
"""Told from any value by identity: null is one, too."""


def get(attributes: Attributes, name: str) -> Value:
    """Return the value under a dotted name; None when it is absent or null."""
    if type(attributes) is LazyAttributes:
        whole = attributes.plain.get(name, _ABSENT)
        if whole is not _ABSENT:
            return whole
        return _inside(attributes.plain, name) if attributes.is_folded else None
    whole = attributes.get(name, _ABSENT)
    return _inside(attributes, name) if whole is _ABSENT else whole


def _inside(attributes: Attributes, name: str) -> Value:
    """Return the value under a name whose parts are keys of objects in objects."""
    head, _, rest = name.partition(".")
    inner = attributes.get(head) if rest else None
    return get(inner, rest) if isinstance(inner, dict) else None


def first(attributes: Attributes, names: Iterable[str]) -> Value:
    """Return the first value that is there and not null."""
    for name in names:
        value = get(attributes, name)
        if value is not None:
            return value
    return None


def begins(attributes: Attributes, *prefixes: str) -> bool:
    """Tell whether any name begins with one of these."""
    if type(attributes) is LazyAttributes:
        return any(map(attributes.begins, prefixes))
    return any(key.startswith(prefixes) for key in attributes)


def first_id(attributes: Attributes, *names: str) -> str | None:
    """Return the first id or name that is neither empty nor masked."""
    for name in names:
        value = get(attributes, name)
        if value is not None and (told := identifier(value)):
            return told
    return None


def first_text(attributes: Attributes, *names: str) -> str | None:
    """Return the first captured text; it may be empty."""
    for name in names:
        value = get(attributes, name)
        if value is not None and (told := text_of(value)) is not None:
            return told
    return None


def tree(attributes: Attributes, name: str) -> Value:
    """Return everything under a dotted name, folded into objects and lists.

    Objects whose keys are all positions become lists in numeric order. None when nothing
    is recorded under *name*.
    """
    folded: dict[str, Value] = {}
    prefix = name + "."
    for key, value in attributes.items() if begins(attributes, prefix) else ():
        if key.startswith(prefix):
            leaf = unfold(value) if isinstance(value, dict) else value
            _place(folded, key[len(prefix) :].split(".", _MAX_SEGMENTS), leaf)
    if folded:
        return _listed(folded)
    whole = get(attributes, name)
    return unfold(whole) if isinstance(whole, dict | list) else whole


def unfold(value: Value, depth: int = _MAX_SEGMENTS) -> Value:
    """Fold dotted keys inside a structure into objects and lists as well."""
    if depth == 0:
        return value
    if isinstance(value, list):
        return [unfold(item, depth - 1) for item in value]
    if isinstance(value, dict):
        folded: dict[str, Value] = {}
        for key, item in value.items():
            _place(folded, key.split(".", _MAX_SEGMENTS), unfold(item, depth - 1))
        return _listed(folded)
    return value


def positions(attributes: Attributes, name: str) -> list[int]:
    """Return the distinct positions recorded under a list's dotted name, sorted."""
    prefix = name + "."
    heads = {key[len(prefix) :].partition(".")[0] for key in attributes if key.startswith(prefix)}
    return sorted(int(head) for head in heads if _is_position(head))


def _place(folded: dict[str, Value], path: list[str], value: Value) -> None:
    """Put a leaf where its path leads; where a leaf stands in the way, structure wins."""
    node = folded
    for segment in path[:-1]:
        inner = node.get(segment)
        if not isinstance(inner, dict):
            inner = node[segment] = {}
        node = inner
    if not isinstance(node.get(path[-1]), dict):
        node[path[-1]] = value


def _listed(value: Value) -> Value:
    if not isinstance(value, dict):
        return value
    items = {key: _listed(item) for key, item in value.items()}
    if items and all(map(_is_position, items)):
        return [items[key] for key in sorted(items, key=int)]
    return items


def _is_position(segment: str) -> bool:
    return len(segment) <= _MAX_POSITION and segment.isascii() and segment.isdigit()
