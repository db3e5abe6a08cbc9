"""Recorded files in, conversations out: reading and rebuilding as a run does it."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from ingest import Reading, group_spans, read_spans
from ingest.conventions import to_span
from stages import TurnDraft, assemble, build_drafts
from stages.records import Conversation, Turn

SHARED = Path(__file__).parents[2].parent / "shared"


def shared(*parts: str) -> Path:
    """Return a file or folder beside the repository; the test is skipped without it."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no {path}: the given files are not beside the repository")
    return path


def case(name: str) -> tuple[Turn, ...]:
    """Return the turns of one given case, by start."""
    turns = [turn for found in conversations(shared("cases", name)) for turn in found.turns]
    return tuple(sorted(turns, key=lambda turn: (turn.start_ns or 0, turn.turn_id)))


def conversations(*paths: Path) -> tuple[Conversation, ...]:
    """Return the conversations of some files, by id."""
    return _conversations(tuple(map(str, paths)))


@cache
def _conversations(paths: tuple[str, ...]) -> tuple[Conversation, ...]:
    drafts: dict[str, list[TurnDraft]] = {}
    reading: Reading = read_spans(paths)
    for trace in group_spans(reading):
        spans = [to_span(raw) for raw in trace.spans]
        for draft in build_drafts(trace.trace_id, spans):
            drafts.setdefault(draft.conversation_id, []).append(draft)
    return tuple(assemble(key, drafts[key]) for key in sorted(drafts))


def expected(case_id: str) -> dict[str, object]:
    """Return the right values of a given case."""
    values = json.loads(shared("cases", "expected.json").read_text("utf-8"))
    found: dict[str, object] = values[case_id]
    return found


def targets(turn: Turn) -> Sequence[tuple[str, str | None, str]]:
    """Return marker, target and status of each citation of a turn."""
    generation = turn.generation
    assert generation is not None
    return [(c.marker, c.target, c.status) for c in generation.citations]
