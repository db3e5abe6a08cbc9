"""A small file of the store that holds one JSON object a line: labels, shipped runs."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from analysis.report.files import write_whole
from ingest.errors import StoreError


def read_lines(path: Path) -> list[bytes]:
    """Return the lines of a file as they stand there; none where there is no file.

    Raises:
        StoreError: The file cannot be read.
    """
    try:
        return path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            str(path), f"cannot be read ({error.strerror})", "Check its permissions."
        ) from None


def write_lines(path: Path, objects: Iterable[msgspec.Struct]) -> None:
    """Write the file anew, whole or not at all.

    Raises:
        StoreError: It cannot be written.
    """
    write_whole(path, "".join(f"{msgspec.json.encode(one).decode()}\n" for one in objects))
