"""The rate of every root stage by day, as lines with their intervals to be drawn.

Beside it, dashed, the days of the run that it is compared with: on the same weekday where the
two overlay like that, else counted from the first day of each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, log10
from typing import Final

from analysis.attribution.kinds import RootStage
from analysis.breakdown import Rate, Segment, Segmentation
from analysis.breakdown.roots import ROOT_STAGES
from analysis.report.html.links import view_link
from analysis.report.numbers import count, counted, percent, percent_interval

WIDTH: Final = 280
HEIGHT: Final = 130
_LEFT = 46
_RIGHT = 22
_TOP = 10
_BOTTOM = 24
_MOST_LABELS = 4
_HEADROOM = 2.0
"""How far above the highest rate the scale may go for the intervals; beyond, they are cut."""
_TICKS = 2
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One day."""

    x: float
    y: float
    title: str
    link: str
    small: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One root stage."""

    stage: RootStage
    points: Sequence[Point]
    line: str
    """Points of a polyline."""
    band: str
    """Points of a polygon: the 95 % intervals."""
    before: Sequence[tuple[float, float]] = ()
    """Places of the days of the earlier run."""

    @property
    def before_line(self) -> str:
        """Points of a polyline through them."""
        return " ".join(f"{x},{y}" for x, y in self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """What is drawn: four panels on one scale."""

    panels: Sequence[Panel]
    ticks: Sequence[tuple[float, str]]
    """Height and text of each line of the grid."""
    days: Sequence[tuple[float, str]]
    """Place and text of each label below."""
    few: bool
    """No day has turns enough for a rate."""
    compared: bool
    """Whether days of an earlier run are drawn."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT


def trend_of(
    trend: Segmentation | None,
    before: Segmentation | None = None,
    stages: Sequence[RootStage] = ROOT_STAGES,
) -> Trend | None:
    """Return the trend of a run, None for less than two days.

    Args:
        trend: The run by day.
        before: The run that it is compared with, by day.
        stages: The root stages to draw; a filter may leave some out.
    """
    days = _days(trend)
    if len(days) < 2:  # noqa: PLR2004 - one day is no trend
        return None
    earlier = _overlaid(days, _days(before))
    drawn = [*days, *earlier.values()]
    rates = [day.cell(stage) for day in drawn for stage in stages if day.failed.n]
    highest = max((rate.value or 0 for rate in rates), default=0)
    widest = max((rate.high or 0 for rate in rates), default=0)
    top = _round_up(min(widest, _HEADROOM * highest) or 1)
    places = [
        round(_LEFT + place * (WIDTH - _LEFT - _RIGHT) / (len(days) - 1), 1)
        for place in range(len(days))
    ]
    step = ceil(len(days) / _MOST_LABELS)
    return Trend(
        panels=[_panel(stage, days, places, top, earlier) for stage in stages],
        ticks=[
            (_y(top * part / _TICKS, top), f"{100 * top * part / _TICKS:g} %")
            for part in range(_TICKS + 1)
        ],
        days=[
            (x, _label(day.name or ""))
            for number, (x, day) in enumerate(zip(places, days, strict=True))
            if number % step == 0
        ],
        few=trend is not None and trend.few,
        compared=bool(earlier),
    )


def _days(trend: Segmentation | None) -> list[Segment]:
    return [day for day in trend.segments if day.name is not None] if trend else []


def _overlaid(days: Sequence[Segment], before: Sequence[Segment]) -> Mapping[str, Segment]:
    """Return the earlier day that stands beside each day, by the day's name."""
    dates = {_date(day): day for day in days}
    earlier = {_date(day): day for day in before if day.failed.n}
    if not earlier:
        return {}
    apart = min(dates) - min(earlier)
    for shift in (7 * round(apart / 7), apart):
        found = {
            day.name: earlier[number - shift]
            for number, day in dates.items()
            if day.name is not None and number - shift in earlier
        }
        if found:
            return found
    return {}


def _date(day: Segment) -> int:
    return date.fromisoformat(day.name or "").toordinal()


def _panel(
    stage: RootStage,
    days: Sequence[Segment],
    places: Sequence[float],
    top: float,
    earlier: Mapping[str, Segment],
) -> Panel:
    shown = [(x, day, day.cell(stage)) for x, day in zip(places, days, strict=True) if day.failed.n]
    upper = [f"{x},{_y(rate.high or 0, top)}" for x, _, rate in shown]
    lower = [f"{x},{_y(rate.low or 0, top)}" for x, _, rate in reversed(shown)]
    return Panel(
        stage=stage,
        points=list(_points(stage, shown, top, earlier)),
        line=" ".join(f"{x},{_y(rate.value or 0, top)}" for x, _, rate in shown),
        band=" ".join([*upper, *lower]),
        before=[
            (x, _y(was.cell(stage).value or 0, top))
            for x, day in zip(places, days, strict=True)
            if (was := earlier.get(day.name or ""))
        ],
    )


def _points(
    stage: RootStage,
    shown: Sequence[tuple[float, Segment, Rate]],
    top: float,
    earlier: Mapping[str, Segment],
) -> Iterator[Point]:
    for x, day, rate in shown:
        interval = percent_interval(rate.low, rate.high)
        was = earlier.get(day.name or "")
        yield Point(
            x=x,
            y=_y(rate.value or 0, top),
            title=f"{day.name}: {percent(rate.value)} ({interval}), "
            f"{count(rate.hits)} of {counted(rate.n, 'judged turn')}{_was(stage, was)}",
            link=view_link(by="day", kind=stage, seg=day.name),
            small=rate.n < 1 or rate.small,
        )


def _was(stage: RootStage, day: Segment | None) -> str:
    if day is None:
        return ""
    rate = day.cell(stage)
    return f"; {day.name}: {percent(rate.value)}, {count(rate.hits)} of {counted(rate.n, 'turn')}"


def _y(share: float, top: float) -> float:
    shown = min(share / top, 1)
    return round(HEIGHT - _BOTTOM - shown * (HEIGHT - _TOP - _BOTTOM), 1)


def _round_up(share: float) -> float:
    """Return the next 1, 2, 4, 5 or 10 times a power of ten, at most 1."""
    power = 10.0 ** (ceil(log10(share)) - 1)
    steps = (step * power for step in (1, 2, 4, 5, 10))
    return float(min(next((one for one in steps if one >= share - 1e-12), 1.0), 1.0))


def _label(day: str) -> str:
    known = date.fromisoformat(day)
    return f"{_WEEKDAYS[known.weekday()]} {known.day}"
