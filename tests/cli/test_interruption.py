"""Ctrl-C, a polite kill and an impolite one: what is left behind, and how the command ends."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from analysis import load_run
from analysis.run_folders import run_folders
from tests.cli.conftest import Stagefault

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_traces"
PATIENCE_S = 300
"""For a machine that does much else."""
COMMANDS = [
    pytest.param([sys.executable, "-m", "analysis"], id="python -m analysis"),
    pytest.param([sys.executable, "-m", "analysis.cli"], id="python -m analysis.cli"),
    pytest.param(
        [sys.executable, "-c", "from analysis.cli import main; main()"], id="as the script"
    ),
]


def heeding() -> None:
    """Heed Ctrl-C, which a job in the background of a shell does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(command: list[str], store: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command, "replay", SAMPLES, "--store", store, "--progress", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=heeding,  # noqa: PLW1509 - no threads here
    )


def wait_for_parts(process: subprocess.Popen[str], store: Path) -> None:
    """Wait until the run is being written."""
    deadline = time.monotonic() + PATIENCE_S
    while not list(store.glob("runs/.*.part/turns.parquet")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", COMMANDS)
def test_while_starting(tmp_path: Path, command: list[str], number: signal.Signals) -> None:
    python, *words = command
    process = started([python, "-X", "importtime", *words], tmp_path / "store")
    assert process.stderr is not None
    for line in process.stderr:  # which tells what is imported, as it is
        if line.rstrip().endswith(" click.core"):
            break
    process.send_signal(number)
    stderr = process.stderr.read()
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert "interrupted" in stderr


def stored(store: Path) -> int:
    """Return how many replies stand in the store, as far as it can be read now."""
    with suppress(sqlite3.Error):
        db = sqlite3.connect(f"file:{store / 'verdicts.sqlite'}?mode=ro", uri=True)
        with closing(db):
            count: int = db.execute("SELECT count(*) FROM replies").fetchone()[0]
            return count
    return 0


def test_a_killed_run_of_the_local_judge_goes_on_where_it_was(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    process = started([sys.executable, "-m", "analysis"], store)
    deadline = time.monotonic() + PATIENCE_S
    while not stored(store):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    before = stored(store)
    stagefault("replay", SAMPLES, "-q")
    after = stored(store)
    asked = load_run("latest", store).info["questions"]["asked"]
    assert 0 < before < after
    assert asked == after - before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_a_run_is_written(tmp_path: Path, number: signal.Signals) -> None:
    store = tmp_path / "store"
    process = started([sys.executable, "-m", "analysis"], store)
    wait_for_parts(process, store)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert stderr.splitlines()[-1].startswith("interrupted: what was judged is stored")
    assert "Traceback" not in stderr
    assert list((store / "runs").iterdir()) == []


def test_what_a_kill_left_is_removed_by_the_next_run_and_not_while_another_writes(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    killed = started([sys.executable, "-m", "analysis"], store)
    wait_for_parts(killed, store)
    killed.send_signal(signal.SIGSTOP)
    alive = list((store / "runs").glob(".*.part"))
    stagefault("replay", SAMPLES / "people-desk-wed-fri.jsonl", "-q")
    assert list((store / "runs").glob(".*.part")) == alive
    killed.kill()
    killed.communicate(timeout=PATIENCE_S)
    assert list((store / "runs").glob(".*.part")) == alive
    stagefault("replay", SAMPLES / "people-desk-wed-fri.jsonl", "-q")
    assert list((store / "runs").glob(".*.part")) == []
    assert len(run_folders(store).finished) == 2
