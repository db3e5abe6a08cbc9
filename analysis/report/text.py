"""The report of a run for a terminal: 40 to 200 columns, colour only on request."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from analysis.breakdown.headline import headline
from analysis.breakdown.model import Breakdown, KindRow, Segmentation, StageRow
from analysis.report.layout import WIDTH, Align, line, paint, table, wrap
from analysis.report.layout import cut as shortened
from analysis.report.metrics_text import metrics_lines
from analysis.report.model import Report
from analysis.report.numbers import count, counted, percent, percent_interval
from analysis.report.run_facts import facts
from analysis.report.wording import (
    SMALL_NOTE,
    beside_text,
    cell_text,
    change_cell,
    change_text,
    command_lines,
    compared_text,
    failed_text,
    few_text,
    hint,
    latent_text,
    not_judged_text,
    notes_text,
    overlap_text,
    segment_name,
    top_kinds,
    unit_text,
)

_LABEL: Final = 11
_NAMES: Final = 26
"""Cells for the names of stages and kinds beside segments."""
_NARROWEST_SEGMENT: Final = 13
_DAYS = 14
_CHANGES = 10
_WORDS: Final = "stagefault explain WORD tells what a word of this report means."
_HEAD = "bold"
_FAINT = "dim"
_STAGE = "bold"


def render_text(report: Report, *, color: bool = False, width: int = WIDTH) -> str:
    """Return the report as lines of text.

    Args:
        report: What to print.
        color: Write colours as escape sequences; what they say is also there in words.
        width: Cells of a line. Columns that have no room in it are left out, and named.
    """
    return paint(_lines(report, width), color=color)


def _lines(report: Report, width: int) -> Iterator[Text]:
    breakdown, info = report.breakdown, report.info
    named = [*(info.get("sources") or [])[:1], *(info.get("skipped_files") or [])[:1]]
    paths = [str(one.get("path") or "") for one in named]
    for label, text in facts(report):
        yield from _labelled(label, text, width, paths)
    yield Text()
    yield from (line((one, _HEAD)) for one in wrap(headline(breakdown), width))
    if breakdown.judged:
        yield from map(line, wrap(failed_text(breakdown), width))
    yield from map(line, wrap(not_judged_text(breakdown), width))
    yield from map(line, wrap(notes_text(breakdown), width))
    if breakdown.failed.hits:
        yield from _roots(breakdown, width)
        yield from _hints(report, width)
    yield from _latent(breakdown, width)
    yield from _changed(breakdown, width)
    for cut in breakdown.segmentations:
        if cut.segments and cut.by != "day":  # the trend below has the days
            yield from _segments(breakdown, cut, width)
    if breakdown.trend and len(breakdown.trend.segments) > 1:
        yield from _trend(breakdown, breakdown.trend, width)
    yield from metrics_lines(breakdown, width)
    if breakdown.turns:
        yield Text()
        yield from (line((part, _FAINT)) for part in wrap(_WORDS, width))


def _labelled(label: str, text: str, width: int, paths: Sequence[str]) -> Iterator[Text]:
    for number, part in enumerate(wrap(text, width - _LABEL, whole=paths)):
        yield line((("" if number else label).ljust(_LABEL), _FAINT), part)


def _roots(breakdown: Breakdown, width: int) -> Iterator[Text]:
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
    yield from table(rows, align, styles, width, optional=(4, 3))


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


def _hints(report: Report, width: int) -> Iterator[Text]:
    yield Text()
    for stage, kind, turns in top_kinds(report.breakdown):
        yield line((f"{counted(turns, 'turn')} {stage}.{kind}", _STAGE))
        yield from map(line, command_lines(hint(report, f"{stage}.{kind}"), width))


def _latent(breakdown: Breakdown, width: int) -> Iterator[Text]:
    told = [*filter(None, (beside_text(breakdown), latent_text(breakdown)))]
    if told:
        yield Text()
    for text in told:
        yield from map(line, wrap(text, width))


def _changed(breakdown: Breakdown, width: int) -> Iterator[Text]:
    comparison = breakdown.comparison
    if comparison is None:
        return
    yield Text()
    yield line((f"What changed since run {comparison.run_id}", _HEAD))
    if comparison.differences:
        differing = ", ".join(comparison.differences)
        warning = f"Not measured alike ({differing} differ): read no change of the agent into it."
        yield from (line((one, "yellow")) for one in wrap(warning, width))
    for text in (*comparison.notes, compared_text(comparison)):
        yield from map(line, wrap(text, width))
    for cell in comparison.changed[:_CHANGES]:
        place = f", {cell.by} {segment_name(cell.segment)}" if cell.by else ""
        kind = f"{cell.stage}.{cell.kind}" if cell.kind else cell.stage
        text = f"{kind}{place}: {percent(cell.rate.value)}, {change_text(cell.change)}"
        for number, part in enumerate(wrap(text, width - 2)):
            yield line("  " if number else "- ", part)
    hidden = len(comparison.changed) - _CHANGES
    if hidden > 0:
        yield line((f"and {counted(hidden, 'more change')}; --json has all", _FAINT))


def _segments(breakdown: Breakdown, cut: Segmentation, width: int) -> Iterator[Text]:
    shown = cut.segments[: max(1, (width - _NAMES) // _NARROWEST_SEGMENT)]
    hidden = len(cut.segments) - len(shown) + cut.left_out
    rows = [
        [f"root by {cut.by}, {unit_text(cut)}", *(segment_name(one.name) for one in shown)],
        ["judged turns", *(count(one.failed.n) for one in shown)],
    ]
    styles = [_HEAD, _FAINT]
    for row in breakdown.stages:
        rows.append([row.stage, *(cell_text(cut, one.cell(row.stage)) for one in shown)])
        styles.append(_STAGE)
        for kind in row.kinds:
            cells = [one.cell(row.stage, kind.kind) for one in shown]
            rows.append([f"  {kind.kind}", *(cell_text(cut, cell) for cell in cells)])
            styles.append("")
    if len(breakdown.stages) > 1:
        rows.append(["all failed", *(cell_text(cut, one.failed) for one in shown)])
        styles.append(_STAGE)
    widest = (width - _NAMES) // max(len(shown), 1) - 2
    rows = [[row[0], *(shortened(cell, widest) for cell in row[1:])] for row in rows]
    yield Text()
    yield from table(rows, _numbers(len(shown)), styles, width)
    yield from _small_note(cut, rows, width)
    yield from (line((part, _FAINT)) for part in wrap(overlap_text(cut.by), width))
    if hidden:
        yield line((f"and {counted(hidden, f'smaller {cut.by}')}; --json has all", _FAINT))


def _trend(breakdown: Breakdown, trend: Segmentation, width: int) -> Iterator[Text]:
    days = trend.segments[-_DAYS:]
    stages = [row.stage for row in breakdown.stages]
    short = width < WIDTH
    unit = unit_text(trend)
    long_head = [f"day (UTC), {unit}", "judged" if trend.few else "judged turns", "failed"]
    head = [f"day, {unit}", "turns", "all"] if short else long_head
    rows = [[*head, *(stage[:5] if short else stage for stage in stages)]]
    for day in days:
        rates = [cell_text(trend, day.cell(stage)) for stage in stages]
        name = segment_name(day.name)
        shown = name[5:] if short and day.name else name
        rows.append([shown, count(day.failed.n), cell_text(trend, day.failed), *rates])
    yield Text()
    styles = [_HEAD, *[""] * len(days)]
    last = len(rows[0]) - 1
    yield from table(rows, _numbers(last), styles, width, optional=range(last, 2, -1))
    yield from _small_note(trend, rows, width)
    earlier = len(trend.segments) - len(days)
    if earlier:
        yield line((f"and {counted(earlier, 'earlier day')}; --json has all", _FAINT))


def _small_note(cut: Segmentation, rows: Sequence[Sequence[str]], width: int) -> Iterator[Text]:
    """Yield why cells are counts, or what the mark at some of the rates means."""
    marked = any(cell.endswith("~") for row in rows for cell in row[1:])
    note = SMALL_NOTE if marked else few_text(cut)
    yield from (line((part, _FAINT)) for part in wrap(note, width))


def _numbers(how_many: int) -> list[Align]:
    """Return the alignment of a name and that many columns of numbers."""
    right: list[Align] = ["right"]
    return ["left", *right * how_many]
