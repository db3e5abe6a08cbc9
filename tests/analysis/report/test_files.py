"""Files that are written whole, and what is no file."""

import os
import threading
from pathlib import Path

import pytest

from analysis.report.files import copy_whole, write_whole
from ingest.errors import StoreError


@pytest.mark.parametrize("how", ["text", "copy"])
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path, how: str) -> None:
    pipe, source = tmp_path / "pipe", tmp_path / "source"
    source.write_text("a table\n")
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    if how == "text":
        write_whole(pipe, "a table\n")
    else:
        copy_whole(source, pipe)
    reader.join(10)
    assert (read, pipe.is_fifo()) == (["a table\n"], True)


def test_the_device_that_is_full_is_named_and_stays(tmp_path: Path) -> None:
    full = tmp_path / "full"
    if not Path("/dev/full").is_char_device():
        pytest.skip("there is no /dev/full")
    full.symlink_to("/dev/full")
    with pytest.raises(StoreError, match=r"full: cannot be written \(No space left"):
        write_whole(full, "x")
    assert full.is_symlink()
    assert Path("/dev/full").is_char_device()


def test_a_folder_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        write_whole(tmp_path, "x")
    assert list(tmp_path.iterdir()) == []
