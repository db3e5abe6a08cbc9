"""What the word vectors are worth: on word pairs, and on passages people have judged.

    python -m bench.vectors.measure [../shared/bench/relevance/clapnq_dev.jsonl]

Pairs are those of pairs.toml. Passages are rows of question, chunk and relevant (0 or 1).
Prints how well a likeness tells pairs, and passages, apart (AUROC). The last lines add the
likeness to the features of the local judge: a logistic model, five folds, four shuffles.
"""

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.closed_pipe import ending
from bench.agreement import auroc
from bench.judges import read_rows
from judge.local.library import Library
from judge.local.matching import Rarity
from judge.local.needs import need_of
from judge.local.relevance import features
from judge.local.shelves import Passage
from judge.local.text import term
from judge.local.vectors import cosine, load, words
from judge.local.words import plain

PAIRS: Final = Path(__file__).with_name("pairs.toml")
THRESHOLDS: Final = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
_FOLDS, _SHUFFLES = 5, 4

Floats = NDArray[np.float64]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the pairs, and the rows if there are any."""
    parser = argparse.ArgumentParser(prog="python -m bench.vectors.measure", description=__doc__)
    parser.add_argument("rows", type=Path, nargs="?")
    options = parser.parse_args(arguments)
    measure_pairs()
    if options.rows is not None:
        measure_rows(options.rows)
    return 0


def measure_pairs() -> None:
    """Print how far apart words that say the same are from words of one field."""
    same, near = likenesses("same"), likenesses("near")
    print(f"same or near: AUROC {_auroc(same, near):.3f} ({len(same)} and {len(near)} pairs)")
    for threshold in THRESHOLDS:
        shares = f"same {np.mean(same >= threshold):.2f}, near {np.mean(near >= threshold):.2f}"
        print(f"  alike from {threshold:.2f}: {shares}")


def likenesses(group: str) -> Floats:
    """Return the likeness of each pair of a group of pairs.toml."""
    vectors = load()
    pairs = (line.split() for line in tomllib.loads(PAIRS.read_text("utf-8"))[group].splitlines())
    return np.array(
        [vectors.similarity(_folded(a), _folded(b)) for *_, a, b in filter(None, pairs)]
    )


def measure_rows(path: Path) -> None:
    """Print what tells relevant passages from others, alone and beside the judge's features."""
    rows = list(read_rows(path))
    library = Library(Passage(collection=None, title=None, text=row["chunk"]) for row in rows)
    relevant = np.array([int(row["relevant"] > 0) for row in rows])
    known = np.array(
        [
            features(need_of(row["question"], (), library.rarity), row["chunk"], library.rarity)[0]
            for row in rows
        ]
    )
    texts = [(row["question"], row["chunk"]) for row in rows]
    cosines = np.array([text_likeness(*pair, library.rarity) for pair in texts])
    print(f"cosine of the texts, words by rarity: AUROC {auroc(relevant, cosines):.3f}")
    print(f"the judge's features: AUROC {left_out(known, relevant):.3f}")
    print(f"  with the cosine: {left_out(np.c_[known, cosines], relevant):.3f}")
    for threshold in (1.0, *THRESHOLDS):
        held = np.array([soft_containment(*pair, library.rarity, threshold) for pair in texts])
        alone, beside = auroc(relevant, held), left_out(np.c_[known, held], relevant)
        both = left_out(np.c_[known, cosines, held], relevant)
        print(f"containment, alike from {threshold:.2f}: AUROC {alone:.3f}", end=" ")
        print(f"with the features {beside:.3f}, and the cosine {both:.3f}")


def text_likeness(question: str, chunk: str, rarity: Rarity) -> float:
    """Return the cosine of two texts, each word weighed by how rare it is in the run."""
    vectors = load()
    return cosine(
        vectors.sentence(question, _weights(question, rarity)),
        vectors.sentence(chunk, _weights(chunk, rarity)),
    )


def soft_containment(question: str, chunk: str, rarity: Rarity, threshold: float) -> float:
    """Return the share of the question's weight that the chunk has, or has the like of."""
    wanted = {term(word): word for word in words(question)}
    offered = words(chunk)
    if not wanted:
        return 0.0
    exact = np.isin(list(wanted), [term(word) for word in offered])
    alike = load().soft_matches(list(wanted.values()), offered, threshold)
    weights = np.array([rarity.weight(one) for one in wanted])
    return float(weights @ np.where(exact, 1.0, alike) / weights.sum())


def _weights(text: str, rarity: Rarity) -> Mapping[str, float]:
    return {word: rarity.weight(term(word)) for word in words(text)}


def left_out(values: Floats, relevant: NDArray[np.int64]) -> float:
    """Return the AUROC of a logistic model on folds it was not fitted to, over shuffles."""
    scores = []
    for seed in range(_SHUFFLES):
        fold = np.random.default_rng(seed).permutation(len(values)) % _FOLDS
        score = np.zeros(len(values))
        for held in range(_FOLDS):
            seen = fold != held
            mean, spread = values[seen].mean(0), values[seen].std(0) + 1e-9
            slope = _logistic((values[seen] - mean) / spread, relevant[seen])
            score[~seen] = (values[~seen] - mean) / spread @ slope[:-1] + slope[-1]
        scores.append(auroc(relevant, score))
    return float(np.mean(scores))


def _logistic(values: Floats, relevant: NDArray[np.int64]) -> Floats:
    """Fit by Newton's method, with a ridge of 1 on all but the intercept."""
    inputs = np.c_[values, np.ones(len(values))]
    ridge = np.r_[np.ones(values.shape[1]), 1e-6]
    slope = np.zeros(inputs.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-inputs @ slope))
        downhill = inputs.T @ (relevant - chance) - ridge * slope
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + np.diag(ridge)
        slope += np.linalg.solve(bend, downhill)
    return slope


def _folded(word: str) -> str:
    return plain(word.casefold())


def _auroc(yes: Floats, no: Floats) -> float:
    labels = np.r_[np.ones(len(yes), dtype=np.int64), np.zeros(len(no), dtype=np.int64)]
    return auroc(labels, np.r_[yes, no])


if __name__ == "__main__":
    ending(main)
