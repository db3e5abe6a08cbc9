"""Good turns from `sample_traces`: what the traces hold, and what is known of it.

    traces ──ingest, stages──▶ Turn ─┐
    truth.jsonl ───── which are good ─┼─▶ GoodTurn, one corpus per service
    answers.jsonl ── the known answers ┘

Nothing was tuned on these turns. The passages of a turn are what it fetched itself and
showed to the model; what an earlier turn fetched is not among them. A turn that needs such
evidence, or that had two agents fetch for it, cannot be told as a `GoodTurn`; one with a
latent fault is no good ground to plant another in. Both are left out and counted.
"""

import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from bench.attribution.corpus import Corpus
from bench.attribution.desk import Desk
from bench.attribution.sample_turns import desks_of, good_turn, passages_of
from bench.attribution.scenes import opening_scene
from bench.attribution.turns import GoodTurn
from ingest import group_spans, read_spans
from ingest.conventions import to_spans
from ingest.errors import UsageError
from stages import Turn, TurnDraft, assemble, build_drafts

SAMPLES: Final = Path(__file__).parents[2] / "sample_traces"
LATENT: Final = "a latent fault"
CARRIED: Final = "evidence of an earlier turn"
TWO_AGENTS: Final = "two agents fetched"
NOT_CAPTURED: Final = "not all captured"

_REST: Final = "rest"
_GOOD_LABELS: Final = frozenset({"full", "partial"})

Key: TypeAlias = tuple[str, int]
"""Conversation and turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTurns:
    """The good turns of the samples that a fault can be planted in."""

    corpora: tuple[Corpus, ...] = field(repr=False)
    """One per service."""
    left_out: Mapping[Key, str]
    """Good turns that are not among them, and why."""

    @property
    def kept(self) -> int:
        """Number of turns in all corpora."""
        return sum(len(corpus.scenes) for corpus in self.corpora)

    def counts(self) -> str:
        """Return the numbers of turns that are kept and left out, as one line."""
        by_service = ", ".join(
            f"{corpus.desk.service} {len(corpus.scenes)}" for corpus in self.corpora
        )
        reasons = Counter(self.left_out.values())
        why = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
        total = self.kept + len(self.left_out)
        gone = f"{len(self.left_out)} ({why})" if why else "0"
        return f"{total} good turns: {self.kept} kept ({by_service}), {gone} left out"


def read_samples(folder: Path = SAMPLES) -> SampleTurns:
    """Read the good turns of a folder of traces with what is known of them.

    Raises:
        SourceError: The traces cannot be read.
        UsageError: `truth.jsonl` or `answers.jsonl` cannot be read, or lacks a turn.
    """
    good = [
        key
        for key, row in rows_by_turn(folder / "truth.jsonl").items()
        if row["stage"] is None and row["undetermined"] is None
    ]
    answers = rows_by_turn(folder / "answers.jsonl")
    turns = traced_turns(folder)
    left_out: dict[Key, str] = {}
    kept: dict[str, list[GoodTurn]] = {}
    desks = {desk.service: desk for desk in desks_of(turns.values())}
    for key in good:
        require_turn(key, turns, answers)
        turn, known = turns[key], answers[key]
        service = turn.service or ""
        reason = _unfit(turn, known, desks[service])
        if reason is None:
            kept.setdefault(service, []).append(good_turn(turn, known))
        else:
            left_out[key] = reason
    corpora = tuple(
        Corpus(desks[service], tuple(opening_scene(one, desks[service]) for one in found))
        for service, found in kept.items()
    )
    return SampleTurns(corpora=corpora, left_out=left_out)


def traced_turns(folder: Path) -> dict[Key, Turn]:
    """Return the turns of a folder of traces.

    Raises:
        SourceError: It cannot be read.
    """
    drafts: dict[str, list[TurnDraft]] = {}
    for trace in group_spans(read_spans([folder])):
        for draft in build_drafts(trace.trace_id, to_spans(trace.spans)):
            drafts.setdefault(draft.conversation_id, []).append(draft)
    conversations = (assemble(name, found) for name, found in sorted(drafts.items()))
    return {(one.conversation_id, turn.turn): turn for one in conversations for turn in one.turns}


def require_turn(key: Key, *held: Container[Key]) -> None:
    """Raise a `UsageError` where the traces or the answers lack a turn of `truth.jsonl`."""
    if not all(key in one for one in held):
        place = f"{key[0]}/{key[1]}"
        raise UsageError(place, "is in truth.jsonl, not in the traces and answers.jsonl")


def rows_by_turn(path: Path) -> dict[Key, Mapping[str, Any]]:
    """Read lines about turns, by conversation and turn.

    Raises:
        UsageError: They cannot be read.
    """
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
        return {(row["conversation_id"], row["turn"]): row for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(str(path), f"no lines about turns ({error!r})") from None


# Whether a turn can be told


def _unfit(turn: Turn, known: Mapping[str, Any], desk: Desk) -> str | None:
    """Return why no fault can be planted in a good turn, None where one can."""
    if not _routed_rightly(known["routing"]):
        return LATENT
    if not _captured(turn):
        return NOT_CAPTURED
    passages = passages_of(turn)
    held = {one.passage_id for one in passages}
    if not held.issuperset(_needed(turn, known)):
        return CARRIED
    if not all(map(desk.agent(turn.agent or "").reaches, passages)):
        return TWO_AGENTS
    return None


def _routed_rightly(routing: Mapping[str, Any]) -> bool:
    return (
        routing["agent_ok"]
        and routing["refined_faithful"] is not False
        and not routing["missing"]
        and all(one["ok"] for one in routing["collections"])
        and all(one["tool_ok"] and one["args_ok"] for one in routing["calls"])
    )


def _captured(turn: Turn) -> bool:
    return (
        bool(turn.question and turn.agent and turn.service and turn.generation)
        and bool(turn.generation and turn.generation.answer)
        and all(call.status in ("ok", "empty") for call in turn.tool_calls)
        and all(chunk.text is not None for one in turn.retrievals for chunk in one.chunks)
        and all(one.resolved for one in (turn.generation.citations if turn.generation else ()))
    )


def _needed(turn: Turn, known: Mapping[str, Any]) -> Iterator[str | None]:
    """Yield what the answer cites and rests on."""
    for citation in turn.generation.citations if turn.generation else ():
        yield citation.target
    for pairs in known["support"].values():
        for ids, label in pairs.items():
            if ids != _REST and label in _GOOD_LABELS:
                yield from ids.split("+")
