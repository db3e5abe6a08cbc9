"""What of a run was sent to whom: the memory of `export otlp`, a file for every receiver.

    runs/<run_id>/sent-<of the address>.sqlite

A request is written down before it is sent and closed when it was answered, each in one
transaction that survives a crash of the machine. A request that was never closed may have
arrived. The file holds ids, counts and the receiver's messages; no text of a trace, no secret.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ingest.errors import StoreError
from judge.locking import create_private

State: TypeAlias = Literal["open", "accepted", "refused"]
"""open       sent, without an answer so far
accepted   but for those that were rejected
refused    all of it was rejected
"""
_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE requests (
    number INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    rejected INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT ''
);
CREATE TABLE items (id BLOB PRIMARY KEY, request INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE receiver (url TEXT NOT NULL);
"""


class Known(NamedTuple):
    """Where an item stands, which is where its last request does."""

    state: State
    rejected: int
    """Items of the request that were rejected; which ones, a receiver does not say."""
    is_new: bool
    """It was sent since this record was opened."""


class SentRecord:
    """The open record of one run and one receiver. For use by one thread."""

    def __init__(self, folder: Path, url: str, *, writes: bool = True) -> None:
        """Open the record, making it when it is not there.

        Args:
            folder: Of the run.
            url: The receiver, without credentials.
            writes: Hold it alone and write; otherwise one that is not there is empty.

        Raises:
            StoreError: It cannot be opened, or another export holds it.
        """
        self.path = folder / f"sent-{sha256(url.encode()).hexdigest()[:12]}.sqlite"
        if writes:
            create_private(self.path)
        with self._told():
            name = f"{self.path.absolute().as_uri()}?mode=rw" if self.path.exists() else ":memory:"
            self._db = sqlite3.connect(name, timeout=1.0, isolation_level=None, uri=True)
        try:
            with self._told():
                self._set_up(url, alone=writes)
            ((last,),) = self._rows("SELECT coalesce(max(number), 0) FROM requests")
        except BaseException:
            self.close()
            raise
        self._last_before: int = last
        self._replaced: list[tuple[bytes, int]] = []
        """Where the items of the last request stood before it."""

    def known(self, item_id: str) -> Known | None:
        """Return where an item stands, None for one that was never sent."""
        rows = self._rows(
            "SELECT state, rejected, number FROM items JOIN requests ON number = request "
            "WHERE id = ?",
            (_short(item_id),),
        )
        for state, rejected, number in rows:
            return Known(state, rejected, number > self._last_before)
        return None

    def rejected(self) -> Counter[str]:
        """Return how many items were rejected, by reason, and not sent again since."""
        return Counter(
            dict(
                self._rows(
                    "SELECT reason, sum(min(rejected, left_in)) FROM requests JOIN (SELECT "
                    "request, count(*) AS left_in FROM items GROUP BY request) ON request = number "
                    "WHERE rejected > 0 GROUP BY reason ORDER BY min(number)"
                )
            )
        )

    def begin(self, item_ids: Sequence[str]) -> int:
        """Write a request down that is about to be sent; return its number."""
        ids = [_short(one) for one in item_ids]
        with self._transaction() as db:
            number = int(db.execute("INSERT INTO requests (state) VALUES ('open')").lastrowid or 0)
            found = (db.execute("SELECT * FROM items WHERE id = ?", (one,)) for one in ids)
            self._replaced = [row for rows in found for row in rows]
            db.executemany(
                "INSERT OR REPLACE INTO items VALUES (?, ?)", [(one, number) for one in ids]
            )
        return number

    def close_request(self, number: int, state: State, rejected: int, reason: str) -> None:
        """Write down what became of a request."""
        with self._transaction() as db:
            db.execute(
                "UPDATE requests SET state = ?, rejected = ?, reason = ? WHERE number = ?",
                (state, rejected, reason, number),
            )

    def take_back(self, number: int, item_ids: Sequence[str]) -> None:
        """Have the request that was begun last never been sent, since it surely did not arrive."""
        with self._transaction() as db:
            db.executemany("DELETE FROM items WHERE id = ?", [(_short(one),) for one in item_ids])
            db.executemany("INSERT INTO items VALUES (?, ?)", self._replaced)
            db.execute("DELETE FROM requests WHERE number = ?", (number,))

    def close(self) -> None:
        """Let others have it."""
        self._db.close()

    def _set_up(self, url: str, *, alone: bool) -> None:
        db = self._db
        if alone:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN EXCLUSIVE" if alone else "BEGIN")
        ((version,),) = db.execute("PRAGMA user_version").fetchall()
        if version == 0:
            for statement in _SCHEMA.split(";"):
                db.execute(statement)
            db.execute("INSERT INTO receiver VALUES (?)", (url,))
            db.execute(f"PRAGMA user_version = {_VERSION}")
        elif version != _VERSION:
            db.execute("ROLLBACK")
            raise StoreError(
                str(self.path),
                "was written by a newer version",
                "Use that version, or a newer one.",
            )
        db.execute("COMMIT")

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._told():
            return self._db.execute(statement, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_BUSY:
                problem, remedy = "another export to this receiver runs", "Wait until it has ended."
            elif code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                problem = "is damaged"
                remedy = "Delete it: everything is sent again then, under the same ids."
            else:
                problem, remedy = f"cannot be used ({error})", "Check the disk and the permissions."
            raise StoreError(str(self.path), problem, remedy) from None


def _short(item_id: str) -> bytes:
    """Return what an id is kept as: there may be millions."""
    return sha256(item_id.encode()).digest()[:16]
