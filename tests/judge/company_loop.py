"""Several runs on one fresh store at once, over and over: each question is paid for once.

python -m tests.judge.company_loop --repeats 50
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.judge.kill_loop import Zygote
from tests.judge.remote_runs import billed_tokens, kept_tokens
from tests.server import BatchScript, ScriptedServer, Step

QUESTIONS = 20


def problems(zygote: Zygote, runs: int, *, batch: bool) -> list[str]:
    """Let so many runs ask the same questions at once; return what is not as it should be."""
    script = BatchScript(polls=2)
    with (
        tempfile.TemporaryDirectory() as folder,
        ScriptedServer(lambda *_: Step(delay_s=0.01), batches=script, caches=False) as server,
    ):
        store = Path(folder) / "v.sqlite"
        texts = [f"text {number}" for number in range(QUESTIONS)]
        job = {"store": str(store), "texts": texts, "batch": batch, "jobs": 3, "url": server.url}
        said = zygote.run(job, runs=runs)
        judged = [[int(word) for word in words[1:]] for words in said if words[0] == "judged"]
        ended = [words[1] for words in said if words[0] == "ended"]
        kept, billed = kept_tokens(store), billed_tokens(server)
        wrong = {
            "a run failed": [words for words in said if words[0] == "failed"],
            "a run ended badly": ended if ended != ["0"] * runs else [],
            "paid twice": server.bill.repeats,
            "verdicts lack": judged if [one[0] for one in judged] != [QUESTIONS] * runs else [],
            "not asked once": judged if sum(one[1] for one in judged) != QUESTIONS else [],
            "the bill differs": [kept, billed] if kept != billed else [],
            "traces are left": list(store.parent.glob("*.run-*")),
        }
    return [f"{name}: {what}" for name, what in wrong.items() if what]


def main() -> int:
    """Repeat with two, three and four runs, directly and in batches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=50, help="of each kind")
    given = parser.parse_args()
    zygote, failed = Zygote(), False
    for batch in (False, True):
        for runs in (2, 3, 4):
            found = [
                problem
                for _ in range(given.repeats)
                for problem in problems(zygote, runs, batch=batch)
            ]
            how = "in batches" if batch else "directly"
            counted = f"{given.repeats} times {runs} runs {how}: {len(found)} problems"
            print(counted, *found[:5], sep="\n  ", flush=True)  # noqa: T201 - its purpose
            failed = failed or bool(found)
    zygote.close()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
