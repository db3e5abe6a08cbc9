"""Numbers that an answer works out from what it cites.

    "The filter costs 30 € [1]." "The oil costs 45 € [2]." "So the oil is 15 € more."

No source says 15 €: there is nothing to cite, and what it follows from is cited.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import combinations

from analysis.attribution.marks import names_and_numbers, plain, words
from analysis.judged import JudgedTurn

_NUMBER = re.compile(
    r"(?<![\w.,:/-])(\d{1,9}(?:[.,]\d{3})*)(?:[.,](\d{1,2}))?(?![\w:/-]|[.,]\d)", re.ASCII
)
"""With thousands in groups and up to two decimals; no date, time, range or code."""
_MOST = 100
"""Numbers that are tried in pairs; in a long table nearly every number follows from others."""


def is_worked_out(judged: JudgedTurn, paragraph: int, founded: Iterable[int]) -> bool:
    """Tell whether a paragraph says a number that follows from others and stands nowhere.

    Each number is one of the founded paragraphs, or else the sum, difference or product of two
    of them and in no evidence; at least one is such.

    Args:
        judged: The turn.
        paragraph: Its number in the answer, from 1.
        founded: The paragraphs whose citations support them.
    """
    said = plain(judged.said_in(paragraph))
    given = plain("\n".join(judged.said_in(number) for number in founded))
    if not names_and_numbers(_NUMBER.sub(" ", said)) <= words(given):
        return False
    known = numbers(given)
    new = numbers(said) - known
    if len(known) > _MOST:
        return False
    told = {number for item in judged.turn.evidence for number in numbers(item.text)}
    results = {
        result
        for one, other in combinations(known, 2)
        for result in (one + other, abs(one - other), one * other)
    }
    return bool(new) and new <= results - told


def numbers(text: str) -> set[Decimal]:
    """Return the distinct numbers of a text that are written in digits."""
    return {
        Decimal(f"{re.sub('[.,]', '', match[1])}.{match[2] or 0}")
        for match in _NUMBER.finditer(text)
    }
