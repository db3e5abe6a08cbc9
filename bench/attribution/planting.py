"""From turn files to a run: the good turns, then every fault in turns of their own.

    files ──▶ Corpus per file ──▶ good conversations          first day: all is seen once
                              └─▶ one conversation per fault  later: the turns before the
                                                              fault, then the broken one

Which turns get a fault is drawn by lot, so that a limit leaves all files and languages in.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bench.attribution import plant_generation, plant_pairs, plant_retrieval, plant_routing
from bench.attribution.corpus import Corpus
from bench.attribution.desk import desk_of
from bench.attribution.playing import build
from bench.attribution.recording import record
from bench.attribution.scenes import Scene, opening_scene
from bench.attribution.turns import TurnFile, read_turns
from bench.attribution.variants import Fault, Variant
from stages.records import Conversation, Turn

FAULTS: Final[tuple[Fault, ...]] = (
    *plant_routing.FAULTS,
    *plant_retrieval.FAULTS,
    *plant_generation.FAULTS,
    *plant_pairs.FAULTS,
)
CONTROL: Final = "good"

_START_NS: Final = 1_772_352_000_000_000_000
"""2026-03-01T08:00:00Z."""
_MINUTE_NS: Final = 60_000_000_000
_TURN_MINUTES: Final = 2
_CONVERSATION_MINUTES: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """One turn of the run, what was done to it and what the rules must say."""

    turn: Turn
    name: str
    """The fault's name; `good` for an untouched turn."""
    stage: str | None
    """None: it must pass."""
    kind: str | None
    known: Mapping[str, Any]
    """The answers to all questions about it."""
    language: str = "en"
    """ISO 639-1 code of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedRun:
    """Everything that one run is made of."""

    conversations: tuple[Conversation, ...]
    """In time order. Turns that are not in `planted` are context."""
    planted: tuple[Planted, ...]


def corpus_of(file: TurnFile) -> Corpus:
    """Return the good scenes of a file.

    Raises:
        UsageError: The file or its desk is not in the format.
    """
    desk = desk_of(file)
    return Corpus(desk, tuple(opening_scene(turn, desk) for turn in file.turns))


def read_corpora(paths: Iterable[Path]) -> tuple[Corpus, ...]:
    """Read turn files.

    Raises:
        UsageError: One of them is not in the format.
    """
    return tuple(corpus_of(read_turns(path)) for path in paths)


def variants_of(
    corpora: Sequence[Corpus], limit: int | None = None, faults: Sequence[Fault] = FAULTS
) -> tuple[Variant, ...]:
    """Plant every fault in every turn that can have it.

    Args:
        corpora: The good turns.
        limit: The most variants of one fault; None for all.
        faults: The faults to plant.
    """
    scenes = [(scene, corpus) for corpus in corpora for scene in corpus.scenes]
    found: list[Variant] = []
    for fault in faults:
        drawn = sorted(scenes, key=lambda one: _lot(fault.name, one[0]))
        planted = (fault.plant(scene, corpus) for scene, corpus in drawn)
        fitting = (Variant(fault=fault, scene=broken) for broken in planted if broken is not None)
        found += islice(fitting, limit)
    return tuple(found)


def _lot(name: str, scene: Scene) -> bytes:
    """Return a number by which turns are drawn: as good as random, and always the same."""
    text = f"{name}/{scene.good.conversation_id}/{scene.good.turn}"
    return hashlib.sha256(text.encode()).digest()


def run_of(corpora: Sequence[Corpus], variants: Sequence[Variant]) -> PlantedRun:
    """Return the run of all good turns and, after them, of all variants."""
    clock = _Clock()
    conversations: list[Conversation] = []
    planted: list[Planted] = []
    good: dict[tuple[str, str], list[Scene]] = {}
    for corpus in corpora:
        for scene in corpus.scenes:
            key = (corpus.desk.service, scene.good.conversation_id)
            good.setdefault(key, []).append(scene)
    names = _names(good)
    for key, scenes in good.items():
        name = names[key]
        turns = clock.played(name, scenes)
        conversations.append(Conversation(conversation_id=name, turns=turns))
        planted += [
            Planted(
                turn=turn,
                name=CONTROL,
                stage=None,
                kind=None,
                known=record(scene.facts, turn),
                language=scene.language,
            )
            for scene, turn in zip(scenes, turns, strict=True)
        ]
    for variant in variants:
        fault, chain = variant.fault, variant.scene.chain
        first = chain[0].good
        key = (chain[0].desk.service, first.conversation_id)
        before = [scene for scene in good[key] if scene.good.turn < first.turn]
        name = f"{names[key]}-{first.turn}+{fault.name}"
        turns = clock.played(name, [*before, *chain])
        conversations.append(Conversation(conversation_id=name, turns=turns))
        planted += [
            Planted(
                turn=turn,
                name=fault.name,
                stage=fault.stage,
                kind=fault.kind,
                known=record(scene.facts, turn),
                language=scene.language,
            )
            for scene, turn in zip(chain, turns[len(before) :], strict=True)
        ]
    return PlantedRun(conversations=tuple(conversations), planted=tuple(planted))


def _names(keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return a name for every conversation; where two files share one, with the service."""
    held = list(keys)
    counts = Counter(name for _, name in held)
    return {
        (service, name): name if counts[name] == 1 else f"{service}:{name}"
        for service, name in held
    }


class _Clock:
    """Lets one conversation follow another."""

    def __init__(self) -> None:
        self._now = _START_NS

    def played(self, name: str, scenes: Sequence[Scene]) -> tuple[Turn, ...]:
        """Return the turns of a conversation, in order."""
        turns = tuple(
            build(scene, name, self._now + number * _TURN_MINUTES * _MINUTE_NS)
            for number, scene in enumerate(sorted(scenes, key=lambda one: one.good.turn))
        )
        self._now += _CONVERSATION_MINUTES * _MINUTE_NS
        return turns
