"""The data part of a prompt: what was recorded, fenced so that it cannot speak.

    The marker of this message is 3f9a….
    <<< chunk 3f9a…
    {"title": "Returns"}

    Shoes: 30 days.
    >>> chunk 3f9a…

The marker is derived from the question itself, so that equal questions give equal
prompts, and it is derived anew as long as any text of the question contains it. A text
would have to contain a hash of itself to close its own block.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Final

from ingest.span import Value
from judge.prompting.templates import Template
from judge.question import Question

MARKER_DIGITS: Final = 24
"""Hex digits of a marker: 96 bits."""

MARKED_LINE: Final = re.compile(
    rf"(?P<edge><<<|>>>) (?P<label>.+) (?P<marker>[0-9a-f]{{{MARKER_DIGITS}}})"
)
"""A line at the edge of a block, if its marker is that of the message."""

Derive = Callable[[str, int], str]
"""Returns the marker for a material and a number of tries before."""


def derive_marker(material: str, tries: int) -> str:
    """Return a marker: 24 hex digits of SHA-256."""
    hashed = hashlib.sha256(f"marker {tries}\n{material}".encode("utf-8", "surrogatepass"))
    return hashed.hexdigest()[:MARKER_DIGITS]


def render_data(question: Question, template: Template, derive: Derive = derive_marker) -> str:
    """Return the message that shows a question's content.

    Args:
        question: Its content has exactly the fields of the template.
        template: Tells the order of the fields.
        derive: Makes markers; replaced only to test what happens when one is taken.

    Raises:
        ValueError: The content is not what the template shows.
    """
    content = question.content
    if content.keys() != set(template.fields):
        raise ValueError(f"{template.version} does not fit the content of a {question.kind}")
    blocks = [block for name in template.fields for block in _blocks(name, content[name])]
    marker = _marker(template, [body for _, body in blocks], derive)
    lines = [f"The marker of this message is {marker}."]
    for label, body in blocks:
        if body is None:
            lines.append(f"{label}: (none)")
        else:
            lines.append(f"<<< {label} {marker}\n{body}\n>>> {label} {marker}")
    return "\n\n".join(lines)


def _marker(template: Template, bodies: list[str | None], derive: Derive) -> str:
    """Return the first marker that no text contains."""
    texts = [body.casefold() for body in bodies if body is not None]
    material = json.dumps([template.version, bodies], ensure_ascii=False)
    candidates = (derive(material, tries) for tries in count())
    return next(one for one in candidates if not any(one in text for text in texts))


def _blocks(name: str, value: Value) -> Iterator[tuple[str, str | None]]:
    """Yield label and body of each block of a field; labels are words of our own."""
    label = name.replace("_", " ")
    if value is None or value in ([], {}):
        yield label, None
    elif isinstance(value, list) and all(_has_text(item) for item in value):
        for number, item in enumerate(value, start=1):
            yield f"{label.removesuffix('s')} {number}", _described(item)
    else:
        yield label, _described(value)


def _has_text(value: Value) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and "text" in value)


def _described(value: Value) -> str:
    """Return a text below one line of JSON that describes it, anything else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        about: dict[str, Value] = {
            key: one for key, one in value.items() if key != "text" and one is not None
        }
        return f"{_json(about)}\n\n{value['text']}" if about else str(value["text"])
    return _json(value)


def _json(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
