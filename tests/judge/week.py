"""A week of turns through the whole program, with the Anthropic judge against a server.

    python -m tests.judge.week --turns 1000 10000

Asked are as many questions as are distinct; a second run asks those that failed, a third
one none, nor does one with another parser; one with another version of a prompt asks its
own questions only. For each size it says how much memory a run takes at the most.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import load_run
from tests.judge.remote_runs import KEY, PRICED, turn_line
from tests.server import OK, ScriptedServer, Step
from tests.server.answers import text_of

ROOT = Path(__file__).parents[2]
TURNS_PER_CONVERSATION = 4
MOST_BYTES = 768 << 20
"""What a run may take, however many turns it has."""
RUN = """
import sys
import judge.asker as asker
from analysis.cli import main
if sys.argv.pop(1) == "other parser":
    plain = asker.read_reply
    asker.read_reply = lambda question, text: plain(question, text.replace("made up", "made over"))
try:
    main()
finally:
    sys.stdout.flush()
    # Of this process alone: ru_maxrss starts with what its parent had when it forked.
    with open("/proc/self/status") as status:
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)
"""
_FAILING = ("<<< need ", "of kind 8?", "Hats never.")
"""Parts of one question: is that chunk relevant to the last message of a conversation."""
_TRIES = 3
"""Ahead of all others, then in its turn, then once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one run came to."""

    asked: int
    most_bytes: int
    seconds: float
    verdicts: pd.DataFrame
    info: Any


def write_week(path: Path, turns: int) -> None:
    """Write a file of turns, of which a quarter repeats others word for word."""
    apart = turns * 3 // 4 // TURNS_PER_CONVERSATION * TURNS_PER_CONVERSATION
    with path.open("w", encoding="utf-8") as file:
        for number in range(1, turns + 1):
            line = json.loads(turn_line(number))
            spans = line["resourceSpans"][0]["scopeSpans"][0]["spans"]
            conversation = f"c-{(number - 1) // TURNS_PER_CONVERSATION}"
            name = {"key": "gen_ai.conversation.id", "value": {"stringValue": conversation}}
            for span in spans:
                span["attributes"].append(name)
            text = json.dumps(line)
            original = number - apart
            if original > 0:
                text = text.replace(f"kind {number}", f"kind {original}")
                text = text.replace(f": {number} days", f": {original} days")
            file.write(f"{text}\n")


def run(folder: Path, *options: str, parser: str = "same parser") -> Ran:
    """Run `replay` in a process of its own."""
    started = time.monotonic()
    command = ["replay", folder / "week.jsonl", "--store", folder / "store", "--batch"]
    command += ["--judge", "anthropic", "--judge-model", PRICED, "--canaries", "0"]
    command += ["--max-cost", "1000", "--progress", "none", "--no-bodies", *options]
    done = subprocess.run(
        [sys.executable, "-c", RUN, parser, *map(str, command)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ANTHROPIC_API_KEY": KEY},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = load_run("latest", folder / "store")
    return Ran(
        asked=found.info["questions"]["asked"],
        most_bytes=int(done.stderr.split()[-1]) * (1 if sys.platform == "darwin" else 1024),
        seconds=time.monotonic() - started,
        verdicts=found.verdicts(["key", "question", "status", "reason", "from_store"]),
        info=found.info,
    )


def script(params: Any, before: int) -> Step:
    """Answer; to one question in all, no JSON as often as the first run asks it."""
    text = text_of(params)
    failing = before < _TRIES and all(part in text for part in _FAILING)
    return Step(reply="I cannot say.") if failing else OK


def problems(turns: int, told: Any = print) -> Iterator[str]:
    """Go through a week, and yield what is not as it should be."""
    with tempfile.TemporaryDirectory() as name, ScriptedServer(script, caches=False) as server:
        folder = Path(name)
        os.environ["ANTHROPIC_BASE_URL"] = server.url
        write_week(folder / "week.jsonl", turns)
        first = run(folder)
        distinct = first.verdicts["key"].nunique()
        failed = first.verdicts[first.verdicts["status"] == "unjudged"]["key"].nunique()
        told(
            f"{turns:,} turns: {len(first.verdicts):,} questions, {distinct:,} distinct, "
            f"{first.asked:,} asked, {failed} failed; at most {first.most_bytes >> 20} MiB, "
            f"{first.seconds:.0f} s"
        )
        if first.info["turns"] != turns:
            yield f"{first.info['turns']} turns"
        if not first.asked == distinct < len(first.verdicts):
            yield f"{first.asked} asked, {distinct} distinct of {len(first.verdicts)}"
        if first.most_bytes > MOST_BYTES:
            yield f"{first.most_bytes} bytes at the most"
        if len(server.bill.charges) != distinct + (_TRIES - 1) * failed or failed != 1:
            yield f"{len(server.bill.charges)} paid, {distinct} distinct, {failed} failed"
        second = run(folder)
        third = run(folder)
        parsed = run(folder, parser="other parser")
        told(
            f"again {second.asked} asked, then {third.asked}; with another parser "
            f"{parsed.asked}; {second.most_bytes >> 20} MiB, {second.seconds:.0f} s"
        )
        if (second.asked, third.asked, parsed.asked) != (failed, 0, 0):
            yield f"asked again: {second.asked}, {third.asked}, {parsed.asked}"
        if "made over" not in set(parsed.verdicts["reason"]):
            yield "the other parser was not used"
        changed = run(folder, "--prompt", "relevance=2")
        fresh = changed.verdicts[~changed.verdicts["from_store"]]
        own = changed.verdicts[changed.verdicts["question"].isin(["relevance", "probe"])]
        told(f"with another prompt for relevance {changed.asked:,} asked")
        if set(fresh["question"]) != {"relevance"} or changed.asked != own["key"].nunique():
            yield f"{changed.asked} asked of {set(fresh['question'])}"


def main() -> int:
    """Go through weeks of each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, nargs="+", default=[1_000, 10_000])
    failed = False
    for turns in parser.parse_args().turns:
        for problem in problems(turns):
            print(f"problem: {problem}", flush=True)  # noqa: T201 - what it is run for
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
