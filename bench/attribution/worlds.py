"""Whole conversations with faults planted by hand, from traces to a planted run.

A world (`bench.worlds`) or any folder of traces with `truth.jsonl` and `answers.jsonl`.
Unlike the turns of `planting` nothing is altered here: what its author planted is judged.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bench.attribution.planting import CONTROL, Planted, PlantedRun
from bench.attribution.samples import require_turn, rows_by_turn, traced_turns
from bench.worlds.world import WORLDS, play
from ingest.errors import UsageError
from stages import Conversation, Turn

HELD_OUT: Final = ("bank", "campus")
"""The worlds that nothing is tuned on, to see whether what was learned carries over."""


def names(worlds: Path = WORLDS) -> list[str]:
    """Return the names of the worlds that are there."""
    return sorted(path.parent.name for path in worlds.glob("*/world.toml"))


def run_of_world(name: str, worlds: Path = WORLDS) -> PlantedRun:
    """Play a world and return its turns with what was planted in each.

    Args:
        name: Name of its folder.
        worlds: Where worlds are kept.

    Raises:
        UsageError: There is no such world, or it cannot be played.
    """
    folder = worlds / name
    if name not in names(worlds):
        raise UsageError(name, "is no world", f"Choose from {', '.join(names(worlds))}.")
    with tempfile.TemporaryDirectory() as place:
        play(folder, Path(place))
        return traced_run(Path(place))


def traced_run(folder: Path) -> PlantedRun:
    """Return the turns of a folder of traces with what its `truth.jsonl` says of each.

    Raises:
        UsageError: A file cannot be read, or a turn is missing in the traces or the answers.
    """
    turns = traced_turns(folder)
    answers = rows_by_turn(folder / "answers.jsonl")
    planted: list[Planted] = []
    by_conversation: dict[str, list[Turn]] = {}
    for (name, _), turn in sorted(turns.items()):
        by_conversation.setdefault(name, []).append(turn)
    for key, truth in rows_by_turn(folder / "truth.jsonl").items():
        require_turn(key, turns, answers)
        planted.append(_planted(turns[key], truth, answers[key]))
    conversations = (
        Conversation(conversation_id=name, turns=tuple(found))
        for name, found in by_conversation.items()
    )
    in_time = sorted(conversations, key=lambda one: one.turns[0].start_ns or 0)
    return PlantedRun(conversations=tuple(in_time), planted=tuple(planted))


def _planted(turn: Turn, truth: Mapping[str, Any], known: Mapping[str, Any]) -> Planted:
    stage = truth["stage"]
    latent = any(other["role"] == "latent" for other in truth["role_of_others"])
    name = truth["kind"] or stage or ("latent" if latent else CONTROL)
    return Planted(
        turn=turn,
        name=name,
        stage=stage,
        kind=truth["kind"] or stage,
        known=known,
        language=known["answer"]["question_language"],
    )
