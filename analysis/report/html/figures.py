"""The strip of figures at the top of the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analysis.breakdown import Breakdown
from analysis.breakdown.model import MetricRow
from analysis.report.html.links import view_link
from analysis.report.metric_wording import metric_base, metric_interval, metric_value
from analysis.report.model import Report
from analysis.report.numbers import count, counted, money, percent, percent_interval, points
from analysis.report.wording import change_text

_TELLING: Final = (
    "collection_ok_rate",
    "tool_ok_rate",
    "precision_at_",
    "citation_recall",
    "faithfulness",
    "appropriate_abstention",
)
"""Metrics named at the top, by the beginning of their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure of the strip."""

    label: str
    value: str
    note: str
    link: str | None = None


def figures(report: Report) -> Iterator[Figure]:
    """Yield what came of the turns, who judged them, and at what cost."""
    breakdown, info = report.breakdown, report.info
    failed = breakdown.failed
    interval = percent_interval(failed.low, failed.high)
    yield Figure(
        label="Failed turns",
        value=percent(failed.value),
        note=(
            f"{interval} % of {counted(failed.n, 'judged turn')}"
            if interval
            else "no turn was judged"
        ),
        link=view_link(),
    )
    if breakdown.comparison:
        change = breakdown.comparison.failed
        yield Figure(
            label=f"Change since {breakdown.comparison.run_id}",
            value="n/a" if change.difference is None else f"{points(change.difference)} pt",
            note=change_text(change),
        )
    if any(row.stage == "undetermined" for row in breakdown.stages):
        yield _undetermined(breakdown)
    not_judged = breakdown.turns - breakdown.judged
    yield Figure(
        label="Not judged",
        value=count(not_judged),
        note=f"of {counted(breakdown.turns, 'turn')}, in no rate",
        link=view_link(outcome="not_judged"),
    )
    yield from _judge_figures(report)
    if "cost_usd" in info and info["cost_usd"] != 0:
        yield Figure(label="Judging cost", value=money(info["cost_usd"]), note="of this run")


def _undetermined(breakdown: Breakdown) -> Figure:
    hits, failed = breakdown.stage("undetermined").rate.hits, breakdown.failed.hits
    return Figure(
        label="Undetermined",
        value=count(hits),
        note=f"{percent(hits / failed)} of the failed turns" if failed else "–",
        link=view_link(kind="undetermined"),
    )


def _judge_figures(report: Report) -> Iterator[Figure]:
    judge = report.info.get("judge") or {}
    yield Figure(
        label="Judge",
        value=f"{judge.get('provider', 'unknown')}/{judge.get('model', 'unknown')}",
        note=f"agreement with people: {judge.get('agreement') or 'not measured'}",
    )
    questions = report.info.get("questions")
    if questions:
        total = questions["asked"] + questions["from_store"]
        stored = percent(questions["from_store"] / total) if total else "n/a"
        yield Figure(
            label="Questions",
            value=count(total),
            note=f"{stored} needed no asking, {count(questions['unjudged'])} undecided",
        )


def telling_metrics(breakdown: Breakdown) -> Iterator[Figure]:
    """Yield the metrics that say most about each stage, as far as they were computed."""
    for start in _TELLING:
        row = next((one for one in breakdown.metrics if one.metric.startswith(start)), None)
        if row is not None:
            yield _metric(row)


def _metric(row: MetricRow) -> Figure:
    interval = metric_interval(row)
    base = metric_base(row)
    return Figure(
        label=row.metric,
        value=metric_value(row),
        note=f"{interval} · {base}" if interval else base,
    )
