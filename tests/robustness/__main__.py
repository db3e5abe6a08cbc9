r"""The long forms, run by name:

    python -m tests.robustness accidents [--seeds N] [--only WORD] [--jobs N]
    python -m tests.robustness bad-record [--seeds N] [--records N]
    python -m tests.robustness bombs [--only WORD]

Prints what failed and how much was tried; exits with 1 when anything failed.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

from tests.robustness.bombs import ANSWERS, BOMBS, measured, trouble_with
from tests.robustness.mutators import MUTATORS
from tests.robustness.suite import SEPARATED, Case, cases, one_bad_record, run

_BLOCK = 200


def main() -> int:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness", description=__doc__)
    parser.add_argument("what", choices=["accidents", "bad-record", "bombs"])
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--only", default="", help="documents or bombs with this in their name")
    parser.add_argument("--jobs", type=int, default=1)
    told = parser.parse_args()
    start = time.monotonic()
    tried = failed = 0
    found = {
        "accidents": lambda: _accidents(told.seeds, told.only, told.jobs),
        "bad-record": lambda: _bad_record(told.seeds, told.records),
        "bombs": lambda: _bombs(told.only),
    }[told.what]()
    for name, trouble in found:
        tried += 1
        failed += bool(trouble)
        if trouble:
            _say(f"{name}: {trouble}")
    _say(f"{tried} tried, {failed} failed, {time.monotonic() - start:.0f} s")
    return int(failed > 0)


def _accidents(seeds: int, only: str, jobs: int) -> Iterator[tuple[str, str | None]]:
    wanted = (case for case in cases(range(seeds)) if only in case.document)
    blocks = iter(lambda: list(islice(wanted, _BLOCK)), [])
    if jobs == 1:
        for block in blocks:
            yield from _block(block)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for done in pool.map(_block, blocks):
            yield from done


def _block(block: Iterable[Case]) -> list[tuple[str, str | None]]:
    with tempfile.TemporaryDirectory() as folder:
        return [(str(case), run(case, Path(folder))) for case in block]


def _bad_record(seeds: int, records: int) -> Iterator[tuple[str, str | None]]:
    with tempfile.TemporaryDirectory() as folder:
        for form in SEPARATED:
            for mutator in MUTATORS:
                for seed in range(seeds):
                    trouble = one_bad_record(form, mutator, seed, records, Path(folder))
                    yield f"{form} / {mutator} / {seed}", trouble


def _bombs(only: str) -> Iterator[tuple[str, str | None]]:
    chosen = {name: bomb for name, bomb in {**BOMBS, **ANSWERS}.items() if only in name}
    for name, bomb, cost in measured(chosen, short=False):
        _say(f"{name}: {cost.seconds:.1f} s, {cost.mib:.0f} MiB, {' '.join(cost.reasons)}")
        yield name, ", ".join(trouble_with(bomb, cost)) or None


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
