"""Conventions: whose attribute names mean what.

    RawSpan ──recognises──▶ every convention that knows it ──convert──▶ Span
                                                    facts merged, the first one decides

Each convention is a module with two functions, `recognises` and `convert`; nothing outside
this package knows a vendor's attribute name. A span that no convention recognises keeps its
place in the tree, has kind OTHER and no facts, and its attributes are never decoded.

Deterministic, reads no files, fails on no input.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from ingest.attributes import Attributes
from ingest.conventions import gen_ai, openinference, openllmetry, vector_db
from ingest.conventions.capture import content_of, is_cut
from ingest.conventions.identity import (
    GOLDEN_KEY,
    conversation_of,
    conversation_of_resource,
    golden_item_of,
    tenant_of,
    versions_of,
)
from ingest.conventions.merging import merge
from ingest.span import RawEvent, RawSpan, Span

_IDENTITY_MARKERS = (b"session.id", GOLDEN_KEY.encode())
_EVENT_PREFIXES = ("gen_ai.", "db.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """One way to record what an agent did."""

    name: str
    markers: tuple[bytes, ...]
    """Pieces of attribute names; a span that mentions none is not recognised by its keys."""
    recognises: Callable[[RawSpan], bool]
    convert: Callable[[RawSpan], Span]


CONVENTIONS = (
    Convention(
        name=openinference.NAME,
        markers=openinference.MARKERS,
        recognises=openinference.recognises,
        convert=openinference.convert,
    ),
    Convention(
        name=openllmetry.NAME,
        markers=openllmetry.MARKERS,
        recognises=openllmetry.recognises,
        convert=openllmetry.convert,
    ),
    Convention(
        name=gen_ai.NAME,
        markers=gen_ai.MARKERS,
        recognises=gen_ai.recognises,
        convert=gen_ai.convert,
    ),
    Convention(
        name=vector_db.NAME,
        markers=vector_db.MARKERS,
        recognises=vector_db.recognises,
        convert=vector_db.convert,
    ),
)
"""The decisive one first: a kind made for a span outranks one read off its operation."""

_MARKERS = tuple(marker for convention in CONVENTIONS for marker in convention.markers)


def to_span(raw: RawSpan) -> Span:
    """Translate a recorded span into the product's vocabulary."""
    if not _mentions(raw, *_MARKERS, *_IDENTITY_MARKERS):
        return Span(raw=raw, flags=raw.flags)
    told = [
        replace(convention.convert(raw), conventions=(convention.name,))
        for convention in CONVENTIONS
        if convention.recognises(raw)
    ]
    return _completed(reduce(merge, told) if told else Span(raw=raw))


def _completed(span: Span) -> Span:
    """Add what does not depend on the convention."""
    raw = span.raw
    conversation = span.conversation_id or conversation_of(raw.attributes)
    of_process = None if conversation else conversation_of_resource(raw.resource)
    flags = [*raw.flags, *span.flags]
    if isinstance(raw.attributes, Attributes):
        flags.extend(raw.attributes.flags)
    if is_cut(span):
        flags.append("truncated")
    return replace(
        span,
        conversation_id=conversation or of_process,
        conversation_weak=span.conversation_weak or of_process is not None,
        tenant=tenant_of(raw.attributes, raw.resource),
        golden_id=golden_item_of(raw.attributes),
        versions=versions_of(raw.resource),
        content=content_of(span),
        flags=tuple(dict.fromkeys(flags)),
    )


def _mentions(raw: RawSpan, *markers: bytes) -> bool:
    """Tell whether any marker stands in the attributes, the events or the scope.

    Attributes that are still bytes are searched as bytes.
    """
    if raw.scope_name.startswith(openinference.SCOPES) or any(map(_may_hold_content, raw.events)):
        return True
    if isinstance(raw.attributes, Attributes):
        return raw.attributes.mentions(*markers)
    names = [marker.decode() for marker in markers]
    return any(name in key for key in raw.attributes for name in names)


def _may_hold_content(event: RawEvent) -> bool:
    """Tell log records and events of conventions from exceptions and the like."""
    return event.body is not None or event.name.startswith(_EVENT_PREFIXES)
