"""The store's book of attempts: who is having which question answered, and how it ended.

    exchange ─┬─ what came back is settled, with its reply
              └─ what is wanted next is granted, known, or somebody else's

Both in one transaction of the store's only writer, so that two runs can never be granted
the same question, and a reply is never there without its attempt being settled.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from judge.ledger import Ledger
from judge.ledger_schema import COLUMNS, DECISIONS, Entry, insert, intact, reply_of, reply_row
from judge.question import Reply
from judge.remote.attempt import OPEN, PREFIX, Attempt, attempt_of, attempt_row
from judge.remote.presence import Presence

_ATTEMPTS: Final = ", ".join(COLUMNS["attempts"])
_REPLIES: Final = ", ".join(COLUMNS["replies"])
# All parts are constants; `id` grows, so the latest row of an id is the largest.
_LATEST = (
    f"SELECT {_ATTEMPTS} FROM attempts WHERE id IN "  # noqa: S608
    "(SELECT max(id) FROM attempts WHERE {where} GROUP BY custom_id)"
)
_BY_KEY = _LATEST.format(where="key IN (SELECT value FROM json_each(?))")
_BY_PREFIX = _LATEST.format(where="custom_id >= ? AND custom_id < ?")
_OPEN_BY_PREFIX = f"{_BY_PREFIX} AND state IN ('intent', 'sent')"
_KNOWN = f"SELECT {_REPLIES} FROM replies WHERE key IN (SELECT value FROM json_each(?)) ORDER BY id"  # noqa: S608


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """An attempt that ended, with the reply that is stored with it."""

    attempt: Attempt
    entry: Entry | None = None
    """None where nothing came that is worth keeping."""


@dataclass(slots=True, kw_only=True)
class Granted:
    """What became of the questions that were wanted."""

    free: list[str] = field(default_factory=list)
    """Keys that are ours to ask now, in order; their intents are stored."""
    known: dict[str, Reply] = field(default_factory=dict)
    """Replies that somebody else stored in the meantime."""
    busy: set[str] = field(default_factory=set)
    """Keys that another living run is having answered."""
    own: set[str] = field(default_factory=set)
    """Keys of an open batch of this run, whose results did not come."""
    orphaned: set[str] = field(default_factory=set)
    """Runs that made an attempt at one of the keys that nobody sees to any more."""


class Journal:
    """Attempts of one run, in the store that all runs share."""

    def __init__(self, ledger: Ledger, presence: Presence) -> None:
        self._ledger = ledger
        self._presence = presence

    def exchange(
        self,
        settled: Sequence[Settled],
        wanted: Mapping[str, Attempt],
        usable: Callable[[str, Reply], bool],
        others: Sequence[Attempt] = (),
    ) -> Granted:
        """Settle what came back and claim what is to be asked, in one transaction.

        Args:
            settled: Attempts with their new state, and replies.
            wanted: The intent that is stored for each key if it is free.
            usable: Tells whether a stored reply answers the question of a key.
            others: Further rows to be added, such as that of a batch.
        """

        def work(db: sqlite3.Connection) -> Granted:
            now = datetime.now(UTC)
            stamp = now.isoformat(timespec="seconds")
            entries = [reply_row(one.entry, stamp) for one in settled if one.entry is not None]
            insert(db, "replies", entries)
            insert(db, "attempts", [attempt_row(one.attempt, now) for one in settled])
            granted = self._granted(db, wanted, usable)
            new = [*(wanted[key] for key in granted.free), *others]
            insert(db, "attempts", [attempt_row(one, now) for one in new])
            return granted

        return self._ledger.transact(work)

    def add(self, attempts: Iterable[Attempt]) -> None:
        """Write down attempts in their new state."""
        self.exchange((), {}, lambda _, __: False, tuple(attempts))

    def open_of_run(self, run: str) -> list[Attempt]:
        """Return what a run made and is open: batches, and questions sent directly."""
        bounds = _bounds(f"{PREFIX}-{run}")
        return self._ledger.transact(lambda db: _open_of(db, bounds))

    def items(self, batch: Attempt) -> list[Attempt]:
        """Return the items of a batch, each in its latest state, in order."""
        bounds = _bounds(batch.custom_id)
        found = self._ledger.transact(lambda db: _latest(db, _BY_PREFIX, bounds))
        return sorted(found, key=lambda item: item.custom_id)

    def take_over(self, run: str) -> tuple[list[Attempt], list[Attempt]]:
        """Take over what a run that is gone has left.

        Returns:
            Open batches, which are now ours to see to; and attempts sent directly, of which
            nobody can know any more whether they were paid for: they are `maybe_paid` now.
        """
        mine = self._presence.nonce
        bounds = _bounds(f"{PREFIX}-{run}")

        def work(db: sqlite3.Connection) -> tuple[list[Attempt], list[Attempt]]:
            if self._presence.alive(run):
                return [], []
            left = _latest(db, _OPEN_BY_PREFIX, bounds)
            batches = [
                replace(one, run=mine)
                for one in left
                if one.in_batch and not one.key and not self._presence.alive(one.run)
            ]
            lost = [one.now("maybe_paid", run=mine) for one in left if not one.in_batch]
            rows = [*(one.now(one.state) for one in batches), *lost]
            insert(db, "attempts", [attempt_row(one) for one in rows])
            return batches, lost

        return self._ledger.transact(work)

    def tidy(self, run: str) -> None:
        """Forget a run that is gone once nothing of it is open."""
        bounds = _bounds(f"{PREFIX}-{run}")

        def work(db: sqlite3.Connection) -> None:
            if not self._presence.alive(run) and not _open_of(db, bounds):
                self._presence.forget(run)

        self._ledger.transact(work)

    def _granted(
        self,
        db: sqlite3.Connection,
        wanted: Mapping[str, Attempt],
        usable: Callable[[str, Reply], bool],
    ) -> Granted:
        granted = Granted()
        if not wanted:
            return granted
        keys = json.dumps(list(wanted))
        for row in db.execute(_KNOWN, (keys,)):
            reply = reply_of(row)
            decided = reply.error is None or reply.error in DECISIONS
            if intact(row) and decided and row[0] not in granted.known and usable(row[0], reply):
                granted.known[row[0]] = reply
        waiting: set[str] = set()
        for one in _latest(db, _BY_KEY, (keys,)):
            if one.state not in OPEN or one.key in granted.known:
                continue
            owner = self._owner(db, one)
            if owner is None:
                continue
            waiting.add(one.key)
            if owner == self._presence.nonce:
                granted.own.add(one.key)
            elif self._presence.alive(owner):
                granted.busy.add(one.key)
            else:
                granted.orphaned.add(one.maker)
        granted.free = [key for key in wanted if key not in granted.known and key not in waiting]
        return granted

    def _owner(self, db: sqlite3.Connection, one: Attempt) -> str | None:
        """Return the run that sees to an open attempt, None where nobody has to any more."""
        if not one.in_batch:
            return one.run
        group = one.group_id
        batches = _latest(db, _LATEST.format(where="custom_id = ?"), (group,))
        open_batches = [batch for batch in batches if batch.state in OPEN]
        return open_batches[0].run if open_batches else None


def _bounds(stem: str) -> tuple[str, str]:
    """Return what all ids that begin with a stem and a dash lie between."""
    return f"{stem}-", f"{stem}-~"


def _open_of(db: sqlite3.Connection, bounds: tuple[str, str]) -> list[Attempt]:
    found = _latest(db, _OPEN_BY_PREFIX, bounds)
    return [one for one in found if not (one.in_batch and one.key)]


def _latest(db: sqlite3.Connection, query: str, values: tuple[str, ...]) -> list[Attempt]:
    return [attempt_of(row) for row in db.execute(query, values) if intact(row)]
