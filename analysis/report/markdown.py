"""The report of a run as Markdown, for pull requests and chat.

Every text that may come out of a trace is escaped: it shows as it is and links, mentions,
embeds and runs nothing. The marker in the first line lets a bot update its comment.
"""

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from analysis.breakdown.headline import headline
from analysis.breakdown.model import Breakdown, KindRow, Segmentation, StageRow
from analysis.report.metric_wording import (
    lists_text,
    metric_base,
    metric_interval,
    metric_value,
    uncounted_text,
    undefined_text,
)
from analysis.report.model import Report
from analysis.report.numbers import count, counted, percent
from analysis.report.run_facts import facts
from analysis.report.terminal import safe_line
from analysis.report.wording import (
    SMALL_NOTE,
    beside_text,
    cell_text,
    change_cell,
    change_text,
    compared_text,
    failed_text,
    few_text,
    hint,
    latent_text,
    not_judged_text,
    notes_text,
    overlap_text,
    rate_text,
    segment_name,
    top_kinds,
    unit_text,
)

MARKER: Final = "<!-- stagefault report -->"
LONGEST: Final = 60_000
"""Bytes; the bodies of comments are cut, or refused, a little above."""
_SEGMENTS = 12
_PUNCTUATION = re.compile(r"([\\`*_\[\]|~$])")
_BLOCK_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[#+\-=]))")
_TURNED_INTO_LINKS = re.compile(r"(@|#|\b[wW]{3}(?=\.)|:(?!\d\d\b)(?=\S))")
_JOINER = "\u2060"


def escape(text: str) -> str:
    """Return *text* on one line such that Markdown shows it as it is.

    An invisible word joiner behind `@`, `#` and `:` and within addresses keeps sites from
    making mentions, references, emoji and links of them.
    """
    flat = _PUNCTUATION.sub(r"\\\1", safe_line(text))
    flat = _BLOCK_START.sub(r"\1\\", flat)
    return _TURNED_INTO_LINKS.sub(rf"\1{_JOINER}", html.escape(flat, quote=False))


def render_markdown(report: Report) -> str:
    """Return the report as Markdown of at most `LONGEST` bytes."""
    lines: list[str] = []
    used = 0
    for part in _parts(report):
        text = "\n".join(part) + "\n"
        used += len(text.encode()) + 1
        if used > LONGEST:
            lines.append("_The rest is left out: it would not fit a comment._\n")
            break
        lines.append(text)
    return "\n".join(lines)


def _parts(report: Report) -> Iterator[list[str]]:
    breakdown = report.breakdown
    yield [MARKER, f"**{escape(headline(breakdown))}**"]
    judged = [failed_text(breakdown)] if breakdown.judged else []
    texts = [*judged, not_judged_text(breakdown), notes_text(breakdown)]
    yield [escape(text) for text in texts if text]
    if breakdown.failed.hits:
        yield list(_roots(breakdown))
        yield list(_commands(report))
    if report.failing:
        yield list(_failing(report))
    for told in filter(None, (beside_text(breakdown), latent_text(breakdown))):
        yield [escape(told)]
    if breakdown.comparison:
        yield list(_changed(breakdown))
    for cut in breakdown.segmentations:
        if cut.segments:
            yield list(_segments(breakdown, cut))
    if breakdown.metrics:
        yield list(_metrics(breakdown))
    yield [
        *(f"- {label}: {escape(text)}" for label, text in facts(report)),
        "- Words: `stagefault explain WORD` tells what one means",
    ]


def _roots(breakdown: Breakdown) -> Iterator[str]:
    compared = breakdown.comparison is not None
    head = ["Root cause", "Turns", "Rate (95 % interval)", "Inherited"]
    yield from _head([*head, "Change, points"] if compared else head, "lrrrr")
    for row in breakdown.stages:
        yield _row(_root_cells(f"**{row.stage}**", row, compared=compared))
        for kind in row.kinds:
            yield _row(_root_cells(escape(kind.kind), kind, compared=compared))


def _root_cells(name: str, row: StageRow | KindRow, *, compared: bool) -> list[str]:
    cells = [
        name,
        count(row.rate.hits),
        escape(rate_text(row.rate)),
        count(row.inherited) if row.inherited else "",
    ]
    return [*cells, change_cell(row.change)] if compared else cells


def _commands(report: Report) -> Iterator[str]:
    yield "```console"
    for stage, kind, _ in top_kinds(report.breakdown):
        command = " ".join(hint(report, f"{stage}.{kind}"))
        yield f"$ {safe_line(command).replace('`', '')}"
    yield "```"


def _failing(report: Report) -> Iterator[str]:
    shown, failed = len(report.failing), report.breakdown.failed.hits
    of = "" if shown == failed else f"Examples: {count(shown)} of "
    yield f"<details><summary>{of}{counted(failed, 'failing turn')}</summary>\n"
    for turn in report.failing:
        kind = f"{turn.stage}.{turn.kind}" if turn.kind else turn.stage
        yield f"- {escape(turn.turn_id)} **{escape(kind)}**: {escape(turn.sentence)}"
    yield "\n</details>"


def _changed(breakdown: Breakdown) -> Iterator[str]:
    comparison = breakdown.comparison
    if comparison is None:
        return
    yield f"**What changed since run {escape(comparison.run_id)}**"
    if comparison.differences:
        differing = ", ".join(comparison.differences)
        yield escape(f"Not measured alike: {differing} differ.")
    yield from map(escape, comparison.notes)
    yield ""
    for cell in comparison.changed[:10]:
        place = f", {cell.by} {segment_name(cell.segment)}" if cell.by else ""
        kind = f"{cell.stage}.{cell.kind}" if cell.kind else cell.stage
        yield "- " + escape(
            f"{kind}{place}: {percent(cell.rate.value)}, {change_text(cell.change)}"
        )
    yield f"- {escape(compared_text(comparison))}"


def _segments(breakdown: Breakdown, cut: Segmentation) -> Iterator[str]:
    shown = cut.segments[-_SEGMENTS:] if cut.by == "day" else cut.segments[:_SEGMENTS]
    names = [escape(segment_name(one.name)) for one in shown]
    yield from _head([f"Root by {cut.by}, {unit_text(cut)}", *names], "l" + "r" * len(shown))
    yield _row(["judged turns", *(count(one.failed.n) for one in shown)])
    for row in breakdown.stages:
        cells = [escape(cell_text(cut, one.cell(row.stage))) for one in shown]
        yield _row([f"**{row.stage}**", *cells])
        for kind in row.kinds:
            rates = [one.cell(row.stage, kind.kind) for one in shown]
            yield _row([escape(kind.kind), *(escape(cell_text(cut, rate)) for rate in rates)])
    if len(breakdown.stages) > 1:
        yield _row(["**all failed**", *(escape(cell_text(cut, one.failed)) for one in shown)])
    hidden = len(cut.segments) - len(shown) + cut.left_out
    more = f"{counted(hidden, f'more {cut.by}')} not shown." if hidden else ""
    note = few_text(cut) or f"{SMALL_NOTE}."
    yield ""
    yield escape(" ".join(filter(None, (note, overlap_text(cut.by), more))))


def _metrics(breakdown: Breakdown) -> Iterator[str]:
    yield "<details><summary>Metrics</summary>\n"
    yield from _head(["Metric", "Value", "95 % interval", "Of", "No value for turns"], "lrlrl")
    for row in breakdown.metrics:
        yield _row(
            [
                escape(f"{row.stage} {row.metric}"),
                escape(metric_value(row)),
                escape(metric_interval(row)),
                escape(", ".join(filter(None, (metric_base(row), lists_text(row))))),
                escape(undefined_text(row.summary)),
            ]
        )
    for text in filter(None, map(uncounted_text, breakdown.metrics)):
        yield f"\n{escape(text)}."
    yield "\n</details>"


def _head(names: Sequence[str], align: str) -> Iterator[str]:
    yield _row(names)
    rules = ["---" if side == "l" else "--:" for side in align[: len(names)]]
    yield _row(rules)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
