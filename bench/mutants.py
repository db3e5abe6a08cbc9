"""Mutation testing of what decides about blame and numbers: every small change must fail a test.

    python -m bench.mutants [PATH…] [--where NAME]

Each mutant (see `bench.mutations`) of the rules, the metrics, the intervals and what they
read runs the tests of its folder until one fails. One that survives is either a missing
test, code that does nothing, or a change without effect: those are listed with a reason in
`bench/mutants.toml`. Exit code 1 when one survives that is not listed, or when a listed one
is killed or gone. No file is changed (`bench.mutant_runs`).
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from analysis.closed_pipe import ending

ROOT: Final = Path(__file__).parent.parent
TESTS: Final = {
    "analysis/attribution": ("tests/analysis/attribution",),
    "analysis/metrics": ("tests/analysis/metrics",),
    "analysis/intervals.py": ("tests/analysis/test_intervals.py",),
    "analysis/judged.py": ("tests/analysis/attribution", "tests/analysis/metrics"),
}
"""Tests that must notice, by the code that is changed."""
LISTED: Final = Path(__file__).with_suffix(".toml")


def main() -> None:
    """Print the mutants that no test notices."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", help="files or folders; default: all")
    parser.add_argument("--where", help="only in functions and classes whose name starts so")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads do not survive a fork
    from bench.mutant_runs import Mutant, run

    harmless = {
        Mutant(**{name: one[name] for name in Mutant._fields}): one["reason"]
        for one in tomllib.loads(LISTED.read_text("utf-8"))["mutant"]
    }
    survived: dict[Mutant, bool] = {}
    made = 0

    def tell(mutant: Mutant, line: int, alive: bool) -> None:  # noqa: FBT001
        nonlocal made
        made += 1
        survived[mutant] = survived.get(mutant, False) or alive
        if alive and mutant not in harmless:
            place = f"{mutant.path}:{line}: {mutant.where or 'module'}"
            print(f"{place}: {mutant.before} → {mutant.after}", flush=True)

    for tests, files in _work(arguments.paths or list(TESTS)):
        run(files, tests, tell, where=arguments.where or "")
    files_seen = {mutant.path for mutant in survived}
    idle = [
        mutant
        for mutant in harmless
        if mutant.path in files_seen and not arguments.where and not survived.get(mutant)
    ]
    for mutant in idle:
        print(f"{LISTED.name}: does not survive: {mutant}")
    missed = sum(alive and mutant not in harmless for mutant, alive in survived.items())
    print(f"{made} mutants, {missed} survived, {len(harmless)} listed, {len(idle)} of them idle")
    sys.exit(bool(missed or idle))


def _work(paths: list[str]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    for path in map(Path, paths):
        tests = next(tests for code, tests in TESTS.items() if str(path).startswith(code))
        files = sorted(path.glob("*.py")) if path.is_dir() else [path]
        yield tests, [str(file) for file in files]


if __name__ == "__main__":
    ending(main)
