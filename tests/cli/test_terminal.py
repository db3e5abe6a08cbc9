"""Where a person sits, lines are as wide as the terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.cli.terminals import written_to

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "docs" / "mapping"


def longest_line(columns: int, **changed: str) -> int:
    """Run `doctor` on a terminal of so many columns; return the cells of its longest line."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    process = subprocess.Popen(
        [sys.executable, "-m", "analysis", "doctor", str(HOUSE), "--allow-losses"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**environment, "TERM": "dumb", **changed},
    )
    os.close(theirs)
    printed = b"".join(written_to(ours))
    assert process.wait() == 0
    return max(map(len, printed.decode().splitlines()))


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_terminal_has_its_width(unbuffered: str) -> None:
    narrow = longest_line(50, PYTHONUNBUFFERED=unbuffered)
    wide = longest_line(150, PYTHONUNBUFFERED=unbuffered)
    assert narrow <= 50 < wide <= 150


@pytest.mark.parametrize(("said", "most"), [("60", 60), ("0", 50), ("wide", 50)])
def test_columns_of_the_environment_win_where_they_are_a_number(said: str, most: int) -> None:
    assert most - 12 < longest_line(50, COLUMNS=said, PYTHONUNBUFFERED="") <= most
