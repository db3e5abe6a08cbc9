"""Changing a small file of the store while nobody else does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from judge.locking import StoreLock

WAIT_S: Final = 30.0


@contextmanager
def changing_alone(path: Path) -> Iterator[None]:
    """Keep other processes from changing a file: read it, change it, write it inside.

    Raises:
        StoreError: The lock beside it cannot be made, or others hold it for too long.
    """
    lock = StoreLock(path.with_name(f"{path.name}.lock"), WAIT_S)
    try:
        lock.claim()
        yield
    finally:
        lock.close()
