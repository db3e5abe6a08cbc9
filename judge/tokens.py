"""Text to index terms, for every script: what a search and a lexical judge compare.

    "The RX-200 ships in 3 days (§ 4)."  ─▶  the rx-200 rx 200 ships in 3 days §4 4
    "靴は30日以内"                         ─▶  靴は 30 日以 以内

Words are runs of letters, digits and combining marks. A run that is an identifier (it
mixes letters and digits, carries an underscore or camel case, or joins numbers) gives the
whole and its parts, so that `RX-200`, `RX200` and `RX 200` meet. Scripts that are written
without spaces give character bigrams (as Lucene's CJKBigramFilter does), which needs no
dictionary. Nothing is stemmed and no stop word is dropped: rarity decides, not a list.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

_LONGEST: Final = 64
"""Characters of a term that count; what is longer is an encoded blob."""
_MOST_PARTS: Final = 6
"""An identifier of more parts is a hash or UUID, whose parts mean nothing."""

_BMP = [(chr(code), unicodedata.category(chr(code))) for code in range(0x80, 0xD800)]
_MARKS = "".join(char for char, category in _BMP if category[0] == "M")
_ONE_FORM = {
    **{ord(char): str(unicodedata.digit(char)) for char, kind in _BMP if kind == "Nd"},
    **{ord(char): "" for char, kind in (*_BMP, ("\ufeff", "Cf")) if kind == "Cf"},
    0x2010: "-",  # what NFKC leaves of a non-breaking hyphen
}
# Python's \w has letters and digits of all scripts, but no combining marks, without
# which Hindi or Thai words fall apart.
_LETTERS = rf"(?:[^\W_]|[{_MARKS}])"
_RUN = re.compile(rf"(?:§{{1,2}}[ ]?(?=\d))?{_LETTERS}+(?:(?:[-./:_]|(?<=\d),(?=\d)){_LETTERS}+)*")
_UNSPACED = re.compile(
    "["
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u109d\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # Han
    "\uac00-\ud7a3"  # Hangul: spaced, but particles hang on the nouns
    "]+"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART = re.compile(rf"\d+|(?:[^\W\d_]|[{_MARKS}])+")


def normalise(text: str) -> str:
    """Return *text* in one spelling: NFKC, ASCII digits, invisible characters gone.

    Case is kept. Two texts that look alike compare equal after `casefold`.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_ONE_FORM)


def tokens(text: str) -> list[str]:
    """Return the terms of *text* in reading order, casefolded, repeats kept.

    An identifier's parts follow the whole at once. Empty when the text has no letter and
    no digit.
    """
    found: list[str] = []
    for match in _RUN.finditer(normalise(text)):
        run = match[0]
        if run.isascii() and run.isalpha() and run.islower():  # by far the most
            found.append(run[:_LONGEST])
            continue
        if run.isascii() or not _UNSPACED.search(run):
            found.extend(_terms(run))
            continue
        end = 0
        for unspaced in _UNSPACED.finditer(run):
            for between in _RUN.findall(run[end : unspaced.start()]):
                found.extend(_terms(between))
            found.extend(_bigrams(unspaced[0]))
            end = unspaced.end()
        for between in _RUN.findall(run[end:]):
            found.extend(_terms(between))
    return found


def _terms(run: str) -> Iterator[str]:
    if run.isalpha() and (run[1:].islower() or run.isupper()):
        yield run.casefold()[:_LONGEST]
        return
    if _THOUSANDS.fullmatch(run):
        yield run.replace(",", "")
        return
    parts = [part for piece in _CAMEL.split(run) for part in _PART.findall(piece)]
    whole = run.replace(" ", "").casefold()[:_LONGEST]
    if len(parts) == 1 and parts[0] == run:
        yield whole
        return
    if not all(part.isalpha() for part in parts) or "_" in run or _CAMEL.search(run):
        yield whole
    if len(parts) <= _MOST_PARTS:
        for part in parts:
            yield part.casefold()[:_LONGEST]


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for first, second in pairwise(run):
        yield first + second
