"""Fit the relevance score of the local judge and write it with what it was fitted on.

    python -m bench.tune_judge ../shared/bench/relevance/clapnq_dev.jsonl [--beside FILE …]
                               [--write]

The score of a chunk alone has two sources: public rows (question, chunk, relevant) and the
project's own development questions, each against every chunk of its small corpus. Within
each source both classes weigh the same. The model is logistic; a feature that can only speak
for relevance keeps a weight of 0 or more. How close the meaning of the two is to each other
gets its weight from the good turns of `bench/turns` and from `bench/worlds`. What a chunk is
worth beside the others of the run is a second such model, over that score and its distance
from the best of the others, fitted on the development questions and on the good turns of
`bench/turns`, where all pairs weigh the same. Prints AUROC on folds that were left out.
Cut-offs in `thresholds.json` are set by hand on the development examples (tests/judge/local),
the good turns and the files given as `--beside`; `tuned_on` names all of them.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.closed_pipe import ending
from bench.agreement import auroc
from bench.tuning_pairs import (
    DEVELOPMENT,
    ROOT,
    TURNS,
    Floats,
    Pairs,
    own_pairs,
    pairs_of_worlds,
    public_pairs,
    turn_pairs,
)
from judge.local.library import LEAST_ODDS, WIDEST

THRESHOLDS: Final = ROOT / "judge/local/thresholds.json"
SUPPORTING: Final = np.array(
    [True, True, True, True, False, False, True, True, True, False, True, True]
)
"""Features that can only speak for relevance, in the order of `features`."""
DAMPING: Final = np.array([1.0] * 10 + [0.5] * 2)
"""What is left of each weight. The last two features see no need: they tell which of many near
misses answers, as the public rows ask, and hardly which of many passages is meant."""

_FOLDS: Final = 5
_STEPS, _RATE, _RIDGE = 4_000, 0.3, 0.02
_MEANING_RATE: Final = 100.0
"""Of a feature with a spread of a tenth."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print the quality on left-out folds, and write the weights if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.tune_judge", description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--beside", nargs="*", type=Path, default=[], help="looked at for cut-offs")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    sources = {options.rows.stem: public_pairs(options.rows), "development": own_pairs()}
    turns = turn_pairs()
    for name, score in left_out(list(sources.values()), list(sources)).items():
        print(f"{name}: AUROC {score:.4f} on left-out folds")
    words, start = fit([_words(pairs) for pairs in sources.values()])
    weights, intercept = with_meaning(words, start, [turns, pairs_of_worlds()])
    unfitted = auroc(turns.relevant.astype(np.int64), turns.values[:, :-1] @ words)
    print(f"turns: AUROC {unfitted:.4f} by words, not fitted")
    judged = [besides(pairs, weights, intercept) for pairs in (sources["development"], turns)]
    beside, alone = fit(judged, np.array([True, True]), np.ones(2), ridge=0.0)
    if options.write:
        known = json.loads(THRESHOLDS.read_text("utf-8"))
        known["tuned_on"] = fingerprints([options.rows, *options.beside])
        known["relevance"] = _model(weights, intercept)
        known["standing"] = _model(beside, alone)
        THRESHOLDS.write_text(json.dumps(known, indent=2) + "\n", "utf-8")
    return 0


def _model(weights: Floats, intercept: float) -> dict[str, Any]:
    return {
        "intercept": round(intercept, 4),
        "weights": [round(float(weight), 4) for weight in weights],
    }


def fingerprints(rows: Sequence[Path]) -> dict[str, str]:
    """Return the first 16 hex digits of the SHA-256 of every file that was tuned on."""
    files = [*rows, *sorted(DEVELOPMENT.glob("*.json")), *sorted(TURNS.glob("*.jsonl"))]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files}


def besides(pairs: Pairs, weights: Floats, intercept: float) -> Pairs:
    """Return each pair as its log-odds and how far they lie above the best of the others."""
    odds = np.clip(pairs.values @ weights + intercept, -LEAST_ODDS, None)
    gaps = np.zeros(len(odds))
    for question in np.unique(pairs.group):
        own = np.flatnonzero(pairs.group == question)
        ranked = np.sort(odds[own])[::-1]
        rival = np.where(
            odds[own] == ranked[0], ranked[1] if len(own) > 1 else ranked[0], ranked[0]
        )
        gaps[own] = np.clip(odds[own] - rival, -WIDEST, WIDEST)
    return replace(
        pairs, values=np.column_stack([odds, gaps]), weight=np.full(len(odds), 1 / len(odds))
    )


def fit(
    sources: Sequence[Pairs],
    supporting: NDArray[np.bool_] = SUPPORTING,
    damping: Floats = DAMPING,
    ridge: float = _RIDGE,
) -> tuple[Floats, float]:
    """Return weights and intercept of the logistic model, by projected gradient descent."""
    values = np.vstack([pairs.values for pairs in sources])
    relevant = np.concatenate([pairs.relevant for pairs in sources])
    weight = np.concatenate([pairs.weight for pairs in sources])
    weight /= weight.sum()
    mean, spread = values.mean(0), values.std(0) + 1e-9
    scaled = (values - mean) / spread
    slope, bias = np.zeros(scaled.shape[1]), 0.0
    for _ in range(_STEPS):
        error = weight * (1 / (1 + np.exp(-(scaled @ slope + bias))) - relevant)
        slope -= _RATE * (scaled.T @ error + ridge * slope / len(slope))
        bias -= _RATE * float(error.sum())
        slope = np.where(supporting & (slope < 0), 0.0, slope)
    weights = slope / spread * damping
    return weights, float(bias - (weights * mean).sum())


def with_meaning(words: Floats, start: float, sources: Sequence[Pairs]) -> tuple[Floats, float]:
    """Return the model by words with the weight of closeness of meaning, the last feature.

    The public rows ask which of several near misses answers, which closeness hardly tells, and
    would spoil it for finding a passage among all of a run. So it is fitted where all
    passages of a run stand, with the weights of the words left as they are. The intercept
    is such that a passage on something else comes to the same log-odds as before.
    """
    known = np.concatenate([pairs.values[:, :-1] @ words + start for pairs in sources])
    meant = np.concatenate([pairs.values[:, -1] for pairs in sources])
    relevant = np.concatenate([pairs.relevant for pairs in sources])
    weight = np.concatenate([pairs.weight for pairs in sources])
    weight /= weight.sum()
    usual = float(np.average(meant[relevant == 0], weights=weight[relevant == 0]))
    slope, bias = 0.0, 0.0
    for _ in range(_STEPS):
        odds = known + slope * (meant - usual) + bias
        error = weight * (1 / (1 + np.exp(-odds)) - relevant)
        slope -= _MEANING_RATE * float(error @ (meant - usual))
        bias -= float(error.sum())
    return np.append(words, slope), start - slope * usual


def _words(pairs: Pairs) -> Pairs:
    """Leave closeness of meaning out."""
    return replace(pairs, values=pairs.values[:, :-1])


def left_out(sources: Sequence[Pairs], names: Sequence[str]) -> dict[str, float]:
    """Return the AUROC per source when each fold is scored by a model of the others."""
    scores = [np.zeros(len(pairs.relevant)) for pairs in sources]
    for fold in range(_FOLDS):
        kept = [_take(_words(pairs), pairs.group % _FOLDS != fold) for pairs in sources]
        weights, intercept = fit(kept)
        for score, pairs in zip(scores, sources, strict=True):
            held = pairs.group % _FOLDS == fold
            score[held] = pairs.values[held, :-1] @ weights + intercept
    return {
        name: auroc(pairs.relevant.astype(np.int64), score)
        for name, score, pairs in zip(names, scores, sources, strict=True)
    }


def _take(pairs: Pairs, kept: NDArray[np.bool_]) -> Pairs:
    return Pairs(
        values=pairs.values[kept],
        relevant=pairs.relevant[kept],
        group=pairs.group[kept],
        weight=pairs.weight[kept],
    )


if __name__ == "__main__":
    ending(main)
