"""What a run made of a golden set."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from analysis.golden.item import Item
from analysis.intervals import Interval, bootstrap_mean
from analysis.run import Run
from analysis.tables.turn_rows import Row

SCORES: Final = (
    "flag_accuracy",
    "id_recall",
    "id_precision",
    "corpus_ok_rate",
    "golden.citation_validity",
    "authored_match",
    "faithfulness",
)
_DAY: Final = re.compile(r"(?<!\d)(1\d{3}|20\d{2})-(\d{2})-(\d{2})(?!\d)")
_DATED: Final = ("date", "published", "published_at", "created", "created_at", "timestamp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One item with its turn."""

    item: Item
    turn_id: str
    flag: str | None
    """Refusal flag that the turn recorded."""
    scores: Mapping[str, float | None]
    """By name of `SCORES`, in [0, 1]; None where there is nothing to score."""
    first_output_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """One score over some items."""

    value: float | None
    interval: Interval | None
    """95 %, conversations drawn as a whole; None for fewer than two."""
    items: int
    """With a score; the others have nothing to score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenScores:
    """A golden set, held against a run."""

    scored: tuple[Scored, ...]
    missing: tuple[Item, ...]
    """Items without a turn in the run."""
    overall: Mapping[str, Mean]
    by_type: Mapping[str, Mapping[str, Mean]]
    by_program: Mapping[str, Mapping[str, Mean]]
    by_flag: Mapping[str, Mean]
    """Flag accuracy by expected flag; `none` where no flag is expected."""
    flagged: Mean
    """Flag accuracy without items that expect no flag and got none."""
    median_first_output_ms: float | None


def score_run(run: Run, items: Sequence[Item]) -> GoldenScores:
    """Return what a run made of golden items; an item's last turn counts.

    Raises:
        StoreError: A table cannot be read.
    """
    turns = _turns(run, items)
    ids = sorted({row["turn_id"] for row in turns.values()})
    chunks = _grouped(run.rows("chunks", ("turn_id", "chunk_id", "metadata"), {"turn_id": ids}))
    cited = _grouped(run.rows("citations", ("turn_id", "chunk_id", "status"), {"turn_id": ids}))
    names = ["faithfulness", "groundedness[evidence]"]
    metrics = _grouped(
        run.rows("metrics", ("turn_id", "metric", "value"), {"turn_id": ids, "metric": names})
    )
    scored = tuple(
        _scored(item, turns[item.id], chunks, cited, metrics) for item in items if item.id in turns
    )
    outputs = [one.first_output_ms for one in scored if one.first_output_ms is not None]
    return GoldenScores(
        scored=scored,
        missing=tuple(item for item in items if item.id not in turns),
        overall=_means(scored),
        by_type=_cut(scored, {one.item.id: one.item.type for one in scored}),
        by_program=_cut(scored, {one.item.id: one.item.program or "none" for one in scored}),
        by_flag={
            flag: means["flag_accuracy"]
            for flag, means in _cut(
                scored, {one.item.id: one.item.expected_flag or "none" for one in scored}
            ).items()
        },
        flagged=_means([one for one in scored if one.item.expected_flag or one.flag])[
            "flag_accuracy"
        ],
        median_first_output_ms=median(outputs) if outputs else None,
    )


def _turns(run: Run, items: Iterable[Item]) -> dict[str, Row]:
    """Return the turn of each item, by its id: the attribute decides, else the question."""
    columns = ("turn_id", "golden_id", "question", "answer", "answer_flag", "collections",
               "first_output_ms", "started_at")  # fmt: skip
    wanted = {item.id for item in items}
    asked: dict[str, list[str]] = defaultdict(list)
    for item in items:
        asked[item.question].append(item.id)
    by_id: dict[str, Row] = {}
    by_question: dict[str, Row] = {}
    for batch in run.batches("turns", columns):
        for row in batch.to_pylist():
            if row["golden_id"] in wanted:
                _keep_later(by_id, row["golden_id"], row)
            elif row["golden_id"] is None:
                for item_id in asked.get(row["question"] or "", ()):
                    _keep_later(by_question, item_id, row)
    return by_question | by_id


def _keep_later(kept: dict[str, Row], item_id: str, row: Row) -> None:
    known = kept.get(item_id)
    if known is None or _when(row) >= _when(known):
        kept[item_id] = row


def _when(row: Row) -> float:
    return row["started_at"].timestamp() if row["started_at"] is not None else 0.0


def _grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["turn_id"]].append(row)
    return found


def _scored(
    item: Item,
    turn: Row,
    chunks: Mapping[str, list[Row]],
    cited: Mapping[str, list[Row]],
    metrics: Mapping[str, list[Row]],
) -> Scored:
    turn_id = turn["turn_id"]
    retrieved = {row["chunk_id"]: row["metadata"] for row in chunks.get(turn_id, ())}
    expected = set(item.expected_ids)
    common = len(expected & retrieved.keys())
    searched = set(turn["collections"] or ())
    values = {row["metric"]: row["value"] for row in metrics.get(turn_id, ())}
    faithful = values.get("faithfulness")
    scores: dict[str, float | None] = {
        "flag_accuracy": float(turn["answer_flag"] == item.expected_flag),
        "id_recall": common / len(expected) if expected else None,
        "id_precision": common / len(retrieved) if expected and retrieved else None,
        "corpus_ok_rate": (
            float(searched >= set(item.expected_corpus)) if item.expected_corpus else None
        ),
        "golden.citation_validity": _citations(item, cited.get(turn_id, ()), retrieved),
        "authored_match": (
            None
            if item.authored_answer is None
            else float(_plain(item.authored_answer) == _plain(turn["answer"] or ""))
        ),
        "faithfulness": faithful if faithful is not None else values.get("groundedness[evidence]"),
    }
    return Scored(
        item=item,
        turn_id=turn_id,
        flag=turn["answer_flag"],
        scores=scores,
        first_output_ms=turn["first_output_ms"],
    )


def _citations(
    item: Item, citations: Iterable[Row], retrieved: Mapping[str, str | None]
) -> float | None:
    """Return 1 if every citation resolves to a chunk that is not later than the cutoff."""
    rows = list(citations)
    if not rows:
        return None
    for row in rows:
        if not row["status"].startswith("resolved"):
            return 0.0
        day = _day(row["chunk_id"] or "", retrieved.get(row["chunk_id"]))
        if item.cutoff is not None and day is not None and day[: len(item.cutoff)] > item.cutoff:
            return 0.0
    return 1.0


def _day(chunk_id: str, metadata: str | None) -> str | None:
    """Return the day of a chunk, from its metadata, else from its id; None if neither tells."""
    try:
        told: Any = json.loads(metadata) if metadata else {}
    except (ValueError, RecursionError):
        told = {}
    texts = [told.get(name) for name in _DATED] if isinstance(told, dict) else []
    for text in (*texts, chunk_id):
        found = _DAY.search(text) if isinstance(text, str) else None
        if found:
            return found[0]
    return None


def _plain(text: str) -> str:
    return " ".join(text.split())


def _cut(scored: Iterable[Scored], names: Mapping[str, str]) -> dict[str, Mapping[str, Mean]]:
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in scored:
        groups[names[one.item.id]].append(one)
    return {name: _means(groups[name]) for name in sorted(groups)}


def _means(scored: Sequence[Scored]) -> dict[str, Mean]:
    return {name: _mean(scored, name) for name in SCORES}


def _mean(scored: Iterable[Scored], name: str) -> Mean:
    sums: dict[str, float] = defaultdict(float)
    sizes: dict[str, int] = defaultdict(int)
    for one in scored:
        value = one.scores[name]
        if value is not None:
            conversation = one.turn_id.rpartition("/")[0]
            sums[conversation] += value
            sizes[conversation] += 1
    items = sum(sizes.values())
    return Mean(
        value=sum(sums.values()) / items if items else None,
        interval=bootstrap_mean(list(sums.values()), list(sizes.values())),
        items=items,
    )
