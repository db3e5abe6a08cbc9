"""What one turn made of one golden item.

What the trace did not record is neither right nor wrong: such a score is None, with a reason.
It is a score all the same where what was not recorded cannot change it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from analysis.golden.item import Item
from analysis.metrics.citation import UNCLEAR
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
NOTHING_TO_SCORE: Final = frozenset({"nothing_expected", "nothing_retrieved", "nothing_cited"})
"""Reasons of items that have no such score; the other reasons are holes in the trace."""

_DAY: Final = re.compile(r"(?<!\d)(1\d{3}|20\d{2})-(\d{2})-(\d{2})(?!\d)")
_DATED: Final = ("date", "published", "published_at", "created", "created_at", "timestamp")
_ANSWER_GAPS: Final = ("answer_not_recorded", "answer_not_captured", "answer_truncated")
_HASHED: Final = "sha1:"
"""Begins the id of a chunk that was recorded without one."""


class ItemScore(NamedTuple):
    """One score of one item."""

    value: float | None
    """In [0, 1]; None where it is undefined or unknown."""
    reason: str | None = None
    """Why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """Rows of a turn in the tables of its run."""

    searches: Sequence[Row]
    chunks: Sequence[Row]
    citations: Sequence[Row]
    metrics: Sequence[Row]


def scores_of(item: Item, turn: Row, retrieved: Retrieved) -> dict[str, ItemScore]:
    """Return every score of `SCORES`, in its order."""
    recall, precision = _ids(item, turn, retrieved)
    return {
        "flag_accuracy": ItemScore(float(turn["answer_flag"] == item.expected_flag)),
        "id_recall": recall,
        "id_precision": precision,
        "corpus_ok_rate": _corpus(item, turn, retrieved),
        "golden.citation_validity": _citations(item, turn, retrieved),
        "authored_match": _authored(item, turn),
        "faithfulness": _faithfulness(retrieved),
    }


def _ids(item: Item, turn: Row, retrieved: Retrieved) -> tuple[ItemScore, ItemScore]:
    """Return recall and precision of the expected chunks among those retrieved."""
    expected = set(item.expected_ids)
    found = {row["chunk_id"] for row in retrieved.chunks}
    if not expected:
        nothing = ItemScore(None, "nothing_expected")
        return nothing, nothing
    common = len(expected & found)
    recall = ItemScore(common / len(expected))
    precision = ItemScore(common / len(found)) if found else ItemScore(None, "nothing_retrieved")
    unknown: ItemScore | None = None
    if _gap(turn, "retrieval_not_captured"):
        unknown = ItemScore(None, "retrieval_not_captured")
    elif any(name.startswith(_HASHED) for name in found - expected):
        unknown = ItemScore(None, "chunk_id_not_recorded")
    if unknown is None:
        return recall, precision
    return recall if common == len(expected) else unknown, unknown


def _corpus(item: Item, turn: Row, retrieved: Retrieved) -> ItemScore:
    """Return 1 if every expected collection was searched."""
    if not item.expected_corpus:
        return ItemScore(None, "nothing_expected")
    if set(turn["collections"] or ()).issuperset(item.expected_corpus):
        return ItemScore(1.0)
    nameless = any(row["collection"] is None for row in retrieved.searches)
    return ItemScore(None, "collection_not_recorded") if nameless else ItemScore(0.0)


def _citations(item: Item, turn: Row, retrieved: Retrieved) -> ItemScore:
    """Return 1 if every citation resolves to a chunk that is not later than the cutoff."""
    metadata = {row["chunk_id"]: row["metadata"] for row in retrieved.chunks}
    unclear = False
    for row in retrieved.citations:
        if row["status"] in UNCLEAR:
            unclear = True
        elif not row["status"].startswith("resolved"):
            return ItemScore(0.0)
        else:
            day = _day(row["chunk_id"] or "", metadata.get(row["chunk_id"]))
            if (
                item.cutoff is not None
                and day is not None
                and day[: len(item.cutoff)] > item.cutoff
            ):
                return ItemScore(0.0)
    if unclear:
        return ItemScore(None, "citations_unclear")
    if retrieved.citations:
        return ItemScore(1.0)
    return ItemScore(None, _gap(turn, *_ANSWER_GAPS) or "nothing_cited")


def _authored(item: Item, turn: Row) -> ItemScore:
    if item.authored_answer is None:
        return ItemScore(None, "nothing_expected")
    if gap := _gap(turn, *_ANSWER_GAPS):
        return ItemScore(None, gap)
    return ItemScore(float(_plain(item.authored_answer) == _plain(turn["answer"] or "")))


def _faithfulness(retrieved: Retrieved) -> ItemScore:
    """Return the share of what the answer says that its sources hold."""
    measured: Mapping[str, Row] = {row["metric"]: row for row in retrieved.metrics}
    rows = [
        measured[name] for name in ("faithfulness", "groundedness[evidence]") if name in measured
    ]
    for row in rows:
        if row["value"] is not None:
            return ItemScore(row["value"])
    return ItemScore(None, next((row["reason"] for row in rows if row["reason"]), "not_measured"))


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


def _gap(turn: Row, *reasons: str) -> str | None:
    """Return the first of the reasons that the turn has a gap for."""
    gaps = turn["gaps"] or ()
    return next((reason for reason in reasons if reason in gaps), None)


def _plain(text: str) -> str:
    return " ".join(text.split())
