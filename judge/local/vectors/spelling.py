"""A word that is not in the list, told by words that are.

    shipments        ─▶ shipment                 another form of a word
    ruckgabefrist    ─▶ ruckgabe + frist         a compound and its parts
    liefer           ─▶ liefern, lieferte, …     a stem and the words that begin with it

Only letters decide, so what comes back is a guess; how good it is, is measured in
docs/decisions/0003-static-vectors.md.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

_SHORTEST: Final = 4
"""Letters of the shortest word that may stand for another."""
_LONGEST_ENDING: Final = 3
_ENDINGS: Final = ("", "e", "en", "s", "er", "a", "o", "n", "t", "ed", "ing", "y")
"""What may follow in the known form, the likeliest first."""
_JOINTS: Final = ("", "s", "es", "n", "en", "e")
"""What may stand between the parts of a compound."""
_MOST_FORMS: Final = 4


def related(word: str, known: Mapping[str, int], in_order: Sequence[str]) -> tuple[str, ...]:
    """Return the known words that together stand for *word*; empty when there are none.

    Args:
        word: A word that is not known itself, casefolded and without accents.
        known: The words of the list.
        in_order: The same words, sorted.
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return ()
    return (
        tuple(islice(other_forms(word, known), 1))
        or compound_parts(word, known)
        or tuple(islice(_beginning_with(word, in_order), _MOST_FORMS))
    )


def other_forms(word: str, known: Mapping[str, int]) -> Iterator[str]:
    """Yield known words that share all but the ending with *word*, the closest first."""
    for cut in range(1, _LONGEST_ENDING + 1):
        if len(word) - cut < _SHORTEST:
            return
        start = word[:-cut]
        for ending in _ENDINGS:
            form = start + ending
            if form != word and form in known:
                yield form


def compound_parts(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """Return the two known words that *word* is joined of, the most even split; else empty."""
    best: tuple[str, ...] = ()
    evenness = 0
    for cut in range(_SHORTEST, len(word) - _SHORTEST + 1):
        last = word[cut:]
        if last not in known:
            continue
        for joint in _JOINTS:
            first = word[:cut].removesuffix(joint)
            even = min(len(first), len(last))
            if even > evenness and len(first) >= _SHORTEST and first in known:
                best, evenness = (first, last), even
    return best


def _beginning_with(start: str, in_order: Sequence[str]) -> Iterator[str]:
    """Yield known words that are *start* and a short ending, in alphabetical order."""
    for index in range(bisect_left(in_order, start), len(in_order)):
        word = in_order[index]
        if not word.startswith(start):
            return
        if len(word) - len(start) <= _LONGEST_ENDING:
            yield word
