"""Kills runs of the Anthropic judge, over and over, and compares store and bill.

    python -m tests.judge.kill_loop --kills 1000

A child process that has imported everything forks one process per run, so that a kill
hits a run and not an interpreter that starts. Killed at a random time, or before or after
the n-th call of what matters: a transaction, a message sent, a batch made, results fetched.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.judge.remote_runs import KEY, billed_tokens, kept_tokens, select, states
from tests.server import BatchScript, ScriptedServer, Step

ROOT = Path(__file__).parents[2]
QUESTIONS = 24
JOBS = 4
POINTS = ("transact", "send", "create_batch", "results")
ZYGOTE = """
import json, os, signal, sys, traceback
from judge.ledger import Ledger
from judge.remote.client import ApiClient
from tests.judge.remote_runs import run
import anthropic, genai_prices.data
from pathlib import Path

def say(*words):
    # one write: several processes share the pipe
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def kill_at(point):
    owner = Ledger if point["name"] == "transact" else ApiClient
    plain, calls = getattr(owner, point["name"]), [0]
    def killing(*args, **kwargs):
        calls[0] += 1
        here = calls[0] == point["nth"]
        if here and point["when"] == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = plain(*args, **kwargs)
        if here and point["when"] == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    setattr(owner, point["name"], killing)

def child(job):
    if job.get("point"):
        kill_at(job["point"])
    set_up = ApiClient.__init__
    def ready(self, *args, **kwargs):
        set_up(self, *args, **kwargs)
        say("ready", os.getpid())
    ApiClient.__init__ = ready
    ran = run(Path(job["store"]), texts=job["texts"], batch=job["batch"], jobs=job["jobs"])
    say("judged", ran.outcomes.count("judged"), ran.counts.asked)

for line in sys.stdin:
    job = json.loads(line)
    os.environ["ANTHROPIC_BASE_URL"] = job["url"]
    pids = []
    for number in range(job["runs"]):
        pid = os.fork()
        if pid == 0:
            sys.stdin.close()
            code = 1
            try:
                child(job)
                code = 0
            except BaseException as error:
                traceback.print_exc()
                say("failed", repr(error)[:1000])
            finally:
                os._exit(code)
        pids.append(pid)
    for pid in pids:
        say("ended", os.waitpid(pid, 0)[1])
"""


@dataclass(slots=True)
class Tally:
    """What the loop came to."""

    kills: int = 0
    rounds: int = 0
    double: int = 0
    """Payments for a prompt that had been paid for."""
    maybe_paid: int = 0
    """Attempts that the stores list as such."""
    problems: list[str] = field(default_factory=list)


class Zygote:
    """Forks runs, and kills them."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", ZYGOTE],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "ANTHROPIC_API_KEY": KEY, "PYTHONPATH": str(ROOT)},
        )

    def run(
        self, job: Mapping[str, Any], *, runs: int = 1, kill_after_s: float | None = None
    ) -> list[list[str]]:
        """Run one job in so many processes at once; return the words they and their ends said."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**job, "runs": runs}) + "\n")
        self._process.stdin.flush()
        said: list[list[str]] = []
        while sum(words[0] == "ended" for words in said) < runs:
            line = self._process.stdout.readline()
            assert line, "the child is gone"
            words = line.split()
            said.append(words)
            if words[0] == "ready" and kill_after_s is not None:
                time.sleep(kill_after_s)
                with suppress(ProcessLookupError):
                    os.kill(int(words[1]), signal.SIGKILL)
        return said

    def close(self) -> None:
        """End it."""
        self._process.communicate("")


@contextmanager
def server_for(*, batch: bool, source: random.Random) -> Iterator[ScriptedServer]:
    """Serve with a little delay, and now and then with an answer that gets lost."""
    create = [Step(reset=source.choice(["before", "after"]))] if source.random() < 0.3 else []
    script = BatchScript(polls=source.randrange(4), create=create if batch else ())
    with ScriptedServer(lambda *_: Step(delay_s=0.004), batches=script, caches=False) as server:
        yield server


def loop(
    kills: int,
    *,
    batch: bool,
    seed: int = 0,
    points: list[Mapping[str, Any]] | None = None,
    told: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Kill so many runs.

    Args:
        kills: How many in all.
        batch: In batches, else directly.
        seed: Of times and servers.
        points: Kill at each of these first, once.
        told: Told the tally after every round.
    """
    tally, source, zygote = Tally(), random.Random(seed), Zygote()
    todo = list(points or [])
    try:
        while tally.kills < kills or todo:
            with (
                tempfile.TemporaryDirectory() as folder,
                server_for(batch=batch, source=source) as server,
            ):
                _round(tally, Path(folder) / "v.sqlite", server, zygote, source, todo, batch=batch)
            tally.rounds += 1
            told(tally)
    finally:
        zygote.close()
    return tally


def _round(
    tally: Tally,
    store: Path,
    server: ScriptedServer,
    zygote: Zygote,
    source: random.Random,
    todo: list[Mapping[str, Any]],
    *,
    batch: bool,
) -> None:
    """Kill runs on one store until it has seen enough, let one finish, then compare."""
    texts = [f"text {number}" for number in range(QUESTIONS)]
    job = {"store": str(store), "texts": texts, "batch": batch, "jobs": JOBS, "url": server.url}
    in_round = 0
    for _ in range(8):
        if todo:
            said = zygote.run({**job, "point": todo.pop(0)})
        else:
            said = zygote.run(job, kill_after_s=source.uniform(0, 0.3))
        in_round += said[-1] == ["ended", "9"]
        tally.problems += _failures(said)
    tally.kills += in_round
    # One question more: a run that finds every answer stored looks after nothing.
    said = zygote.run({**job, "texts": [*texts, "one more"]})
    tally.problems += _failures(said)
    judged = next((words for words in said if words[0] == "judged"), None)
    if judged is None or int(judged[1]) != QUESTIONS + 1:
        tally.problems.append(f"verdicts were lost: {said}")
    double = len(server.bill.charges) - QUESTIONS - 1
    maybe = states(store).count("maybe_paid")
    tally.double += double
    tally.maybe_paid += maybe
    _compare(tally, store, server, double=double, maybe=maybe, kills=in_round, batch=batch)


def _compare(
    tally: Tally,
    store: Path,
    server: ScriptedServer,
    *,
    double: int,
    maybe: int,
    kills: int,
    batch: bool,
) -> None:
    paid, kept = billed_tokens(server), kept_tokens(store)
    allowed = 0 if batch else min(maybe, JOBS * kills)
    if double > allowed:
        tally.problems.append(f"{double} paid twice, {maybe} listed, {kills} kills")
    if double == 0 and paid != kept:
        tally.problems.append(f"paid {paid}, kept {kept}")
    if set(states(store)) - {"settled", "void", "maybe_paid"} and not _only_items_of_void(store):
        tally.problems.append(f"something is open: {states(store)}")
    if left := list(store.parent.glob("*.run-*")):
        tally.problems.append(f"traces of runs are left: {left}")
    if select(store, "PRAGMA integrity_check") != [("ok",)]:
        tally.problems.append("the store is damaged")


def _failures(said: list[list[str]]) -> list[str]:
    """Return what ended runs that nobody killed."""
    return [" ".join(words) for words in said if words[0] == "failed"]


def _only_items_of_void(store: Path) -> bool:
    """Tell whether all that is open are items of batches that were never made."""
    latest = (
        "SELECT custom_id, state, key FROM attempts "
        "WHERE id IN (SELECT max(id) FROM attempts GROUP BY custom_id)"
    )
    rows = select(store, latest)
    void = {custom_id for custom_id, state, key in rows if not key and state == "void"}
    left = [custom_id for custom_id, state, key in rows if key and state == "intent"]
    return all("-".join(one.split("-")[:3]) in void for one in left)


def named_points(nths: range) -> list[Mapping[str, Any]]:
    """Return every point to be killed at: before and after the n-th call of each kind."""
    return [
        {"name": name, "nth": nth, "when": when}
        for name in POINTS
        for nth in nths
        for when in ("before", "after")
    ]


def _tell(tally: Tally) -> None:
    if tally.rounds % 10 == 0:
        print(tally, file=sys.stderr, flush=True)  # noqa: T201 - what it is run for


def main() -> None:
    """Run the loop and say what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000, help="for each way of asking")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--how", choices=("batch", "direct"), help="only this way of asking")
    given = parser.parse_args()
    failed = False
    for batch in (True, False):
        if given.how not in (None, "batch" if batch else "direct"):
            continue
        points = named_points(range(1, 9))
        tally = loop(given.kills, batch=batch, seed=given.seed, points=points, told=_tell)
        how = "batch" if batch else "direct"
        print(  # noqa: T201 - what it is run for
            f"{how}: {tally.kills} kills in {tally.rounds} rounds, {tally.double} paid twice, "
            f"{tally.maybe_paid} listed as maybe_paid, {len(tally.problems)} problems",
            *tally.problems[:10],
            sep="\n  ",
            flush=True,
        )
        failed = failed or bool(tally.problems)
    sys.exit(failed)


if __name__ == "__main__":
    main()
