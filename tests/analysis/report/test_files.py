"""Files that are written whole, and what is no file."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from analysis.report.files import copy_whole, writable, write_whole
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


@pytest.mark.parametrize("there", [True, False])
def test_the_file_behind_a_link_is_written_and_the_link_stays(
    tmp_path: Path,
    there: bool,  # noqa: FBT001
) -> None:
    real, link = tmp_path / "elsewhere" / "real.csv", tmp_path / "link.csv"
    real.parent.mkdir()
    if there:
        real.write_text("old")
    link.symlink_to(real)
    writable(link)
    write_whole(link, "new")
    assert (link.is_symlink(), real.read_text()) == (True, "new")
    assert [path.name for path in real.parent.iterdir()] == ["real.csv"]


def test_another_name_of_standard_output_is_no_file(tmp_path: Path) -> None:
    stdout = Path("/dev/stdout")
    if not stdout.is_symlink():
        pytest.skip("there is no /dev/stdout")
    with (tmp_path / "out").open("w") as out:
        code = "from pathlib import Path; from analysis.report.files import write_whole; "
        code += "write_whole(Path('/dev/stdout'), 'told')"
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert stdout.is_symlink()
    assert (tmp_path / "out").read_text() == "told"


def test_a_folder_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        write_whole(tmp_path, "x")
    assert list(tmp_path.iterdir()) == []
