"""Runs of the Anthropic judge against the scripted server, with what they paid and kept."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.answers import Unjudged
from judge.anthropic_judge import AnthropicJudge, AnthropicSettings
from judge.asking_once import Counts, ask
from judge.ledger import Ledger
from judge.question import AnyVerdict, Question
from judge.remote.batch_service import BatchSettings
from judge.remote.retrying import Policy
from tests.judge.test_asking_once import about, good
from tests.server import ScriptedServer

KEY = "sk-ant-api03-0123456789abcdefghijklmnop"
MODEL = "claude-test-20260101"
"""A model without a price."""
PRICED = "claude-haiku-4-5-20251001"
QUICK = Policy(first_wait_s=0.002, longest_wait_s=0.01)
SOON = BatchSettings(first_look_s=0.01, longest_look_s=0.02, find_s=0.15)


def quick_settings(**fields: Any) -> AnthropicSettings:
    """Return settings that do not wait."""
    return AnthropicSettings(**{"model": MODEL, "policy": QUICK, "batches": SOON, **fields})


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run came to."""

    verdicts: Sequence[AnyVerdict]
    counts: Counts
    warnings: Sequence[str]
    judge: AnthropicJudge

    @property
    def outcomes(self) -> list[str]:
        """`judged`, or why not, by verdict."""
        return [
            one.answer.reason if isinstance(one.answer, Unjudged) else "judged"
            for one in self.verdicts
        ]


def run(
    store: Path,
    questions: Iterable[Question] = (),
    *,
    texts: Sequence[str] = ("a", "b", "c"),
    watch: Callable[[AnyVerdict], None] = lambda _: None,
    **settings: Any,
) -> Ran:
    """Ask questions with a judge of its own, as a command would."""
    judge = AnthropicJudge(quick_settings(**settings))
    counts = Counts()
    verdicts = []
    try:
        with Ledger(store) as ledger:
            try:
                for verdict in ask(list(questions) or about(*texts), judge, ledger, counts=counts):
                    verdicts.append(verdict)
                    watch(verdict)
            finally:
                judge.close()
    finally:
        warnings = judge.warnings()
    return Ran(verdicts, counts, warnings, judge)


def kept_tokens(store: Path) -> tuple[int, int]:
    """Return input and output tokens of everything that stands in the store."""
    ((read, written),) = select(store, "SELECT sum(input_tokens), sum(output_tokens) FROM replies")
    return read or 0, written or 0


def billed_tokens(server: ScriptedServer) -> tuple[int, int]:
    """Return input and output tokens of everything that the service charged for."""
    return server.bill.input_tokens, server.bill.output_tokens


def states(store: Path) -> list[str]:
    """Return the latest state of each attempt at a question, and of each batch, sorted."""
    rows = select(
        store,
        "SELECT state FROM attempts WHERE id IN "
        "(SELECT max(id) FROM attempts GROUP BY custom_id) ORDER BY state",
    )
    return [state for (state,) in rows]


def select(store: Path, query: str) -> list[tuple[Any, ...]]:
    """Return rows of the store, read past our own code."""
    db = sqlite3.connect(store)
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def question_text(params: Any) -> str:
    """Return the text of the chunk that a request is about, as `about` made it."""
    text: str = params["messages"][0]["content"]
    return text.rpartition("<<< chunk ")[2].split("\n")[1]


__all__ = ["about", "good", "json"]
