"""Numbers inside words, and shares: written so that a number and its unit stand apart.

"Fünftagewoche"    ─▶  5 tage woche         "two thirds of the price"  ─▶  66.67 percent
"32 Wochenstunden" ─▶  32 stunden           "only one dog"             ─▶  1 dog
"""

import re
from functools import cache
from typing import Final

from judge.local.units import number_words

_PER_CENT: Final = re.compile(r"\b(?:pour cent|por ci?ento|per cento?)\b", re.IGNORECASE)
_IN_COMPOUND: Final = {
    "tage": "tage",
    "wochen": "wochen",
    "monats": "monate",
    "jahres": "jahre",
    "stunden": "stunden",
    "minuten": "minuten",
}
_ADJECTIVES: Final = {
    "tägig": "tage",
    "wöchig": "wochen",
    "monatig": "monate",
    "jährig": "jahre",
    "stündig": "stunden",
    "minütig": "minuten",
}
_COUNTED: Final = re.compile(
    r"(?<=\d )[^\W\d_]{3,}?(?P<unit>stunden|tagen?|wochen|monaten?|jahren?|minuten)\b",
    re.IGNORECASE,
)
_PARTS: Final = {
    "half": 2, "hälfte": 2, "moitié": 2, "mitad": 2, "metà": 2, "metade": 2, "helft": 2,
    "third": 3, "drittel": 3, "tiers": 3, "tercio": 3, "terzo": 3, "terço": 3, "derde": 3,
    "quarter": 4, "viertel": 4, "quart": 4, "cuarto": 4, "quarto": 4, "kwart": 4,
    "fifth": 5, "fünftel": 5, "sixth": 6, "sechstel": 6, "eighth": 8, "achtel": 8,
    "tenth": 10, "zehntel": 10, "twelfth": 12, "zwölftel": 12,
}  # fmt: skip
_ORDINALS: Final = frozenset(
    ["third", "fifth", "sixth", "eighth", "tenth", "twelfth", "tercio", "terzo", "terço", "derde"]
)
_COMPARED: Final = re.compile(
    r"(?:than|by|about|nearly|almost|over|under|least|most|up to|roughly|only|que|de|di|dan|met) $",
    re.IGNORECASE,
)
_NEAR: Final = 12
"""Characters before a share that may compare with it: the longest of these words, and a space."""
_SINGLE: Final = re.compile(
    r"\b(?:(?:only|just) one|one single|(?:nur|bloß|genau) eine?[nmrs]?(?: einzige\w*)?"
    r"|eine?[nmrs]? einzige\w*|une? seule?|(?:sólo|solo) un[oa]?|un[oa]? sol[oa]|apenas uma?"
    r"|maar één|één enkele?)(?= (?!of\b|von\b|der\b|des\b|de\b|van\b)[^\W\d_]{3,})",
    re.IGNORECASE,
)


def apart(text: str) -> str:
    """Write numbers that are parts of words, and single things, as number and word."""
    text = _PER_CENT.sub("percent", text)
    text = _compounds().sub(_taken_apart, text)
    text = _adjectives().sub(_counted, text)
    return _SINGLE.sub("1", _COUNTED.sub(lambda match: match["unit"], text))


def with_shares(text: str) -> str:
    """Write *two thirds of*, *ein Viertel* as per cent; parts of an hour are told before."""
    return _shares().sub(_per_cent, text)


@cache
def _compounds() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?P<number>{_numbers()})(?P<unit>{'|'.join(_IN_COMPOUND)})(?P<rest>[^\W\d_]{{3,}})",
        re.IGNORECASE,
    )


@cache
def _adjectives() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?P<number>{_numbers()}|\d{{1,3}}-?)(?P<unit>{'|'.join(_ADJECTIVES)})\w*",
        re.IGNORECASE,
    )


@cache
def _numbers() -> str:
    german = ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf")
    return "|".join(("ein", *german, "zwölf"))


@cache
def _shares() -> re.Pattern[str]:
    many = "|".join(re.escape(word) for word in sorted(number_words(), key=len, reverse=True))
    named = "|".join(sorted(_PARTS, key=len, reverse=True))
    # "The first half of May" and "every quarter" are no shares of something.
    return re.compile(
        rf"(?<![\w-])(?P<many>{many}) (?P<part>(?!half|quarter)(?:{named})|quarters?(?= of\b))s?"
        r"(?![\w-])(?! (?:of an? (?:hour|day|year|minute)|nach|vor|past|to|heure|stunden?)\b)"
        r"|(?<![\w-])(?P<whole>die hälfte|der hälfte|la moitié|la mitad|la metà|a metade|de helft"
        r"|half of (?:the|your|its|that|this|what))(?![\w-])",
        re.IGNORECASE,
    )


def _per_cent(match: re.Match[str]) -> str:
    if match["whole"]:
        return "50 percent"
    count = number_words()[match["many"].casefold()]
    # "A third album" counts albums.
    whole = match.string.startswith(" of ", match.end())
    before = match.string[max(match.start() - _NEAR, 0) : match.start()]
    compared = _COMPARED.search(before) is not None
    if count == 1 and not (whole or compared) and match["part"].casefold() in _ORDINALS:
        return match[0]
    part = match["part"].casefold()
    parts = _PARTS.get(part) or _PARTS[part.rstrip("s")]
    return f"{100 * count / parts:.4g} percent" if count < parts else match[0]


def _taken_apart(match: re.Match[str]) -> str:
    unit = _IN_COMPOUND[match["unit"].casefold()]
    return f"{_value(match['number'])} {unit} {match['rest']}"


def _counted(match: re.Match[str]) -> str:
    return f"{_value(match['number'])} {_ADJECTIVES[match['unit'].casefold()]}"


def _value(word: str) -> int:
    bare = word.casefold().rstrip("-")
    return int(bare) if bare.isdigit() else number_words()[bare]
