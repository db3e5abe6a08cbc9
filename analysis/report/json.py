"""The report of a run as one JSON object.

    stages.<stage>.rate                  {value, low, high, hits, n}
    stages.<stage>.kinds.<kind>.rate     the same; for `undetermined`, by what is missing
    stages.<stage>.metrics.<metric>      {value, low, high, hits, total, counts, undefined, …}
    segments.<dimension>[].stages        the same cut by agent, collection, …

All shares are in [0, 1]; a value that is undefined is null. Texts are as recorded.
"""

from typing import Any, Final

from analysis.breakdown.headline import headline
from analysis.breakdown.model import (
    Breakdown,
    Change,
    Comparison,
    KindRow,
    MetricRow,
    Rate,
    Segment,
    StageRow,
)
from analysis.report.model import Report
from analysis.report.terminal import safe_json

REPORT_SCHEMA_VERSION: Final = 1


def render_json(report: Report) -> str:
    """Return the report as one line of JSON, ending in a newline."""
    return safe_json(report_json(report)) + "\n"


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as plain JSON values."""
    breakdown = report.breakdown
    return {
        "schema_version": REPORT_SCHEMA_VERSION,
        "headline": headline(breakdown),
        "filters": breakdown.filters,
        "roots": breakdown.roots or None,
        "turns": breakdown.turns,
        "conversations": breakdown.conversations,
        "judged": breakdown.judged,
        "passed": breakdown.passed,
        "failed": {"rate": rate_json(breakdown.failed), "inherited": breakdown.inherited},
        "failed_otherwise": breakdown.failed_otherwise,
        "not_judged": {row.reason: row.turns for row in breakdown.not_judged},
        "passed_with": {row.reason: row.turns for row in breakdown.notes},
        "stages": {row.stage: _stage(row, breakdown) for row in breakdown.stages},
        "service": {"metrics": _metrics(breakdown, "service")},
        "latent": [
            {
                "stage": row.stage,
                "kind": row.kind,
                "turns": row.turns,
                "in_passed": row.in_passed,
            }
            for row in breakdown.latent
        ],
        "beside": [
            {"stage": row.stage, "kind": row.kind, "role": row.role, "turns": row.turns}
            for row in breakdown.beside
        ],
        "paths": [
            {
                "routing": row.routing,
                "retrieval": row.retrieval,
                "generation": row.generation,
                "turns": row.turns,
            }
            for row in breakdown.paths
        ],
        "segments": {
            cut.by: [_segment(one, breakdown) for one in cut.segments]
            for cut in breakdown.segmentations
        },
        "trend": (
            [_segment(day, breakdown) for day in breakdown.trend.segments]
            if breakdown.trend
            else []
        ),
        "comparison": _comparison(breakdown.comparison),
        "failing": [
            {
                "turn_id": turn.turn_id,
                "stage": turn.stage,
                "kind": turn.kind,
                "sentence": turn.sentence,
                "question": turn.question,
            }
            for turn in report.failing
        ],
        "run": report.info,
    }


def rate_json(rate: Rate) -> dict[str, Any]:
    """Return a rate with its bounds and counts."""
    return {
        "value": rate.value,
        "low": rate.low,
        "high": rate.high,
        "hits": rate.hits,
        "n": rate.n,
    }


def _stage(row: StageRow, breakdown: Breakdown) -> dict[str, Any]:
    return {
        **_root(row),
        "kinds": {kind.kind: _root(kind) for kind in row.kinds},
        "metrics": _metrics(breakdown, row.stage),
    }


def _root(row: StageRow | KindRow) -> dict[str, Any]:
    found = {"rate": rate_json(row.rate), "inherited": row.inherited}
    return found if row.change is None else {**found, "change": _change(row.change)}


def _metrics(breakdown: Breakdown, stage: str) -> dict[str, Any]:
    return {row.metric: _metric(row) for row in breakdown.metrics if row.stage == stage}


def _metric(row: MetricRow) -> dict[str, Any]:
    summary = row.summary
    return {
        "value": summary.value,
        "low": summary.low,
        "high": summary.high,
        "unit": row.unit,
        "kind": row.kind,
        "turns": summary.turns,
        "conversations": summary.conversations,
        "hits": summary.hits,
        "total": summary.total,
        "counts": row.counts or None,
        "fault": row.fault,
        "more_with_fault": row.uncounted,
        "median_length": summary.median_length,
        "undefined": dict(summary.undefined),
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "before": rate_json(change.before),
        "difference": change.difference,
        "low": change.low,
        "high": change.high,
        "clear": change.clear,
    }


def _segment(segment: Segment, breakdown: Breakdown) -> dict[str, Any]:
    stages: dict[str, Any] = {
        row.stage: {"rate": rate_json(segment.cell(row.stage)), "kinds": {}}
        for row in breakdown.stages
    }
    for (stage, kind), rate in sorted(segment.cells.items(), key=str):
        if kind is not None:
            stages[stage]["kinds"][kind] = {"rate": rate_json(rate), "small": rate.small}
    return {
        "name": segment.name,
        "turns": segment.turns,
        "failed": {"rate": rate_json(segment.failed)},
        "stages": stages,
    }


def _comparison(comparison: Comparison | None) -> dict[str, Any] | None:
    if comparison is None:
        return None
    return {
        "run_id": comparison.run_id,
        "failed": _change(comparison.failed),
        "cells_compared": comparison.cells_compared,
        "differences": list(comparison.differences),
        "notes": list(comparison.notes),
        "changed": [
            {
                "stage": cell.stage,
                "kind": cell.kind,
                "by": cell.by,
                "segment": cell.segment,
                "rate": rate_json(cell.rate),
                "change": _change(cell.change),
                "q": cell.q,
            }
            for cell in comparison.changed
        ],
    }
