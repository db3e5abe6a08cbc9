"""Fit what tells sentences that declare something unknown from those that deny something.

    python -m bench.tune_declaring [--write]

Sentences are those of `bench/declaring`, in every language of the encoder, and those of the
answers of `bench/turns` and of the worlds whose act is known: a paragraph that only declares,
or one that states facts and answers what was asked. Greetings, questions and headings are
left out, and so are the worlds that are kept to check on. The model is logistic over the
direction of a sentence; both classes weigh the same. Prints what is told apart of each set
when it is left out, among its negated sentences.
"""

import argparse
import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.closed_pipe import ending
from bench.agreement import auroc
from bench.attribution.judging import judged
from bench.attribution.planting import PlantedRun, read_corpora, run_of, variants_of
from bench.attribution.worlds import run_of_world
from judge.answers import AnswerJudgement
from judge.local.claims import claims
from judge.local.declaring import STEPS
from judge.local.encoder import meaning
from judge.local.patterns import pattern
from judge.rendering import items
from judge.tokens import normalise

ROOT: Final = Path(__file__).parents[1]
MODEL: Final = ROOT / "judge/local/declaring.json"
WORLDS: Final = ("clinic", "hire", "town", "utility")
_VARIANTS: Final = 20
_ROUNDS: Final = 20
_RIDGE: Final = 1.0

Floats = NDArray[np.float64]
Sentences: TypeAlias = Mapping[str, bool]
"""Normalised sentence → whether it declares."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print the quality on the sets that were left out, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.tune_declaring", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"into {MODEL.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    sets = read()
    for name, left_out in sets.items():
        weights = fit([one for other, one in sets.items() if other != name])
        negations = {text: known for text, known in left_out.items() if _denies(text)}
        area = auroc(np.array(list(negations.values())), _rows(negations) @ weights)
        print(f"{name:<12}{len(left_out):>5} sentences  AUROC of {len(negations)}: {area:.3f}")
    if options.write:
        MODEL.write_text(_written(fit(list(sets.values())), sets), "utf-8")
    return 0


def read() -> dict[str, Sentences]:
    """Return every set of sentences by its name."""
    own = tomllib.loads((ROOT / "bench/declaring/sentences.toml").read_text("utf-8"))
    told = {normalise(one): kind == "declares" for kind, listed in own.items() for one in listed}
    corpora = read_corpora(sorted((ROOT / "bench/turns").glob("*.jsonl")))
    runs: dict[str, PlantedRun] = {name: run_of_world(name) for name in WORLDS}
    runs["turns"] = run_of(corpora, variants_of(corpora, _VARIANTS))
    return {"own": told, **{name: dict(_sentences(run)) for name, run in runs.items()}}


def _sentences(run: PlantedRun) -> Iterator[tuple[str, bool]]:
    for verdict in judged(run, "oracle").verdicts:
        known = verdict.answer
        if not isinstance(known, AnswerJudgement) or not known.needs_evidence:
            continue
        kinds = {one.paragraph: one.claim for one in known.paragraphs}
        for claim in claims(items(verdict.question.content["paragraphs"])):
            if claim.act in ("filler", "clarifying", "heading", "policy"):
                continue
            said, kind = normalise(claim.text), kinds[claim.paragraph]
            statuses = {one.status for one in known.elements if claim.paragraph in one.paragraphs}
            if statuses == {"answered"} and kind == "fact":
                yield said, False
            elif statuses == {"declared_missing"} and kind != "fact" and _denies(said):
                yield said, True


def fit(sets: Sequence[Sentences]) -> Floats:
    """Return the weights, and the intercept behind them, by Newton's method."""
    rows = np.vstack([_rows(one) for one in sets])
    known = np.array([value for one in sets for value in one.values()], dtype=float)
    share = known.mean()
    weight = np.where(known > 0, 0.5 / share, 0.5 / (1 - share))
    ridge = _RIDGE * np.eye(rows.shape[1])
    ridge[-1, -1] = 0.0
    weights = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (weight * (chances - known)) + ridge @ weights
        bend = (rows * (weight * chances * (1 - chances))[:, None]).T @ rows + ridge
        weights -= np.linalg.solve(bend, slope)
    return weights


def _rows(sentences: Sentences) -> Floats:
    found = np.array([meaning(one) for one in sentences], dtype=float)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return np.hstack([found, np.ones((len(found), 1))])


def _denies(sentence: str) -> bool:
    return pattern("negation").search(sentence) is not None


def _written(weights: Floats, sets: Mapping[str, Sentences]) -> str:
    steps = [int(one) for one in np.rint(weights * STEPS)]
    tuned_on = {
        name: hashlib.sha256(json.dumps(sorted(one.items())).encode()).hexdigest()[:16]
        for name, one in sets.items()
    }
    model = {"tuned_on": tuned_on, "intercept": steps[-1], "weights": steps[:-1]}
    return json.dumps(model) + "\n"


if __name__ == "__main__":
    ending(main)
