"""Language of a text: a code where the detector is certain, None where it is not.

Code, quotations, names in capitals, numbers and addresses are taken out first: they are
in no language, or in somebody else's. A text that begins in one language and ends in another
is in no certain one. The reply depends on the text alone.
See `docs/decisions/0002-language-detector.md` for the choice and the threshold.
"""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_CERTAIN: Final = 0.55
_FEWEST_LETTERS: Final = 3
_LONGEST: Final = 4_000
"""More text makes the reply no surer."""
_FOREIGN = re.compile(
    r"```.*?(?:```|$)|~~~.*?(?:~~~|$)|`[^`\n]{1,500}`"
    r"|\b(?:https?|ftp)://\S+|\S+@\S+"
    r"|[\[【［][^\[\]【】\n]{1,80}[\]】］]"
    r"|[\"“„«][^\"“”„«»\n]{1,300}[\"”»]"
    r"|[\w./\\-]*\d[\w./\\-]*"
    r"|\b[A-Z]{2,}\b",
    re.DOTALL,
)
_END: Final = 120
"""Characters at the start and at the end of a text that show whether it changes language."""
_SHORTEST_END: Final = 40
_SURE: Final = 0.9
_VARIANTS: Final = {"nn": "no", "nb": "no", "arz": "ar", "ary": "ar", "yue": "zh", "wuu": "zh"}
_CODE_LENGTH: Final = 2
_SCRIPT_LIST: Final = (
    "LATIN CYRILLIC GREEK ARMENIAN HEBREW ARABIC DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL"
    " TELUGU KANNADA MALAYALAM SINHALA THAI LAO TIBETAN MYANMAR GEORGIAN HANGUL ETHIOPIC KHMER"
    " HIRAGANA KATAKANA CJK IDEOGRAPHIC FULLWIDTH HALFWIDTH"
)
_SCRIPTS: Final = frozenset(_SCRIPT_LIST.split())
"""First words of the names of letters that the detector has learned; any other script it takes
for the one whose bytes begin alike, and is sure of it."""
_TELLING: Final = 200
"""Letters of a text that show its script."""


def detect(text: str) -> str | None:
    """Return the ISO 639-1 code of the language of *text*, None when not certain."""
    plain = _FOREIGN.sub(" ", text[: 2 * _LONGEST])[:_LONGEST].strip()
    if sum(character.isalpha() for character in plain) < _FEWEST_LETTERS:
        return None
    if not _is_in_known_script(plain):
        return None
    code = _classified(plain, _CERTAIN)
    return None if code is None or _changes(plain) else code


def _is_in_known_script(plain: str) -> bool:
    letters = [char for char in plain if char.isalpha()][:_TELLING]
    known = sum(not _SCRIPTS.isdisjoint(_name(char)) for char in letters)
    return 2 * known >= len(letters)


@cache
def _name(letter: str) -> tuple[str, ...]:
    """Return the first word of a letter's name; of two that are joined, both."""
    return tuple(unicodedata.name(letter, "").partition(" ")[0].split("-"))


def _changes(plain: str) -> bool:
    """Tell whether a text begins in one language and ends in another, both surely."""
    length = min(_END, len(plain) // 2)
    if length < _SHORTEST_END:
        return False
    ends = {_classified(end, _SURE) for end in (plain[:length], plain[-length:])}
    return len(ends - {None}) > 1


def _classified(plain: str, least: float) -> str | None:
    code, confidence = _identifier().classify(plain)
    code = _VARIANTS.get(code, code)
    if confidence < least or len(code) != _CODE_LENGTH:
        return None
    return str(code)


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
