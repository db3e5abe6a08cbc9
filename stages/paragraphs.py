"""Paragraphs: the blocks of an answer, in any script, as character ranges of its text.

    Hats cannot be returned [1].          prose
                                          │
    ## Shoes                              │ a heading belongs to what it heads
    - new: 30 days [2]                    list, as a whole
    - worn: never [3]
                                          │
    [^1]: Hats policy                     no paragraph: it says what a marker means

The text is never changed: `answer[p.start:p.end] == p.text` for every paragraph.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from stages.records import Paragraph, ParagraphKind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NEWLINE = re.compile(r"\r\n?|\n")
_DEFINITION = re.compile(
    r" {0,3}[\[［]\^?(?P<label>[^\[\]\n\\]{1,80})[\]］]\s?[:：](?P<text>[^\n]*)"
)
_HEADER = re.compile(
    r"[\s#*_>-]*(?:sources?|references?|footnotes?|citations?|bibliography|quellen|referenzen"
    r"|fuentes|referencias|fonti|r[ée]f[ée]rences|bronnen|źródła|источники|出典|参考文献|参考|来源|参考资料|출처|المصادر)"
    r"\s*[:：]?[\s*_]*",
    re.IGNORECASE,
)
_SOURCE_LINE = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?[\[【［]\^?(?P<label>\d{1,4})[\]】］][ \t]*[:：.-]?(?P<text>[^\n]*)"
)
_MOST_LINES = 40_000
"""Beyond it a text is cut at blank lines only; nobody writes such an answer for readers."""

_KINDS: dict[str, ParagraphKind] = {
    "paragraph_open": "prose",
    "blockquote_open": "prose",
    "html_block": "prose",
    "heading_open": "prose",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """An answer cut into blocks."""

    paragraphs: tuple[Paragraph, ...]
    code: tuple[tuple[int, int], ...]
    """Ranges of fenced and indented code at any depth, ascending."""
    definitions: tuple[tuple[int, int], ...]
    """Ranges of lines that say what a marker means, ascending."""
    meanings: dict[str, str]
    """What the definition lines say, by label without `^`."""


def blocks_of(answer: str) -> Blocks:
    """Cut *answer* into blocks."""
    lines = _Lines(answer)
    if len(lines.starts) > _MOST_LINES:
        return _coarse(lines)
    tokens = _parser().parse(answer)
    code_lines = [t.map for t in tokens if t.type in ("fence", "code_block") and t.map]
    code = [lines.span(first, last) for first, last in code_lines]
    hidden = {line for first, last in code_lines for line in range(first, last)}
    defined = _definition_lines(lines, tokens, hidden)
    paragraphs = list(_paragraphs(lines, tokens, set(defined)))
    return Blocks(
        paragraphs=tuple(paragraphs),
        code=tuple(sorted(span for span in code if span is not None)),
        definitions=tuple(lines.whole(line) for line in sorted(defined)),
        meanings={label: text for label, text in reversed(defined.values()) if label},
    )


class _Lines:
    """The lines of a text, as the parser counts them."""

    def __init__(self, text: str) -> None:
        self.text = text
        breaks = [(match.start(), match.end()) for match in _NEWLINE.finditer(text)]
        self.starts = [0, *(end for _, end in breaks)]
        self.ends = [*(start for start, _ in breaks), len(text)]

    def __getitem__(self, line: int) -> str:
        return self.text[self.starts[line] : self.ends[line]]

    def whole(self, line: int) -> tuple[int, int]:
        """Return the range of a line."""
        return self.starts[line], self.ends[line]

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the range of lines [first, last) without blank ones around, None if all are."""
        last = min(last, len(self.starts))
        if first >= last:
            return None
        start, end = self.starts[first], self.ends[last - 1]
        inner = self.text[start:end]
        stripped = inner.strip()
        if not stripped:
            return None
        start += len(inner) - len(inner.lstrip())
        return start, start + len(stripped)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


def _paragraphs(lines: _Lines, tokens: Sequence["Token"], defined: set[int]) -> Iterator[Paragraph]:
    number = 0
    heading: tuple[int, int] | None = None
    for kind, first, last in _top_blocks(tokens):
        parts = list(_without(first, last, defined))
        if kind == "heading_open":
            if parts:
                heading = (heading[0] if heading else first, last)
            continue
        if kind != "paragraph_open" and any(lines.span(*part) for part in parts):
            parts = [(first, last)]
        for begin, end in parts:
            found = lines.span(heading[0] if heading else begin, end)
            heading = None
            if found is not None:
                number += 1
                yield _paragraph(lines, number, _KINDS[kind], found)
    found = lines.span(*heading) if heading else None
    if found is not None:
        yield _paragraph(lines, number + 1, "prose", found)


def _paragraph(lines: _Lines, number: int, kind: ParagraphKind, span: tuple[int, int]) -> Paragraph:
    start, end = span
    return Paragraph(paragraph=number, kind=kind, start=start, end=end, text=lines.text[start:end])


def _top_blocks(tokens: Sequence["Token"]) -> Iterator[tuple[str, int, int]]:
    for token in tokens:
        if token.level == 0 and token.type in _KINDS and token.map:
            yield token.type, token.map[0], token.map[1]


def _without(first: int, last: int, defined: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of lines [first, last) between definition lines."""
    begin = first
    for line in range(first, last):
        if line in defined:
            if line > begin:
                yield begin, line
            begin = line + 1
    if begin < last:
        yield begin, last


# Definition lines


def _definition_lines(
    lines: _Lines, tokens: Sequence["Token"], hidden: set[int]
) -> dict[int, tuple[str, str]]:
    """Return label and text of each definition line; continuation lines have an empty label."""
    found: dict[int, tuple[str, str]] = {}
    inside = _lines_inside(tokens)
    for line in range(len(lines.starts)):
        if line in hidden or line in found:
            continue
        text = lines[line]
        match = _DEFINITION.match(text) if "[" in text or "［" in text else None
        if match is None or not (line not in inside or _is_label(match, text)):
            continue
        found[line] = (_label(match), match["text"].strip())
        for below in range(line + 1, len(lines.starts)):
            if not lines[below].startswith(("    ", "\t")) or not lines[below].strip():
                break
            found[below] = ("", "")
    found.update(_listed_sources(lines, hidden | found.keys()))
    return found


def _label(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match["label"]).strip().lstrip("^")


def _is_label(match: re.Match[str], text: str) -> bool:
    return "^" in text[: match.start("label")] or match["label"].strip().isdigit()


def _lines_inside(tokens: Sequence["Token"]) -> set[int]:
    """Return the lines that some block holds; the parser itself swallows link definitions."""
    return {
        line
        for token in tokens
        if token.level == 0 and token.map
        for line in range(token.map[0], token.map[1])
    }


def _listed_sources(lines: _Lines, taken: set[int]) -> dict[int, tuple[str, str]]:
    """Return the lines of a list of sources at the end: its header and `[n] …` below it."""
    found: dict[int, tuple[str, str]] = {}
    header: int | None = None
    for line in range(len(lines.starts)):
        text = lines[line]
        if not text.strip() or line in taken:
            continue
        match = _SOURCE_LINE.fullmatch(text) if header is not None else None
        if match is not None and header is not None:
            found[header] = ("", "")
            found[line] = (_label(match), match["text"].strip())
        else:
            header = line if _HEADER.fullmatch(text) else None
    return found


# Texts too long to parse


def _coarse(lines: _Lines) -> Blocks:
    made: list[Paragraph] = []
    begin: int | None = None
    for line in range(len(lines.starts) + 1):
        blank = line == len(lines.starts) or not lines[line].strip()
        if not blank and begin is None:
            begin = line
        elif blank and begin is not None:
            span = lines.span(begin, line)
            if span is not None:
                made.append(_paragraph(lines, len(made) + 1, "prose", span))
            begin = None
    return Blocks(paragraphs=tuple(made), code=(), definitions=(), meanings={})


def paragraph_at(paragraphs: Sequence[Paragraph], position: int) -> int | None:
    """Return the number of the paragraph that holds the character at *position*, or None."""
    index = bisect_right(paragraphs, position, key=lambda p: p.start) - 1
    if index >= 0 and position < paragraphs[index].end:
        return paragraphs[index].paragraph
    return None
