"""One turn with everything a drill-down shows, read back from the tables of a run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from analysis.report.contradictions import Contradiction, contradictions
from analysis.report.marks import ROLES, Mark, routing_judged
from analysis.report.waterfall import SPAN_COLUMNS
from analysis.run import Run
from analysis.tables.schemas import TableName
from analysis.tables.turn_rows import Row
from ingest.errors import StoreError
from stages.records import Stage

_TABLES: Final[tuple[TableName, ...]] = (
    "tool_calls",
    "retrievals",
    "chunks",
    "paragraphs",
    "citations",
    "findings",
    "metrics",
)
REPORT_FILE: Final = "report.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """One turn of a run. Rows have the columns of their table, in the table's order."""

    run_id: str
    turn: Row
    turns: int
    """Turns of its conversation in this run."""
    causes: Sequence[Row]
    """One per symptom, as `analysis.tables.turn_rows` writes them."""
    elements: Sequence[Row]
    """What the question asks for; empty when that was not judged."""
    routing: Mapping[str, Any] | None
    """The judge's answer about this turn's routing, None when it was not decided."""
    rows: Mapping[TableName, Sequence[Row]]
    verdicts: Sequence[Row]
    """Of the turn, and of its conversation."""
    spans: Sequence[Row]
    """With the columns of `SPAN_COLUMNS`."""
    page: str | None
    """Where the HTML report shows the turn; None when the run has none."""
    contradictions: Sequence[Contradiction] = ()
    """In order of paragraphs; empty also where `load_turn` did not build the view."""

    def __getitem__(self, table: TableName) -> Sequence[Row]:
        return self.rows[table]

    @property
    def root_cause(self) -> Row | None:
        """The first cause that is the root; where the stage is open, the first of all."""
        root = (self.turn["root_stage"], self.turn["root_kind"])
        causes = [one for one in self.causes if (one["stage"], one["kind"]) == root]
        return next(iter([*causes, *self.causes]), None)

    def faults(self, stage: Stage) -> list[Row]:
        """Return the findings of one stage, the root first."""
        found = [row for row in self["findings"] if row["stage"] == stage]
        return sorted(found, key=lambda row: ROLES.index(row["role"]))

    def mark(self, stage: Stage) -> Mark:
        """Return what the stage had to do with the outcome."""
        faults = self.faults(stage)
        if faults:
            role: Mark = faults[0]["role"]
            return role
        if not self._ran(stage):
            return "not_run"
        known = stage != "routing" or routing_judged(self["metrics"])
        return "fine" if known and self.turn["outcome"] != "not_judged" else "not_judged"

    def _ran(self, stage: Stage) -> bool:
        match stage:
            case "routing":
                return self.turn["agents"] is not None
            case "retrieval":
                return bool(self["retrievals"] or self["tool_calls"])
            case "generation":
                return self.turn["answer_source"] is not None

    def _repr_html_(self) -> str:
        from analysis.report.notebook_turn import turn_html

        return turn_html(self)

    def _repr_markdown_(self) -> str:
        from analysis.report.notebook_turn import turn_markdown

        return turn_markdown(self)


def load_turn(run: Run, turn: Row, turns: int) -> TurnView:
    """Return the view of a turn.

    Args:
        run: The run.
        turn: The turn's row of `turns`.
        turns: Turns of its conversation.

    Raises:
        StoreError: A table cannot be read.
    """
    turn_id, conversation_id = turn["turn_id"], turn["conversation_id"]
    verdicts = [
        row
        for row in run.rows("verdicts", where={"conversation_id": [conversation_id]})
        if row["turn_id"] in (None, turn_id)
    ]
    rows = {name: run.rows(name, where={"turn_id": [turn_id]}) for name in _TABLES}
    return TurnView(
        run_id=run.run_id,
        turn=turn,
        turns=turns,
        causes=parsed(run, turn["causes"]) or [],
        elements=parsed(run, turn["elements"]) or [],
        routing=_routing(run, verdicts, turn["turn"]),
        rows=rows,
        verdicts=verdicts,
        spans=run.rows("spans", SPAN_COLUMNS, {"turn_id": [turn_id]}),
        page=_page(run, turn),
        contradictions=contradictions(
            turn["turn"],
            rows,
            [(row, parsed(run, row["detail"])) for row in verdicts if row["turn_id"] == turn_id],
            lambda: _earlier(run, turn),
        ),
    )


def _earlier(run: Run, turn: Row) -> Iterator[tuple[int, list[Row], list[Row]]]:
    """Yield what the turns before one retrieved and called, the latest first."""
    where = {"conversation_id": [turn["conversation_id"]]}
    before = [
        (row["turn"], row["turn_id"])
        for row in run.rows("turns", ["turn", "turn_id"], where)
        if row["turn"] < turn["turn"]
    ]
    for number, turn_id in sorted(before, reverse=True):
        its = {"turn_id": [turn_id]}
        yield number, run.rows("chunks", where=its), run.rows("tool_calls", where=its)


def _routing(run: Run, verdicts: Sequence[Row], number: int) -> Mapping[str, Any] | None:
    for verdict in verdicts:
        if verdict["question"] == "routing" and verdict["detail"]:
            for judged in parsed(run, verdict["detail"]).get("turns", ()):
                if judged.get("turn") == number:
                    found: Mapping[str, Any] = judged
                    return found
    return None


def _page(run: Run, turn: Row) -> str | None:
    report = run.folder / REPORT_FILE
    if not report.is_file():
        return None
    return f"{report}#/c/{quote(turn['conversation_id'], safe='')}/t/{turn['turn']}"


def parsed(run: Run, text: str | None) -> Any:
    """Return what a cell of JSON text holds, None for a null one.

    Raises:
        StoreError: It holds no JSON.
    """
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise StoreError(
            str(run.folder), "holds a cell that is no JSON", "Replay to write the run again."
        ) from None


def turn_json(view: TurnView) -> dict[str, Any]:
    """Return everything about a turn as plain JSON values, texts as recorded."""
    return {
        "run_id": view.run_id,
        "turn": _plain(view.turn) | {"causes": view.causes, "elements": view.elements},
        "turns_in_conversation": view.turns,
        **{name: [_plain(row) for row in rows] for name, rows in view.rows.items()},
        "verdicts": [
            _plain(row) | {"detail": json.loads(row["detail"]) if row["detail"] else None}
            for row in view.verdicts
        ],
        "spans": view.spans,
        "page": view.page,
    }


def _plain(row: Row) -> Row:
    """Return a row with times as ISO 8601."""
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in row.items()
    }
