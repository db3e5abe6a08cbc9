"""Amounts and times that are told in words: parts of a unit, hours of the day.

"a quarter of an hour"  ─▶  0.25 hour         "anderthalb Jahre"  ─▶  1.5 Jahre
"twenty to ten"         ─▶  9:40 or 21:40     "zehn Uhr abends"   ─▶  22:00
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from judge.local.units import number_words, units

_HALVES = re.compile(
    r"\b(?P<word>\w+) (?:and a half|et demie?|y medi[ao]|e mezz[oa]|e mei[ao]|en een half)\b"
    r"|\b(?P<joined>\w+?)einhalb\b|\b(?P<over>anderthalb|anderhalf|anderhalve)\b",
    re.IGNORECASE,
)
_AND_QUARTERS = re.compile(
    r"\b(?P<word>\w+) and (?P<part>(?:a |one )?quarter|three[ -]quarters?)\b(?! of)"
    r"|\b(?P<joined>\w+?)(?P<joined_part>einviertel|dreiviertel)\b",
    re.IGNORECASE,
)
_DOZEN = re.compile(
    r"\b(?:(?:a|one) dozen|(?:ein )?dutzend|une douzaine|una docena|una dozzina|uma dúzia"
    r"|een dozijn)\b",
    re.IGNORECASE,
)
_QUARTERS = re.compile(
    r"\b(?:trois quarts|tres cuartos|tre quarti|três quartos|(?P<one>(?:un |um )?(?:quart|cuarto"
    r"|quarto))) (?P<hour>d'heure|de hora|d'ora)\b|\b(?P<dutch>een |drie )?kwartier\b",
    re.IGNORECASE,
)
_NTH_DAY = re.compile(
    r"\b(?P<count>\d{1,3})(?:st |nd |rd |th |\. |e |er |º )"
    r"(?=(?:days?|tage?s?|jours?|días?|dag)\b)",
    re.IGNORECASE,
)
_HALF_A_DAY: Final = 720
_ONE: Final = ("a", "an", "one", "une", "un", "una", "uma", "een")


@cache
def _and_parts() -> re.Pattern[str]:
    """Match a unit with a part of it behind: *an hour and a quarter*, *une heure et demie*."""
    named = "|".join(sorted(map(re.escape, _words_of_units()), key=len, reverse=True))
    return re.compile(
        rf"(?<![\w-])(?:(?P<many>\w+) |un')(?P<unit>{named}) (?:and a |et |y |e |en een )"
        r"(?P<part>half|quarter|three[ -]quarters|demie?|quart|medi[ao]|cuarto|mezz[ao]|mei[ao]"
        r"|kwart)(?![\w-])(?! (?:an?|of|past|to)\b)",
        re.IGNORECASE,
    )


@cache
def _parts() -> re.Pattern[str]:
    """Match what says which part of the unit after it."""
    named = "|".join(sorted(map(re.escape, _words_of_units()), key=len, reverse=True))
    return re.compile(
        r"(?<![\w-])(?:(?P<three>three[ -]quarters of an? |(?:eine[rnms]? )?dreiviertel[ -]?)"
        r"|(?P<quarter>(?:an? |one )?quarter[ -](?:of an? )?|(?:eine[rnms]? )?viertel[ -]?)"
        r"|(?P<half>half an? |(?:an? )half[ -]|half |(?:ein(?:e[nmrs]?)? )?halbe[nmrs]? "
        r"|(?:ein(?:e[nmrs]?)? )?halb(?=jahr|tag)|(?:een |a )?half |(?:une )?demi[- ]"
        r"|medi[ao] |mezz[ao'] ?|mei[ao] ))"
        rf"(?P<unit>{named})(?![^\W\d_])",
        re.IGNORECASE,
    )


def _words_of_units() -> Iterator[str]:
    return (word for word in units() if word.isalpha() and len(word) > 2)  # noqa: PLR2004 - signs


def with_parts(text: str) -> str:
    """Write *half an hour* as 0.5 hour, *four and a half* as 4.5, *a dozen* as 12."""

    def decimal(match: re.Match[str]) -> str:
        if match["over"]:
            return "1.5"
        word = (match["word"] or match["joined"]).casefold()
        whole = number_words().get(word)
        return match[0] if whole is None and not word.isdigit() else f"{whole or word}.5"

    def with_quarters(match: re.Match[str]) -> str:
        word = (match["word"] or match["joined"]).casefold()
        whole = number_words().get(word, word)
        said = (match["part"] or match["joined_part"]).casefold()
        share = "75" if said.startswith(("three", "drei")) else "25"
        return f"{whole}.{share}" if str(whole).isdigit() else match[0]

    def part(match: re.Match[str]) -> str:
        share = 0.75 if match["three"] else 0.25 if match["quarter"] else 0.5
        return f"{share} {match['unit']}"

    def quarters(match: re.Match[str]) -> str:
        one = match["one"] if match["hour"] else (match["dutch"] or "").casefold() != "drie "
        return "15 min" if one else "45 min"

    def behind(match: re.Match[str]) -> str:
        word = (match["many"] or "un").casefold()
        whole = 1 if word in _ONE else number_words().get(word, word)
        said = match["part"].casefold()
        share = "75" if said.startswith("three") else "25" if said[0] in "qck" else "5"
        return f"{whole}.{share} {match['unit']}" if str(whole).isdigit() else match[0]

    text = _NTH_DAY.sub(r"\g<count> ", text)
    text = _QUARTERS.sub(quarters, _and_parts().sub(behind, text))
    text = _AND_QUARTERS.sub(with_quarters, _HALVES.sub(decimal, text))
    return _hours_with_minutes(_DOZEN.sub("12", _parts().sub(part, text)))


_HOURS: Final = re.compile(
    r"(?<![\w.,:])(?P<hours>\d{1,3}|[^\W\d_]+) ?(?P<unit>h|hours?|hrs?|stunden?|std|heures?|horas?"
    r"|or[ae]|uur)\.?,? (?:(?:and|und|et|y|e|en) )?(?P<minutes>\d{1,2}|[^\W\d_]+) ?"
    r"(?:minutes?|minuten|mins?|minutos?|minut[io]|minuut)(?![^\W_])",
    re.IGNORECASE,
)


def _hours_with_minutes(text: str) -> str:
    """Write *2 hours 45 minutes* as one amount."""

    def together(match: re.Match[str]) -> str:
        hours, minutes = (_number(match[name]) for name in ("hours", "minutes"))
        if hours is None and match["hours"].casefold() in _ONE_HOUR:
            hours = 1
        if hours is None or minutes is None:
            return match[0]
        return f"{hours * 60 + minutes} min"

    return _HOURS.sub(together, text)


_ONE_HOUR: Final = (*_ONE, "eine", "einer")


_TOLD: Final = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    "|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
)
_HOUR: Final = rf"(?P<hour>{_TOLD}|\d{{1,2}})"
_MINUTE: Final = (
    rf"(?P<minute>(?:a )?quarter|viertel|twenty-five|twenty|zwanzig|{_TOLD}|\d{{1,2}})"
    r"(?: minutes?| minuten)?"
)
_PART: Final = (
    r"(?P<part>in the (?:early |late )?(?:morning|afternoon|evening)|at night|tonight"
    r"|this (?:morning|afternoon|evening)|(?:früh)?morgens|früh|vormittags|mittags|nachmittags"
    r"|abends|nachts|am (?:morgen|vormittag|mittag|nachmittag|abend)|in der (?:früh|nacht))\b"
)
_TELLS: Final = re.compile(
    r"past|to\b|clock|halb|viertel|\b(?:nach|vor|uhr|noon|midday|midnight|mitternacht)\b"
    r"|morning|afternoon|evening|night|morgen|früh|mittag|abend|nacht",
    re.IGNORECASE,
)
"""What every time in words has one of."""


_BEFORE_TIMES: Final = ("at", "by", "is", "till", "until", "before", "after", "since")


@cache
def _clock_patterns() -> tuple[re.Pattern[str], ...]:
    named = "|".join(map(re.escape, _words_of_units()))
    # "five to ten days" and "halb so viel" are no times.
    no_unit = rf"(?!\s?[%°€$£\d])(?!\s(?:{named})\b)(?![.,:]\d)"
    since = "|".join(f"(?<={word} )" for word in _BEFORE_TIMES)
    ends = r"(?=\s*(?:[.,;:!?)]|$)|\s(?:and|or|on|at|today|tomorrow|but|so)\b)"
    after = rf"(?: uhr)?(?: {_PART})?"
    rules = (
        rf"(?P<half>half) past {_HOUR}\b(?:,? {_PART})?",
        rf"{_MINUTE} (?P<past>past) {_HOUR}\b(?:,? {_PART})?",
        rf"(?P<minute>(?:a )?quarter) (?P<to>to) {_HOUR}\b(?:,? {_PART})?",
        rf"{_MINUTE} (?P<to>to) {_HOUR}(?: o'clock)?,? {_PART}",
        rf"(?:{since})(?P<minute>five|ten|twenty-five|twenty) (?P<to>to) {_HOUR}\b{ends}",
        rf"{_HOUR} o'clock(?:,? {_PART})?",
        rf"(?P<halb>halb) {_HOUR}\b{no_unit}{after}",
        rf"(?P<three>dreiviertel) {_HOUR}\b{no_unit}{after}",
        rf"{_MINUTE} (?:(?P<past>nach)|(?P<to>vor)) (?P<halb>halb )?{_HOUR}\b{no_unit}{after}",
        rf"{_HOUR}(?::(?P<exact>\d\d))?(?: uhr)? {_PART}",
        rf"(?P<hour>{_TOLD}) uhr\b",
        r"(?P<noon>noon|midday|midi|mediodía|mezzogiorno|meio-dia)\b",
        r"(?P<midnight>midnight|mitternacht|minuit|medianoche|mezzanotte|middernacht)\b",
    )
    return tuple(re.compile(rf"(?<![\w.,:-]){rule}", re.IGNORECASE) for rule in rules)


def spoken_clocks(text: str) -> tuple[list[tuple[frozenset[float], str]], str]:
    """Return the times of day that *text* tells in words, and *text* without them.

    Each is its minutes after midnight, read before and after noon where neither is said, and
    its words.
    """
    found: list[tuple[frozenset[float], str]] = []

    def take(match: re.Match[str]) -> str:
        readings = _readings(match.groupdict())
        if readings is None:
            return match[0]
        found.append((readings, match[0].strip()))
        return " " * len(match[0])

    if _TELLS.search(text) is None:
        return found, text
    for rule in _clock_patterns():
        text = rule.sub(take, text)
    return found, text


def _readings(said: dict[str, str | None]) -> frozenset[float] | None:
    if said.get("noon"):
        return frozenset({720.0})
    if said.get("midnight"):
        return frozenset({0.0, 1440.0})
    hour = _number(said.get("hour"))
    if hour is None or hour > 24:  # noqa: PLR2004
        return None
    minutes = hour * 60.0 + float(said.get("exact") or 0)
    if said.get("half"):
        minutes += 30
    elif said.get("three"):
        minutes -= 15
    elif said.get("past") or said.get("to"):
        by = _number(said.get("minute"))
        if by is None or by > 59:  # noqa: PLR2004
            return None
        minutes += by if said.get("past") else -by
    if said.get("halb"):
        minutes -= 30
    part = (said.get("part") or "").casefold()
    if hour > 12:  # noqa: PLR2004
        return frozenset({minutes})
    minutes %= _HALF_A_DAY
    if not part:
        return frozenset({minutes, minutes + _HALF_A_DAY})
    late = any(word in part for word in ("afternoon", "evening", "nachmittag", "abend"))
    night = any(word in part for word in ("night", "nacht")) and minutes >= _HALF_A_DAY / 2
    noon = ("mittag" in part and "vormittag" not in part) and minutes < _HALF_A_DAY / 4
    return frozenset({minutes + _HALF_A_DAY if late or night or noon else minutes})


def _number(word: str | None) -> int | None:
    if word is None:
        return None
    word = word.casefold()
    if word.isdigit():
        return int(word)
    if word.endswith("quarter") or word == "viertel":
        return 15
    if word == "eins":
        return 1
    return {"twenty-five": 25}.get(word, number_words().get(word))
