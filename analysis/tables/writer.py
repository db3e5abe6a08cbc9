"""Writes a run: all tables as they come, then `run.json`, then one rename.

Everything goes into a hidden folder beside the final one, which takes its name in one
step when it is complete and on disk. A crash at any moment leaves either the whole run
or a hidden folder that no reader looks at. Memory is bounded: rows are written in row
groups. The same rows in the same order give the same bytes.
"""

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.attribution.kinds import Attribution
from analysis.judged import JudgedTurn
from analysis.tables.cells import storable
from analysis.tables.conversation_rows import MeasuredTurns, conversation_rows
from analysis.tables.leftovers import hold_runs
from analysis.tables.run_info import RUN_FILE, RunInfo, run_info_text
from analysis.tables.schemas import SCHEMAS, TABLES, TableName
from analysis.tables.turn_rows import Row
from analysis.tables.verdict_rows import loss_rows
from ingest.errors import StoreError
from ingest.losses import Loss
from judge.locking import StoreLock
from judge.question import AnyVerdict

GROUP_ROWS: Final = 20_000
GROUP_CHARACTERS: Final = 8_000_000
"""A row group is written as soon as one of both is reached."""

_REMEDY = "Free space or choose another folder with --store, then run again."


class TableFile:
    """One table being written, in row groups."""

    def __init__(self, folder: Path, name: TableName) -> None:
        self._schema = SCHEMAS[name]
        self._rows: list[Row] = []
        self._characters = 0
        self._file: IO[bytes] = (folder / f"{name}.parquet").open("xb")
        self._writer = pq.ParquetWriter(self._file, self._schema, compression="zstd")

    def add(self, rows: Iterable[Row]) -> None:
        """Append rows, writing a row group when enough have come together."""
        for row in rows:
            self._rows.append(row)
            self._characters += sum(len(value) for value in row.values() if isinstance(value, str))
            if len(self._rows) >= GROUP_ROWS or self._characters >= GROUP_CHARACTERS:
                self._write_group()

    def close(self) -> None:
        """Write what is left and bring it to disk."""
        if self._rows:
            self._write_group()
        self._writer.close()
        _sync(self._file)
        self._file.close()

    def discard(self) -> None:
        """Close the file without finishing the table."""
        self._writer.is_open = False  # else its destructor writes the footer
        with suppress(OSError):  # the disk is full already
            self._file.close()

    def _write_group(self) -> None:
        try:
            table = pa.Table.from_pylist(self._rows, schema=self._schema)
        except UnicodeEncodeError:
            clean = [storable(row) for row in self._rows]
            table = pa.Table.from_pylist(clean, schema=self._schema)
        self._writer.write_table(table)
        self._rows.clear()
        self._characters = 0


class RunWriter:
    """Writes one run; as a context manager it leaves nothing behind unless closed."""

    def __init__(self, folder: Path) -> None:
        """Start a run.

        Args:
            folder: Where the run will stand, `runs/<run_id>`; must not exist yet.

        Raises:
            StoreError: It exists, or nothing can be written beside it.
        """
        self._folder = folder
        self._open = True
        if folder.exists():
            raise StoreError(str(folder), "exists already", "Choose another run id.")
        self._files: dict[TableName, TableFile] = {}
        self._part = folder.parent / f".{folder.name[:100]}.{secrets.token_hex(6)}.part"
        self._lock: StoreLock | None = None
        try:
            with self._reported():
                folder.parent.mkdir(parents=True, exist_ok=True)
                self._lock = hold_runs(folder.parent)
                self._part.mkdir()
                for name in TABLES:
                    self._files[name] = TableFile(self._part, name)
        except BaseException:  # Ctrl-C too: nobody else knows of the folder yet
            self.discard()
            raise

    def add(self, rows: Mapping[TableName, Iterable[Row]]) -> None:
        """Append rows to any tables, in the order given.

        Raises:
            StoreError: They could not be written; the run is discarded.
        """
        with self._reported():
            for name, more in rows.items():
                self._files[name].add(more)

    def add_conversation(
        self,
        turns: Sequence[JudgedTurn],
        attributions: Sequence[Attribution],
        verdicts: Iterable[AnyVerdict],
        measured: MeasuredTurns,
    ) -> None:
        """Append all rows of one conversation; see `conversation_rows`."""
        self.add(conversation_rows(turns, attributions, verdicts, measured))

    def add_losses(self, losses: Iterable[Loss]) -> None:
        """Append the losses of reading; the iterator may be longer than memory."""
        self.add({"losses": loss_rows(losses)})

    def close(self, run_json: RunInfo) -> Path:
        """Finish the tables, write `run.json`, and give the folder its name.

        Returns:
            The folder of the run.

        Raises:
            StoreError: It could not be written; nothing of the run is left.
        """
        with self._reported():
            for file in self._files.values():
                file.close()
            with (self._part / RUN_FILE).open("x", encoding="utf-8") as run_file:
                run_file.write(run_info_text(run_json))
                _sync(run_file)
            _sync_folder(self._part)
            self._part.rename(self._folder)
            _sync_folder(self._folder.parent)
        self._open = False
        self._release()
        return self._folder

    def discard(self) -> None:
        """Remove everything written so far; nothing happens after `close`."""
        if not self._open:
            return
        self._open = False
        for file in self._files.values():
            file.discard()
        shutil.rmtree(self._part, ignore_errors=True)
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.discard()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.discard()
            raise StoreError(
                str(self._folder), f"cannot be written ({error.strerror or error})", _REMEDY
            ) from error


def _sync(file: IO[bytes] | IO[str]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
