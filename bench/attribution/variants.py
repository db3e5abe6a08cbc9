"""Planted faults: what was done to which scene, and what the rules must say of it.

The stage and the kind are read off the tables of the design, never off the rules' code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from bench.attribution.corpus import Corpus
from bench.attribution.scenes import Scene

Plant: TypeAlias = Callable[[Scene, Corpus], Scene | None]
"""Returns the scene with the fault, None where it cannot be planted."""

ROUTING: Final = "routing"
RETRIEVAL: Final = "retrieval"
GENERATION: Final = "generation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One way to break a turn."""

    name: str
    plant: Plant
    stage: str | None
    """The root; None: the turn must pass all the same."""
    kind: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A good turn with a fault, or a pair of faults, planted in it."""

    fault: Fault
    scene: Scene


def table(stage: str | None, kinds: Mapping[str, tuple[str | None, Plant]]) -> tuple[Fault, ...]:
    """Return faults of one stage: name, kind of the root and how to plant each."""
    return tuple(
        Fault(name=name, plant=plant, stage=stage, kind=kind)
        for name, (kind, plant) in kinds.items()
    )
