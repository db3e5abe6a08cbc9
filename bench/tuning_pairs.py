"""Pairs of a question and a passage, judged, with the features that `bench.tune_judge` fits.

Each source says which passages answer its questions: public rows, the development questions,
the good turns of `bench/turns` and `bench/worlds`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.attribution.planting import read_corpora
from bench.attribution.scenes import Scene
from bench.judges import read_rows
from bench.world_pairs import world_pairs
from judge.local import Library, Passage
from judge.local.constraints import conflict
from judge.local.elements import elements_of
from judge.local.matching import Rarity
from judge.local.needs import need_of
from judge.local.relevance import about_another, features
from judge.local.text import language_by_words

ROOT: Final = Path(__file__).parents[1]
DEVELOPMENT: Final = ROOT / "tests/judge/local/development"
TURNS: Final = ROOT / "bench/turns"

_OWN_WEIGHT: Final = 0.7
"""Weight of all development pairs beside all public rows."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Judged pairs of one source."""

    values: Floats
    relevant: Floats
    group: NDArray[np.int64]
    """Pairs of one group stay in one fold."""
    weight: Floats


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
