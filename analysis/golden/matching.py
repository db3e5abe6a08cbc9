"""Which turn of a run belongs to which golden item."""

from collections import defaultdict
from collections.abc import Iterable

from analysis.golden.item import Item
from analysis.run import Run
from analysis.tables.turn_rows import Row

_COLUMNS = (
    "turn_id", "golden_id", "question", "answer", "answer_flag", "collections", "gaps",
    "first_output_ms", "started_at",
)  # fmt: skip


def matched_turns(run: Run, items: Iterable[Item]) -> tuple[dict[str, Row], set[str]]:
    """Return the last turn of each item, by the item's id, and the items that stay ambiguous.

    The recorded golden id decides, else the exact question. Where several items ask one
    question, a turn that names none of them answers none: which one it was meant for is
    unknown, and their expectations differ.

    Raises:
        StoreError: A table cannot be read.
    """
    wanted: set[str] = set()
    asked: dict[str, list[str]] = defaultdict(list)
    for item in items:
        wanted.add(item.id)
        asked[item.question].append(item.id)
    by_id: dict[str, Row] = {}
    by_question: dict[str, Row] = {}
    ambiguous: set[str] = set()
    for batch in run.batches("turns", _COLUMNS):
        for row in batch.to_pylist():
            if row["golden_id"] in wanted:
                _keep_later(by_id, row["golden_id"], row)
            elif row["golden_id"] is None:
                asking = asked.get(row["question"] or "", [])
                if len(asking) == 1:
                    _keep_later(by_question, asking[0], row)
                ambiguous.update(asking[1:] and asking)
    return by_question | by_id, ambiguous - by_id.keys()


def _keep_later(kept: dict[str, Row], item_id: str, row: Row) -> None:
    known = kept.get(item_id)
    if known is None or _when(row) >= _when(known):
        kept[item_id] = row


def _when(row: Row) -> float:
    return row["started_at"].timestamp() if row["started_at"] is not None else 0.0
