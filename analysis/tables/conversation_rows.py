"""All rows of one conversation, by table."""

from collections.abc import Iterable, Mapping, Sequence

from analysis.attribution.kinds import Attribution
from analysis.judged import JudgedTurn
from analysis.metrics.measured import Measured
from analysis.metrics.metric import Metric
from analysis.tables.schemas import TableName
from analysis.tables.stage_rows import (
    chunk_rows,
    citation_rows,
    paragraph_rows,
    retrieval_rows,
    span_rows,
    tool_call_rows,
)
from analysis.tables.turn_rows import Row, turn_row
from analysis.tables.verdict_rows import finding_rows, metric_rows, verdict_row
from judge.question import AnyVerdict

MeasuredTurns = Mapping[str, Iterable[tuple[Metric, Measured]]]
"""By turn id: every metric with what it says about the turn."""


def conversation_rows(
    turns: Sequence[JudgedTurn],
    attributions: Sequence[Attribution],
    verdicts: Iterable[AnyVerdict],
    measured: MeasuredTurns,
) -> dict[TableName, list[Row]]:
    """Return the rows of one conversation.

    Args:
        turns: Its judged turns, in order.
        attributions: What became of them, one per turn, in the same order.
        verdicts: Every question asked for it with its reply, in order.
        measured: The metrics of each turn.
    """
    rows: dict[TableName, list[Row]] = {
        "turns": [],
        "tool_calls": [],
        "retrievals": [],
        "chunks": [],
        "paragraphs": [],
        "citations": [],
        "spans": [],
        "verdicts": [verdict_row(verdict) for verdict in verdicts],
        "metrics": [],
        "findings": [],
    }
    for judged, attribution in zip(turns, attributions, strict=True):
        turn = judged.turn
        rows["turns"].append(turn_row(judged, attribution))
        rows["tool_calls"] += tool_call_rows(turn)
        rows["retrievals"] += retrieval_rows(turn)
        rows["chunks"] += chunk_rows(judged)
        rows["paragraphs"] += paragraph_rows(judged)
        rows["citations"] += citation_rows(turn)
        rows["spans"] += span_rows(turn)
        rows["metrics"] += metric_rows(turn.turn_id, measured.get(turn.turn_id, ()))
        rows["findings"] += finding_rows(attribution)
    return rows
