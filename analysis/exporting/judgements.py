"""The judgements of a run, each with the span that it is about."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analysis.run import Run
from analysis.tables.schemas import TableName

OUTCOME: Final = "outcome"
LONGEST: Final = 4_000
"""Characters of an explanation; backends cut or refuse longer ones."""
_STAGE_OF: Final = {
    "routing": "routing",
    "relevance": "retrieval",
    "probe": "retrieval",
    "support": "generation",
    "answer": "generation",
    "statements": "generation",
}
_VERDICT_COLUMNS: Final = (
    "key", "conversation_id", "turn_id", "question", "subject", "status", "unjudged_reason",
    "label", "grade", "score", "reason", "judge",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in the recorded traces something is."""

    trace_id: str
    span_id: str
    start_ns: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One thing that was said of one turn."""

    name: str
    """The question; `outcome` for what became of the turn."""
    turn_id: str
    conversation_id: str
    subject: str
    key: str | None
    """Of the reply; None for an outcome."""
    label: str | None
    """None where nothing was decided, and for questions without one."""
    score: float | None
    """A grade, a score, or 1 for passed and 0 for failed; None without one."""
    explanation: str | None
    error: str | None
    """Why it is undecided; None for a decision."""
    judge: str
    place: Place | None
    """None where the turn has no span in the run."""


def judgements_of(run: Run) -> Iterator[Judgement]:
    """Yield the outcome of every turn, then every verdict about a turn, a batch at a time.

    Raises:
        StoreError: A table cannot be read.
    """
    places = _places(run)
    columns = ("turn_id", "conversation_id", "outcome", "outcome_reason", "root_stage",
               "root_kind", "sentence")  # fmt: skip
    judge = (run.info.get("judge") or {}).get("provider", "unknown")
    for batch in run.batches("turns", columns):
        for row in batch.to_pylist():
            failed = row["outcome"] == "failed"
            root = ".".join(filter(None, (row["root_stage"], row["root_kind"])))
            undecided = row["outcome"] == "not_judged"
            yield Judgement(
                name=OUTCOME,
                turn_id=row["turn_id"],
                conversation_id=row["conversation_id"],
                subject="turn",
                key=None,
                label=None if undecided else root if failed else row["outcome"],
                score=None if undecided else float(not failed),
                explanation=row["sentence"],
                error=(row["outcome_reason"] or "not_judged") if undecided else None,
                judge=judge,
                place=places.get((row["turn_id"], None)),
            )
    for batch in run.batches("verdicts", _VERDICT_COLUMNS):
        for row in batch.to_pylist():
            if row["turn_id"] is not None:
                stage = _STAGE_OF.get(row["question"])
                own = places.get((row["turn_id"], stage))
                yield Judgement(
                    name=row["question"],
                    turn_id=row["turn_id"],
                    conversation_id=row["conversation_id"],
                    subject=row["subject"],
                    key=row["key"],
                    label=row["label"],
                    score=row["score"] if row["grade"] is None else float(row["grade"]),
                    explanation=row["reason"],
                    error=row["unjudged_reason"] if row["status"] == "unjudged" else None,
                    judge=row["judge"] or judge,
                    place=own or places.get((row["turn_id"], None)),
                )


def count_of(run: Run) -> int:
    """Return how many judgements `judgements_of` yields.

    Raises:
        StoreError: A table cannot be read.
    """
    tables: tuple[TableName, ...] = ("turns", "verdicts")
    return sum(
        batch.num_rows - batch.column(0).null_count
        for table in tables
        for batch in run.batches(table, ("turn_id",))
    )


def shortened(text: str | None) -> str | None:
    """Return an explanation that no backend finds too long."""
    return text if text is None or len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _places(run: Run) -> dict[tuple[str, str | None], Place]:
    """Return the first span of each turn, and of each of its stages."""
    found: dict[tuple[str, str | None], Place] = {}
    columns = ("trace_id", "span_id", "turn_id", "stage", "start_ns")
    for batch in run.batches("spans", columns):
        for row in batch.to_pylist():
            if row["turn_id"] is not None and row["trace_id"] and row["span_id"]:
                place = Place(
                    trace_id=row["trace_id"], span_id=row["span_id"], start_ns=row["start_ns"]
                )
                for key in {(row["turn_id"], None), (row["turn_id"], row["stage"])}:
                    known = found.get(key)
                    if known is None or _earlier(place, known):
                        found[key] = place
    return found


def _earlier(one: Place, other: Place) -> bool:
    if one.start_ns is None or other.start_ns is None:
        return other.start_ns is None and one.start_ns is not None
    return one.start_ns < other.start_ns
