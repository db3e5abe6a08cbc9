"""Metrics of the selected turns, summed up from their stored rows, a batch at a time.

There are some thirty rows per turn: they are never all in memory, only their counts are.
"""

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analysis.breakdown.facts import Facts
from analysis.breakdown.faults import Found
from analysis.breakdown.model import MetricRow
from analysis.breakdown.rates import Codes
from analysis.metrics import metric_named
from analysis.metrics.metric import Metric, Unit, kind_of
from analysis.metrics.summary import summary_of

METRIC_COLUMNS: Final = ("turn_id", "stage", "metric", "hits", "total", "reason", "unit", "lengths")


@dataclass(slots=True)
class _Counts:
    stage: str
    unit: Unit
    places: "array[int]" = field(default_factory=lambda: array("q"))
    hits: "array[float]" = field(default_factory=lambda: array("d"))
    totals: "array[int]" = field(default_factory=lambda: array("q"))
    lengths: Counter[int] = field(default_factory=Counter)
    undefined: Counter[str] = field(default_factory=Counter)


def metric_rows(
    facts: Facts, found: Found, metrics: Iterable[pa.RecordBatch]
) -> tuple[MetricRow, ...]:
    """Return one row per metric, in the order of first appearance.

    Args:
        facts: The selected turns.
        found: Their findings.
        metrics: The `metrics` table in batches, with at least `METRIC_COLUMNS`.
    """
    places = {turn_id: place for place, turn_id in enumerate(facts.turn_ids)}
    counts: dict[str, _Counts] = {}
    for batch in metrics:
        where = _places(batch.column("turn_id"), places)
        table = pa.Table.from_batches([batch]).append_column("place", pa.array(where))
        table = table.filter(pc.greater_equal(table["place"], 0))
        for name in pc.unique(table["metric"]).to_pylist():
            _count(counts, name, table.filter(pc.equal(table["metric"], name)))
    return tuple(_row(facts, found, name, own) for name, own in counts.items())


def _places(turn_ids: pa.StringArray, places: dict[str, int]) -> Codes:
    """Return the place of each row's turn among the selected ones, -1 for none."""
    encoded = turn_ids.dictionary_encode()
    known = [places.get(turn_id, -1) for turn_id in encoded.dictionary.to_pylist()]
    found: Codes = np.array(known, np.int64)[encoded.indices.to_numpy()]
    return found


def _count(counts: dict[str, _Counts], name: str, rows: pa.Table) -> None:
    found = counts.get(name)
    if found is None:
        first = rows.slice(0, 1).to_pylist()[0]
        found = counts[name] = _Counts(first["stage"], first["unit"])
    valued = rows.filter(pc.is_null(rows["reason"]))
    found.undefined.update(rows["reason"].drop_null().to_pylist())
    found.lengths.update(pc.list_flatten(valued["lengths"]).to_pylist())
    found.places.frombytes(valued["place"].to_numpy().tobytes())
    found.hits.frombytes(valued["hits"].to_numpy().tobytes())
    found.totals.frombytes(valued["total"].to_numpy().tobytes())


def _row(facts: Facts, found: Found, name: str, own: _Counts) -> MetricRow:
    metric = metric_named(name)
    return MetricRow(
        stage=own.stage,
        metric=name,
        unit=own.unit,
        kind=kind_of(name),
        summary=summary_of(
            kind_of(name),
            facts.conversation[np.asarray(own.places, np.int64)],
            np.asarray(own.hits, np.float64),
            np.asarray(own.totals, np.int64),
            unit=own.unit,
            lengths=own.lengths,
            undefined=own.undefined,
        ),
        counts=metric.counts if metric else "",
        fault=metric.fault if metric else None,
        uncounted=_uncounted(facts, found, metric, own) if metric else 0,
    )


def _uncounted(facts: Facts, found: Found, metric: Metric, own: _Counts) -> int:
    """Return how many judged turns have the metric's fault and are none of its bad turns."""
    if metric.fault is None:
        return 0
    places, hits = np.asarray(own.places, np.int64), np.asarray(own.hits, np.float64)
    bad = hits > 0 if metric.better == "lower" else hits < np.asarray(own.totals, np.int64)
    shown = set(places[bad].tolist())
    return sum(
        bool(facts.judged[place]) and place not in shown
        for place, faults in found.items()
        if (metric.stage, metric.fault) in faults
    )
