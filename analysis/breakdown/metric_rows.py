"""Metrics of the selected turns, summed up from their stored rows."""

from collections import Counter
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.breakdown.facts import Facts
from analysis.breakdown.model import MetricRow
from analysis.metrics.metric import kind_of
from analysis.metrics.summary import summary_of

METRIC_COLUMNS: Final = ("turn_id", "stage", "metric", "hits", "total", "reason", "unit", "lengths")


def metric_rows(facts: Facts, metrics: pa.Table) -> tuple[MetricRow, ...]:
    """Return one row per metric, in the order of the table.

    Args:
        facts: The selected turns.
        metrics: The `metrics` table with at least `METRIC_COLUMNS`.
    """
    if not len(metrics) or not len(facts):
        return ()
    ids = pa.array(facts.turn_ids, pa.string())
    metrics = metrics.combine_chunks()
    places = pc.index_in(metrics.column("turn_id"), value_set=ids)
    metrics = metrics.append_column("place", places).filter(pc.is_valid(places))
    names = pc.unique(metrics.column("metric")).to_pylist()
    return tuple(_row(facts, metrics.filter(pc.equal(metrics["metric"], name))) for name in names)


def _row(facts: Facts, rows: pa.Table) -> MetricRow:
    first = rows.slice(0, 1).to_pylist()[0]
    undefined = Counter(rows.filter(pc.is_valid(rows["reason"])).column("reason").to_pylist())
    valued = rows.filter(pc.is_null(rows["reason"]))
    places = valued.column("place").to_numpy()
    return MetricRow(
        stage=first["stage"],
        metric=first["metric"],
        unit=first["unit"],
        kind=kind_of(first["metric"]),
        summary=summary_of(
            kind_of(first["metric"]),
            facts.conversation[places],
            np.asarray(valued.column("hits").to_numpy(), np.float64),
            np.asarray(valued.column("total").to_numpy(), np.int64),
            lengths=Counter(pc.list_flatten(valued["lengths"]).to_pylist()),
            undefined=undefined,
        ),
    )
