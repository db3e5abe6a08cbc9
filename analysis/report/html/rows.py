"""The table of root causes, and the same rows cut by every dimension."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final, Literal, TypeAlias

from analysis.breakdown import Breakdown, Dimension, Rate, Segment, Segmentation
from analysis.breakdown.model import Change, KindRow, StageRow
from analysis.report.html.links import segment_value, view_link
from analysis.report.html.meanings import STAGES, of_kind
from analysis.report.numbers import count, counted, percent, percent_interval
from analysis.report.wording import change_text, few_text, segment_name

MOST_COLUMNS: Final = 12
"""Segments shown per dimension; the largest, of days the last."""
LEVELS: Final = 5
"""Steps of heat above nothing."""
_MOST_SMALL = 2
"""Heat that a cell of few turns can reach: one turn of nine is no hot spot."""
_MOST_FEW = 4
"""Heat that a count can reach where no column has turns enough for a rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """An interval as positions on a track from 0 to 100."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RootRow:
    """One row of the table: a stage, a kind of it, or all that failed."""

    key: str | None
    """`stage` or `stage.kind`; None for all that failed."""
    name: str
    heads: bool
    """It sums up the rows below it."""
    meaning: str
    rate: Rate
    inherited: int
    change: Change | None
    bar: Bar | None
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The rate of one row in one segment."""

    text: str
    level: int
    """0 to `LEVELS`, as the square root of the rate within its kind of row."""
    small: bool
    """Hatched: too few turns to read much into it."""
    title: str = ""
    link: str | None = None
    """None: there is nothing to list."""
    change: Literal["up", "down"] | None = None
    """Set when the rate differs from the earlier run, after correction for how many were looked
    at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One segment."""

    name: str
    turns: int
    judged: int
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The rows of the table, cut by one dimension."""

    by: Dimension
    columns: Sequence[Column]
    cells: Sequence[Sequence[Cell]]
    """One list per row of the table, in its order."""
    left_out: int
    """Segments that are not shown."""
    few: str
    """Why cells are counts and no rates; empty where they are rates."""


def root_rows(breakdown: Breakdown) -> list[RootRow]:
    """Return the rows of a breakdown: stages with their kinds, then all that failed."""
    rates = [row.rate for row in breakdown.stages]
    rates += [kind.rate for row in breakdown.stages for kind in row.kinds]
    longest = max((rate.high or 0 for rate in rates), default=0) or 1
    return [*_rows(breakdown, longest), _total(breakdown)]


def _rows(breakdown: Breakdown, longest: float) -> Iterator[RootRow]:
    for stage in breakdown.stages:
        yield _row(stage.stage, stage.stage.capitalize(), stage, longest)
        for kind in stage.kinds:
            yield _row(f"{stage.stage}.{kind.kind}", kind.kind, kind, longest)


def _row(key: str, name: str, row: StageRow | KindRow, longest: float) -> RootRow:
    stage, _, kind = key.partition(".")
    return RootRow(
        key=key,
        name=name,
        heads=not kind,
        meaning=of_kind(stage, kind) if kind else STAGES[stage],
        rate=row.rate,
        inherited=row.inherited,
        change=row.change,
        bar=_bar(row.rate, longest),
        link=view_link(kind=key),
    )


def _total(breakdown: Breakdown) -> RootRow:
    comparison = breakdown.comparison
    return RootRow(
        key=None,
        name="All failed turns" if not breakdown.roots else "All of these",
        heads=True,
        meaning="Turns that let the user down, out of all that were judged.",
        rate=breakdown.failed,
        inherited=breakdown.inherited,
        change=comparison.failed if comparison else None,
        bar=None,  # on the scale of the others it would run out of the track
        link=view_link(kind=""),
    )


def _bar(rate: Rate, longest: float) -> Bar | None:
    if rate.value is None or rate.low is None or rate.high is None:
        return None
    scale = 100 / longest
    return Bar(
        low=round(rate.low * scale, 1),
        value=round(rate.value * scale, 1),
        high=round(rate.high * scale, 1),
    )


Changes: TypeAlias = Mapping[tuple[str, Dimension | None, str | None], Change]
"""What changed, by key of the row, dimension and segment."""


def changes_of(breakdown: Breakdown) -> Changes:
    """Return the changes that a breakdown reports."""
    changed = breakdown.comparison.changed if breakdown.comparison else ()
    return {
        (
            f"{cell.stage}.{cell.kind}" if cell.kind else cell.stage,
            cell.by,
            cell.segment,
        ): cell.change
        for cell in changed
    }


def cut_of(segmentation: Segmentation, rows: Sequence[RootRow], changes: Changes) -> Cut:
    """Return the cells of one dimension for the rows of the table."""
    by, segments = segmentation.by, segmentation.segments
    shown = segments[-MOST_COLUMNS:] if by == "day" else segments[:MOST_COLUMNS]
    rates = [[_rate(one, row) for one in shown] for row in rows]
    highest = {
        heads: max(
            (
                rate.hits if segmentation.few else rate.value or 0
                for row, line in zip(rows, rates, strict=True)
                if row.heads is heads and row.key is not None
                for rate in line
                if segmentation.few or not rate.small
            ),
            default=0,
        )
        for heads in (True, False)
    }
    return Cut(
        by=by,
        columns=[
            Column(
                name=segment_name(one.name),
                turns=one.turns,
                judged=one.failed.n,
                link=view_link(by=by, seg=segment_value(one.name)),
            )
            for one in shown
        ],
        cells=[
            [
                _cell(rate, row, segmentation, one, highest[row.heads], changes)
                for rate, one in zip(line, shown, strict=True)
            ]
            for row, line in zip(rows, rates, strict=True)
        ],
        left_out=len(segments) - len(shown) + segmentation.left_out,
        few=few_text(segmentation),
    )


def _rate(segment: Segment, row: RootRow) -> Rate:
    if row.key is None:
        return segment.failed
    stage, _, kind = row.key.partition(".")
    return segment.cell(stage, kind or None)  # type: ignore[arg-type]  # the key was made of one


def _cell(
    rate: Rate, row: RootRow, cut: Segmentation, segment: Segment, highest: float, changes: Changes
) -> Cell:
    by = cut.by
    change = changes.get((row.key or "", by, segment.name))
    told = f"; {change_text(change)}" if change else ""
    if rate.value is None:
        return Cell(text="–", level=0, small=True, title="no judged turn")
    if not rate.hits:
        return Cell(
            text="·", level=0, small=False, title=told.removeprefix("; "), change=_direction(change)
        )
    name = segment_name(segment.name)
    interval = percent_interval(rate.low, rate.high)
    return Cell(
        text=count(rate.hits) if cut.few else percent(rate.value).removesuffix(" %"),
        level=0 if row.key is None else _level(rate, highest, few=cut.few),
        small=rate.small and not cut.few,
        title=f"{row.name}, {by} {name}: {count(rate.hits)} of "
        f"{counted(rate.n, 'judged turn')} ({interval} %)"
        f"{told}",
        link=view_link(by=by, kind=row.key or "", seg=segment_value(segment.name)),
        change=_direction(change),
    )


def _direction(change: Change | None) -> Literal["up", "down"] | None:
    if change is None or not change.difference:
        return None
    return "up" if change.difference > 0 else "down"


def _level(rate: Rate, highest: float, *, few: bool) -> int:
    """Return the heat of a rate, or of a count, against the highest one that is worth reading."""
    value = rate.hits if few else rate.value or 0
    ratio = value / highest if highest else 1
    level = min(ceil(sqrt(ratio) * LEVELS), LEVELS)
    return min(level, _MOST_FEW if few else _MOST_SMALL) if rate.small else level
