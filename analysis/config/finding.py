"""Where the file is, and the TOML in it."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ingest.errors import UsageError

CONFIG_FILE: Final = "stagefault.toml"
PROJECT_FILE: Final = "pyproject.toml"
_MOST_BYTES = 2**20


def find_config(folder: Path) -> Path | None:
    """Return the file that counts in *folder*: its own, else that of a folder above.

    In each folder `stagefault.toml` comes before a `pyproject.toml` that has a table
    `[tool.stagefault]`. A folder with `.git` in it is the last that is looked at.
    """
    for place in (folder, *folder.parents):
        own, project = place / CONFIG_FILE, place / PROJECT_FILE
        if own.is_file():
            return own
        if project.is_file() and "stagefault" in _tools(project):
            return project
        if (place / ".git").exists():
            break
    return None


def bytes_of(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        UsageError: It cannot be read, or is too large to be meant.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        remedy = f"Name a {CONFIG_FILE} with --config."
        raise UsageError(str(path), f"cannot be read ({error.strerror})", remedy) from None
    if len(data) > _MOST_BYTES:
        raise UsageError(str(path), "is larger than 1 MiB", "Name a configuration file.")
    return data


def toml_of(path: Path, data: bytes) -> dict[str, Any]:
    """Return the tables of a file.

    Raises:
        UsageError: It is no TOML.
    """
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise UsageError(str(path), "is not UTF-8", "Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(str(path), f"is no TOML: {error}") from None
    except RecursionError:
        raise UsageError(str(path), "is no TOML: it is nested too deeply") from None


def _tools(project: Path) -> Mapping[str, Any]:
    """Return the tables of tools in a project's file; none where it cannot be read."""
    try:
        tool = toml_of(project, bytes_of(project)).get("tool")
    except UsageError:
        return {}
    return tool if isinstance(tool, dict) else {}
