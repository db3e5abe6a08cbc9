"""Typed looks into TOML tables, with errors that name the place and the way out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from analysis.suggesting import did_you_mean
from ingest.errors import UsageError

_SHOWN_NAMES = 12
_SHOWN_CHARACTERS = 60


class Table:
    """One table of the file, and where it stands in it."""

    def __init__(self, file: str, name: str, values: Mapping[str, Any]) -> None:
        """Wrap *values*; *name* is the dotted name of the table, empty for the whole file."""
        self.file = file
        self.name = name
        self.values = values

    def place(self, key: str) -> str:
        """Return the place of a key, as errors name it."""
        return f"{self.file}: {self.name}.{key}" if self.name else f"{self.file}: {key}"

    def fail(self, key: str, problem: str, remedy: str = "") -> NoReturn:
        """Say what is wrong with a key."""
        raise UsageError(self.place(key), problem, remedy)

    def keys(self, known: Iterable[str], *, what: str = "key") -> Iterator[str]:
        """Yield the keys of the table in the order of the file.

        Raises:
            UsageError: One of them is not known; the nearest known one is named.
        """
        names = list(known)
        for key in self.values:
            if key not in names:
                self.fail(shown(key), f"is no known {what}", suggestion(key, names))
            yield key

    def table(self, key: str) -> "Table":
        """Return a table inside this one; an empty one where there is none."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            self.fail(key, f"is {type_of(value)}, not a table", f"Write it as [{key}].")
        name = f"{self.name}.{key}" if self.name else key
        return Table(self.file, name, value)

    def tables(self, key: str) -> list["Table"]:
        """Return the tables under a key that may be one table or several of its name."""
        value = self.values[key]
        if isinstance(value, dict):
            return [self.table(key)]
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            name = f"{self.name}.{key}"
            self.fail(key, f"is {type_of(value)}, not a table", f"Write [{name}] or [[{name}]].")
        name = f"{self.name}.{key}" if self.name else key
        numbered = enumerate(value, start=1)
        return [Table(self.file, f"{name}[{number}]", item) for number, item in numbered]

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a text, or a list of them; empty where there is none."""
        value = self.values.get(key, [])
        listed = value if isinstance(value, list) else [value]
        wrong = [item for item in listed if not isinstance(item, str)]
        if wrong or (key in self.values and not listed):
            found = type_of(wrong[0]) if wrong else "empty"
            self.fail(key, f"is {found}, not a text or a list of texts", 'Write "…" or ["…", "…"].')
        return tuple(listed)


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return which name was meant, or the known ones, as a sentence."""
    names = sorted(known)
    if near := did_you_mean(name, names, most=1):
        return near
    more = ", …" if len(names) > _SHOWN_NAMES else ""
    return f"Known are {', '.join(names[:_SHOWN_NAMES])}{more}." if names else ""


def shown(text: str) -> str:
    """Return a name as errors show it: one that is long or empty is cut or quoted."""
    if not text:
        return '""'
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


def type_of(value: object) -> str:
    """Return what a value is, in words."""
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"
