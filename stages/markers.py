"""Markers: the places of an answer that may point to a source.

    days [1].   boots [1, 3]   hats [2-4]   text【4:0†file.pdf】   leave [hr-001]
    note[^1]    word¹          (source: x.md)                      [site](https://…)

This module finds them and says what they name; whether something bears that name is
decided where the sources are known (`stages.citations`). Brackets inside code, escaped
brackets and subscripts such as `a[1]b` are never found.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

MarkerKind: TypeAlias = Literal["bracket", "note", "raised", "named", "link"]

_MOST_EXPANDED = 50
"""A range of more numbers than this stands for itself, not for its numbers."""
_MOST_NAMES = 50

_MARKER = re.compile(
    r"(?P<bracket>[\[［](?P<inner>[^\[\]［］\n]{1,200})[\]］])"
    r"|(?P<lens>【(?P<within>[^【】\n]{1,200})】)"
    r"|(?P<paren>[(（]\s{0,3}(?:sources?|src|ref|refs|quelle|quellen|fuente|fuentes|fonte|fonti"
    r"|bron|źródło|источник|出典|参考|来源|المصدر)\s{0,3}[:：]\s{0,3}"
    r"(?P<names>[^()（）\n]{1,200})[)）])"
    r"|(?P<super>[⁰¹²³⁴-⁹]{1,6}(?![⁺⁻⁼ⁿ⁽]))"
    r"|(?P<caret>\^(?P<digits>\d{1,4})(?![\d^]))",
    re.IGNORECASE,
)
_NUMBER = r"\d{1,6}"
_NUMBERS = re.compile(
    rf"\s*{_NUMBER}(?:\s*[-–—~]\s*{_NUMBER})?(?:\s*[,;&]\s*{_NUMBER}(?:\s*[-–—~]\s*{_NUMBER})?)*\s*"
)
_LABEL_NUMBER = re.compile(r"\d{1,4}")
_NUMBER_PART = re.compile(rf"({_NUMBER})(?:\s*[-–—~]\s*({_NUMBER}))?")
_WORD_NUMBER = re.compile(
    r"\s*(?:source|document|doc|passage|chunk|context|reference|ref|citation|quelle|dokument)s?"
    r"\s*[#.:]?\s*(\d{1,4})\s*",
    re.IGNORECASE,
)
_DAGGER = re.compile(r"\s*(?:(\d{1,4})\s*:\s*)?(\d{1,4})\s*†\s*(.{0,200})", re.DOTALL)
_NAMED = re.compile(
    r"\s*(?:sources?|src|ref|quelle|fuente|fonte|出典|来源)\s*[:：]\s*(?P<names>.+)",
    re.IGNORECASE | re.DOTALL,
)
_LINK_TARGET = re.compile(r"\(\s*<?([^\s()<>]{1,2000})>?(?:\s+[\"'][^\"'\n]{0,200}[\"'])?\s*\)")
_PAGE = re.compile(
    r"(?:pp?|pages?|seiten?|s|sec|section)(?:\.\s?|\s)\s*[\d.–-]+|§+\s*[\d.–-]+", re.IGNORECASE
)
_UNITS = frozenset(
    {"km", "cm", "mm", "dm", "nm", "µm", "μm", "hm", "ft", "in", "yd", "mi", "sq", "ha"}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_CLOSING = ".,;:!?\"'”’»)）。，、！？」"
_LOOK_BACK = 40
_OPERATORS = tuple("+=×/≤≥≈^±")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """One place that may point to sources."""

    start: int
    end: int
    text: str
    """As written: `answer[start:end]`."""
    kind: MarkerKind
    """`note` `[^1]`, `raised` superscript or caret, `named` `(source: …)`, `link` `[…](url)`."""
    numbers: tuple[int, ...] = ()
    """Numbers it names, ranges expanded."""
    names: tuple[str, ...] = ()
    """Ids, titles, files or urls it may name instead."""
    position: int | None = None
    """0-based place among the documents of a file search (`【4:0†…】`)."""
    too_wide: bool = False
    """It is a range of more numbers than anyone cites."""

    @property
    def is_range(self) -> bool:
        """Some of its numbers stand between two that are written."""
        return len(self.numbers) > self.text.count(",") + self.text.count(";") + 1


def markers_in(answer: str, hidden: Sequence[tuple[int, int]]) -> Iterator[Marker]:
    """Yield the markers of *answer* in reading order.

    Args:
        answer: The text.
        hidden: Ranges in which nothing counts (code, definition lines), ascending.
    """
    starts = [start for start, _ in hidden]
    position = 0
    while match := _MARKER.search(answer, position):
        index = bisect_right(starts, match.start()) - 1
        if index >= 0 and match.start() < hidden[index][1]:
            position = max(hidden[index][1], match.start() + 1)
            continue
        if index + 1 < len(hidden) and hidden[index + 1][0] < match.end():
            position = match.start() + 1
            continue
        marker = _read(answer, match)
        position = max(match.end() if marker is None else marker.end, match.start() + 1)
        if marker is not None:
            yield marker


def code_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of inline code in `text[start:end]`, one block of prose.

    Source: CommonMark 0.31, section 6.1 (a run of backticks closes at the next run of the
    same length; an unclosed run is literal).
    """
    runs = [(match.start(), match.end()) for match in re.compile("`+").finditer(text, start, end)]
    places: dict[int, list[int]] = {}
    for index, (first, last) in enumerate(runs):
        places.setdefault(last - first, []).append(index)
    index = 0
    while index < len(runs):
        first, last = runs[index]
        if _is_escaped(text, first):
            first += 1
        same = places.get(last - first, ())
        at = bisect_right(same, index)
        if first < last and at < len(same):
            closing = same[at]
            yield first, runs[closing][1]
            index = closing + 1
        else:
            index += 1


def _read(answer: str, match: re.Match[str]) -> Marker | None:
    start, end = match.span()
    if _is_escaped(answer, start):
        return None
    if match["super"] is not None:
        return _raised(answer, start, end, match["super"].translate(_SUPERSCRIPTS))
    if match["caret"] is not None:
        return _raised(answer, start, end, match["digits"])
    if match["paren"] is not None:
        return _named(answer, start, end, match["names"])
    if match["lens"] is not None:
        return _bracketed(answer, start, end, match["within"])
    inner = match["inner"]
    if answer.startswith("(", end):
        return _link(answer, start, end)
    if inner.endswith("\\") or _is_subscript(answer, start, end):
        return None
    return _bracketed(answer, start, end, inner)


def _bracketed(answer: str, start: int, end: int, inner: str) -> Marker | None:
    words = unicodedata.normalize("NFKC", inner)
    text = answer[start:end]
    if words.startswith("^"):
        label = words[1:].strip()
        return Marker(
            start=start,
            end=end,
            text=text,
            kind="note",
            numbers=(int(label),) if _LABEL_NUMBER.fullmatch(label) else (),
            names=(label,),
        )
    if _NUMBERS.fullmatch(words):
        numbers, too_wide = _numbers(words)
        return Marker(
            start=start,
            end=end,
            text=text,
            kind="bracket",
            numbers=numbers,
            too_wide=too_wide,
        )
    if (dagger := _DAGGER.fullmatch(words)) is not None:
        return _file_marker(answer, start, end, dagger)
    if (named := _NAMED.fullmatch(words)) is not None:
        return _named(answer, start, end, named["names"])
    word_number = _WORD_NUMBER.fullmatch(words)
    return Marker(
        start=start,
        end=end,
        text=text,
        kind="bracket",
        numbers=(int(word_number[1]),) if word_number else (),
        names=_names(inner),
    )


def _file_marker(answer: str, start: int, end: int, dagger: re.Match[str]) -> Marker:
    group, number, name = dagger.groups()
    generic = name.strip().casefold() in ("", "source")
    return Marker(
        start=start,
        end=end,
        text=answer[start:end],
        kind="bracket",
        numbers=(int(number),) if group is None else (),
        names=() if generic else (name.strip(),),
        position=None if group is None else int(number),
    )


def _named(answer: str, start: int, end: int, names: str) -> Marker:
    numbers, too_wide = _numbers(names) if _NUMBERS.fullmatch(names) else ((), False)
    return Marker(
        start=start,
        end=end,
        text=answer[start:end],
        kind="named",
        numbers=numbers,
        names=_names(names),
        too_wide=too_wide,
    )


def _link(answer: str, start: int, end: int) -> Marker | None:
    target = _LINK_TARGET.match(answer, end)
    if target is None or answer.startswith("!", start - 1):
        return None
    return Marker(
        start=start,
        end=target.end(),
        text=answer[start : target.end()],
        kind="link",
        names=(target[1],),
    )


def _raised(answer: str, start: int, end: int, digits: str) -> Marker | None:
    if not _follows_word(answer, start) or _is_math(answer, end):
        return None
    return Marker(
        start=start, end=end, text=answer[start:end], kind="raised", numbers=(int(digits),)
    )


@lru_cache(maxsize=4096)
def _numbers(words: str) -> tuple[tuple[int, ...], bool]:
    found: dict[int, None] = {}
    for match in _NUMBER_PART.finditer(words):
        first, last = int(match[1]), int(match[2] or match[1])
        if last - first >= _MOST_EXPANDED:
            return (), True
        found.update(dict.fromkeys(range(first, last + 1) if first <= last else (first, last)))
    return tuple(found), False


def _names(text: str) -> tuple[str, ...]:
    whole = text.strip()
    parts = (part.strip(" \t`'\"") for part in re.split(r"[,;，；、|]", whole))
    told = [part for part in parts if part and not _PAGE.fullmatch(part)]
    return tuple(dict.fromkeys([whole, *told]))[:_MOST_NAMES]


# What surrounds a marker


def _is_escaped(text: str, position: int) -> bool:
    backslashes = 0
    while position > backslashes and text[position - backslashes - 1] == "\\":
        backslashes += 1
    return backslashes % 2 == 1


def _is_subscript(text: str, start: int, end: int) -> bool:
    """Tell `a[1]b` and `x[0]` from `days[1].`: an index is glued to a name or goes on."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if not (before.isascii() and (before.isalnum() or before == "_")):
        return False
    if after.isascii() and (after.isalnum() or after == "_"):
        return True
    return before == "_" or not (text[start - 2 : start - 1].isalnum() and start > 1)


def _follows_word(text: str, start: int) -> bool:
    """Tell whether a raised number stands after a word or its punctuation, not after a unit."""
    end = start
    while end > 0 and start - end < _LOOK_BACK and text[end - 1] in _CLOSING:
        end -= 1
    begin = end
    while begin > 0 and end - begin < _LOOK_BACK and text[begin - 1].isalpha():
        begin -= 1
    word = text[begin:end]
    if not word or text[max(0, begin - 2) : begin].rstrip()[-1:] in _OPERATORS:
        return False
    if unicodedata.category(word[-1]) == "Lo":
        return True
    return len(word) > 1 and word.casefold() not in _UNITS


def _is_math(text: str, end: int) -> bool:
    following = text[end : end + 3].lstrip(" ")
    return following[:1] in _OPERATORS and following != ""
