"""The rate of every root stage by day, as lines with their intervals to be drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, log10
from typing import Final

from analysis.breakdown import Rate, Segment, Segmentation
from analysis.breakdown.roots import ROOT_STAGES
from analysis.report.html.links import view_link
from analysis.report.numbers import count, percent, percent_interval

WIDTH: Final = 280
HEIGHT: Final = 130
_LEFT = 42
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

    stage: str
    points: Sequence[Point]
    line: str
    """Points of a polyline."""
    band: str
    """Points of a polygon: the 95 % intervals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """What is drawn: four panels on one scale."""

    panels: Sequence[Panel]
    ticks: Sequence[tuple[float, str]]
    """Height and text of each line of the grid."""
    days: Sequence[tuple[float, str]]
    """Place and text of each label below."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT


def trend_of(trend: Segmentation | None) -> Trend | None:
    """Return the trend of a run, None for less than two days."""
    days = [day for day in trend.segments if day.name is not None] if trend else []
    if len(days) < 2:  # noqa: PLR2004 - one day is no trend
        return None
    rates = [day.cell(stage) for day in days for stage in ROOT_STAGES if day.failed.n]
    highest = max((rate.value or 0 for rate in rates), default=0)
    widest = max((rate.high or 0 for rate in rates), default=0)
    top = _round_up(min(widest, _HEADROOM * highest) or 1)
    places = [
        round(_LEFT + place * (WIDTH - _LEFT - _RIGHT) / (len(days) - 1), 1)
        for place in range(len(days))
    ]
    step = ceil(len(days) / _MOST_LABELS)
    return Trend(
        panels=[_panel(stage, days, places, top) for stage in ROOT_STAGES],
        ticks=[
            (_y(top * part / _TICKS, top), f"{100 * top * part / _TICKS:g} %")
            for part in range(_TICKS + 1)
        ],
        days=[
            (x, _label(day.name or ""))
            for number, (x, day) in enumerate(zip(places, days, strict=True))
            if number % step == 0
        ],
    )


def _panel(stage: str, days: Sequence[Segment], places: Sequence[float], top: float) -> Panel:
    shown = [
        (x, day, day.cell(stage))  # type: ignore[arg-type]  # one of the root stages
        for x, day in zip(places, days, strict=True)
        if day.failed.n
    ]
    upper = [f"{x},{_y(rate.high or 0, top)}" for x, _, rate in shown]
    lower = [f"{x},{_y(rate.low or 0, top)}" for x, _, rate in reversed(shown)]
    return Panel(
        stage=stage,
        points=list(_points(stage, shown, top)),
        line=" ".join(f"{x},{_y(rate.value or 0, top)}" for x, _, rate in shown),
        band=" ".join([*upper, *lower]),
    )


def _points(
    stage: str, shown: Sequence[tuple[float, Segment, Rate]], top: float
) -> Iterator[Point]:
    for x, day, rate in shown:
        interval = percent_interval(rate.low, rate.high)
        yield Point(
            x=x,
            y=_y(rate.value or 0, top),
            title=f"{day.name}: {percent(rate.value)} ({interval}), "
            f"{count(rate.hits)} of {count(rate.n)}",
            link=view_link(by="day", kind=stage, seg=day.name),
            small=rate.n < 1 or rate.small,
        )


def _y(share: float, top: float) -> float:
    shown = min(share / top, 1)
    return round(HEIGHT - _BOTTOM - shown * (HEIGHT - _TOP - _BOTTOM), 1)


def _round_up(share: float) -> float:
    """Return the next 1, 2, 4, 5 or 10 times a power of ten, at most 1."""
    power = 10.0 ** (ceil(log10(share)) - 1)
    steps = (step * power for step in (1, 2, 4, 5, 10))
    return float(min(next((one for one in steps if one >= share - 1e-12), 1.0), 1.0))


def _label(day: str) -> str:
    try:
        known = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{_WEEKDAYS[known.weekday()]} {known.day}"
