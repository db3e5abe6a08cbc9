"""A run in a notebook: one HTML fragment, styled within itself, without any script."""

from html import escape
from typing import Final

from analysis.breakdown.headline import headline
from analysis.breakdown.model import Breakdown
from analysis.report.numbers import count
from analysis.report.terminal import safe_line
from analysis.report.wording import (
    failed_text,
    metric_base,
    metric_interval,
    metric_value,
    not_judged_text,
    rate_text,
)
from analysis.tables.run_info import RunInfo

_STYLE: Final = """<style>
.stagefault table { border-collapse: collapse; }
.stagefault td, .stagefault th { padding: 2px 10px; text-align: right; }
.stagefault td:first-child, .stagefault th:first-child { text-align: left; }
.stagefault .stage td { font-weight: bold; }
</style>"""


def notebook_html(info: RunInfo, breakdown: Breakdown) -> str:
    """Return the breakdown and the metrics of a run as HTML, well below 100 KB."""
    parts = [
        _STYLE,
        f"<p><b>{_text(headline(breakdown))}</b> run {_text(info['run_id'])}</p>",
    ]
    parts += [f"<p>{_text(text)}</p>" for text in _notes(breakdown)]
    if breakdown.failed.hits:
        parts.append(_table(("root cause", "turns", "rate"), _root_rows(breakdown)))
    if breakdown.metrics:
        parts.append(_table(("metric", "value", "95 % interval", "of"), _metric_rows(breakdown)))
    return f'<div class="stagefault">{"".join(parts)}</div>'


def _notes(breakdown: Breakdown) -> list[str]:
    judged = [failed_text(breakdown)] if breakdown.judged else []
    return [text for text in (*judged, not_judged_text(breakdown)) if text]


Rows = list[tuple[bool, tuple[str, ...]]]
"""Whether a row heads a stage, and its cells."""


def _root_rows(breakdown: Breakdown) -> Rows:
    rows: Rows = []
    for row in breakdown.stages:
        rows.append((True, (row.stage, count(row.rate.hits), rate_text(row.rate))))
        rows += [
            (False, (f"– {kind.kind}", count(kind.rate.hits), rate_text(kind.rate)))
            for kind in row.kinds
        ]
    return rows


def _metric_rows(breakdown: Breakdown) -> Rows:
    return [
        (
            False,
            (
                f"{row.stage} {row.metric}",
                metric_value(row),
                metric_interval(row),
                metric_base(row),
            ),
        )
        for row in breakdown.metrics
    ]


def _table(head: tuple[str, ...], rows: Rows) -> str:
    lines = ["<tr>" + "".join(f'<th scope="col">{_text(cell)}</th>' for cell in head) + "</tr>"]
    for heads_stage, cells in rows:
        kind = ' class="stage"' if heads_stage else ""
        lines.append(f"<tr{kind}>" + "".join(f"<td>{_text(cell)}</td>" for cell in cells) + "</tr>")
    return f"<table>{''.join(lines)}</table>"


def _text(text: str) -> str:
    return escape(safe_line(text))
