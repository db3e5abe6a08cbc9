"""The report of a run for a terminal: at most 80 columns, colour only on request."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from analysis.breakdown.headline import headline
from analysis.breakdown.model import Breakdown, KindRow, MetricRow, Segmentation, StageRow
from analysis.breakdown.roots import ROOT_STAGES
from analysis.report.layout import WIDTH, Align, columns, line, paint, wrap
from analysis.report.layout import cut as shortened
from analysis.report.model import Report
from analysis.report.numbers import NOTHING, count, counted, percent, percent_interval
from analysis.report.wording import (
    SMALL_NOTE,
    cell_text,
    change_cell,
    change_text,
    facts,
    failed_text,
    hint,
    lists_text,
    metric_base,
    metric_interval,
    metric_value,
    not_judged_text,
    reasons_text,
    segment_name,
    top_kinds,
    undefined_text,
)

_LABEL: Final = 11
_SEGMENTS = 4
_DAYS = 14
_HEAD = "bold"
_FAINT = "dim"
_STAGE = "bold"


def render_text(report: Report, *, color: bool = False) -> str:
    """Return the report as lines of at most 80 columns.

    Args:
        report: What to print.
        color: Write colours as escape sequences; what they say is also there in words.
    """
    return paint(_lines(report), color=color)


def _lines(report: Report) -> Iterator[Text]:
    breakdown = report.breakdown
    for label, text in facts(report):
        yield from _labelled(label, text)
    yield Text()
    yield from (line((one, _HEAD)) for one in wrap(headline(breakdown), WIDTH))
    if breakdown.judged:
        yield from map(line, wrap(failed_text(breakdown), WIDTH))
    yield from map(line, wrap(not_judged_text(breakdown), WIDTH))
    if breakdown.notes:
        yield from map(line, wrap(f"Passed, but: {reasons_text(breakdown.notes)}.", WIDTH))
    if breakdown.failed.hits:
        yield from _roots(breakdown)
        yield from _hints(report)
    yield from _latent(breakdown)
    yield from _changed(breakdown)
    for cut in breakdown.segmentations:
        if cut.segments and cut.by != "day":  # the trend below has the days
            yield from _segments(breakdown, cut)
    if breakdown.trend and len(breakdown.trend.segments) > 1:
        yield from _trend(breakdown.trend)
    yield from _metrics(breakdown)


def _labelled(label: str, text: str) -> Iterator[Text]:
    for number, part in enumerate(wrap(text, WIDTH - _LABEL)):
        yield line((("" if number else label).ljust(_LABEL), _FAINT), part)


def _roots(breakdown: Breakdown) -> Iterator[Text]:
    compared = breakdown.comparison is not None
    head = ["root cause", "turns", "rate", "95 % interval", "inherited"]
    align: list[Align] = ["left", "right", "right", "left", "right"]
    if compared:
        head.append("change, points")
        align.append("left")
    rows, styles = [head], [_FAINT]
    for row in breakdown.stages:
        rows += _root_rows(row, compared=compared)
        styles += [_STAGE, *[""] * len(row.kinds)]
    yield Text()
    yield from _table(rows, align, styles)


def _root_rows(row: StageRow, *, compared: bool) -> Iterator[list[str]]:
    named: list[tuple[str, StageRow | KindRow]] = [(row.stage, row)]
    named += [(f"  {kind.kind}", kind) for kind in row.kinds]
    for name, one in named:
        cells = [
            name,
            count(one.rate.hits),
            percent(one.rate.value),
            f"({percent_interval(one.rate.low, one.rate.high)})",
            count(one.inherited) if one.inherited else "",
        ]
        yield [*cells, change_cell(one.change)] if compared else cells


def _hints(report: Report) -> Iterator[Text]:
    yield Text()
    for stage, kind, turns in top_kinds(report.breakdown):
        yield line((f"{counted(turns, 'turn')} {stage}.{kind}", _STAGE))
        command, run = hint(report.info["run_id"], "--kind", f"{stage}.{kind}")
        if cell_len(f"  {command} {run}") <= WIDTH:
            yield line(f"  {command} {run}")
        else:
            yield from (line(f"  {command} \\"), line(f"    {run}"))


def _latent(breakdown: Breakdown) -> Iterator[Text]:
    if breakdown.latent:
        faults = ", ".join(f"{count(row.turns)} {row.kind}" for row in breakdown.latent)
        yield Text()
        yield from map(line, wrap(f"Latent faults, which did no harm: {faults}.", WIDTH))


def _changed(breakdown: Breakdown) -> Iterator[Text]:
    comparison = breakdown.comparison
    if comparison is None:
        return
    yield Text()
    yield line((f"What changed since run {comparison.run_id}", _HEAD))
    if comparison.differences:
        differing = ", ".join(comparison.differences)
        warning = f"Not measured alike ({differing} differ): read no change of the agent into it."
        yield from (line((one, "yellow")) for one in wrap(warning, WIDTH))
    looked = (
        f"{counted(comparison.cells_compared, 'rate')} compared; "
        f"{counted(len(comparison.changed), 'change')} at a false discovery rate of 5 %."
    )
    yield from map(line, wrap(looked, WIDTH))
    for cell in comparison.changed[:10]:
        place = f", {cell.by} {segment_name(cell.segment)}" if cell.by else ""
        kind = f"{cell.stage}.{cell.kind}" if cell.kind else cell.stage
        text = f"{kind}{place}: {percent(cell.rate.value)}, {change_text(cell.change)}"
        for number, part in enumerate(wrap(text, WIDTH - 2)):
            yield line("  " if number else "- ", part)


def _segments(breakdown: Breakdown, cut: Segmentation) -> Iterator[Text]:
    shown = cut.segments[:_SEGMENTS]
    hidden = len(cut.segments) - len(shown) + cut.left_out
    rows = [
        [f"root by {cut.by}, %", *(segment_name(one.name) for one in shown)],
        ["judged turns", *(count(one.failed.n) for one in shown)],
    ]
    styles = [_HEAD, _FAINT]
    for row in breakdown.stages:
        rows.append([row.stage, *(cell_text(one.cell(row.stage)) for one in shown)])
        styles.append(_STAGE)
        for kind in row.kinds:
            cells = [one.cell(row.stage, kind.kind) for one in shown]
            rows.append([f"  {kind.kind}", *map(cell_text, cells)])
            styles.append("")
    rows.append(["all failed", *(cell_text(one.failed) for one in shown)])
    styles.append(_STAGE)
    widest = (WIDTH - 26) // max(len(shown), 1) - 2
    rows = [[row[0], *(shortened(cell, widest) for cell in row[1:])] for row in rows]
    yield Text()
    yield from _table(rows, _numbers(len(shown)), styles)
    yield from _small_note(rows)
    if hidden:
        yield line((f"and {hidden} smaller", _FAINT))


def _trend(trend: Segmentation) -> Iterator[Text]:
    days = trend.segments[-_DAYS:]
    rows = [["day (UTC), %", "judged", "failed", *ROOT_STAGES]]
    for day in days:
        rates = [cell_text(day.cell(stage)) for stage in ROOT_STAGES]
        rows.append([segment_name(day.name), count(day.failed.n), cell_text(day.failed), *rates])
    yield Text()
    yield from _table(rows, _numbers(6), [_HEAD, *[""] * len(days)])
    yield from _small_note(rows)
    earlier = len(trend.segments) - len(days)
    if earlier:
        yield line((f"and {counted(earlier, 'earlier day')}", _FAINT))


def _small_note(rows: Sequence[Sequence[str]]) -> Iterator[Text]:
    if any(cell.endswith("~") for row in rows for cell in row[1:]):
        yield line((SMALL_NOTE, _FAINT))


def _metrics(breakdown: Breakdown) -> Iterator[Text]:
    """Yield the metrics by stage; those that are undefined for every turn stand below."""
    if not breakdown.metrics:
        return
    stages = list(dict.fromkeys(row.stage for row in breakdown.metrics))
    rows = [["metric", "value", "95 %", "of", "turns without a value"]]
    styles = [_HEAD]
    ends: dict[int, list[MetricRow]] = {}
    for stage in stages:
        own = [row for row in breakdown.metrics if row.stage == stage]
        valued = [row for row in own if row.summary.value is not None]
        rows += [[stage, "", "", "", ""], *map(_metric_cells, valued)]
        styles += [_STAGE, *[""] * len(valued)]
        ends[len(rows)] = own
    yield Text()
    table = _table(rows, ["left", "right", "left", "right", "left"], styles, elastic=4)
    for place, text in enumerate(table, start=1):
        yield text
        yield from _below(ends.get(place, []))


def _metric_cells(row: MetricRow) -> list[str]:
    return [
        f"  {row.metric}",
        metric_value(row),
        metric_interval(row),
        metric_base(row),
        undefined_text(row.summary, most=1),
    ]


def _below(rows: Sequence[MetricRow]) -> Iterator[Text]:
    """Yield what a stage's table has no column for."""
    lists = [f"{row.metric}: {lists_text(row)}" for row in rows if lists_text(row)]
    undefined = [
        f"{row.metric}: {undefined_text(row.summary, most=2)}"
        for row in rows
        if row.summary.value is None
    ]
    notes = [*lists, *([f"{NOTHING}: {'; '.join(undefined)}"] if undefined else [])]
    for note in notes:
        yield from (line("  ", (part, _FAINT)) for part in wrap(note, WIDTH - 2))


def _numbers(how_many: int) -> list[Align]:
    """Return the alignment of a name and that many columns of numbers."""
    right: list[Align] = ["right"]
    return ["left", *right * how_many]


def _table(
    rows: Sequence[Sequence[str]],
    align: Sequence[Align],
    styles: Sequence[str],
    *,
    elastic: int = 0,
) -> Iterator[Text]:
    for text, style in zip(columns(rows, align, elastic=elastic), styles, strict=True):
        yield line((text, style))
