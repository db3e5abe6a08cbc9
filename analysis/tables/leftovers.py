"""What killed runs left half written, removed as soon as nobody writes.

runs.lock        held shared by every run that is being written; it ends with its holder
runs/.*.part     a run that is being written, or the rest of one that was killed
runs/<id>/.*     a report likewise; no lock tells of it, so only an old one is removed
"""

import contextlib
import shutil
import time
from pathlib import Path
from typing import Final

from ingest.errors import StoreError
from judge.locking import StoreLock

WAIT_S: Final = 60.0
ABANDONED_S: Final = 3_600.0
"""Nothing takes an hour to write one report."""


def hold_runs(runs: Path) -> StoreLock:
    """Return the lock of a folder of runs, held shared; what was left there is gone.

    Nothing is removed while another run is being written.

    Raises:
        StoreError: The lock cannot be made.
    """
    path = runs.with_name(f"{runs.name}.lock")
    tidying = StoreLock(path, 0)
    try:
        with contextlib.suppress(StoreError):  # another run is being written: it may tidy later
            tidying.claim()
            remove_leftovers(runs)
    finally:
        tidying.close()
    lock = StoreLock(path, WAIT_S)
    try:
        lock.share()
    except BaseException:
        lock.close()
        raise
    return lock


def remove_leftovers(runs: Path) -> None:
    """Remove what was left half written; the caller holds the lock alone."""
    for part in runs.glob(".*.part"):
        if not part.is_symlink():
            shutil.rmtree(part, ignore_errors=True)
    old = time.time() - ABANDONED_S
    for part in runs.glob("*/.report.html.*.part"):
        with contextlib.suppress(OSError):
            if part.lstat().st_mtime < old:
                part.unlink()
