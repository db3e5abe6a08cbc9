"""Whether a sentence of an answer declares that something is not known.

    "There's nothing in what I was given about boots."   declares
    "There is no charge for a day less."                 denies something of the world

Both are negations, and there are more ways to say the first than any list of phrases holds,
in any language. What a sentence means tells them apart: a logistic model over its direction,
fitted on sentences whose act is known (`bench.tune_declaring`).
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from judge.local.encoder import STEPS as LENGTH
from judge.local.encoder import meaning
from judge.local.patterns import pattern

STEPS: Final = 1_000
"""Steps per unit of a weight: whole numbers add up alike on every machine."""
_SURE: Final = 1.5
"""Log-odds from which a negated sentence declares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The fitted weights, in steps."""

    tuned_on: dict[str, str]
    """Data set → SHA-256 of its sentences (the first 16 hex digits)."""
    intercept: int
    weights: tuple[int, ...]
    """One per dimension of a direction."""


def declares(said: str) -> bool:
    """Tell whether a negated sentence, normalised, says that something is not known."""
    return pattern("negation").search(said) is not None and odds(said) >= _SURE


@lru_cache(maxsize=32_768)
def odds(said: str) -> float:
    """Return the log-odds that a sentence declares, as a negation that may as well deny."""
    product = float(_weights() @ meaning(said).astype(np.float64))
    return (product / LENGTH + _model().intercept) / STEPS


@cache
def _weights() -> NDArray[np.float64]:
    return np.array(_model().weights, dtype=np.float64)


@cache
def _model() -> Model:
    raw = Path(__file__).with_name("declaring.json").read_bytes()
    return msgspec.json.decode(raw, type=Model)
