"""Inputs that ask for too much are stopped in time, in bounded memory, with a reason."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.robustness.bombs import ANSWERS, BOMBS, cost_of, trouble_with

CHOSEN = (
    "zstd",
    "zstd, a window of 2 GiB",
    "gzip",
    "zstd in a frame",
    "parquet, one text in every row",
    "a line",
    "protobuf, a length",
    "a length of a frame",
    "deep objects",
    "deep values",
    "attributes",
    "keys",
    "answer of '[^1]: x\\n'",
    "answer of '- [1]\\n'",
)
"""One of each kind; all of them, and larger ones, are measured by the long form."""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured through /proc")
@pytest.mark.parametrize("name", CHOSEN)
def test_a_bomb(name: str, tmp_path: Path) -> None:
    bomb = {**BOMBS, **ANSWERS}[name]
    bomb.write(tmp_path / "input", bomb.short)
    assert trouble_with(bomb, cost_of(tmp_path / "input")) == []


def test_what_does_not_end_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(b"x")
    with pytest.raises(subprocess.TimeoutExpired):
        cost_of(tmp_path / "input", timeout=0)
