"""Another name in the place of one: claim and source say the same of two people or places.

    claim    Complaints are handled by Ms Lindqvist.
    source   Complaints are handled by Ms Okafor.      ─▶  "Lindqvist", "Okafor"

What is put for the other is a name where both are written with a capital inside a sentence.
At its beginning, and in scripts without capitals, the sentences must be the same to the last
word around the two; in German, which writes every noun large, both must be unknown words.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import takewhile
from typing import Final

from judge.local.text import language_by_words
from judge.local.topics import ALIKE
from judge.local.units import months
from judge.local.vectors import load
from judge.local.words import idea, plain, stop_words

_UNIT = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+(?:['’-][^\W_]+)*")
_DENSE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
_HIRAGANA = re.compile(r"[\u3041-\u309f]")
_MOST_UNITS: Final = 120
_LONGEST_NAME: Final = 4
"""Units of a name; a character counts where words are not set apart."""
_SAME: Final = 0.6
"""Share of the claim's units that must stand in the source, in their order."""


@lru_cache(maxsize=16_384)
def swapped(claim: str, source: str) -> tuple[str, str] | None:
    """Return the name in a claim, and the one in a sentence of the source that it replaces."""
    mine, theirs = _units(claim), _units(source)
    if not mine or len(mine) > _MOST_UNITS or len(theirs) > _MOST_UNITS:
        return None
    matcher = SequenceMatcher(None, _folded(mine), _folded(theirs), autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    if same < _SAME * len(mine):
        return None
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    exactly = len(changes) == 1
    for tag, start, end, other_start, other_end in changes:
        put = _name_in(mine[start:end])
        instead = _name_in(theirs[other_start:other_end])
        if tag != "replace" or not put or not instead:
            continue
        if _are_names((put, start == 0), (instead, other_start == 0), claim=claim, exactly=exactly):
            return _joined(put), _joined(instead)
    return None


def _units(text: str) -> list[str]:
    return _UNIT.findall(text)


def _folded(units: Sequence[str]) -> list[str]:
    return [plain(unit.casefold()) for unit in units]


def _joined(units: Sequence[str]) -> str:
    return ("" if _DENSE.match(units[0]) else " ").join(units)


def _are_names(
    put: tuple[Sequence[str], bool],
    instead: tuple[Sequence[str], bool],
    *,
    claim: str,
    exactly: bool,
) -> bool:
    """Tell whether both are names, and not two words for one thing."""
    sides = (put, instead)
    first, second = (tuple(_spoken(units)) for units, _ in sides)
    if set(first) & set(second) or load().likenesses(first, second).max(initial=0.0) >= ALIKE:
        return False
    cased = any(char.islower() for char in claim)
    if not cased:
        return exactly
    if language_by_words(claim) == "de":
        return all(_is_unknown(units) for units, _ in sides)
    return all(
        units[-1][0].isupper() and (not opens or exactly or _is_unknown(units))
        for units, opens in sides
    )


def _name_in(units: Sequence[str]) -> Sequence[str]:
    """Return the units with which a replaced passage begins that may be a name."""
    name = list(takewhile(_can_be_named, units))
    return name if len(name) <= _LONGEST_NAME else ()


def _can_be_named(unit: str) -> bool:
    known = plain(unit.casefold())
    return not (
        any(map(str.isdigit, unit))
        or known in _functional()
        or known in months()
        or idea(known) is not None
        or _HIRAGANA.match(unit)
    )


@cache
def _functional() -> frozenset[str]:
    return frozenset().union(*stop_words().values())


def _spoken(units: Sequence[str]) -> Iterator[str]:
    """Yield the words of a name; what is written without spaces is one."""
    if _DENSE.match(units[0]):
        yield "".join(units)
    else:
        yield from _folded(units)


def _is_unknown(units: Sequence[str]) -> bool:
    known = load().row
    return not any(word in known for word in _spoken(units))
