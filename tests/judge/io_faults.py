"""Fails the n-th write, sync, truncation or rename on the verdict store, once and from then on.

    python -m tests.judge.io_faults

A small library is compiled and put between the program and the system. A process that has
imported everything forks one child per fault; the child stores groups of replies, or opens
a damaged store, and says what it was told is stored. Whatever failed: the store is whole,
holds all of that, and nothing that was never put in. Needs a C compiler, on Linux.
"""

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypedDict

from judge.ledger import Ledger
from tests.judge.remote_runs import select
from tests.judge.stores import entry, key

ROOT = Path(__file__).parents[2]
GROUPS: Final = 5
IN_GROUP: Final = 8
CALLS: Final = {"write": 1, "sync": 2, "rename": 4, "truncate": 8}
ERRORS: Final = {"no space": errno.ENOSPC, "bad disk": errno.EIO, "half": 0}
Job: TypeAlias = Literal["store", "repair"]
"""Store groups in a new store, or open one that is damaged."""
CHILD = """
import ctypes, json, os, sys
from pathlib import Path
from ingest.errors import StoreError
from judge.ledger import Ledger
from tests.judge.stores import entry
library = ctypes.CDLL(sys.argv[1])

def child(job):
    library.fault_arm(job["call"], job["nth"], job["for_good"], job["error"])
    stored, failed = 0, ""
    try:
        with Ledger(Path(job["store"]), wait_s=0.2) as ledger:
            for number in range(0, job["groups"] * job["size"], job["size"]):
                ledger.put_many(entry(number + one) for one in range(job["size"]))
                stored = number + job["size"]
    except StoreError as error:
        failed = str(error)
    count = library.fault_count()
    library.fault_arm(0, 0, 0, 0)
    print(json.dumps({"stored": stored, "failed": failed, "count": count}), flush=True)

for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            child(json.loads(line))
            code = 0
        finally:
            os._exit(code)
    code = os.waitpid(pid, 0)[1]
    if code:
        print(json.dumps({"stored": 0, "failed": f"died with {code}", "count": -1}), flush=True)
"""


class Said(TypedDict):
    """What a child says when it is done."""

    stored: int
    """Replies that it was told are stored."""
    failed: str
    """The error that it ended with; empty for none."""
    count: int
    """Calls of the kind that may fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What fails."""

    job: Job
    call: str
    error: str
    for_good: bool
    nth: int

    def __str__(self) -> str:
        often = "from then on" if self.for_good else "once"
        return f"{self.job}: {self.call} {self.nth}, {self.error}, {often}"


def compiler() -> str | None:
    """Return a C compiler, None where there is none or where it would be of no use."""
    return shutil.which("cc") if sys.platform == "linux" else None


class Faults:
    """Forks one child per fault."""

    def __init__(self, folder: Path) -> None:
        """Compile the library into a folder, and start the process that is forked."""
        self._folder = folder
        library = folder / "io_faults.so"
        source = Path(__file__).with_name("io_faults.c")
        command = ["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
        subprocess.run(command, check=True)
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD, library],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)},
        )
        self._damaged = folder / "damaged.sqlite"
        with Ledger(self._damaged) as ledger:
            ledger.put_many(entry(number) for number in range(GROUPS * IN_GROUP))
        with self._damaged.open("r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 300)  # the schema; every reply is on later pages

    def close(self) -> None:
        """End the process."""
        self._process.communicate("")

    def problems(self, fault: Fault) -> tuple[bool, list[str]]:
        """Run into a fault; return whether it struck, and what was not as it should be."""
        store = self._folder / "v.sqlite"
        for path in self._folder.glob("v.sqlite*"):
            path.unlink()
        if fault.job == "repair":
            shutil.copy(self._damaged, store)
        said = self._said(fault, store)
        struck = said["count"] >= fault.nth
        found = list(self._found(fault, said, store))
        return struck, [f"{fault}: {problem}" for problem in found]

    def _found(self, fault: Fault, said: Said, store: Path) -> Iterator[str]:
        if said["failed"].startswith("died"):
            yield said["failed"]
        everything = GROUPS * IN_GROUP
        # A repair that failed has lost nothing: the damaged file, or the new one, is there.
        wanted = everything if fault.job == "repair" else said["stored"]
        with Ledger(store) as ledger:
            replies = ledger.get_many(key(number) for number in range(everything + 5))
            numbers = sorted(int(one, 16) for one in replies)
        if numbers[:wanted] != list(range(wanted)):
            yield f"{wanted} were stored, there are {len(numbers)}"
        if fault.job == "store" and len(numbers) not in (wanted, wanted + IN_GROUP):
            yield f"a part of a group is there: {len(numbers)} of {wanted}"
        if select(store, "PRAGMA integrity_check") != [("ok",)]:
            yield "the store is damaged"
        if fault.job == "store" and not said["failed"] and wanted != everything:
            yield "it ended early and said nothing"

    def _said(self, fault: Fault, store: Path) -> Said:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        job = {
            "store": str(store),
            "call": CALLS[fault.call],
            "nth": fault.nth,
            "for_good": int(fault.for_good),
            "error": ERRORS[fault.error],
            "groups": GROUPS if fault.job == "store" else 0,
            "size": IN_GROUP,
        }
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        said: Said = json.loads(self._process.stdout.readline())
        return said


def sweep(faults: Faults, step: int = 1) -> tuple[int, list[str]]:
    """Fail every call, or every so many-th; return how many struck and all problems."""
    struck_in_all, problems = 0, []
    jobs: tuple[Job, ...] = ("store", "repair")
    for job in jobs:
        for call in CALLS:
            for error in ERRORS if call == "write" else ("bad disk",):
                for for_good in (False, True):
                    nth, struck = 1, True
                    while struck:
                        fault = Fault(job=job, call=call, error=error, for_good=for_good, nth=nth)
                        struck, found = faults.problems(fault)
                        struck_in_all += struck
                        problems += found
                        nth += step
    return struck_in_all, problems


def main() -> int:
    """Fail every call there is, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        faults = Faults(Path(folder))
        struck, problems = sweep(faults)
        faults.close()
    print(f"{struck} faults, {len(problems)} problems", *problems[:20], sep="\n  ")  # noqa: T201
    return 1 if problems or not struck else 0


if __name__ == "__main__":
    sys.exit(main())
