"""What comes out when parts are left out: how a fact is traced to what told it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ingest.span import RawSpan

_POSITION = re.compile(r"\.\d{1,9}(?=\.|$).*")
_MOST_PARTS = 400

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def causes(
    items: Sequence[_Item], result: Callable[[frozenset[_Item]], _Result]
) -> tuple[tuple[_Item, ...], bool]:
    """Return the items to which a result is due, and whether each of them tells it alone.

    They are those without any one of which it is another; where several tell the same,
    each that tells it without the others.

    Args:
        items: What may be left out.
        result: What comes out without some of them.
    """
    whole = result(frozenset())
    needed = tuple(item for item in items if result(frozenset({item})) != whole)
    if needed:
        return needed, False
    everything = frozenset(items)
    if result(everything) == whole:
        return (), False
    return tuple(item for item in items if result(everything - {item}) == whole), True


def parts_of(raw: RawSpan) -> tuple[str, ...]:
    """Return the parts of a span that can be left out, attributes first."""
    keys = sorted(dict.fromkeys(map(_group, raw.attributes)))
    events = sorted({f"event {event.name}" for event in raw.events})
    others = ["span name"] if raw.name else []
    others += ["scope"] if raw.scope_name else []
    others += ["status"] if raw.status != "unset" or raw.status_message else []
    resource = [f"resource {key}" for key in sorted(raw.resource)]
    return (*keys[:_MOST_PARTS], *events, *others, *resource)


def without(raw: RawSpan, parts: Iterable[str]) -> RawSpan:
    """Return a span as if some of its parts had not been recorded."""
    gone = frozenset(parts)
    changed: dict[str, Any] = {
        "attributes": {k: v for k, v in raw.attributes.items() if _group(k) not in gone},
        "events": tuple(e for e in raw.events if f"event {e.name}" not in gone),
        "resource": {k: v for k, v in raw.resource.items() if f"resource {k}" not in gone},
    }
    if "span name" in gone:
        changed["name"] = ""
    if "scope" in gone:
        changed |= {"scope_name": "", "scope_version": ""}
    if "status" in gone:
        changed |= {"status": "unset", "status_message": ""}
    return replace(raw, **changed)


def _group(key: str) -> str:
    """Return the name under which the items of one flattened list are one part."""
    return _POSITION.sub(".N", key)
