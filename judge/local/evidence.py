"""Evidence as the local judge reads it: lines with the exact words that a quote needs.

A chunk is its sentences. A tool result that is JSON becomes one line per innermost object,
`key: value · key: value`, since what belongs together there is an object, not a sentence.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from judge.local.matching import window_bag
from judge.local.text import bag, collapse, in_two_languages, language_by_words, sentences

_LONGEST_QUOTE = 300
_DEEPEST = 20
_MOST_LINES = 1_000
"""Lines of one piece that are looked at: all of them in any text that people read."""
_BETWEEN = " · "
_UNDERSCORES = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One piece of evidence."""

    label: str
    kind: str
    """`chunk` or `tool_result`."""
    text: str
    title: str | None
    tool: str | None
    status: str | None
    arguments: str
    """Of the tool call, as lines; empty when not known."""
    lines: tuple[str, ...]
    """Sentences, or objects of a JSON result."""
    cited_as: tuple[str, ...] = ()
    """Markers of the paragraph in question that point to this piece."""

    @property
    def failed(self) -> bool:
        """The tool ended in an error."""
        return self.status == "error"

    @property
    def empty(self) -> bool:
        """The tool worked and found nothing."""
        return self.status == "empty"

    @property
    def structured(self) -> bool:
        """A result whose words are keys and values, not prose."""
        return self.kind == "tool_result" and self.lines != sentences(self.text)[:_MOST_LINES]

    @property
    def context(self) -> str:
        """What surrounds every line: title, tool name, arguments."""
        return "\n".join(filter(None, (self.title, spoken(self.tool or ""), self.arguments)))

    def window(self, size: int) -> Iterator[tuple[str, ...]]:
        """Yield every run of *size* lines, one shorter run when there are fewer."""
        for start in range(max(len(self.lines) - size, 0) + 1):
            yield self.lines[start : start + size]

    @property
    def bag(self) -> frozenset[str]:
        """All terms, those of the context included."""
        return window_bag(self.lines) | bag(self.context)

    def leaves(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield the keys and values of a line of a structured result."""
        for part in line.split(_BETWEEN):
            key, colon, value = part.rpartition(": ")
            if colon:
                yield key, value

    def quote(self, line: str) -> str:
        """Return *line* as it stands in the text: a verbatim excerpt, not too long."""
        if line in self.text:
            return collapse(line)
        for _, value in sorted(self.leaves(line), key=lambda leaf: -len(leaf[1])):
            if value in self.text:
                return collapse(value)
        return collapse(self.text)[:_LONGEST_QUOTE].rstrip()


def is_foreign(claim: str, piece: Piece) -> bool:
    """Tell whether a claim and a text are in two languages; a record is in none."""
    if piece.structured:
        return False
    mine, theirs = language_by_words(claim), language_by_words(piece.text)
    if claim.isascii() != piece.text.isascii() and (mine is None) != (theirs is None):
        return True
    return in_two_languages(claim, piece.text)


def pieces(evidence: Sequence[Mapping[str, Any]]) -> tuple[Piece, ...]:
    """Read the evidence of a question's content."""
    return tuple(
        Piece(
            label=one["label"],
            kind=one["kind"],
            text=one["text"],
            title=one["title"],
            tool=one["tool"],
            status=one["status"],
            arguments="\n".join(value_lines(one["arguments"])),
            lines=_lines(one["text"], one["kind"])[:_MOST_LINES],
            cited_as=tuple(one.get("cited_as", ())),
        )
        for one in evidence
    )


@lru_cache(maxsize=16_384)
def _lines(text: str, kind: str) -> tuple[str, ...]:
    if kind == "tool_result" and text.lstrip()[:1] in ("{", "["):
        value = _parsed(text)
        if value is not None:
            return tuple(value_lines(value))
    return sentences(text)


def _parsed(text: str) -> object:
    """Read JSON, or the literal that Python prints of a value; None for anything else."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def value_lines(value: object, depth: int = 0) -> Iterator[str]:
    """Yield one line per innermost object of a JSON value: `key: value · key: value`.

    What is nested deeper than any real result is left out.
    """
    if depth > _DEEPEST:
        return
    match value:
        case dict():
            leaves = {key: item for key, item in value.items() if not _nested(item)}
            if leaves:
                yield _BETWEEN.join(f"{spoken(key)}: {_leaf(item)}" for key, item in leaves.items())
            for key, item in value.items():
                if _nested(item):
                    yield from (f"{spoken(key)}: {line}" for line in value_lines(item, depth + 1))
        case list():
            for item in value:
                yield from value_lines(item, depth + 1)
        case None:
            return
        case str():
            yield from sentences(value)
        case _:
            yield _leaf(value)


def _nested(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    )


def _leaf(value: object) -> str:
    match value:
        case str():
            return value
        case list():
            return ", ".join(map(_leaf, value))
        case bool():
            return "true" if value else "false"
        case None:
            return "none"
        case _:
            return str(value)


def spoken(name: str) -> str:
    """Return a name as words: `delivery_date`, `deliveryDate` → `delivery date`."""
    return _CAMEL.sub(" ", _UNDERSCORES.sub(" ", name)).replace(".", " ")
