"""Places on a recorded span, as a house names them in its mapping.

    acme.search.q                    an attribute, flat or nested
    acme.out.result.hits.0.text      further on inside it, also where it is JSON in a text
    event:acme.hit                   the attributes of every event of that name, a list
    event:acme.asked#text            a place inside the last of them
    resource:deployment.region       an attribute of the process
    span:name                        name, scope, service, kind, status_message of the span
    value:handbook                   the text itself, for what is the same everywhere

Nothing recorded makes reading a place fail; what leads nowhere is None.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ingest.attributes import Attributes
from ingest.conventions.globs import Glob
from ingest.conventions.lookup import tree
from ingest.span import RawSpan, Value
from ingest.values import decode

Where: TypeAlias = Literal["attribute", "event", "resource", "span", "value"]

_PREFIXES: dict[str, Where] = {
    "event:": "event",
    "resource:": "resource",
    "span:": "span",
    "value:": "value",
}
_OF_SPAN = ("name", "scope", "service", "kind", "status_message")
_MOST_CHARACTERS = 500
_MOST_SEGMENTS = 32
_MOST_POSITION = 9
"""Digits of a position in a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a fact may stand."""

    where: Where
    path: str = ""
    event: Glob | None = None
    """Names of the events, for a place in one."""

    @classmethod
    def of(cls, text: str) -> "Place":
        """Read a place as it is written in a mapping.

        Raises:
            ValueError: It is no place; the message says why.
        """
        if not text or len(text) > _MOST_CHARACTERS:
            raise ValueError(f"is not between 1 and {_MOST_CHARACTERS} characters long")
        prefix = next((known for known in _PREFIXES if text.startswith(known)), "")
        where: Where = _PREFIXES.get(prefix, "attribute")
        rest = text[len(prefix) :]
        if where == "event":
            name, _, path = rest.partition("#")
            return cls(where=where, path=checked_path(path) if path else "", event=Glob(name))
        if where == "span" and rest not in _OF_SPAN:
            raise ValueError(f"names nothing of a span; known are {', '.join(_OF_SPAN)}")
        if where == "value":
            return cls(where=where, path=rest)
        return cls(where=where, path=checked_path(rest))

    @property
    def needle(self) -> bytes:
        """A text without which nothing undecoded can hold the place; empty where any may."""
        if self.where not in ("attribute", "resource"):
            return b""
        plain = [name for name in self.path.split(".") if name.isascii() and _is_word(name)]
        return max(plain, key=len, default="").encode()

    def may_stand_on(self, raw: RawSpan) -> bool:
        """Tell, without decoding anything, whether something may stand here."""
        match self.where:
            case "attribute":
                return _mentions(raw.attributes, self.needle)
            case "resource":
                return _mentions(raw.resource, self.needle)
            case "event":
                return bool(raw.events)
            case "span" | "value":
                return True

    def read(self, raw: RawSpan) -> Value:
        """Return what stands here, undecoded; None where nothing does."""
        match self.where:
            case "attribute":
                found = inside(raw.attributes, self.path)
                return tree(raw.attributes, self.path) if found is None else found
            case "resource":
                return inside(raw.resource, self.path)
            case "event":
                return self._of_events(raw)
            case "span":
                return _of_span(raw, self.path)
            case "value":
                return self.path

    def _of_events(self, raw: RawSpan) -> Value:
        pattern = self.event
        told: list[Value] = [
            {**event.attributes, **({} if event.body is None else {"body": event.body})}
            for event in raw.events
            if pattern is not None and pattern.matches(event.name)
        ]
        if not self.path:
            return told or None
        return inside(told[-1], self.path) if told else None

    def __str__(self) -> str:
        """Write the place as a mapping writes it."""
        if self.where == "attribute":
            return self.path
        if self.event is not None:
            return f"event:{self.event.pattern}" + (f"#{self.path}" if self.path else "")
        return f"{self.where}:{self.path}"


def inside(value: Value | Mapping[str, Value], path: str) -> Value:
    """Return what a dotted path leads to, through objects, lists and JSON in texts.

    The longest key that fits is taken: `a.b` before `b` inside `a`.
    """
    node: Value | Mapping[str, Value] = value
    rest = path
    for _ in range(_MOST_SEGMENTS + 1):
        if isinstance(node, str) and rest:
            node = decode(node).value
        if not rest or node is None:
            return node if not isinstance(node, Mapping) or isinstance(node, dict) else dict(node)
        if isinstance(node, list):
            head, _, rest = rest.partition(".")
            node = _item(node, head)
        elif isinstance(node, Mapping):
            known = next((key for key in _prefixes(rest) if key in node), None)
            if known is None:
                return None
            node, rest = node[known], rest[len(known) + 1 :]
        else:
            return None
    return None


def checked_path(text: str) -> str:
    """Return a path that is not too long.

    Raises:
        ValueError: It is.
    """
    if not text or text.count(".") >= _MOST_SEGMENTS:
        raise ValueError(f"has no path of 1 to {_MOST_SEGMENTS} names")
    return text


def _mentions(attributes: Mapping[str, Value], needle: bytes) -> bool:
    return not isinstance(attributes, Attributes) or attributes.mentions(needle)


def _is_word(name: str) -> bool:
    """Tell names that every encoder writes as they are; positions may be lists."""
    return name.replace("_", "a").isalnum() and not name.isdigit()


def _prefixes(path: str) -> Iterator[str]:
    """Yield the path and what is left of it before each dot, the longest first."""
    yield path
    end = path.rfind(".")
    while end > 0:
        yield path[:end]
        end = path.rfind(".", 0, end)


def _item(items: list[Value], segment: str) -> Value:
    if not (segment.isascii() and segment.isdigit() and len(segment) <= _MOST_POSITION):
        return None
    position = int(segment)
    return items[position] if position < len(items) else None


def _of_span(raw: RawSpan, name: str) -> Value:
    told = {
        "name": raw.name,
        "scope": raw.scope_name,
        "service": raw.service,
        "kind": raw.otel_kind,
        "status_message": raw.status_message,
    }
    return told[name] or None
