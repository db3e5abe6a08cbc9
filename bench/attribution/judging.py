"""A planted run through the real judging rounds, with either judge.

PlantedRun ─▶ pool, knowledge ─▶ judge_conversations ─▶ attribute ─▶ Result per turn
"""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from analysis.attribution import Attribution, attribute
from analysis.judged import JudgedTurn
from analysis.judges import Acquaintance, JudgeChoice
from analysis.judging import JudgedConversation, Settings, judge_conversations
from analysis.probing import Prober
from bench.attribution.planting import Planted, PlantedRun
from judge import Ledger, ask, citing_agents
from judge.pool import ChunkPool
from judge.question import AnyVerdict, Judge
from judge.recorded import RecordedJudge
from judge.run_knowledge import RunKnowledge

JudgeName: TypeAlias = Literal["oracle", "local"]
BLOCK: Final = 256
"""Conversations that are judged at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of one planted turn."""

    planted: Planted
    judged: JudgedTurn
    attribution: Attribution

    @property
    def found(self) -> str:
        """The root stage, `undetermined` among them; else the outcome."""
        if self.attribution.outcome == "failed":
            return self.attribution.root_stage or "undetermined"
        return self.attribution.outcome

    @property
    def found_kind(self) -> str:
        """The root kind; without one, as `found`."""
        return self.attribution.root_kind or self.found

    @property
    def right_stage(self) -> bool:
        """It has the root stage that was planted, or passed as it must."""
        return self.found == (self.planted.stage or "passed")

    @property
    def right_kind(self) -> bool:
        """It has the root stage and the root kind that were planted, or passed as it must."""
        kind = self.planted.kind or "passed"
        return self.right_stage and self.found_kind == kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A planted run, judged."""

    results: tuple[Result, ...]
    """In the order in which the turns were planted."""
    verdicts: tuple[AnyVerdict, ...]
    """Every verdict that was used."""


def judge_for(run: PlantedRun, name: JudgeName, folder: Path) -> Judge:
    """Return the judge by name; the oracle's answers are put into *folder*."""
    if name == "local":
        acquaintance = Acquaintance(JudgeChoice())
        for conversation in run.conversations:
            for turn in conversation.turns:
                acquaintance.add(turn)
        return acquaintance.judge()
    answers = folder / "answers.jsonl"
    lines = (json.dumps(one.known, ensure_ascii=False) for one in run.planted)
    answers.write_text("\n".join(lines) + "\n", "utf-8")
    return RecordedJudge(answers)


def judged(
    run: PlantedRun,
    name: JudgeName,
    settings: Settings | None = None,
    watched: Callable[[Judge], Judge] = lambda judge: judge,
) -> Judged:
    """Judge every planted turn of a run and attribute it.

    Args:
        run: The run.
        name: The judge.
        settings: How it is asked.
        watched: Puts something before the judge.
    """
    pool, knowledge = ChunkPool(), RunKnowledge()
    turns = [turn for conversation in run.conversations for turn in conversation.turns]
    for turn in turns:
        pool.add(turn)
        knowledge.add(turn)
    citing = citing_agents(turns)
    wanted = {one.turn.turn_id for one in run.planted}
    found: list[JudgedConversation] = []
    with tempfile.TemporaryDirectory() as place:
        judge = watched(judge_for(run, name, Path(place)))
        with Ledger(Path(place) / "verdicts.sqlite") as ledger:
            for start in range(0, len(run.conversations), BLOCK):
                found += judge_conversations(
                    run.conversations[start : start + BLOCK],
                    wanted=lambda turn: turn.turn_id in wanted,
                    ask=lambda questions: ask(questions, judge, ledger),
                    prober=Prober(pool=pool, knowledge=knowledge),
                    citing_agents=citing,
                    settings=settings or Settings(),
                )
    return Judged(
        results=tuple(_results(run.planted, found)),
        verdicts=tuple(verdict for one in found for verdict in one.verdicts),
    )


def _results(planted: Sequence[Planted], found: Sequence[JudgedConversation]) -> list[Result]:
    by_turn: Mapping[str, tuple[JudgedTurn, Attribution]] = {
        turn.turn.turn_id: (turn, attribution)
        for one in found
        for turn, attribution in zip(one.turns, attribute(one.turns), strict=True)
    }
    return [
        Result(
            planted=one,
            judged=by_turn[one.turn.turn_id][0],
            attribution=by_turn[one.turn.turn_id][1],
        )
        for one in planted
    ]
