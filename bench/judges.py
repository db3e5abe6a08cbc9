"""How good the local judge is, held against people's labels.

    python -m bench.judges --relevance clapnq_dev.jsonl --support wice_dev.jsonl \
        --routing bfcl_multiple.jsonl bfcl_live_irrelevance_300.jsonl [--json]

Row shapes, recognised by their fields:

    relevance   question, chunk, relevant (0 or 1)
    support     claim, evidence [sentence], label supported | partially_supported | not_supported
                chunk, question, answer, label "Fully attributable" | anything else
    routing     messages, tools, gold: the tool to be called; an empty gold: none applies

What is printed: AUROC of the judge's score; balanced accuracy with the threshold chosen on
the other folds; quadratic weighted kappa of its labels, undecided ones left out and counted.
Intervals are 95 % bootstrap over rows with a fixed seed. Beside them stand the values that
trivial methods reach on the same files.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from judge.local.evidence import Piece, pieces
from judge.local.library import Library, Passage
from judge.local.needs import need_of
from judge.local.relevance import match
from judge.local.support import held_claims, label_of, score_support
from judge.local.thresholds import thresholds
from judge.local.tools import fits

FLOORS: Final[Mapping[str, str]] = {
    "clapnq_dev": "AUROC .729 containment, .800 BM25, .830 lexical features, .878 MiniLM",
    "begin_dev": "AUROC .936 containment of the answer, BAcc .861",
    "wice_dev": "AUROC .699 containment, .800 windows and missing names; BAcc .709",
    "bfcl_multiple": "accuracy .871 token overlap",
    "bfcl_live_irrelevance_300": "AUROC .783, BAcc .726 token containment (with bfcl_multiple)",
}
"""What trivial methods reach, by file."""

FOLDS: Final = 5
RESAMPLES: Final = 1_000
_SEED: Final = 20_240_501

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The rows of one file, judged."""

    scores: Floats
    positive: Labels
    """1 where people said yes: relevant, fully supported, a tool applies."""
    graded: tuple[tuple[int, int], ...] = ()
    """(people's, judge's) ordered labels of the rows that the judge decided."""
    undecided: int = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the files that are named and print a table or JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.judges", description=__doc__)
    for kind in ("relevance", "support", "routing"):
        parser.add_argument(f"--{kind}", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    named = [*options.relevance, *options.support, *options.routing]
    missing = [path for path in named if not path.is_file()]
    if missing:
        print(f"skipped, not there: {', '.join(map(str, missing))}", file=sys.stderr)
    measured: dict[str, Mapping[str, Any]] = {}
    for kind, paths in (("relevance", options.relevance), ("support", options.support)):
        judge = _relevance if kind == "relevance" else _support
        for path in paths:
            if path.is_file():
                measured[path.stem] = measure(judge(list(read_rows(path))))
    measured.update(_routing([path for path in options.routing if path.is_file()]))
    print(json.dumps(measured, indent=2) if options.json else table(measured))
    return 0


def read_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


# Judging


def _relevance(rows: Sequence[Mapping[str, Any]]) -> Sample:
    limits = thresholds()
    library = Library(Passage(collection=None, title=None, text=row["chunk"]) for row in rows)
    scores = []
    for row in rows:
        need = need_of(row["question"], (), library.rarity)
        found = match(need, row["chunk"], None, library.rarity, limits)
        scores.append(0.0 if found.conflict else found.score)
    return Sample(
        scores=np.array(scores), positive=np.array([int(row["relevant"] > 0) for row in rows])
    )


_SUPPORT_GRADES: Final = {
    "supported": 2,
    "partially_supported": 1,
    "not_supported": 0,
    "Fully attributable": 2,
    "Not fully attributable": 0,
    "Generic": 0,
}
_LABEL_GRADES: Final = {"contradicted": 0, "none": 0, "partial": 1, "full": 2}


def _support(rows: Sequence[Mapping[str, Any]]) -> Sample:
    limits = thresholds()
    claims = [(row.get("claim") or row["answer"], _evidence(row)) for row in rows]
    library = Library(
        Passage(collection=None, title=None, text=piece.text)
        for _, evidence in claims
        for piece in evidence
    )
    scores, graded = [], []
    binary = all(_SUPPORT_GRADES[row["label"]] != 1 for row in rows)
    for row, (claim, evidence) in zip(rows, claims, strict=True):
        question = row.get("question", "")
        scores.append(score_support(claim, evidence, question, library.rarity, limits))
        paragraph = {"kind": "prose", "text": claim, "markers": []}
        held = held_claims(paragraph, evidence, question, library.rarity, limits)
        label = label_of([one for _, one in held])
        if label is not None:
            given = _LABEL_GRADES[label]
            graded.append((_SUPPORT_GRADES[row["label"]], 0 if binary and given == 1 else given))
    positive = np.array([int(_SUPPORT_GRADES[row["label"]] == 2) for row in rows])
    return Sample(
        scores=np.array(scores),
        positive=positive,
        graded=tuple(graded),
        undecided=len(rows) - len(graded),
    )


def _evidence(row: Mapping[str, Any]) -> tuple[Piece, ...]:
    text = "\n".join(row["evidence"]) if "evidence" in row else row["chunk"]
    blank = {"title": None, "tool": None, "arguments": None, "status": None}
    return pieces([{"label": "evidence 1", "kind": "chunk", "text": text, **blank}])


def _routing(paths: Sequence[Path]) -> dict[str, Mapping[str, Any]]:
    """Measure the right tool per file, and over all files whether any tool applies."""
    measured: dict[str, Mapping[str, Any]] = {}
    everything: list[tuple[float, int]] = []
    for path in paths:
        rows = list(read_rows(path))
        ranked = [fits(_request(row), row["tools"]) for row in rows]
        scores = [fitting[0].score if fitting else 0.0 for fitting in ranked]
        applies = [int(bool(row["gold"])) for row in rows]
        everything += zip(scores, applies, strict=True)
        if all(applies):
            hits = np.array(
                [
                    fitting[0].name in gold
                    for fitting, gold in zip(ranked, map(_gold, rows), strict=True)
                ],
                dtype=np.float64,
            )
            low, high = interval(partial(_mean, hits), len(rows))
            measured[path.stem] = {
                "n": len(rows),
                "accuracy": round(float(hits.mean()), 4),
                "accuracy_ci": [low, high],
            }
        else:
            measured[path.stem] = {"n": len(rows)}
    if len({applies for _, applies in everything}) == 2:
        sample = Sample(
            scores=np.array([score for score, _ in everything]),
            positive=np.array([applies for _, applies in everything]),
        )
        last = paths[-1].stem
        measured[last] = {**measured[last], **measure(sample)}
    return measured


def _mean(values: Floats, index: Labels) -> float:
    return float(values[index].mean())


def _request(row: Mapping[str, Any]) -> str:
    return "\n".join(one["content"] for one in row["messages"][0] if one["role"] == "user")


def _gold(row: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(name for call in row["gold"] for name in call)


# Measuring


def measure(sample: Sample) -> Mapping[str, Any]:
    """Return n, AUROC, balanced accuracy and kappa of one sample, each with its interval."""
    scores, positive = sample.scores, sample.positive
    chosen = cross_validated(scores, positive)
    values: dict[str, Any] = {"n": len(scores)}
    values.update(_with_interval("auroc", auroc, positive, scores))
    values.update(_with_interval("bacc", balanced_accuracy, positive, chosen.astype(np.float64)))
    if sample.graded:
        people, judge = np.array(sample.graded).T
        values.update(_with_interval("qwk", quadratic_kappa, people, judge.astype(np.float64)))
        values["undecided"] = sample.undecided
    return values


def _with_interval(
    name: str, metric: Callable[[Labels, Floats], float], truth: Labels, given: Floats
) -> dict[str, Any]:
    low, high = interval(lambda index: metric(truth[index], given[index]), len(truth))
    return {name: round(metric(truth, given), 4), f"{name}_ci": [low, high]}


def auroc(positive: Labels, scores: Floats) -> float:
    """Return the chance that a positive row scores above a negative one, ties counting half.

    Source:
        Hanley, McNeil: The Meaning and Use of the Area under a ROC Curve (1982). NaN with
        one class only.
    """
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]
    yes = int(positive.sum())
    no = len(positive) - yes
    if not yes or not no:
        return float("nan")
    return float((rank[positive == 1].sum() - yes * (yes + 1) / 2) / (yes * no))


def balanced_accuracy(positive: Labels, chosen: Floats) -> float:
    """Return the mean of sensitivity and specificity; NaN with one class only."""
    yes, no = positive == 1, positive == 0
    if not yes.any() or not no.any():
        return float("nan")
    return float((chosen[yes].mean() + 1 - chosen[no].mean()) / 2)


def quadratic_kappa(people: Labels, judge: Floats) -> float:
    """Return Cohen's kappa with quadratic weights; NaN where both always say the same.

    Source:
        Cohen: Weighted kappa (1968).
    """
    observed = float(((people - judge) ** 2).mean())
    expected = float(((people[:, None] - judge[None, :]) ** 2).mean())
    return 1 - observed / expected if expected else float("nan")


def cross_validated(scores: Floats, positive: Labels) -> Labels:
    """Return a yes or no per row, by the threshold that is best on the other folds."""
    order = np.random.default_rng(_SEED).permutation(len(scores))
    fold = np.empty(len(scores), dtype=np.int64)
    fold[order] = np.arange(len(scores)) % FOLDS
    chosen = np.zeros(len(scores), dtype=np.int64)
    for held_out in range(FOLDS):
        known = fold != held_out
        cut = best_threshold(scores[known], positive[known])
        chosen[~known] = scores[~known] >= cut
    return chosen


def best_threshold(scores: Floats, positive: Labels) -> float:
    """Return the score from which saying yes gives the best balanced accuracy."""
    cuts = np.unique(scores)
    yes, no = np.sort(scores[positive == 1]), np.sort(scores[positive == 0])
    sensitivity = 1 - np.searchsorted(yes, cuts) / max(len(yes), 1)
    specificity = np.searchsorted(no, cuts) / max(len(no), 1)
    return float(cuts[int(np.argmax(sensitivity + specificity))])


def interval(metric: Callable[[Labels], float], rows: int) -> tuple[float, float]:
    """Return a 95 % bootstrap interval; resamples on which the metric is undefined are left out."""
    random = np.random.default_rng(_SEED)
    found = []
    for _ in range(RESAMPLES):
        value = metric(random.integers(0, rows, rows))
        if np.isfinite(value):
            found.append(value)
    if not found:
        return float("nan"), float("nan")
    low, high = np.quantile(found, [0.025, 0.975])
    return round(float(low), 4), round(float(high), 4)


def table(measured: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a Markdown table of everything that was measured."""
    lines = ["| set | n | AUROC | BAcc | QWK | floors |", "|---|---|---|---|---|---|"]
    for name, values in measured.items():
        cells = [_cell(values, metric) for metric in ("auroc", "bacc", "qwk")]
        if "accuracy" in values:
            cells[1] = f"accuracy {_cell(values, 'accuracy')}"
        lines.append(f"| {name} | {values['n']} | {' | '.join(cells)} | {FLOORS.get(name, '')} |")
    return "\n".join(lines)


def _cell(values: Mapping[str, Any], metric: str) -> str:
    if metric not in values:
        return ""
    low, high = values[f"{metric}_ci"]
    return f"{values[metric]:.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    raise SystemExit(main())
