"""Which run was shipped last, and who signed it: `shipped.jsonl` in the store."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from analysis.alone import changing_alone
from analysis.store_lines import read_lines, write_lines
from ingest.errors import StoreError, UsageError

SHIPPED_FILE: Final = "shipped.jsonl"


class Shipped(msgspec.Struct, frozen=True, kw_only=True):
    """One run that was shipped."""

    run_id: str
    signed: str
    """Name and role."""
    at: str
    """ISO 8601 in UTC."""


def shipped_runs(store: Path) -> tuple[Shipped, ...]:
    """Return what was shipped, oldest first.

    Raises:
        StoreError: The file cannot be read.
    """
    path = store / SHIPPED_FILE
    try:
        return tuple(msgspec.json.decode(line, type=Shipped) for line in read_lines(path))
    except (msgspec.DecodeError, RecursionError) as error:
        raise StoreError(
            str(path), f"is damaged ({error})", "Correct it, or ship a run again without it."
        ) from None


def last_shipped(store: Path) -> Shipped:
    """Return what was shipped last.

    Raises:
        UsageError: Nothing was.
        StoreError: The file cannot be read.
    """
    found = shipped_runs(store)
    if not found:
        raise UsageError(
            str(store),
            "holds no shipped run",
            'Ship one: stagefault runs ship RUN --signed "name, role".',
        )
    return found[-1]


def ship(store: Path, run_id: str, signed: str, now: datetime | None = None) -> Shipped:
    """Note that a run was shipped.

    Raises:
        StoreError: The file cannot be read or written.
    """
    at = (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    one = Shipped(run_id=run_id, signed=signed, at=at)
    with changing_alone(store / SHIPPED_FILE):
        write_lines(store / SHIPPED_FILE, (*shipped_runs(store), one))
    return one
