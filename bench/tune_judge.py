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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.closed_pipe import ending
from bench.agreement import auroc
from bench.attribution.planting import read_corpora
from bench.attribution.scenes import Scene
from bench.judges import read_rows
from bench.world_pairs import world_pairs
from judge.local import Library, Passage
from judge.local.constraints import conflict
from judge.local.elements import elements_of
from judge.local.library import LEAST_ODDS, WIDEST
from judge.local.matching import Rarity
from judge.local.needs import need_of
from judge.local.relevance import about_another, features
from judge.local.text import language_by_words

ROOT: Final = Path(__file__).parents[1]
DEVELOPMENT: Final = ROOT / "tests/judge/local/development"
THRESHOLDS: Final = ROOT / "judge/local/thresholds.json"
TURNS: Final = ROOT / "bench/turns"
SUPPORTING: Final = np.array(
    [True, True, True, True, False, False, True, True, True, False, True, True]
)
"""Features that can only speak for relevance, in the order of `features`."""
DAMPING: Final = np.array([1.0] * 10 + [0.5] * 2)
"""What is left of each weight. The last two features see no need: they tell which of many near
misses answers, as the public rows ask, and hardly which of many passages is meant."""

_OWN_WEIGHT: Final = 0.7
"""Weight of all development pairs beside all public rows."""
_FOLDS: Final = 5
_STEPS, _RATE, _RIDGE = 4_000, 0.3, 0.02
_MEANING_RATE: Final = 100.0
"""Of a feature with a spread of a tenth."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Judged pairs of one source."""

    values: Floats
    relevant: Floats
    group: NDArray[np.int64]
    """Pairs of one group stay in one fold."""
    weight: Floats


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


def public_pairs(path: Path) -> Pairs:
    """Return one pair per row."""
    rows = list(read_rows(path))
    rarity = Rarity.of(row["chunk"] for row in rows)
    values = [
        features(need_of(row["question"], (), rarity), row["chunk"], rarity)[0] for row in rows
    ]
    return _pairs(values, [row["relevant"] for row in rows], list(range(len(rows))), 1.0)


def own_pairs() -> Pairs:
    """Return every development question with every chunk that shares a word with it.

    A near miss in another language may answer as well and is left out; one that names
    another model or country is known by that and needs no score.
    """
    data: dict[str, Any] = json.loads((DEVELOPMENT / "relevance.json").read_text("utf-8"))
    wholes = {key: f"{one['title']}\n{one['text']}" for key, one in data["chunks"].items()}
    rarity = Rarity.of(wholes.values())
    values, labels, groups = [], [], []
    for number, asked in enumerate(data["needs"]):
        need = need_of(asked["question"], asked.get("previous", ()), rarity)
        language = _language(next(iter(asked["relevant"]), ""))
        for key, whole in wholes.items():
            right = key in asked["relevant"]
            foreign = key in asked["near"] and _language(key) != language
            vector, found = features(need, whole, rarity)
            if found.found and not foreign and (right or conflict(need.text, whole) is None):
                values.append(vector)
                labels.append(int(right))
                groups.append(number)
    return _pairs(values, labels, groups, _OWN_WEIGHT)


def pairs_of_worlds() -> Pairs:
    """Return the parts of the questions of the worlds, each with every passage of its world.

    What is about another model, place or year is known by that and needs no score.
    """
    values, labels, groups = [], [], []
    for pair in world_pairs():
        need = pair.library.need(pair.element)
        if about_another(need, pair.text, pair.library.rarity) is None:
            values.append(features(need, pair.text, pair.library.rarity)[0])
            labels.append(int(pair.answers))
            groups.append(pair.question)
    return _pairs(values, labels, groups, 1.0)


def turn_pairs() -> Pairs:
    """Return the questions of the good turns, each with every passage of its file.

    A passage in another language may answer as well and is left out, and so is one that is
    about another model or country.
    """
    values, labels, groups, number = [], [], [], 0
    for corpus in read_corpora(sorted(TURNS.glob("*.jsonl"))):
        texts = {
            one.passage_id: one.text
            for scene in corpus.scenes
            for one in scene.good.passages
            if one.tool is None
        }
        rarity = Library(
            Passage(collection=None, title=None, text=one) for one in texts.values()
        ).rarity
        for scene in corpus.scenes:
            asked = [text for role, text in scene.good.history if role == "user"]
            parts = elements_of(scene.good.question, asked)
            right = scene.facts.answering() & texts.keys()
            if len(parts) > 1 or not (right or _has_no_answer(scene)):
                continue
            number += 1
            need = need_of(parts[0], (), rarity)
            for key, text in texts.items():
                near = key in right or language_by_words(text) == scene.good.language
                if near and conflict(need.head, text, rarity.places) is None:
                    values.append(features(need, text, rarity)[0])
                    labels.append(int(key in right))
                    groups.append(number)
    return _pairs(values, labels, groups, 1.0)


def _has_no_answer(scene: Scene) -> bool:
    """Tell whether a question asks for something that no passage has."""
    return scene.facts.needs_evidence and not scene.good.answerable


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


def _language(chunk_id: str) -> str:
    """Read the language off an id of the development corpus: `cm-de-garantie` is German."""
    parts = chunk_id.split("-")
    return parts[1] if len(parts) > 2 and parts[1] in {"de", "fr", "es", "ja", "ar"} else "en"


def _pairs(
    values: Sequence[Sequence[float]], labels: Sequence[int], groups: Sequence[int], share: float
) -> Pairs:
    relevant = np.array(labels, dtype=np.float64)
    yes, no = relevant.sum(), len(relevant) - relevant.sum()
    return Pairs(
        values=np.array(values),
        relevant=relevant,
        group=np.array(groups),
        weight=share * np.where(relevant == 1, 0.5 / yes, 0.5 / no),
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
