"""Writing a file so that it is there whole or not at all.

A device or a pipe is written to as it stands: no file takes its place. Behind a link it is the
file that the link leads to which is written anew, and the link stays.
"""

import contextlib
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from ingest.errors import StoreError


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a text file, its folders included, so that no reader sees half of it.

    Args:
        path: The file.
        text: Its content, at once or in parts.

    Raises:
        StoreError: It cannot be written.
    """
    with (
        _beside(path) as part,
        part.open("w", encoding="utf-8", errors="replace", newline="\n") as file,
    ):
        file.writelines([text] if isinstance(text, str) else text)
        _flush(file)


def copy_whole(source: Path, path: Path) -> None:
    """Copy a file as it is, the folders of the copy included, whole or not at all.

    Args:
        source: What is copied.
        path: The copy.

    Raises:
        StoreError: It cannot be read or written.
    """
    try:
        original = source.open("rb")
    except OSError as error:
        raise StoreError(
            str(source), f"cannot be read ({error.strerror or error})", "Check its permissions."
        ) from None
    with original, _beside(path) as part, part.open("wb") as file:
        shutil.copyfileobj(original, file)
        _flush(file)


def writable(path: Path) -> None:
    """Find out whether a file can be written, before there is anything to write.

    Args:
        path: The file; it and its folders need not exist, and are not made.

    Raises:
        StoreError: It cannot be written.
    """
    with _told(path):
        if _takes_no_file(path):
            return
        folder = next(one for one in path.resolve().parents if one.exists())
        with tempfile.TemporaryFile(dir=folder):
            pass


def _flush(file: IO[Any]) -> None:
    file.flush()
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # a pipe cannot be synced
        os.fsync(file.fileno())


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Give a name beside a file for what is to stand there once all of it is written."""
    with _told(path):
        if _takes_no_file(path):
            yield path
            return
        whole = path.resolve() if path.is_symlink() else path
        part = whole.with_name(f".{whole.name[:100]}.{secrets.token_hex(6)}.part")
        try:
            whole.parent.mkdir(parents=True, exist_ok=True)
            yield part
            part.replace(whole)
        finally:  # also when interrupted; once it has its name there is nothing to remove
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def _takes_no_file(path: Path) -> bool:
    """Tell whether a path is a device, a pipe, or another name of one (`/dev/stdout`)."""
    if not path.exists():
        return False
    return path.absolute().parts[1:2] in (("dev",), ("proc",)) or not path.is_file()


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = "a file stands where its folder should be" if _blocked(path) else error.strerror
        raise StoreError(
            str(path), f"cannot be written ({why or error})", "Choose another -o."
        ) from None


def _blocked(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return any(one.exists() and not one.is_dir() for one in path.absolute().parents)
    return False
