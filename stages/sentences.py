"""Sentences of a text in any script.

    Dr. Roe pays 3.5 %. Really?         ─▶  "Dr. Roe pays 3.5 %."  "Really?"
    靴は30日以内です。帽子は不可です。  ─▶  "靴は30日以内です。"  "帽子は不可です。"

A line break ends a sentence too, so lists and tables need no full stop to be read.
"""

import re
from collections.abc import Iterator

_END = re.compile(
    r"[.!?…]+[\"'”’»)\]】]*(?=\s)"  # Latin, Greek, Cyrillic, Hebrew, Korean: a space follows
    r"|[。！？｡]+[」』”’）】]*"  # Chinese and Japanese: none does
    r"|[؟۔।॥։።៖။།]+[\"”’»)]*"  # Arabic, Urdu, Devanagari, Armenian, Ethiopic, Khmer, …
    r"|\s*[\n\r\u2028\u2029]\s*"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"“„])(?:[^\W\d_]|\d{1,3}"
    r"|dr|mr|mrs|ms|prof|st|sr|sra|jr|no|nr|nos|vs|fig|figs|eq|sec|ch|p|pp|vol|ed|etc|approx|ca"
    r"|art|abs|bzw|usw|ggf|inkl|exkl|zzgl|str|tel|max|min|ev|evtl|vgl|dept|inc|ltd|co|corp|al"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec"
    r"|e\.g|i\.e|z\.\s?b|d\.\s?h|u\.\s?a|p\.\s?ex|a\.m|p\.m|u\.s|u\.k|e\.u)\.$",
    re.IGNORECASE,
)
_LOOK_BACK = 12


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences and lines of *text* verbatim, without surrounding white space."""
    return tuple(text[start:end] for start, end in sentence_spans(text))


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the character range of each sentence; white space lies between the ranges."""
    start = 0
    for match in _END.finditer(text):
        end = match.end()
        before = text[max(start, end - _LOOK_BACK) : end]
        if match[0] == "." and _ABBREVIATION.search(before) and not _is_last(text, end):
            continue
        yield from _stripped(text, start, end)
        start = end
    yield from _stripped(text, start, len(text))


def _is_last(text: str, end: int) -> bool:
    """Tell whether nothing or a line break follows."""
    rest = text[end : end + _LOOK_BACK]
    return not rest.strip() or rest.lstrip(" \t").startswith(("\n", "\r"))


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    inner = text[start:end]
    if inner.strip():
        begin = start + len(inner) - len(inner.lstrip())
        yield begin, begin + len(inner.strip())
