"""The verdict store: every reply a judge ever gave, by key. It is what was paid for.

    put_many ──one transaction──▶ verdicts.sqlite ──▶ get_many

A group that `put_many` has returned from survives a crash of the process or the machine
(write-ahead log, synchronous FULL). Rows are only ever added. Several runs may use one
store at once. A damaged store never stops a run and is never deleted: it is moved aside,
what is intact in it is saved into a new one, and `Ledger.salvages` says so.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from ingest.errors import StoreError
from judge.carving import PAGE_BYTES
from judge.ledger_schema import (
    COLUMNS,
    DECISIONS,
    Entry,
    insert,
    intact,
    migrate,
    reply_of,
    reply_row,
)
from judge.locking import StoreLock, create_private
from judge.question import Reply
from judge.salvaging import Salvage, interrupted, salvage

CHECKED_BYTES: Final = 256 << 20
"""A store up to this size is checked when it is opened; damage in a larger one is found
when it is read."""

_ALL = f"SELECT {', '.join(COLUMNS['replies'])} FROM replies"  # noqa: S608 - constants
_BY_KEY = f"{_ALL} WHERE key IN (SELECT value FROM json_each(?)) ORDER BY id"  # noqa: S608
_MALFORMED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PAUSE_S = 0.05
T = TypeVar("T")


class Ledger:
    """An open verdict store. For use by one thread."""

    def __init__(self, path: Path, *, wait_s: float = 60.0) -> None:
        """Open the store, making it when it is not there.

        Args:
            path: The file; its write-ahead log and lock stand beside it.
            wait_s: Seconds to wait for another run that is writing.

        Raises:
            StoreError: It cannot be opened, or a newer version has written it.
        """
        self._path = path
        self._wait_s = wait_s
        self._salvages: list[Salvage] = []
        self._db: sqlite3.Connection | None = None
        self._lock = StoreLock(path.with_name(f"{path.name}.lock"), wait_s)
        try:
            self._lock.share()
            self._open()
        except BaseException:
            self.close()
            raise

    @property
    def salvages(self) -> Sequence[Salvage]:
        """Damage that was found and repaired since the store was opened."""
        return tuple(self._salvages)

    def get_many(self, keys: Iterable[str]) -> dict[str, list[Reply]]:
        """Return the stored replies by key, oldest first; a key without one is absent.

        Replies that report a technical failure are on record and not among them.

        Raises:
            StoreError: The store cannot be read.
        """
        wanted = json.dumps(list(keys))

        def read(db: sqlite3.Connection) -> dict[str, list[Reply]]:
            found: dict[str, list[Reply]] = {}
            for row in db.execute(_BY_KEY, (wanted,)):
                if not intact(row):
                    raise _DamagedError("a stored reply has changed")
                reply = reply_of(row)
                if reply.error is None or reply.error in DECISIONS:
                    found.setdefault(row[0], []).append(reply)
            return found

        return self._guarded(read)

    def put_many(self, entries: Iterable[Entry]) -> None:
        """Add replies in one transaction; all or none of them are stored.

        Raises:
            StoreError: The store cannot be written.
        """
        created = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [reply_row(entry, created) for entry in entries]
        if rows:
            self.transact(lambda db: insert(db, "replies", rows))

    def transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do *work* in one transaction of the only writer; all of it is stored, or nothing.

        Args:
            work: Reads and adds rows. Done again where the store had to be repaired.

        Raises:
            StoreError: The store cannot be read or written.
        """

        def guarded(db: sqlite3.Connection) -> T:
            db.execute("BEGIN IMMEDIATE")
            try:
                result = work(db)
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
            return result

        return self._guarded(guarded)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def close(self) -> None:
        """Close the store; what was stored stays stored without it too."""
        if self._db is not None:
            self._db.close()
            self._db = None
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do *work*, again on the repaired store where this one is damaged."""
        for _ in range(2):
            if self._db is None:
                raise ValueError("the ledger is closed")
            try:
                return work(self._db)
            except _TROUBLE as error:
                if not _is_damage(error):
                    raise self._refusal(error) from None
                self._repair(str(error))
        raise StoreError(str(self._path), "is damaged again and again", "Check the disk.")

    def _open(self) -> None:
        if interrupted(self._path):
            self._repair("a repair was interrupted")
            return
        try:
            self._db = self._connect()
        except _TROUBLE as error:
            if not _is_damage(error):
                raise self._refusal(error) from None
            self._repair(str(error))

    def _connect(self) -> sqlite3.Connection:
        create_private(self._path)
        db = sqlite3.connect(self._path, timeout=self._wait_s, isolation_level=None)
        try:
            db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            if self._path.stat().st_size <= CHECKED_BYTES:
                _check(db, "quick_check")
            self._use_log(db)
            db.execute("PRAGMA synchronous = FULL")
            self._migrate(db)
        except BaseException:
            db.close()
            raise
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        if not migrate(db):
            raise StoreError(
                str(self._path),
                "was written by a newer version of stagefault",
                "Update stagefault, or name another store with --store.",
            )

    def _use_log(self, db: sqlite3.Connection) -> None:
        """Switch to the write-ahead log; here SQLite does not wait for others by itself."""
        deadline = time.monotonic() + self._wait_s
        while True:
            try:
                db.execute("PRAGMA journal_mode = WAL").fetchall()
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > deadline:
                    raise
            time.sleep(_PAUSE_S)

    def _repair(self, problem: str) -> None:
        """Replace the damaged store by a new one and open that."""
        if self._db is not None:
            self._db.close()
            self._db = None
        self._lock.claim()
        try:
            # While this run waited for the lock, another one may have done it.
            if interrupted(self._path) or not self._sound():
                self._salvages.append(salvage(self._path, problem))
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from None
        finally:
            self._lock.share()
        try:
            self._db = self._connect()
        except _TROUBLE as error:
            raise self._refusal(error) from None

    def _sound(self) -> bool:
        """Tell whether the store and every row in it are intact."""
        try:
            db = self._connect()
            try:
                _check(db, "integrity_check")
                return all(intact(row) for row in db.execute(_ALL))
            finally:
                db.close()
        except _TROUBLE as error:
            if not _is_damage(error):
                raise
            return False

    def _refusal(self, error: Exception) -> StoreError:
        return StoreError(
            str(self._path),
            f"cannot be used ({error})",
            "Check the disk and the permissions, or name another store with --store.",
        )


class _DamagedError(Exception):
    """The store's content is not what was written."""


_TROUBLE = (_DamagedError, UnicodeDecodeError, sqlite3.Error)


def _check(db: sqlite3.Connection, how: str) -> None:
    (verdict,) = db.execute(f"PRAGMA {how}(1)").fetchone()
    if verdict != "ok":
        raise _DamagedError(verdict)


def _is_damage(error: Exception) -> bool:
    # A broken name in the schema can make even SQLite's complaint no text.
    if isinstance(error, _DamagedError | UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    # Text that is no UTF-8 any more is noticed by Python and has no code of SQLite's.
    return "decode to UTF-8" in str(error) if code is None else code & 0xFF in _MALFORMED
