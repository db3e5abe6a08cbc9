"""A reader of the output that goes away is no failed gate, no traceback and no message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.cli.exit_codes import Exit

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "sample_traces" / "people-desk-mon-tue.jsonl.zst"


def ended(folder: Path, *words: str) -> tuple[int, str]:
    """Run a command whose standard output nobody reads; return its code and complaints."""
    gone, written = os.pipe()
    os.close(gone)
    try:
        result = subprocess.run(
            [sys.executable, "-m", "analysis", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=written,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(written)
    return result.returncode, result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("closed")
    replayed = ended(made, "replay", str(SOURCE), "-q")
    assert replayed == (Exit.CLOSED_PIPE, "")
    return made


@pytest.mark.parametrize(
    "words",
    [
        ["report"],
        ["report", "--json"],
        ["show", "--failed"],
        ["doctor", str(SOURCE)],
        ["export", "csv", "--table", "spans"],
        ["runs", "list"],
        ["check", "--gate", "failed<=100%"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_closed_pipe_has_a_code_of_its_own(folder: Path, words: list[str]) -> None:
    code, complaints = ended(folder, *words)
    assert code == Exit.CLOSED_PIPE
    assert "Traceback" not in complaints
    assert "BrokenPipe" not in complaints


@pytest.mark.parametrize("stream", [1, 2], ids=["stdout", "stderr"])
@pytest.mark.parametrize(
    "words", [["report"], ["doctor", str(SOURCE)], ["report", "--run", "none"]], ids=" ".join
)
def test_a_stream_that_was_closed_from_the_start_takes_nothing(
    folder: Path, words: list[str], stream: int
) -> None:
    command = [sys.executable, "-m", "analysis", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    shut = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {stream}>&-', "sh", *command],
        cwd=folder, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    whole = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert shut.returncode == whole.returncode
    assert (shut.stderr, shut.stdout)[stream - 1] == (whole.stderr, whole.stdout)[stream - 1]
