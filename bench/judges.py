"""How good a judge is, held against people's labels.

    python -m bench.judges --relevance FILE… --support FILE… --routing FILE… [--json]
                           [--judge local | anthropic --judge-model NAME [--max-cost USD]
                            [--store DIR]]

Row shapes, JSON lines, recognised by their fields:

    relevance   question, chunk, relevant (0 or 1)
    support     claim, evidence [sentence], label supported | partially_supported | not_supported
                chunk, question, answer, label "Fully attributable" | anything else
    routing     messages, tools, gold: the tool to be called; an empty gold: none applies

What is printed: AUROC of the judge's score; balanced accuracy with the threshold chosen on
the other folds; quadratic weighted kappa of its labels, undecided ones left out and counted;
of routing the accuracy of the tool, and over all files whether any tool applies. Rows that
name their `generator` are measured by generator as well. Intervals are 95 % bootstrap over
rows with a fixed seed. Beside them stand the values that trivial methods reach on the same
files. Exit codes: 0 done, 2 a file is not in its shape or the judge cannot be used.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from analysis.closed_pipe import ending
from analysis.judges import Acquaintance
from bench.agreement import (
    Row,
    measure,
    sample_of,
    share_with_interval,
)
from bench.judges_asked import AskedRows
from bench.judges_local import LocalRows
from bench.judges_rows import Judging, Kind, Routed, gold, read_labelled
from bench.options import add_judge, choice_of, parser_of
from ingest.errors import StagefaultError
from judge.asking_once import ask
from judge.keeping import KeepingJudge
from judge.ledger import Ledger

FLOORS: Final[Mapping[str, str]] = {
    "clapnq_dev": "AUROC .729 containment, .800 BM25, .830 lexical features, .878 MiniLM",
    "begin_dev": "AUROC .936 containment of the answer, BAcc .861",
    "wice_dev": "AUROC .699 containment, .800 windows and missing names; BAcc .709",
    "bfcl_multiple": "accuracy .871 token overlap",
    "bfcl_live_irrelevance_300": "AUROC .783, BAcc .726 token containment (with bfcl_multiple)",
}
"""What trivial methods reach, by file."""
KINDS: Final[tuple[Kind, ...]] = ("relevance", "support", "routing")

Rows = Sequence[Mapping[str, Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the files that are named and print a table or JSON."""
    options = _parser().parse_args(arguments)
    named = [path for kind in KINDS for path in getattr(options, kind)]
    missing = [path for path in named if not path.is_file()]
    if missing:
        print(f"skipped, not there: {', '.join(map(str, missing))}", file=sys.stderr)
    try:
        files = {
            kind: {
                path: read_labelled(path, kind) for path in getattr(options, kind) if path.is_file()
            }
            for kind in KINDS
        }
        with _judging(options) as judging:
            measured = _measured(files, judging)
    except StagefaultError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    print(json.dumps(measured, indent=2) if options.json else table(measured))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("bench.judges", __doc__)
    for kind in KINDS:
        parser.add_argument(f"--{kind}", nargs="+", type=Path, default=[], metavar="FILE")
    add_judge(parser)
    return parser


def read_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a JSONL file, whatever their shape."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


@contextmanager
def _judging(options: argparse.Namespace) -> Iterator[Judging]:
    """Give what judges rows; a paid verdict is kept before it is used."""
    if options.judge == "local":
        yield LocalRows()
        return
    judge = Acquaintance(choice_of(options)).judge()
    with ExitStack() as stack:
        folder = options.store or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        ledger = stack.enter_context(Ledger(folder / "verdicts.sqlite"))
        if isinstance(judge, KeepingJudge):
            stack.callback(judge.close)
        yield AskedRows(lambda questions: ask(questions, judge, ledger))


def _measured(
    files: Mapping[Kind, Mapping[Path, Rows]], judging: Judging
) -> dict[str, Mapping[str, Any]]:
    """Return what was measured, by stem of the file's name."""
    measured: dict[str, Mapping[str, Any]] = {}
    for path, rows in files["relevance"].items():
        measured[path.stem] = _by_generator(rows, judging.relevance(rows))
    for path, rows in files["support"].items():
        measured[path.stem] = _by_generator(rows, judging.support(rows))
    routed = {path: (rows, judging.routing(rows)) for path, rows in files["routing"].items()}
    return measured | _of_routing(routed)


def _by_generator(rows: Rows, judged: Sequence[Row]) -> Mapping[str, Any]:
    """Measure all rows, and those of each generator where there are several."""
    groups: dict[str, list[Row]] = {}
    for row, one in zip(rows, judged, strict=True):
        groups.setdefault(str(row.get("generator", "")), []).append(one)
    whole = measure(sample_of(judged))
    if len(groups) == 1:
        return whole
    return {**whole, "generators": {name: measure(sample_of(groups[name])) for name in groups}}


def _of_routing(
    files: Mapping[Path, tuple[Rows, Sequence[Routed]]],
) -> dict[str, Mapping[str, Any]]:
    """Measure the right tool by file, and where no tool applies whether that was seen.

    A file in which no tool ever applies is measured together with the requests of the other
    files to which one does.
    """
    applying = [row for rows, routed in files.values() for row in _applies(rows, routed, yes=True)]
    measured: dict[str, Mapping[str, Any]] = {}
    for path, (rows, routed) in files.items():
        values: dict[str, Any] = {"n": len(rows)}
        known = [(gold(row), one) for row, one in zip(rows, routed, strict=True)]
        hits = [one.tool in wanted for wanted, one in known if wanted]
        if hits:
            values |= share_with_interval("accuracy", hits)
        own, others = _applies(rows, routed, yes=True), _applies(rows, routed, yes=False)
        if others:
            values |= measure(sample_of([*(own or applying), *others]))
        measured[path.stem] = values
    return measured


def _applies(rows: Rows, routed: Sequence[Routed], *, yes: bool) -> list[Row]:
    """Return whether a tool was said to apply, for the rows in which one does or does not."""
    return [
        Row(
            positive=yes,
            score=one.score,
            labels=(int(yes), None if one.score is None else int(one.applies)),
        )
        for row, one in zip(rows, routed, strict=True)
        if bool(gold(row)) == yes
    ]


def table(measured: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a Markdown table of everything that was measured."""
    lines = [
        "| set | n | AUROC | BAcc | QWK | undecided | floors |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, values in measured.items():
        lines.append(_line(name, values, FLOORS.get(name, "")))
        lines += [
            _line(f"{name}: {generator}", of_one, "")
            for generator, of_one in values.get("generators", {}).items()
        ]
    return "\n".join(lines)


def _line(name: str, values: Mapping[str, Any], floors: str) -> str:
    cells = [_cell(values, metric) for metric in ("auroc", "bacc", "qwk")]
    if "accuracy" in values:
        cells[1] = f"accuracy {_cell(values, 'accuracy')} {cells[1]}".rstrip()
    undecided = values.get("undecided", "")
    return f"| {name} | {values['n']} | {' | '.join(cells)} | {undecided} | {floors} |"


def _cell(values: Mapping[str, Any], metric: str) -> str:
    if metric not in values:
        return ""
    if values[metric] is None:
        return "n/a"
    low, high = values[f"{metric}_ci"]
    return f"{values[metric]:.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    ending(main)
