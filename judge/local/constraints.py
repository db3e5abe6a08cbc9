"""What a text must be about, exactly: model, order, country, year, variant.

A passage about the RX-300 answers no question about the RX-200, however many words they
share. Each check looks for the same *kind* of thing on both sides and reports a conflict
only when the passage names others of that kind and not the one that is wanted: a passage
that names none is general, and may well apply.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from judge.local.identifiers import family, identifiers
from judge.local.numbers import years
from judge.local.text import language_by_words
from judge.local.units import months, units
from judge.local.words import plain, stop_words
from judge.tokens import normalise, tokens

_VARIANT = re.compile(r"(?<=\s)([A-Z][\w]+)[ -]([a-z]{3,}|(?<=-)[A-Z]\w{2,})\b")
_HYPHENED = re.compile(r"\b([^\W\d_]{3,})-([^\W\d_]{3,})\b")
_NUMBERED = re.compile(r"\b([^\W\d_]{4,}) (\d{1,3})(?![\w.,%€$£]*\d)(?!\s?[%€$£°])")
_NO_NAMES = frozenset().union(*stop_words().values())


def conflict(wanted: str, offered: str, known_places: frozenset[str] | None = None) -> str | None:
    """Say what *offered* is about instead of what *wanted* names, or None without conflict.

    Args:
        wanted: What is looked for.
        offered: A passage.
        known_places: Places that any passage of the run is about. One that none is about
            ("a trip to Croatia") is a circumstance and asks for no other passage. None: all.
    """
    for check in (_other_identifier, _other_number, _other_year, _other_variant):
        found = check(wanted, offered)
        if found:
            return found
    return _other_place(wanted, offered, known_places)


def constraints(text: str) -> Iterator[tuple[str, str]]:
    """Yield the constraints that *text* states, as (canonical form, as written)."""
    yield from identifiers(text).items()
    for place in sorted(places(text)):
        yield f"place:{place}", place
    for year in sorted(years(text)):
        yield f"year:{year}", str(year)
    for word, number in sorted(numbered_names(text)):
        yield f"name:{word} {number}", f"{word} {number}"


def kind_of(constraint: str) -> str:
    """Return what a constraint competes with: the places, the years, the same family."""
    kind, colon, rest = constraint.partition(":")
    if kind == "name":
        return f"name:{rest.rpartition(' ')[0]}"
    return kind if colon else family(constraint)


@lru_cache(maxsize=32_768)
def numbered_names(text: str) -> frozenset[tuple[str, str]]:
    """Return names told apart by a number (*Kolibri 7*), casefolded, with that number."""
    found = set()
    for match in _NUMBERED.finditer(normalise(text)):
        word = match[1].casefold()
        if plain(word) not in _NO_NAMES and word not in units() and word not in months():
            found.add((word, match[2]))
    return frozenset(found)


@lru_cache(maxsize=32_768)
def places(text: str) -> frozenset[str]:
    """Return the countries and regions that *text* names, by their English name."""
    found = {name for name, pattern in _capitals().items() if pattern.search(text)}
    words = {plain(token) for token in tokens(text)}
    single = _place_words()
    found.update(single[word] for word in words if word in single)
    folded = plain(normalise(text).casefold())
    found.update(name for phrase, name in _place_phrases() if phrase in folded)
    return frozenset(found)


@lru_cache(maxsize=4_096)
def places_of_value(value: str) -> frozenset[str]:
    """Return the places that one argument value names; `DE` alone is Germany."""
    written = value.strip().upper()
    coded = {name for name, codes in _tables()["codes"].items() if written in codes.split()}
    return frozenset(coded) or places(value) | places(value.replace("-", " ").upper())


def _other_identifier(wanted: str, offered: str) -> str | None:
    named = identifiers(wanted)
    if not named:
        return None
    there = identifiers(offered)
    if any(known in there for known in named):
        return None
    folded = re.sub(r"[\W_]", "", normalise(offered)).casefold()
    for known, written in named.items():
        if known in folded and len(known) >= 4:  # noqa: PLR2004 - shorter ones occur by chance
            return None
        for other, other_written in there.items():
            if family(other) == family(known) and (not known.isdigit() or len(other) == len(known)):
                return f"it is about {other_written}, not {written}"
    return None


def _other_number(wanted: str, offered: str) -> str | None:
    named, there = numbered_names(wanted), numbered_names(offered)
    for word, number in sorted(named - there):
        # Only a name counts; "below 14" and "below 5" are no two things.
        others = sorted(
            other for name, other in there if name == word and f"{word} {other}".title() in offered
        )
        if others and not any(name == word for name, _ in named & there):
            return f"it is about {word} {others[0]}, not {word} {number}"
    return None


def _other_place(
    wanted: str, offered: str, known_places: frozenset[str] | None = None
) -> str | None:
    named = places(wanted)
    if known_places is not None:
        named = frozenset(place for place in named if place in known_places)
    if not named:
        return None
    there = places(offered)
    if not there or "world" in there or "world" in named:
        return None
    if named & there or _reach(named) & there or _reach(there) & named:
        return None
    return f"it is about {', '.join(sorted(there))}, not {', '.join(sorted(named))}"


def _other_year(wanted: str, offered: str) -> str | None:
    named = years(wanted)
    if not named:
        return None
    there = years(offered)
    if not there or named & there or min(there) <= min(named) <= max(there):
        return None
    return f"it is about {', '.join(map(str, sorted(there)))}, not {min(named)}"


def _other_variant(wanted: str, offered: str) -> str | None:
    """*Premium plan* against *Basic plan*, *Komfort-Tarif* against *Basis-Tarif*."""
    folded = normalise(offered).casefold()
    # German writes every noun large, so only its compounds name a variant.
    german = "de" in (language_by_words(wanted), language_by_words(offered))
    for pattern in (_HYPHENED,) if german else (_VARIANT, _HYPHENED):
        for match in pattern.finditer(wanted):
            name, head = match[1].casefold(), match[2].casefold()
            if name in folded or head not in folded or places(match[1]):
                continue
            rivals = {
                other[1]
                for other in pattern.finditer(f" {offered}")
                if other[2].casefold() == head and other[1].casefold() != name
            }
            if rivals:
                return f"it is about {min(rivals)} {match[2]}, not {match[0]}"
    return None


def _reach(named: Iterable[str]) -> frozenset[str]:
    """Return the regions that hold a named country, and the countries of a named region."""
    regions: Mapping[str, str] = _tables()["regions"]
    found: set[str] = set()
    for name in named:
        found.update(regions.get(name, "").split())
        found.update(region for region, held in regions.items() if name in held.split())
    return frozenset(found)


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("places.toml").read_text("utf-8"))


@cache
def _capitals() -> Mapping[str, re.Pattern[str]]:
    return {
        name: re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, forms.split())) + r")(?![\w])")
        for name, forms in _tables()["capitals"].items()
    }


@cache
def _place_words() -> Mapping[str, str]:
    return {form: name for form, name in _forms() if form.isalpha()}


@cache
def _place_phrases() -> tuple[tuple[str, str], ...]:
    """What is no single token: several words, or a script without spaces."""
    return tuple(
        (form, name) for form, name in _forms() if not form.isascii() or not form.isalpha()
    )


def _forms() -> Iterator[tuple[str, str]]:
    for section in ("countries", "region_names"):
        for name, listed in _tables()[section].items():
            for form in listed.split():
                yield form.replace("_", " "), name
