"""Model names, order numbers, codes: what must be exactly the same.

"the RX-200 (order A-1234)"  ─▶  rx200 as RX-200, a1234 as A-1234
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from judge.local.units import units
from judge.tokens import normalise

ISO_DATE = re.compile(
    r"\b(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)"
    r"(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_SPACED_MODEL = re.compile(r"\b([A-Z]{2,5}) (\d{2,5})\b(?![.,]\d)")
_IDENTIFIER = re.compile(r"[A-Za-z0-9]+(?:[-_/.#][A-Za-z0-9]+)*")
_SINGULAR_DIGITS: Final = 5
"""A bare number of this many digits may be an id; it counts as a number as well."""
_MEASURE = re.compile(
    r"\d+(?:[.,]\d+)*(?:"
    r"km|cm|mm|m|kg|g|ml|l|h|min|s|w|v|gb|mb|eur|usd|gbp|chf|bar|st|nd|rd|th|er|x|k|am|pm"
    r"|hours?|days?|weeks?|months?|years?|T\d+|-?(?:day|year|month|week|hour|minute)s?"
    r"|-?(?:tägig|jährig|stündig|stufig|fach)\w*)"
    r"|\d+(?:-\d+)?-(?:[A-Za-z]{4,}|day|way)(?:-[A-Za-z]+)*|\d{1,2}h\d{2}|[A-Za-z]{4,}-\d{1,2}|\d{1,2}[ap]m-\d{1,2}[ap]m",
    re.IGNORECASE,
)


@lru_cache(maxsize=65_536)
def identifiers(text: str) -> Mapping[str, str]:
    """Return model names, order numbers and the like: canonical form → as written.

    Canonical: casefolded, separators dropped, so RX-200, `rx_200` and "RX 200" are one.
    """
    text = ISO_DATE.sub(" ", normalise(text))
    found = {_canonical(word): word for word in _IDENTIFIER.findall(text) if _is_identifier(word)}
    for match in _SPACED_MODEL.finditer(text):
        if match[1].casefold() not in units():
            found.setdefault(_canonical(match[0]), match[0])
    return found


def family(identifier: str) -> str:
    """Return what siblings share: the letters with every digit as `9`, runs shortened.

    RX-200 and RX-300 are siblings, A-1234 and A-98765 too.
    """
    return re.sub(r"\d+", "9", identifier)


def _is_identifier(word: str) -> bool:
    if word.isalpha():  # by far the most
        return False
    if len(word) < 3:  # noqa: PLR2004 - 5G and the like are words, E4 is a code
        return word[0].isalpha() and word[0].isupper() and word[-1].isdigit() and len(word) == 2  # noqa: PLR2004
    digits = sum(char.isdigit() for char in word)
    letters = sum(char.isalpha() for char in word)
    if not digits:
        return False
    if not letters:
        return word.isdigit() and len(word) >= _SINGULAR_DIGITS
    return not _MEASURE.fullmatch(word) and not ISO_DATE.match(word)


def _canonical(word: str) -> str:
    return re.sub(r"[\W_]", "", word).casefold()


def without_identifiers(text: str) -> str:
    """Return *text* with blanks for its identifiers, bare numbers kept."""

    def blank(match: re.Match[str]) -> str:
        named = _is_identifier(match[0]) and not match[0].isdigit()
        return " " * len(match[0]) if named else match[0]

    return _IDENTIFIER.sub(blank, _SPACED_MODEL.sub(_blank_model, text))


def _blank_model(match: re.Match[str]) -> str:
    return match[0] if match[1].casefold() in units() else " " * len(match[0])
