"""Sorted runs on disk: how traces that do not fit in memory are put together.

Records that have been collected are written sorted by trace id; at the end all runs are
merged. What is on disk has no name and is gone when the process is, however it ends.

Source: Knuth: The Art of Computer Programming, volume 3, section 5.4 (external sorting).
"""

import heapq
import struct
import tempfile
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import IO, TypeAlias

from ingest.errors import StoreError

Entry: TypeAlias = tuple[str, bytes]
"""A trace id and a block of its records."""

_HEADER = struct.Struct(">HQ")
_BUFFER_BYTES = 2**17
_MOST_RUNS = 64
"""Open at once; more are first merged into one."""


class Runs:
    """Entries in sorted runs, in files of *folder*."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._files: list[IO[bytes]] = []

    def __len__(self) -> int:
        return len(self._files)

    def add(self, entries: Iterable[Entry]) -> None:
        """Write *entries*, which come in order of trace id, as one run.

        Raises:
            StoreError: The disk is full, or the folder cannot be written.
        """
        if len(self._files) >= _MOST_RUNS:
            merged = self._write(self.merged())
            self.close()
            self._files.append(merged)
        self._files.append(self._write(entries))

    def merged(self) -> Iterator[Entry]:
        """Yield the entries of all runs in order of trace id, then of being added."""
        return heapq.merge(*map(_entries, self._files), key=itemgetter(0))

    def close(self) -> None:
        """Give the disk back."""
        for file in self._files:
            file.close()
        self._files.clear()

    def _write(self, entries: Iterable[Entry]) -> IO[bytes]:
        try:
            # closed by `close`
            file = tempfile.TemporaryFile(buffering=_BUFFER_BYTES, dir=self._folder)  # noqa: SIM115
            for trace_id, block in entries:
                name = trace_id.encode()
                file.write(_HEADER.pack(len(name), len(block)))
                file.write(name)
                file.write(block)
            file.flush()
        except OSError as error:
            place = str(self._folder or tempfile.gettempdir())
            remedy = "Free some space there, or name another folder with TMPDIR."
            raise StoreError(place, f"cannot be written: {error.strerror}", remedy) from None
        return file


def _entries(file: IO[bytes]) -> Iterator[Entry]:
    file.seek(0)
    while header := file.read(_HEADER.size):
        name_size, size = _HEADER.unpack(header)
        yield file.read(name_size).decode(), file.read(size)
