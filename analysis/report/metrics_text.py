"""The metrics of a report for a terminal: one table, stage by stage, as wide as there is room."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from analysis.breakdown.model import Breakdown, MetricRow
from analysis.report.layout import Align, fitting, line, table, wrap
from analysis.report.metric_wording import (
    lists_text,
    metric_base,
    metric_interval,
    metric_value,
    uncounted_text,
    undefined_text,
)
from analysis.report.numbers import NOTHING

_WIDE: Final = 110
"""Cells from which on more than one reason has room beside a metric."""
_LESS_TELLING: Final = (4, 3, 2)
"""Columns of the metrics that are left out first where there is no room."""
_HEAD = "bold"
_FAINT = "dim"
_STAGE = "bold"


def metrics_lines(breakdown: Breakdown, width: int) -> Iterator[Text]:
    """Yield the metrics by stage; those that are undefined for every turn stand below."""
    if not breakdown.metrics:
        return
    stages = {row.stage: None for row in breakdown.metrics}
    by_stage = [[row for row in breakdown.metrics if row.stage == stage] for stage in stages]
    rows = _metric_table(by_stage, width, short=False)
    if len(fitting(rows, elastic=4, optional=_LESS_TELLING, width=width)) < len(rows[0]):
        rows = _metric_table(by_stage, width, short=True)
    styles = [_HEAD, *("" if row[0].startswith(" ") else _STAGE for row in rows[1:])]
    ends: dict[int, list[MetricRow]] = {}
    place = 1
    for own in by_stage:
        place += 1 + sum(row.summary.value is not None for row in own)
        ends[place] = own
    yield Text()
    align: list[Align] = ["left", "right", "left", "left", "left"]
    lines = table(rows, align, styles, width, elastic=4, optional=_LESS_TELLING)
    for place, text in enumerate(lines, start=1):
        yield text
        yield from _below(ends.get(place, []), width)


def _metric_table(
    by_stage: Sequence[Sequence[MetricRow]], width: int, *, short: bool
) -> list[list[str]]:
    reasons = 1 if width < _WIDE else 3
    rows = [["metric", "value", "95 %", "of", "turns without a value"]]
    for own in by_stage:
        rows.append([own[0].stage, "", "", "", ""])
        valued = (row for row in own if row.summary.value is not None)
        rows += (_metric_cells(row, reasons, short=short) for row in valued)
    return rows


def _metric_cells(row: MetricRow, reasons: int, *, short: bool) -> list[str]:
    return [
        f"  {row.metric}",
        metric_value(row),
        metric_interval(row),
        metric_base(row, short=short),
        undefined_text(row.summary, most=reasons),
    ]


def _below(rows: Sequence[MetricRow], width: int) -> Iterator[Text]:
    """Yield what a stage's table has no column for."""
    lists = [f"{row.metric}: {lists_text(row)}" for row in rows if lists_text(row)]
    lists += filter(None, map(uncounted_text, rows))
    undefined = [
        f"{row.metric}: {undefined_text(row.summary, most=2)}"
        for row in rows
        if row.summary.value is None
    ]
    notes = [*lists, *([f"{NOTHING}: {'; '.join(undefined)}"] if undefined else [])]
    for note in notes:
        yield from (line("  ", (part, _FAINT)) for part in wrap(note, width - 2))
