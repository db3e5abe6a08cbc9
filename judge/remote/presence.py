"""Which runs on a store are alive, so that none takes over what another is still doing.

    verdicts.sqlite.run-3f9a…   held alone for as long as the run lives

A file that nobody holds is left by a run that was killed, or that left a batch to itself:
there is something of it to be taken over. For an instant that is also how a run looks that
is just coming in. So a run comes in, is taken over and is forgotten inside transactions of
the store's only writer, one after the other; what was seen outside of one is looked at
again.
"""

import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ingest.errors import StoreError
from judge.locking import StoreLock

NONCE_DIGITS: Final = 16

_NONCE = re.compile(rf"[0-9a-f]{{{NONCE_DIGITS}}}")


class Presence:
    """This run among the runs on a store."""

    def __init__(self, store: Path) -> None:
        """Come in, inside a transaction of the store.

        Raises:
            StoreError: A file beside the store cannot be made.
        """
        self._store = store
        self.nonce = secrets.token_hex(NONCE_DIGITS // 2)
        """Tells this run apart from all others, in every id that it gives out."""
        self._lock = StoreLock(self._file(self.nonce), wait_s=60)
        self._lock.claim()

    def alive(self, nonce: str) -> bool:
        """Tell whether a run is still there."""
        if nonce == self.nonce:
            return True
        path = self._file(nonce)
        try:
            # Not made: it would stand for a run that left between a look and this.
            lock = StoreLock(path, wait_s=0, make=False)
        except StoreError:
            return path.exists()
        try:
            lock.claim()
        except StoreError:
            return path.exists()
        finally:
            lock.close()
        return False

    def left_behind(self) -> Iterator[str]:
        """Yield the runs that seem gone and may have left something unfinished."""
        for path in sorted(self._store.parent.glob(f"{self._store.name}.run-*")):
            nonce = path.name.rpartition("-")[2]
            if _NONCE.fullmatch(nonce) and not self.alive(nonce):
                yield nonce

    def forget(self, nonce: str) -> None:
        """Remove the trace of a run that is gone and of which nothing is unfinished.

        Of another run than this: inside the transaction that found it so.
        """
        path = self._file(nonce)
        path.unlink(missing_ok=True)
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)

    def leave(self, *, finished: bool) -> None:
        """Go.

        Args:
            finished: Nothing of this run is open; else its trace stays for the next one.
        """
        self._lock.close()
        if finished:
            self.forget(self.nonce)

    def _file(self, nonce: str) -> Path:
        return self._store.with_name(f"{self._store.name}.run-{nonce}")
