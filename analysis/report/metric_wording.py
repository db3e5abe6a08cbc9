"""A metric in words: its value, its bounds, what it was computed of, and where it has none."""

from analysis.breakdown.model import MetricRow
from analysis.metrics.summary import Summary
from analysis.report.numbers import (
    SCORE_PLACES,
    count,
    counted,
    percent,
    percent_interval,
    score,
    score_interval,
)


def metric_value(row: MetricRow, places: int | None = None) -> str:
    """Return the value of a metric in its unit; `n/a` when it is undefined.

    Args:
        row: A metric.
        places: Decimals; None takes as many as are usual for its unit.
    """
    return _value(row, row.summary.value, places)


def metric_interval(row: MetricRow, places: int | None = None) -> str:
    """Return the 95 % bounds of a metric, empty without any."""
    low, high = row.summary.low, row.summary.high
    if low is None or high is None:
        return ""
    if row.unit != "share":
        return f"{_value(row, low, places)}–{_value(row, high, places)}"
    if row.kind == "rate":
        return percent_interval(low, high, places)
    return score_interval(low, high, SCORE_PLACES if places is None else places)


def _value(row: MetricRow, value: float | None, places: int | None) -> str:
    if value is None:
        return "n/a"
    if row.unit != "share":
        return f"{value:,.{places or 0}f}"
    if row.kind == "rate":
        return percent(value, places)
    return score(value, SCORE_PLACES if places is None else places)


def metric_base(row: MetricRow, *, short: bool = False) -> str:
    """Return what the value was computed of: `15,707 of 15,904 calls`, `12,400 turns`.

    Args:
        row: A metric.
        short: `15,904 calls`, where there is no room for more.
    """
    summary: Summary = row.summary
    if row.kind != "rate":
        return counted(summary.turns, "turn")
    total = counted(summary.total, row.counts) if row.counts else count(summary.total)
    return total if short else f"{_counted_hits(summary.hits)} of {total}"


def uncounted_text(row: MetricRow) -> str:
    """Return in how many more turns the fault is that a metric counts; empty when in none.

    Root causes rest on probes and on earlier turns too, a metric on its own verdict alone.
    """
    if not row.uncounted:
        return ""
    more = counted(row.uncounted, "more turn")
    has = "has" if row.uncounted == 1 else "have"
    return (
        f"{row.metric} counts the judge's verdict on routing alone: {more} {has} the fault "
        f"{row.fault} by a probe, or from an earlier turn"
    )


def lists_text(row: MetricRow) -> str:
    """Return how long the ranked lists behind a metric were; empty without any."""
    length = row.summary.median_length
    return "" if length is None else f"half of the lists hold {length:g} or fewer"


def _counted_hits(hits: float) -> str:
    return count(int(hits)) if hits == int(hits) else f"{hits:,.1f}"


def undefined_text(summary: Summary, most: int | None = None) -> str:
    """Return why turns have no value: `120 no_tool_called, 3 uncertain`.

    Args:
        summary: A metric over many turns.
        most: Reasons to name; the rest is counted. None names all.
    """
    reasons = list(summary.undefined.items())
    shown = reasons if most is None else reasons[:most]
    text = ", ".join(f"{count(number)} {reason}" for reason, number in shown)
    rest = sum(number for _, number in reasons[len(shown) :])
    return f"{text}, {count(rest)} other" if rest else text
