"""From a run and its report to one page in one file.

    overview ──template──▶ HTML that reads without a script
    index, bodies ───────▶ islands of data for the script

The same run folder gives the same bytes: no clock is read, and times come from the run.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import jinja2
from markupsafe import Markup

from analysis.breakdown.headline import headline
from analysis.report.html import meanings
from analysis.report.html.assets import assets
from analysis.report.html.bodies import Bodies, bodies_of
from analysis.report.html.flow import WORDS
from analysis.report.html.index import PARTS, Index, coded, index_json, index_of
from analysis.report.html.islands import packed, plain
from analysis.report.html.overview import overview_of
from analysis.report.model import Report
from analysis.report.numbers import count, counted, percent, percent_interval, points
from analysis.report.wording import (
    change_cell,
    change_text,
    facts,
    lists_text,
    metric_base,
    metric_interval,
    metric_value,
    not_judged_text,
    undefined_text,
)
from analysis.run import Run

BUDGET: Final = 5_000_000
"""Bytes of a page. While they last, it holds the bodies of all turns, failing ones first."""
LEAST_FOR_BODIES: Final = 1_500_000
"""Bytes that bodies of turns get even where the list alone uses up the budget."""

_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def render_html(run: Run, report: Report, *, budget: int = BUDGET) -> str:
    """Return the report as one self-contained page.

    Args:
        run: The run.
        report: Its report; the page is about the turns that it selects.
        budget: Bytes of the page up to which it holds bodies of turns.

    Raises:
        StoreError: A table cannot be read.
    """
    index = index_of(run, report.selected)
    overview = overview_of(run, report, index)
    columns = packed(index_json(index))
    used = len(columns) + len(assets().script) + len(assets().style)
    room = max(budget - used, min(budget, LEAST_FOR_BODIES))
    bodies = bodies_of(run, _wanted(index), room)
    return (
        _environment()
        .get_template("page.html")
        .render(
            assets=assets(),
            script=Markup(assets().script),  # noqa: S704 - our own files
            style=Markup(assets().style),  # noqa: S704 - our own files
            report=report,
            run_id=report.info["run_id"],
            breakdown=report.breakdown,
            sentence=headline(report.breakdown),
            facts=dict(facts(report)),
            page=overview,
            data=plain(_data(report, index, bodies)),
            columns=columns,
            places=packed(coded(bodies.places.get(one, -1) for one in index.column("turn_id"))),
            shards=bodies.shards,
        )
    )


def _data(report: Report, index: Index, bodies: Bodies) -> dict[str, Any]:
    failed = [
        turn_id
        for turn_id, root in zip(index.column("turn_id"), index.roots, strict=True)
        if root is not None
    ]
    judge = report.info.get("judge") or {}
    return {
        "run_id": report.info["run_id"],
        "listed": len(index),
        "turns": index.admitted,
        "failing": len(failed),
        "bodies": len(bodies.places),
        "failing_bodies": sum(one in bodies.places for one in failed),
        "agreement": judge.get("agreement"),
        "kinds": dict(meanings.KINDS),
        "reasons": dict(meanings.reasons()),
    }


def _wanted(index: Index) -> Iterable[str]:
    """Return turn ids, most wanted first: failing, around those, not judged, the others."""
    ids, outcomes = index.column("turn_id"), index.column("outcome")
    conversations = index.column("conversation_id")
    rows = list(zip(conversations, outcomes, ids, strict=True))
    failing = {conversation for conversation, outcome, _ in rows if outcome == "failed"}
    first: dict[str, int] = {}
    for conversation in conversations:
        first.setdefault(conversation, len(first))
    rows.sort(key=lambda row: (_rank(row[1], beside_failing=row[0] in failing), first[row[0]]))
    return (turn_id for _, _, turn_id in rows)


def _rank(outcome: str, *, beside_failing: bool) -> int:
    if outcome == "failed":
        return 0
    if beside_failing:
        return 1
    return 2 if outcome == "not_judged" else 3


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("analysis.report.html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        count=count,
        percent=percent,
    )
    environment.globals.update(
        counted=counted,
        percent_interval=percent_interval,
        points=points,
        change_cell=change_cell,
        change_text=change_text,
        flow_words=WORDS,
        stage_names=("routing", "retrieval", "generation"),
        part_words=PARTS,
        lists_text=lists_text,
        metric_base=metric_base,
        metric_interval=metric_interval,
        metric_value=metric_value,
        not_judged_text=not_judged_text,
        undefined_text=undefined_text,
    )
    return environment


def _shown(value: Any) -> Any:
    """Return a value without characters that no page can hold; markup of ours stays.

    Marks of direction stay, too: right-to-left text needs them, and every text of a trace
    stands in an element of its own direction.
    """
    if isinstance(value, str) and not isinstance(value, Markup):
        return _CONTROLS.sub("\ufffd", value)
    return value
