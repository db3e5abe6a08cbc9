"""The repair of a damaged store: saved row by row, moved aside, never deleted.

    verdicts.sqlite              damaged ──rename──▶ verdicts.sqlite.damaged-1
       │ intact rows
       └──▶ .salvaging ──complete──▶ .salvaged-1 ──rename──▶ verdicts.sqlite

Killed at any point, the next start goes on from there: the new store has its name only
once it is complete, and the old one is moved only after that. Whoever calls this holds
the store's lock alone.
"""

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from judge.carving import PAGE_BYTES, carve
from judge.ledger_schema import insert_saved, migrate
from judge.locking import create_private


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvage:
    """A store that was found damaged, and what became of it."""

    problem: str
    """What was found, in SQLite's words."""
    moved_to: Path
    """The damaged file as it was."""
    rows: int
    """Intact replies that the new store took over."""


def interrupted(path: Path) -> Path | None:
    """Return the new store of a repair that was interrupted before it took its place."""
    return next(iter(sorted(path.parent.glob(f"{path.name}.salvaged-*"))), None)


def salvage(path: Path, problem: str) -> Salvage:
    """Save what is intact, move the damaged files aside, put the new store in place.

    Args:
        path: The damaged store, which no process has open.
        problem: Why it is taken for damaged.

    Raises:
        OSError: A file cannot be read, written or moved.
        sqlite3.Error: The new store cannot be written.
    """
    ready = interrupted(path)
    if ready is None:
        number = 1
        while path.with_name(f"{path.name}.damaged-{number}").exists():
            number += 1
        ready = _save_rows(path, path.with_name(f"{path.name}.salvaged-{number}"))
    aside = path.with_name(ready.name.replace(".salvaged-", ".damaged-"))
    # The log first: beside a new store, an old log would be taken for its own.
    for suffix in ("-wal", "-shm", ""):
        source = path.with_name(path.name + suffix)
        if source.exists():
            source.rename(aside.with_name(aside.name + suffix))
    db = sqlite3.connect(ready)
    (rows,) = db.execute("SELECT count(*) FROM replies").fetchone()
    db.close()
    ready.rename(path)
    _sync_folder(path.parent)
    return Salvage(problem=problem, moved_to=aside, rows=rows)


def _save_rows(path: Path, ready: Path) -> Path:
    unfinished = path.with_name(f"{path.name}.salvaging")
    unfinished.unlink(missing_ok=True)
    create_private(unfinished)
    db = sqlite3.connect(unfinished, isolation_level=None)
    try:
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        migrate(db)
        db.execute("BEGIN")
        for table, row_id, row in carve(path, path.with_name(f"{path.name}-wal")):
            insert_saved(db, table, row_id, row)
        db.execute("COMMIT")
    finally:
        db.close()
    unfinished.rename(ready)
    _sync_folder(path.parent)
    return ready


def _sync_folder(folder: Path) -> None:
    """Make renames in *folder* survive a crash of the machine, where a system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
