"""Writing a file so that it is there whole or not at all."""

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from ingest.errors import StoreError


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a text file, its folders included, so that no reader sees half of it.

    Args:
        path: The file.
        text: Its content, at once or in parts.

    Raises:
        StoreError: It cannot be written.
    """
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines([text] if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreError(
            str(path), f"cannot be written ({error.strerror or error})", "Choose another -o."
        ) from None
    finally:  # also when interrupted; once it has its name there is nothing to remove
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
