"""How well a judge finds the faults planted in `sample_traces`: a confusion matrix.

    python -m bench.samples [--judge local|recorded] [--json]

With `recorded`, the answers to all questions are known, so every disagreement is a fault of
the rules. With `local` it is a measurement of the built-in judge, end to end. Nothing is
tuned on these samples. A failing turn counts as found when its root stage is the planted
one; a good turn that is called failed is a false alarm.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from analysis.closed_pipe import ending
from analysis.judges import JudgeChoice, JudgeName
from analysis.plan import Plan
from analysis.replaying import replay

SAMPLES: Final = Path(__file__).parent.parent / "sample_traces"
STAGES: Final = ("good", "routing", "retrieval", "generation", "undetermined")
FOUND: Final = ("passed", "routing", "retrieval", "generation", "undetermined", "not_judged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What came out, as shares in [0, 1] of the turns they name."""

    turns: int
    failing: int
    """Turns with a planted fault that must fail."""
    good: int
    root_stage: float
    """Failing turns whose root stage was found."""
    root_kind: float
    """Failing turns whose root stage and kind were found."""
    false_alarms: float
    """Good turns that were called failed."""
    not_judged: float
    """Turns that were left open."""
    confusion: Mapping[str, Mapping[str, int]]
    """By planted stage: what was found, in turns."""


def measure(judge: JudgeName = "local", samples: Path = SAMPLES) -> Measured:
    """Replay the samples and hold the result against what was planted."""
    choice = JudgeChoice(name=judge, answers=samples / "answers.jsonl")
    with tempfile.TemporaryDirectory() as store:
        run = replay([samples], store=store, plan=Plan(sources=(), judge=choice)).run
        columns = ["conversation_id", "turn", "outcome", "root_stage", "root_kind"]
        found = {(row["conversation_id"], row["turn"]): row for row in run.rows("turns", columns)}
    lines = (samples / "truth.jsonl").read_text("utf-8").split("\n")
    planted = [json.loads(line) for line in lines if line]
    return compare(planted, found)


def compare(
    planted: Sequence[Mapping[str, Any]], found: Mapping[tuple[str, int], Mapping[str, Any]]
) -> Measured:
    """Return how what was found compares with what was planted, turn by turn."""
    confusion = {stage: Counter[str]() for stage in STAGES}
    kinds = 0
    for truth in planted:
        row = found[truth["conversation_id"], truth["turn"]]
        stage = truth["stage"] or "good"
        failed = row["outcome"] == "failed"
        confusion[stage][row["root_stage"] if failed else row["outcome"]] += 1
        kinds += failed and stage == row["root_stage"] and truth["kind"] == row["root_kind"]
    failing = [stage for stage in STAGES if stage != "good"]
    total = sum(confusion[stage].total() for stage in failing)
    good = confusion["good"]
    alarms = good.total() - good["passed"] - good["not_judged"]
    return Measured(
        turns=len(planted),
        failing=total,
        good=good.total(),
        root_stage=sum(confusion[stage][stage] for stage in failing) / total,
        root_kind=kinds / total,
        false_alarms=alarms / good.total(),
        not_judged=sum(row["not_judged"] for row in confusion.values()) / len(planted),
        confusion={stage: {name: row[name] for name in FOUND} for stage, row in confusion.items()},
    )


def table(measured: Measured) -> str:
    """Return the confusion matrix and the shares, as text."""
    lines = ["planted \\ found" + "".join(f"{name:>13}" for name in FOUND)]
    lines += [
        f"{stage:<15}" + "".join(f"{row[name]:>13}" for name in FOUND)
        for stage, row in measured.confusion.items()
    ]
    lines += [
        "",
        f"root stage of {measured.failing} failing turns found   {measured.root_stage:.1%}",
        f"root stage and kind found              {measured.root_kind:.1%}",
        f"false alarms on {measured.good} good turns        {measured.false_alarms:.1%}",
        f"left not judged of {measured.turns} turns        {measured.not_judged:.1%}",
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the measurement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--judge", choices=["local", "recorded"], default="local")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    measured = measure(arguments.judge)
    print(json.dumps(asdict(measured)) if arguments.json else table(measured))


if __name__ == "__main__":
    ending(main)
