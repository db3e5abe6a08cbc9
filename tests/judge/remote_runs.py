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


def turn_line(number: int) -> str:
    """Return one line of OTLP JSON: a turn about shoes, with a secret in its second chunk."""

    def attribute(key: str, value: str) -> dict[str, Any]:
        return {"key": key, "value": {"stringValue": value}}

    def span(place: int, name: str, attributes: list[dict[str, Any]]) -> dict[str, Any]:
        start = 1_767_225_600_000_000_000 + number * 10_000_000_000 + place * 1_000_000_000
        return {
            "traceId": f"{number:032x}",
            "spanId": f"{number * 16 + place:016x}",
            **({"parentSpanId": f"{number * 16 + 1:016x}"} if place > 1 else {}),
            "name": name,
            "startTimeUnixNano": str(start),
            "endTimeUnixNano": str(start + 500_000_000),
            "attributes": attributes,
        }

    def message(role: str, text: str) -> str:
        return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])

    texts = [f"Shoes: {number} days.", "Ask jo@example.org, password: hunter2!x", "Hats never."]
    documents = [
        one
        for place, text in enumerate(texts)
        for one in (
            attribute(f"retrieval.documents.{place}.document.id", f"p-{place}"),
            attribute(f"retrieval.documents.{place}.document.content", text),
        )
    ]
    question = message("user", f"How long may I return shoes of kind {number}?")
    answer = message("assistant", f"Shoes of kind {number}: {number} days [1].")
    content = [
        attribute("gen_ai.input.messages", question),
        attribute("gen_ai.output.messages", answer),
    ]
    spans = [
        span(1, "agent", [attribute("gen_ai.operation.name", "invoke_agent"), *content]),
        span(2, "search", [attribute("openinference.span.kind", "RETRIEVER"), *documents]),
        span(3, "chat", [attribute("gen_ai.operation.name", "chat"), *content]),
    ]
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": spans}]}]})


__all__ = ["about", "good"]
