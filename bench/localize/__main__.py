"""Finds where agents went wrong: which span, and what kind of error, next to people's labels.

    python -m bench.localize [--data FOLDER] [--judge local|anthropic [--judge-model NAME]
                             [--max-cost USD]] [--store DIR] [--json]

Replays the labelled traces (TRAIL and AgentRx, by default from ../shared/bench/attribution),
places every finding at a span and prints precision, recall and F1 of places, of categories
and of both at once. Beside them stands the floor: the three most frequent categories named
at every model call. Recall alone would be won by naming everything, so precision stands next
to it. Exit codes: 0 done or nothing there, 2 a set is not in its form.
"""

import argparse
import json
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from analysis import replay
from analysis.closed_pipe import ending
from analysis.judges import JudgeChoice
from analysis.plan import Plan
from bench.localize.labels import READERS, Label, LabelledSet
from bench.localize.placing import Placed, placed
from bench.localize.scoring import TOP, Hits, Score, floor, score
from bench.options import add_judge, choice_of, parser_of
from ingest.errors import StagefaultError

GIVEN: Final = Path(__file__).parents[2].parent / "shared" / "bench" / "attribution"
CATEGORIES: Final = Path(__file__).with_name("categories.toml")
PUBLISHED: Final[Mapping[str, str]] = {
    "trail": (
        "published, joint: that floor .442 at precision .062 (counted otherwise), "
        "gemini-2.5-flash .141 at .183"
    ),
}
"""What others reached on the same traces: recall, and the precision beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One set, replayed and scored."""

    traces: int
    turns: int
    not_judged: int
    """Turns that the judge left open."""
    findings: int
    unplaced: int
    """Findings for which the trace has no span."""
    found: Score
    floor: Score


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay, place, score, print."""
    options = _parser().parse_args(arguments)
    choice = choice_of(options)
    measured: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory() as scratch:
        store = options.store or Path(scratch) / "store"
        for name, (folder, read) in READERS.items():
            if not (options.data / folder).is_dir():
                print(f"skipped, not there: {options.data / folder}", file=sys.stderr)
                continue
            try:
                given = read(options.data / folder, Path(scratch))
                measured[name] = measure(given, choice, store)
            except StagefaultError as error:
                print(f"error: {error}", file=sys.stderr)
                return error.exit_code
    if options.json:
        print(json.dumps({name: as_json(one) for name, one in measured.items()}, indent=1))
    elif measured:
        print("\n\n".join(table(name, one) for name, one in measured.items()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("bench.localize", __doc__)
    parser.add_argument("--data", type=Path, default=GIVEN, metavar="FOLDER")
    add_judge(parser)
    return parser


def measure(given: LabelledSet, choice: JudgeChoice, store: Path) -> Measured:
    """Replay one set with a judge and score what was found.

    Raises:
        StagefaultError: The judge or the store cannot be used.
    """
    run = replay(given.sources, store=store, plan=Plan(sources=(), judge=choice)).run
    findings = list(placed(run))
    outcomes = [row["outcome"] for row in run.rows("turns", ["outcome"])]
    return Measured(
        traces=len(given.calls),
        turns=len(outcomes),
        not_judged=outcomes.count("not_judged"),
        findings=len(findings),
        unplaced=sum(one.span is None for one in findings),
        found=score(named(findings, given.name), given.labels),
        floor=floor(given),
    )


def named(findings: Sequence[Placed], name: str) -> Iterator[Label]:
    """Yield what findings say in the categories of one set."""
    meaning = categories()
    for one in findings:
        category = meaning[one.stage][one.kind][name]
        yield Label(one.conversation, one.span or "", category)


def categories() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the categories of each kind, by stage and kind, and the reason for them."""
    return tomllib.loads(CATEGORIES.read_text("utf-8"))


def as_json(measured: Measured) -> dict[str, Any]:
    """Return the shape that `--json` prints; None for what is undefined."""
    counts = ("traces", "turns", "not_judged", "findings", "unplaced")
    told: dict[str, Any] = {name: getattr(measured, name) for name in counts}
    told |= _json_of(measured.found)
    return told | {"floor": _json_of(measured.floor)}


def _json_of(scored: Score) -> dict[str, Any]:
    return {
        name: {
            **{key: getattr(one, key) for key in ("precision", "recall", "f1")},
            **{key: getattr(one, key) for key in ("hits", "named", "labelled")},
            "precision_ci": one.precision_ci and [one.precision_ci.low, one.precision_ci.high],
            "recall_ci": one.recall_ci and [one.recall_ci.low, one.recall_ci.high],
        }
        for name, one in _parts(scored)
    }


def table(name: str, measured: Measured) -> str:
    """Return a set's scores as text, each with its counts."""
    lines = [
        f"{name}: {_counts(measured)}",
        f"{'':<20}{'precision':>30}{'recall':>30}{'F1':>8}",
    ]
    for title, scored in (("found", measured.found), (f"floor, top {TOP}", measured.floor)):
        lines += [_line(f"{title} {part}", one) for part, one in _parts(scored)]
    return "\n".join([*lines, *filter(None, [PUBLISHED.get(name)])])


def _counts(measured: Measured) -> str:
    return (
        f"{measured.traces} traces, {measured.turns} turns ({measured.not_judged} not judged), "
        f"{measured.findings} findings ({measured.unplaced} without a span)"
    )


def _parts(scored: Score) -> tuple[tuple[str, Hits], ...]:
    return (
        ("location", scored.location),
        ("category", scored.category),
        ("joint", scored.joint),
    )


def _line(title: str, one: Hits) -> str:
    precision = _cell(one.precision, one.precision_ci, one.hits, one.named)
    recall = _cell(one.recall, one.recall_ci, one.hits, one.labelled)
    f1 = "n/a" if one.f1 is None else f"{one.f1:.3f}"
    return f"{title:<20}{precision:>30}{recall:>30}{f1:>8}"


def _cell(value: float | None, interval: Any, hits: int, total: int) -> str:
    if value is None:
        return "n/a (0 of 0)"
    bounds = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    return f"{value:.3f}{bounds} {hits}/{total}"


if __name__ == "__main__":
    ending(main)
