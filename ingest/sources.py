"""From what stands on the command line to files, each of them read once.

    folder, glob, file, -  ──expand──▶ InputFile ──open_input──▶ bytes, size, SHA-256

A file named by its path must be there and is meant; a file found in a folder may be
anything. Links are followed, but a file or folder that several names lead to counts
once. What is found beside files (pipes, sockets, devices) is never opened.
"""

import glob
import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from ingest.errors import SourceError

STDIN = "-"
STORE_FILE = "verdicts.sqlite"
"""Stands in every store of runs. What stands beside it was written by a replay, and is no trace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """One file to read."""

    path: str
    """As given, or found below a folder that was given; `-` for standard input."""
    explicit: bool
    """Named by its own path (or a glob), so it is meant to be a trace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFile:
    """A file met in a folder and left alone."""

    path: str
    reason: str
    """In a word: `not_a_trace_file`, `empty_file`, `not_a_regular_file`, `broken_link`, …"""
    hint: str = ""
    """What it is and what to export instead, where that is known; a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that was read, as `run.json` lists it."""

    path: str
    bytes: int
    """Size as stored, before any inflating."""
    sha256: str
    """Of the stored bytes."""
    format: str | None = None
    """What was recognised, None when nothing was."""
    container: str = "plain"
    """How the bytes are stored: `plain`, `gzip`, `zstd`, `framed`, `gzip+framed`, …"""
    passed_over: int = 0
    """Requests of metrics or profiles that stood among the records."""
    empty: int = 0
    """Requests, documents and groups of spans that are whole and hold no record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """The files behind the arguments, sorted by path, and what was passed over."""

    files: tuple[InputFile, ...]
    skipped: tuple[SkippedFile, ...]


def expand(paths: Iterable[str | os.PathLike[str]]) -> Expansion:
    """Return the files that *paths* stand for, in the same order whatever theirs was.

    Folders are searched recursively, without hidden files and without stores of runs. `*`, `?`,
    `[…]` and `**` are patterns where no file has that very name.

    Raises:
        SourceError: A path leads to nothing, or to what cannot be read as a file.
    """
    found = _Found()
    for path in paths:
        name = os.fspath(path)
        try:
            _add_argument(name, found)
        except OSError as error:
            problem = f"cannot be reached: {error.strerror}"
            raise SourceError(name, problem, "Check the path and its permissions.") from None
    return found.result()


class _Found:
    """Files by identity, so that a second name for one adds nothing."""

    def __init__(self) -> None:
        self.folders: set[tuple[int, int]] = set()
        self.skipped: dict[str, str] = {}
        self._files: dict[object, InputFile] = {}

    def add(self, path: str, status: os.stat_result | None, *, explicit: bool) -> None:
        identity = path if status is None else (status.st_dev, status.st_ino)
        known = self._files.get(identity)
        if known is not None:
            path = min(path, known.path)
            explicit = explicit or known.explicit
        self._files[identity] = InputFile(path=path, explicit=explicit)

    def result(self) -> Expansion:
        return Expansion(
            files=tuple(sorted(self._files.values(), key=lambda file: file.path)),
            skipped=tuple(
                SkippedFile(path=shown_path(p), reason=r) for p, r in sorted(self.skipped.items())
            ),
        )


def _add_argument(name: str, found: _Found) -> None:
    if name == STDIN:
        found.add(name, None, explicit=True)
    elif Path(name).exists():
        _add_named(name, found)
    elif glob.has_magic(name):
        matches = glob.glob(name, recursive=True)  # noqa: PTH207  # may be absolute
        if not matches:
            raise SourceError(name, "no file matches this pattern", "Check the folder.")
        for match in matches:
            _add_named(match, found)
    else:
        problem = "broken link" if Path(name).is_symlink() else "no such file or folder"
        raise SourceError(name, problem, "Check the path.")


def _add_named(path: str, found: _Found) -> None:
    status = Path(path).stat()
    if not os.access(path, os.R_OK):
        raise SourceError(path, "no permission to read it", "Check its permissions.")
    if stat.S_ISDIR(status.st_mode):
        _search_folder(Path(path), found)
    elif stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode):
        found.add(path, status, explicit=True)
    else:
        raise SourceError(path, "neither a file nor a folder", "Name a file of traces.")


def _search_folder(top: Path, found: _Found) -> None:
    folders = [top]
    while folders:
        folder = folders.pop()
        try:
            status = folder.stat()
            entries = sorted(folder.iterdir())
        except OSError:
            found.skipped[str(folder)] = "unreadable_folder"
            continue
        if (status.st_dev, status.st_ino) in found.folders:
            continue
        found.folders.add((status.st_dev, status.st_ino))
        if any(entry.name == STORE_FILE for entry in entries):
            found.skipped[str(folder)] = "store_of_runs"
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            try:
                status = entry.stat()
            except OSError:
                found.skipped[str(entry)] = "broken_link"
                continue
            if stat.S_ISDIR(status.st_mode):
                folders.append(entry)
            elif stat.S_ISREG(status.st_mode):
                found.add(str(entry), status, explicit=False)
            else:
                found.skipped[str(entry)] = "not_a_regular_file"


def shown_path(path: str) -> str:
    """Return *path* as text that every output can hold, whatever bytes name the file."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class HashingReader:
    """A file's bytes, counted and hashed as they pass."""

    def __init__(self, file: BinaryIO | FileIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.bytes_read = 0
        self.error: str | None = None
        """What the system said when reading failed; the bytes end there."""

    def read(self, size: int) -> bytes:
        """Return up to *size* bytes, none only at the end."""
        try:
            data = self._file.read(size) or b""
        except OSError as error:
            self.error = error.strerror or str(error)
            return b""
        self.bytes_read += len(data)
        self._digest.update(data)
        return data

    def drain(self) -> None:
        """Read on to the end, so that size and hash are the whole file's."""
        while self.read(2**20):
            pass

    @property
    def sha256(self) -> str:
        """SHA-256 of what was read so far, 64 lowercase hex digits."""
        return self._digest.hexdigest()


@contextmanager
def open_input(file: InputFile) -> Iterator[HashingReader]:
    """Open a file, or standard input, for one pass.

    Raises:
        OSError: The file cannot be opened, or is no longer a file.
    """
    if file.path == STDIN:
        yield HashingReader(sys.stdin.buffer)
        return
    # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb", buffering=0) as opened:
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise OSError(f"{file.path} is not a file any more")
        os.set_blocking(descriptor, True)
        yield HashingReader(opened)
