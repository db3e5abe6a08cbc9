"""A blind sheet: items drawn from a run for people to label.

Strata are the judge's own labels, so that rare ones are seen; every row carries the
probability with which it was drawn, which agreement weighs by. What the judge said is not
in the sheet. The draw depends on the run, the question and the seed only.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

from analysis.labels.label import CHOICES
from analysis.run import Run
from analysis.tables.schemas import TableName
from analysis.tables.turn_rows import Row
from ingest.errors import UsageError

_EARLIER: Final = 3
"""Messages of the user before the turn that are shown; the judge sees as many."""


def draw_sheet(run: Run, question: str, number: int, seed: int = 0) -> list[dict[str, Any]]:
    """Return at most *number* rows to be labelled, in a random order.

    Each has `question`, `turn_id`, `subject`, the texts to look at, `allowed` with the
    labels there are, an empty `label`, `probability`, `key` and `run_id`.

    Raises:
        UsageError: The run holds nothing that this question was judged on.
    """
    strata = _strata(run, question)
    if not strata:
        raise UsageError(
            f"run {run.run_id}", f"holds no judged {question}", "Choose another --question."
        )
    drawn = [
        (item, count / len(items))
        for items, count in _allotted(strata, number)
        for item in sorted(items, key=lambda row: _ticket(seed, row))[:count]
    ]
    drawn.sort(key=lambda entry: _ticket(seed + 1, entry[0]))
    texts = _texts(run, question, [item for item, _ in drawn])
    return [
        {
            "question": question,
            "turn_id": item["turn_id"],
            "subject": item["subject"],
            **shown,
            "allowed": " | ".join(CHOICES[question]),
            "label": "",
            "explanation": "",
            "probability": probability,
            "key": item["key"],
            "run_id": run.run_id,
        }
        for (item, probability), shown in zip(drawn, texts, strict=True)
    ]


def _strata(run: Run, question: str) -> dict[str, list[Row]]:
    """Return the judged items by the judge's label."""
    strata: dict[str, list[Row]] = defaultdict(list)
    if question == "outcome":
        for row in run.rows("turns", ("turn_id", "outcome", "root_stage")):
            if row["outcome"] != "not_judged":
                item = {"turn_id": row["turn_id"], "subject": "turn", "key": None}
                strata[row["root_stage"] or row["outcome"]].append(item)
        return strata
    columns = ("turn_id", "subject", "key", "label", "grade", "chunk_id", "paragraph",
               "evidence_ids", "rest")  # fmt: skip
    where = {"question": [question], "status": ["judged"]}
    seen: set[str] = set()
    for row in run.rows("verdicts", columns, where):
        if row["key"] not in seen and row["turn_id"] is not None and not row["rest"]:
            seen.add(row["key"])
            label = row["label"] if row["grade"] is None else str(row["grade"])
            strata[label].append(row)
    return strata


def _allotted(strata: Mapping[str, list[Row]], number: int) -> Iterator[tuple[list[Row], int]]:
    """Yield each stratum with how many to draw: equal shares, what is left over to the large."""
    left, rest = number, len(strata)
    for _, items in sorted(strata.items(), key=lambda entry: (len(entry[1]), entry[0])):
        count = min(len(items), -(-left // rest))
        left, rest = left - count, rest - 1
        if count:
            yield items, count


def _ticket(seed: int, row: Row) -> bytes:
    text = f"{seed}\0{row['turn_id']}\0{row['subject']}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _texts(run: Run, question: str, items: Sequence[Row]) -> Iterator[dict[str, str | None]]:
    """Yield what a person looks at, by item."""
    ids = sorted({item["turn_id"] for item in items})
    asked = _asked(run, ids)
    if question in ("answer", "outcome"):
        answers = _by(run, "turns", ("turn_id",), "answer", ids)
        for item in items:
            yield {**asked[item["turn_id"]], "answer": answers[item["turn_id"],]}
        return
    evidence = _by(run, "chunks", ("turn_id", "chunk_id"), "text", ids)
    if question == "relevance":
        for item in items:
            found = evidence.get((item["turn_id"], item["chunk_id"]))
            yield {**asked[item["turn_id"]], "chunk": found}
        return
    evidence |= _by(run, "tool_calls", ("turn_id", "call_id"), "result", ids)
    blocks = _by(run, "paragraphs", ("turn_id", "paragraph"), "text", ids)
    for item in items:
        turn_id = item["turn_id"]
        names = item["evidence_ids"] or ()
        cited = [evidence.get((turn_id, name)) or f"({name}: not captured)" for name in names]
        yield {
            **asked[turn_id],
            "paragraph": blocks.get((turn_id, item["paragraph"])),
            "evidence": "\n\n".join(cited),
        }


def _asked(run: Run, turn_ids: Sequence[str]) -> dict[str, dict[str, str | None]]:
    """Return the user's message of each turn, with those just before it in the conversation."""
    columns = ("turn_id", "conversation_id", "turn", "question")
    wanted = run.rows("turns", columns, {"turn_id": turn_ids})
    conversations = sorted({row["conversation_id"] for row in wanted})
    messages = {
        (row["conversation_id"], row["turn"]): row["question"]
        for row in run.rows("turns", columns, {"conversation_id": conversations})
    }
    found: dict[str, dict[str, str | None]] = {}
    for row in wanted:
        numbers = range(max(1, row["turn"] - _EARLIER), row["turn"])
        earlier = [messages.get((row["conversation_id"], number)) for number in numbers]
        found[row["turn_id"]] = {
            "earlier": "\n".join(text for text in earlier if text),
            "user": row["question"],
        }
    return found


def _by(
    run: Run, table: TableName, keys: tuple[str, ...], value: str, turn_ids: Sequence[str]
) -> dict[tuple[Any, ...], str | None]:
    """Return one column of the rows of some turns, by others."""
    rows = run.rows(table, (*keys, value), {"turn_id": turn_ids})
    return {tuple(row[key] for key in keys): row[value] for row in rows}
