"""A lock between processes that lasts as long as its holder lives, on every platform.

    StoreLock ─┬─ shared   a run uses the store
               └─ alone    a run moves the store's files, which nobody else has open

SQLite's own file locks do the work, on an empty database beside the store: they end with
the process that holds them, also when it is killed.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from ingest.errors import StoreError


class StoreLock:
    """The lock of one store: held shared, held alone, or not held."""

    def __init__(self, path: Path, wait_s: float, *, make: bool = True) -> None:
        """Open the lock without taking it.

        Args:
            path: A file of its own.
            wait_s: Seconds to wait for other processes.
            make: Make the file when it is not there.

        Raises:
            StoreError: The file cannot be made or opened.
        """
        if make:
            create_private(path)
        self._path = path
        name = f"{path.absolute().as_uri()}?mode=rw"
        try:
            self._db = sqlite3.connect(name, timeout=wait_s, isolation_level=None, uri=True)
        except sqlite3.Error as error:
            raise StoreError(str(path), f"cannot be opened ({error})") from None

    def share(self) -> None:
        """Hold it together with others, and with nobody who holds it alone.

        Raises:
            StoreError: Another process holds it alone for too long.
        """
        self._take("BEGIN", "SELECT count(*) FROM sqlite_master")

    def claim(self) -> None:
        """Hold it alone.

        Raises:
            StoreError: Others hold it for too long.
        """
        self._take("BEGIN EXCLUSIVE")

    def release(self) -> None:
        """Hold it no longer."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Release it for good."""
        self._db.close()

    def _take(self, *statements: str) -> None:
        self.release()
        try:
            for statement in statements:
                self._db.execute(statement).fetchall()
        except sqlite3.Error as error:
            self.release()
            raise StoreError(
                str(self._path), f"cannot be locked ({error})", _remedy(error)
            ) from None


def _remedy(error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
        return "It is damaged and holds no data: delete it while no run uses the store."
    return "Wait until the other runs on this store have ended, or name another store."


def create_private(path: Path) -> None:
    """Make an empty file that only its owner can read, unless there is one already.

    Raises:
        StoreError: It cannot be made.
    """
    try:
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(
            str(path), f"cannot be made ({error.strerror})", "Choose another folder with --store."
        ) from None
