"""A turn as the beginning of a golden item."""

from analysis.golden.item import Item
from analysis.run import Run
from ingest.errors import UsageError


def item_of_turn(run: Run, turn_id: str, item_id: str, tags: tuple[str, ...] = ()) -> Item:
    """Return an item that asks the question of a turn; a person completes it.

    Its expected ids are the chunks that the judge found relevant in the turn, and those that
    should have been there.

    Raises:
        UsageError: The run has no such turn, or its question was not captured.
    """
    columns = ("question", "found_collections", "answer_flag")
    turns = run.rows("turns", columns, {"turn_id": [turn_id]})
    if not turns:
        raise UsageError(
            turn_id, f"is no turn of run {run.run_id}", "stagefault show --failed lists turns."
        )
    question = turns[0]["question"]
    if not question:
        raise UsageError(turn_id, "has no captured question", "Choose another turn.")
    where = {"turn_id": [turn_id], "question": ["relevance", "probe"], "status": ["judged"]}
    relevant = [
        row["chunk_id"]
        for row in run.rows("verdicts", ("chunk_id", "label"), where)
        if row["label"] == "relevant" and row["chunk_id"]
    ]
    return Item(
        id=item_id,
        question=question,
        expected_ids=tuple(dict.fromkeys(relevant)),
        expected_corpus=tuple(turns[0]["found_collections"] or ()),
        tags=tags,
    )
