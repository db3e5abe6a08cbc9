"""What the file says, once it is found and read."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from analysis.config.finding import PROJECT_FILE, bytes_of, toml_of
from analysis.config.limits import limits_of
from analysis.config.mapping import mapping_of
from analysis.config.tables import Table, type_of
from ingest.conventions.mapping import NO_MAPPING, HouseMapping
from ingest.errors import UsageError
from ingest.limits import DEFAULT_LIMITS, Limits

_TABLES: Final = ("profile", "limits", "mapping", "gates")
_TOP: Final = ("source", "store")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a file says; the same as no file where there is none."""

    path: Path | None = None
    sha256: str | None = None
    """Of the file."""
    tables: Mapping[str, Table] = field(default_factory=dict, repr=False)
    """`profile` and a table for each command: defaults of options, as yet unchecked."""
    store: str | None = None
    sources: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    mapping: HouseMapping = NO_MAPPING
    mapping_sha256: str | None = None
    """Of what `[mapping]` says, however it is written; None without one."""
    gates: Mapping[str, Any] = field(default_factory=dict)
    """As they stand in the file."""


def load_config(path: Path, commands: Iterable[str] = ()) -> Config:
    """Read a file.

    Args:
        path: The file; in a `pyproject.toml`, the table `[tool.stagefault]` is meant.
        commands: Names of tables that hold options of a command.

    Raises:
        UsageError: It cannot be read, is no TOML, or says what nobody knows.
    """
    data = bytes_of(path)
    values = toml_of(path, data)
    prefix = ""
    if path.name == PROJECT_FILE:
        tool = values.get("tool")
        own = tool.get("stagefault") if isinstance(tool, dict) else None
        if not isinstance(own, dict):
            raise UsageError(str(path), "has no table [tool.stagefault]", "Add one.")
        values, prefix = own, "tool.stagefault"
    table = Table(str(path), prefix, values)
    names = [*_TOP, *_TABLES, *commands]
    tables = {key: table.table(key) for key in table.keys(names) if key not in _TOP}
    mapping = tables.pop("mapping", None)
    limits = tables.pop("limits", None)
    gates = tables.pop("gates", None)
    store = table.texts("store")
    if len(store) > 1:
        table.fail("store", "names several folders", "Name one.")
    for gate, value in (gates.values if gates is not None else {}).items():
        if gates is not None and not isinstance(value, str | dict):
            gates.fail(gate, f"is {type_of(value)}, not a text or a table", 'Write "<= 0.02".')
    return Config(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        tables=tables,
        store=_beside(path, store[0]) if store else None,
        sources=tuple(_beside(path, source) for source in table.texts("source")),
        limits=DEFAULT_LIMITS if limits is None else limits_of(limits),
        mapping=NO_MAPPING if mapping is None else mapping_of(mapping),
        mapping_sha256=None if mapping is None else _digest(mapping.values),
        gates={} if gates is None else gates.values,
    )


def _beside(path: Path, name: str) -> str:
    """Return a path that is written relative to the file, as seen from where we are."""
    if name == "-" or "://" in name or Path(name).is_absolute():
        return name
    folder = path.parent
    return name if folder.resolve() == Path.cwd() else str(folder / name)


def _digest(values: Mapping[str, Any]) -> str:
    text = msgspec.json.encode(values, order="deterministic")
    return hashlib.sha256(text).hexdigest()
