"""Metrics over many turns: pooled counts or means, with intervals and what was left out.

    (Metric, conversation, Measured)* ──summarise──▶ {name: Summary}
    columns of one metric ────────────summary_of───▶ Summary

A rate pools the counts of its turns; every other metric is the mean over the turns that
have a value. Turns without one are counted by reason and are in nothing else. The order of
conversations changes no bit of a summary.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from statistics import median
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import Interval, bootstrap_mean, design_effect, wilson
from analysis.metrics.measured import Measured
from analysis.metrics.metric import Kind, Metric, Unit

Column: TypeAlias = "Sequence[float] | NDArray[np.float64] | NDArray[np.int64]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One metric over many turns."""

    value: float | None
    """Pooled share of a rate, mean over `turns` otherwise; None without any."""
    low: float | None
    """95 % bounds; None without a value, for the mean of a single conversation, and for the
    mean of a quantity that is the same in all conversations."""
    high: float | None
    turns: int
    """Turns that could be evaluated."""
    conversations: int
    """Conversations with at least one such turn."""
    hits: float
    """Sum of the counts of these turns."""
    total: int
    design_effect: float | None = None
    """By how much turns of one conversation being alike widens the interval of a rate; None
    for a mean, whose bootstrap draws whole conversations."""
    median_length: float | None = None
    """Median length of the ranked lists behind the value; None for metrics without."""
    undefined: Mapping[str, int]
    """Turns without a value by reason, most frequent first."""


@dataclass(slots=True)
class _Columns:
    """The evaluated turns of one metric, and a tally of the others."""

    metric: Metric
    conversations: "array[int]" = field(default_factory=lambda: array("q"))
    hits: "array[float]" = field(default_factory=lambda: array("d"))
    totals: "array[int]" = field(default_factory=lambda: array("q"))
    lengths: Counter[int] = field(default_factory=Counter)
    undefined: Counter[str] = field(default_factory=Counter)


def summarise(rows: Iterable[tuple[Metric, str, Measured]]) -> dict[str, Summary]:
    """Sum up metrics over turns.

    Args:
        rows: Metric, conversation id and measurement, one row per turn and metric. The
            turns of one conversation come in their own order.

    Returns:
        By name, in the order of first appearance. A metric that no turn has a value for is
        there, with its reasons.
    """
    columns: dict[str, _Columns] = {}
    codes: dict[str, int] = {}
    for metric, conversation_id, measured in rows:
        column = columns.setdefault(metric.name, _Columns(metric))
        if measured.reason is not None:
            column.undefined[measured.reason] += 1
            continue
        column.conversations.append(codes.setdefault(conversation_id, len(codes)))
        column.hits.append(measured.hits)
        column.totals.append(measured.total)
        column.lengths.update(measured.lengths)
    return {
        name: summary_of(
            column.metric.kind,
            column.conversations,
            column.hits,
            column.totals,
            unit=column.metric.unit,
            lengths=column.lengths,
            undefined=column.undefined,
        )
        for name, column in columns.items()
    }


def summary_of(
    kind: Kind,
    conversations: Column,
    hits: Column,
    totals: Column,
    *,
    unit: Unit = "share",
    lengths: Mapping[int, int] | None = None,
    undefined: Mapping[str, int] | None = None,
) -> Summary:
    """Sum up one metric over the turns that have a value.

    Args:
        kind: Whether counts are pooled (`rate`) or values averaged (`mean`).
        conversations: A number for the conversation of each turn.
        hits: What counted, by turn.
        totals: What could have counted, by turn; above 0.
        unit: What the values are; a quantity has no upper end.
        lengths: How many ranked lists had which length.
        undefined: How many other turns had which reason for having no value.
    """
    counted, possible = np.asarray(hits, np.float64), np.asarray(totals, np.int64)
    _, place = np.unique(np.asarray(conversations, np.int64), return_inverse=True)
    turns = np.bincount(place)
    summed, total = fsum(counted), int(possible.sum())
    value: float | None = None
    effect: float | None = None
    interval: Interval | None = None
    if kind == "rate":
        # One turn each: 1, however many calls a turn made.
        clustered = turns.size > 0 and turns.max() > 1
        sums, sizes = np.bincount(place, counted), np.bincount(place, possible)
        effect = design_effect(sums, sizes) if clustered else 1.0
        interval = wilson(summed, total, effect)
        value = summed / total if total else None
    elif place.size:
        values = counted / possible
        shares = unit == "share" and values.min() >= 0 and values.max() <= 1
        interval = bootstrap_mean(np.bincount(place, values), turns, share=shares)
        value = fsum(values) / place.size
    return Summary(
        value=value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        turns=place.size,
        conversations=turns.size,
        hits=summed,
        total=total,
        design_effect=effect,
        median_length=median(Counter(lengths).elements()) if lengths else None,
        undefined=dict(sorted((undefined or {}).items(), key=lambda item: (-item[1], item[0]))),
    )
