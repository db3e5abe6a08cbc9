"""Limits as users write them: `record_bytes = "128 MiB"`, `--max depth=100`."""

import re
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Final

from analysis.config.tables import Table, suggestion, type_of
from analysis.report.numbers import counted
from ingest.errors import UsageError
from ingest.limits import DEFAULT_LIMITS, Limits

NAMES: Final = tuple(field.name for field in fields(Limits))

_UNITS: Final = {
    "": 1,
    "b": 1,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
}
_NUMBER = re.compile(r"([0-9_]{1,20}) ?([A-Za-z]{0,3})")
_MOST: Final = 2**63 - 1
_REMEDY: Final = "Write a whole number above 0, of bytes also with a unit: 64 MiB."


def limits_of(table: Table) -> Limits:
    """Return the limits that a table `[limits]` sets.

    Raises:
        UsageError: A name is unknown, or a value is no limit.
    """
    found: dict[str, int] = {}
    for name in table.keys(NAMES, what="limit"):
        value = table.values[name]
        if isinstance(value, bool) or not isinstance(value, int | str):
            table.fail(name, f"is {type_of(value)}, not a number or a text", _REMEDY)
        number = _number(name, str(value))
        if number is None:
            table.fail(name, f"{value!r} is no limit", _REMEDY)
        found[name] = number
    return replace(DEFAULT_LIMITS, **found)


def limits_with(base: Limits, pairs: Iterable[str]) -> Limits:
    """Return *base* with what `--max NAME=VALUE` changes.

    Raises:
        UsageError: A pair has no value, an unknown name, or a value that is no limit.
    """
    found: dict[str, int] = {}
    for pair in pairs:
        name, equals, text = (part.strip() for part in pair.partition("="))
        if not equals:
            raise UsageError("--max", f"{pair!r} has no value", "Write NAME=VALUE.")
        if name not in NAMES:
            raise UsageError("--max", f"{name!r} is no limit", suggestion(name, NAMES))
        number = _number(name, text)
        if number is None:
            raise UsageError("--max", f"{text!r} is no value of {name}", _REMEDY)
        found[name] = number
    return replace(base, **found)


def limit_text(name: str, value: int) -> str:
    """Return a limit as a user would write it."""
    if not name.endswith("bytes"):
        return f"{value:,}"
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        size = _UNITS[unit.lower()]
        if value >= size and value % size == 0:
            return f"{value // size:,} {unit}"
    return counted(value, "byte")


def _number(name: str, text: str) -> int | None:
    match = _NUMBER.fullmatch(text.strip())
    if match is None or not match[1].strip("_"):
        return None
    unit = _UNITS.get(match[2].lower()) if name.endswith("bytes") else None if match[2] else 1
    number = None if unit is None else int(match[1].replace("_", "")) * unit
    return number if number is not None and 0 < number <= _MOST else None
