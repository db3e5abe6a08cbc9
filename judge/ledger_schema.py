"""The tables of the verdict store, and what a row of them is.

Rows are only ever added. Each carries a digest of its own values, because SQLite has no
checksums: a flipped bit would change a verdict unnoticed. It also makes a row recognisable
in the ruins of a damaged file (`judge.carving`).

Migrations are appended, never edited: the store's `user_version` is the number of those
that it has seen.
"""

import hashlib
import json
import sqlite3
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from judge.answers import UnjudgedReason
from judge.question import JudgeIdentity, QuestionKind, Reply

Cell: TypeAlias = str | int | float | bytes | None
Row: TypeAlias = tuple[Cell, ...]
"""The values of a stored row in the order of its columns, without the leading id."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE replies (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            kind TEXT NOT NULL,
            judge TEXT NOT NULL,
            prompt_version TEXT NOT NULL,
            text TEXT NOT NULL,
            error TEXT,
            model TEXT NOT NULL,
            input_tokens INTEGER NOT NULL,
            output_tokens INTEGER NOT NULL,
            cost_usd REAL,
            created TEXT NOT NULL,
            digest BLOB NOT NULL
        )""",
        "CREATE INDEX replies_by_key ON replies (key)",
        # What a remote judge is about to pay for, written before it is sent. The latest
        # row of a custom_id tells its state: intent, sent, settled or maybe_paid.
        """CREATE TABLE attempts (
            id INTEGER PRIMARY KEY,
            custom_id TEXT NOT NULL,
            key TEXT NOT NULL,
            state TEXT NOT NULL,
            run_id TEXT NOT NULL,
            batch_id TEXT,
            detail TEXT NOT NULL,
            created TEXT NOT NULL,
            digest BLOB NOT NULL
        )""",
        "CREATE INDEX attempts_by_key ON attempts (key)",
        "CREATE INDEX attempts_by_custom_id ON attempts (custom_id)",
    ),
)

COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "replies": (
        *("key", "kind", "judge", "prompt_version", "text", "error", "model"),
        *("input_tokens", "output_tokens", "cost_usd", "created", "digest"),
    ),
    "attempts": (
        *("custom_id", "key", "state", "run_id", "batch_id", "detail", "created", "digest"),
    ),
}
"""Columns after the id, by table. Their numbers tell the tables apart."""
REAL_COLUMNS: Final[dict[str, frozenset[str]]] = {
    "replies": frozenset({"cost_usd"}),
    "attempts": frozenset(),
}
"""Columns in which SQLite writes 1.0 as the integer 1, and reads it as 1.0 again."""

DECISIONS: Final[frozenset[str]] = frozenset({"uncertain", "no_catalogue"})
"""Errors of a reply that a judge declares on reflection and would declare again."""

_DIGEST_BYTES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A reply on its way into the store."""

    key: str
    kind: QuestionKind
    judge: JudgeIdentity
    prompt_version: str
    reply: Reply


def reply_row(entry: Entry, created: str) -> Row:
    """Return the row of a reply.

    Args:
        entry: The reply. Lone surrogates, which no file can hold, become U+FFFD.
        created: Time in UTC, ISO 8601; not part of any key.
    """
    identity = entry.judge
    judge = json.dumps(
        [identity.provider, identity.model, dict(identity.params)],
        ensure_ascii=False,
        sort_keys=True,
    )
    reply = entry.reply
    values = (
        entry.key,
        entry.kind,
        judge,
        entry.prompt_version,
        reply.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        reply.error,
        reply.model,
        reply.input_tokens,
        reply.output_tokens,
        reply.cost_usd,
        created,
    )
    return (*values, digest(values))


def reply_of(row: Row) -> Reply:
    """Return the reply of an intact row of `replies`."""
    _, _, _, _, text, error, model, input_tokens, output_tokens, cost, _, _ = row
    return Reply(
        text=cast("str", text),
        model=cast("str", model),
        input_tokens=cast("int", input_tokens),
        output_tokens=cast("int", output_tokens),
        cost_usd=cast("float | None", cost),
        error=cast("UnjudgedReason | None", error),
    )


def digest(values: Row) -> bytes:
    """Return the digest of a row's other values."""
    # ascii() is the same in every version of Python, and ten times as fast as JSON.
    return hashlib.sha256(ascii(values).encode("ascii")).digest()[:_DIGEST_BYTES]


def intact(row: Row) -> bool:
    """Tell whether a row holds what was once written."""
    return row[-1] == digest(row[:-1])


def insert(db: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    """Add rows to a table of the store."""
    columns = COLUMNS[table]
    places = ", ".join("?" * len(columns))
    # Both parts are constants of this module.
    db.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)  # noqa: S608


def insert_saved(db: sqlite3.Connection, table: str, row_id: int, row: Row) -> None:
    """Add a row under the id that it had, unless that id is there already."""
    columns = ("id", *COLUMNS[table])
    places = ", ".join("?" * len(columns))
    statement = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608
    db.execute(statement, (row_id, *row))


def migrate(db: sqlite3.Connection) -> bool:
    """Bring a store to the newest schema, under the writer's lock.

    Returns:
        False when the store was written by a newer version, which is left untouched.
    """
    if _version(db) == len(MIGRATIONS):
        return True
    db.execute("BEGIN IMMEDIATE")
    version = _version(db)  # another process may have been faster
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            db.execute(statement)
    if version < len(MIGRATIONS):
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    db.execute("COMMIT")
    return version <= len(MIGRATIONS)


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version
