"""Entries of a verdict store for tests, and a look at its raw rows."""

import sqlite3
from pathlib import Path
from typing import Any

from judge.ledger_schema import Entry
from judge.question import JudgeIdentity, Reply

IDENTITY = JudgeIdentity(provider="local", model="lexical", params={"idf": "7"})


def key(number: int) -> str:
    """Return a key that looks like one."""
    return f"{number:064x}"


def entry(number: int, text: str = "{}", **fields: Any) -> Entry:
    """Build a reply on its way into the store."""
    return Entry(
        key=key(number),
        kind="relevance",
        judge=IDENTITY,
        prompt_version="relevance/1",
        reply=Reply(text=text, model="lexical-1", **fields),
    )


def stored_rows(path: Path, columns: str = "*") -> list[tuple[Any, ...]]:
    """Return what stands in the store, read past our own code."""
    db = sqlite3.connect(path)
    try:
        return db.execute(f"SELECT {columns} FROM replies ORDER BY id").fetchall()  # noqa: S608
    finally:
        db.close()
