"""A bench whose reader goes away, as `head` does, ends as the product's commands do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.closed_pipe import CLOSED_PIPE

ROOT = Path(__file__).parents[2]
_MAIN = 'if __name__ == "__main__":\n'
COMMANDS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for path in (ROOT / "bench").rglob("*.py")
    if _MAIN in path.read_text("utf-8")
)
SCRIPT = """
from analysis.closed_pipe import ending
def main():
    {body}
ending(main)
"""


def ended(*words: str, unread: bool = True) -> tuple[int, str]:
    """Run Python, with a standard output that nobody reads; return its code and complaints."""
    gone, written = os.pipe()
    if unread:
        os.close(gone)
    result = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        stdout=written,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
    )
    os.close(written)
    if not unread:
        os.close(gone)
    return result.returncode, result.stderr


def test_there_are_benches() -> None:
    assert {"bench.attribution", "bench.judges", "bench.speed"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bench_says_nothing_of_a_closed_pipe(command: str) -> None:
    assert ended("-m", command, "--help") == (CLOSED_PIPE, "")


def test_a_bench_that_prints_what_it_measured_does_neither() -> None:
    assert ended("-m", "bench.injection") == (CLOSED_PIPE, "")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param("print('x' * 100_000)", CLOSED_PIPE, id="more than a buffer"),
        pytest.param("print('x')", CLOSED_PIPE, id="what is still buffered"),
        pytest.param("return 3", 3, id="nothing printed"),
        pytest.param("raise SystemExit(2)", 2, id="an end of its own"),
        pytest.param("pass", 0, id="no code"),
    ],
)
def test_the_end_of_a_script(body: str, code: int) -> None:
    assert ended("-c", SCRIPT.format(body=body)) == (code, "")


def test_a_pipe_that_is_read_changes_nothing() -> None:
    assert ended("-c", SCRIPT.format(body="print('x')"), unread=False) == (0, "")


def test_a_mistake_of_ours_keeps_its_traceback() -> None:
    code, told = ended("-c", SCRIPT.format(body="1 / 0"))
    assert code == 1
    assert "ZeroDivisionError" in told
