"""A run and its breakdown in a notebook: fragments of HTML, and Markdown.

    run, run.breakdown(…)     what failed, at which stage, and every metric
    run.turn("c-7/2")         what broke the turn, and the evidence (`notebook_turn`)

Each stays well below 100 KB whatever it shows, and says what it left out.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from analysis.breakdown.headline import headline
from analysis.breakdown.model import Breakdown, Segmentation
from analysis.report.markdown import escape
from analysis.report.metric_wording import (
    metric_base,
    metric_interval,
    metric_value,
    uncounted_text,
)
from analysis.report.notebook_parts import Cell, fragment, paragraph, said, table
from analysis.report.numbers import count, counted
from analysis.report.wording import (
    SMALL_NOTE,
    cell_text,
    change_cell,
    failed_text,
    few_text,
    not_judged_text,
    overlap_text,
    rate_text,
    segment_name,
    unit_text,
)
from analysis.tables.run_info import RunInfo

MOST_SEGMENTS: Final = 8
"""Segments shown of a dimension."""


def run_html(info: RunInfo, breakdown: Breakdown) -> str:
    """Return a run: its breakdown and its metrics."""
    name = paragraph(f"Run {said(info['run_id'])}", "note")
    return fragment([*_breakdown(breakdown), *_metrics(breakdown), name])


def breakdown_html(breakdown: Breakdown) -> str:
    """Return a breakdown: roots, the dimensions it is cut by, and its metrics."""
    cuts = [_cut(breakdown, cut) for cut in breakdown.segmentations if cut.segments]
    rated = any(cut.segments and not cut.few for cut in breakdown.segmentations)
    small = [paragraph(SMALL_NOTE, "note")] if rated else []
    return fragment([*_breakdown(breakdown), *cuts, *small, *_metrics(breakdown)])


def breakdown_markdown(breakdown: Breakdown) -> str:
    """Return a breakdown: the sentence and the table of roots."""
    lines = [f"**{escape(headline(breakdown))}**", ""]
    lines += ["| root cause | turns | rate |", "| --- | ---: | --- |"]
    for row in breakdown.stages:
        lines.append(f"| **{row.stage}** | {count(row.rate.hits)} | {rate_text(row.rate)} |")
        lines += [
            f"| {escape(kind.kind)} | {count(kind.rate.hits)} | {rate_text(kind.rate)} |"
            for kind in row.kinds
        ]
    return "\n".join(lines) + "\n"


# Breakdowns


def _breakdown(breakdown: Breakdown) -> Iterator[str]:
    yield paragraph(f"<b>{said(headline(breakdown))}</b>")
    judged = [failed_text(breakdown)] if breakdown.judged else []
    for text in (*judged, not_judged_text(breakdown)):
        if text:
            yield paragraph(said(text))
    if breakdown.failed.hits:
        compared = breakdown.comparison
        head = ["root cause", "turns", "rate"]
        yield table([*head, f"since {compared.run_id}"] if compared else head, _roots(breakdown))


def _roots(breakdown: Breakdown) -> Iterator[Sequence[Cell]]:
    compared = breakdown.comparison is not None
    for row in breakdown.stages:
        change = [said(change_cell(row.change))] if compared else []
        number = ("num", count(row.rate.hits))
        yield [("head", row.stage), number, said(rate_text(row.rate)), *change]
        for kind in row.kinds:
            change = [said(change_cell(kind.change))] if compared else []
            number = ("num", count(kind.rate.hits))
            yield [f"– {said(kind.kind)}", number, said(rate_text(kind.rate)), *change]


def _cut(breakdown: Breakdown, cut: Segmentation) -> str:
    shown = cut.segments[-MOST_SEGMENTS:] if cut.by == "day" else cut.segments[:MOST_SEGMENTS]
    rows: list[Sequence[Cell]] = [
        [
            said(segment_name(one.name)),
            ("num", count(one.failed.n)),
            ("num", cell_text(cut, one.failed)),
            *(("num", cell_text(cut, one.cell(row.stage))) for row in breakdown.stages),
        ]
        for one in shown
    ]
    left = len(cut.segments) - len(shown) + cut.left_out
    more = paragraph(f"and {counted(left, 'more segment')}", "note") if left else ""
    for text in filter(None, (few_text(cut), overlap_text(cut.by))):
        more += paragraph(text, "note")
    head = (
        cut.by,
        "judged turns",
        f"failed, {unit_text(cut)}",
        *(row.stage for row in breakdown.stages),
    )
    return table(head, rows) + more


def _metrics(breakdown: Breakdown) -> Iterator[str]:
    if breakdown.metrics:
        yield table(("stage", "metric", "value", "95 % interval", "of"), _metric_rows(breakdown))
        for text in filter(None, map(uncounted_text, breakdown.metrics)):
            yield paragraph(said(text), "note")


def _metric_rows(breakdown: Breakdown) -> Iterator[Sequence[Cell]]:
    for row in breakdown.metrics:
        yield [
            said(row.stage),
            said(row.metric),
            ("num", said(metric_value(row))),
            said(metric_interval(row)),
            said(metric_base(row)),
        ]
