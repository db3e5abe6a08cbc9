"""What killed runs left half written."""

import os
import time
from pathlib import Path

import pytest

from analysis.tables.leftovers import ABANDONED_S, hold_runs, remove_leftovers
from tests.analysis.runs import write_run


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    (folder / ".r-1.0123456789ab.part" / "deep").mkdir(parents=True)
    (folder / "r-0").mkdir()
    return folder


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_nobody_writes(runs: Path) -> None:
    hold_runs(runs).close()
    assert names(runs) == {"r-0"}


def test_another_run_is_being_written(runs: Path) -> None:
    other = hold_runs(runs)
    (runs / ".r-2.0123456789ab.part").mkdir()
    hold_runs(runs).close()
    assert names(runs) == {"r-0", ".r-2.0123456789ab.part"}
    other.close()
    hold_runs(runs).close()
    assert names(runs) == {"r-0"}


def test_a_link_is_not_followed(runs: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    (runs / ".r-3.part").symlink_to(outside)
    remove_leftovers(runs)
    assert (outside / "kept").exists()


@pytest.mark.parametrize(("age_s", "stays"), [(0, True), (ABANDONED_S + 60, False)])
def test_half_a_report(runs: Path, age_s: float, *, stays: bool) -> None:
    part = runs / "r-0" / ".report.html.0123456789ab.part"
    part.touch()
    then = time.time() - age_s
    os.utime(part, (then, then))
    remove_leftovers(runs)
    assert part.exists() is stays


def test_a_run_is_written_with_the_lock_beside_it(tmp_path: Path) -> None:
    write_run(tmp_path / "store")
    assert names(tmp_path / "store") == {"runs", "runs.lock"}
