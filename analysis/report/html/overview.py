"""What the breakdown page says, ready for its template: no number is counted here twice.

Every figure comes from the `Breakdown` of the report, from `run.json` or from the same
index that the page's list is made of.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.breakdown import DIMENSIONS, Breakdown, Dimension, breakdown_of
from analysis.breakdown.facts import TURN_COLUMNS
from analysis.breakdown.faults import FINDING_COLUMNS
from analysis.breakdown.model import ChangedCell, KindRow
from analysis.report.html.figures import Figure, figures, telling_metrics
from analysis.report.html.flow import Flow, flows_of
from analysis.report.html.index import Index
from analysis.report.html.links import segment_value, turn_link, view_link
from analysis.report.html.meanings import of_reason
from analysis.report.html.rows import Cut, RootRow, changes_of, cut_of, root_rows
from analysis.report.html.trend import Trend, trend_of
from analysis.report.model import Report
from analysis.report.numbers import counted, percent
from analysis.report.wording import change_text, segment_name, top_kinds
from analysis.run import Run

STATIC_TURNS: Final = 50
"""Failing turns that the page lists before any script runs."""
_TOP_KINDS = 5
_MOST_CHANGES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a panel: what to look at, and where it is."""

    title: str
    text: str
    link: str
    tag: str = ""
    tone: str = ""
    example: str | None = None
    """Address of a turn that shows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """How many turns for one reason, and what it means."""

    reason: str
    turns: int
    meaning: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Input records with one fate."""

    outcome: str
    reason: str
    records: int
    file: str
    """The first file they come from."""
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticTurn:
    """One line of the list of failing turns, as it stands without a script."""

    turn_id: str
    started: str
    root: str
    marks: str
    question: str | None
    sentence: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The breakdown page."""

    figures: Sequence[Figure]
    metrics: Sequence[Figure]
    flows: Sequence[Flow]
    """The same flow for wide and for narrow screens; empty when no turn failed."""
    entries: Sequence[Entry]
    rows: Sequence[RootRow]
    cuts: Sequence[Cut]
    trend: Trend | None
    undetermined: Sequence[Reason]
    not_judged: Sequence[Reason]
    notes: Sequence[Reason]
    losses: Sequence[Loss]
    turns: Sequence[StaticTurn]
    failing: int


def overview_of(run: Run, report: Report, index: Index) -> Overview:
    """Return the breakdown page of a report.

    Args:
        run: The run.
        report: Its report.
        index: The turns that the page lists.
    """
    breakdown = report.breakdown
    rows = root_rows(breakdown)
    cuts = _segmentations(run, report)
    changes = changes_of(breakdown)
    failing = [place for place, root in enumerate(index.roots) if root is not None]
    return Overview(
        figures=list(figures(report)),
        metrics=list(telling_metrics(breakdown)),
        flows=flows_of(breakdown.paths),
        entries=list(_changes(breakdown) if breakdown.comparison else _first(breakdown, index)),
        rows=rows,
        cuts=[cut_of(one, rows, changes) for one in cuts.segmentations],
        trend=trend_of(
            breakdown.trend,
            breakdown.comparison.trend if breakdown.comparison else None,
            [row.stage for row in breakdown.stages],
        ),
        undetermined=[_undetermined(row) for row in breakdown.stage("undetermined").kinds],
        not_judged=[
            Reason(
                reason=row.reason,
                turns=row.turns,
                meaning=of_reason(row.reason),
                link=view_link(outcome="not_judged", q=row.reason),
            )
            for row in breakdown.not_judged
        ],
        notes=[
            Reason(
                reason=row.reason,
                turns=row.turns,
                meaning=of_reason(row.reason),
                link=view_link(outcome="passed", q=row.reason),
            )
            for row in breakdown.notes
        ],
        losses=list(_losses(run)),
        turns=[_static(index, place) for place in failing[:STATIC_TURNS]],
        failing=len(failing),
    )


def _segmentations(run: Run, report: Report) -> Breakdown:
    """Return the breakdown cut by every dimension, those asked for first."""
    asked = [cut.by for cut in report.breakdown.segmentations]
    by: dict[Dimension, None] = dict.fromkeys([*asked, *DIMENSIONS])
    return breakdown_of(
        run.table("turns", TURN_COLUMNS),
        run.table("findings", FINDING_COLUMNS),
        (),
        by=by,
        selected=report.selected,
    )


# Beside the flow


def _first(breakdown: Breakdown, index: Index) -> Iterator[Entry]:
    """Yield the most frequent kinds, each with its last turn."""
    for stage, kind, turns in top_kinds(breakdown, _TOP_KINDS):
        key = f"{stage}.{kind}"
        shown = _static(index, index.roots.index(key)) if key in index.roots else None
        yield Entry(
            title=key,
            text=shown.sentence if shown else "",
            link=view_link(kind=key),
            tag=counted(turns, "turn"),
            example=shown.link if shown else None,
        )


def _changes(breakdown: Breakdown) -> Iterator[Entry]:
    changed = breakdown.comparison.changed if breakdown.comparison else ()
    for cell in changed[:_MOST_CHANGES]:
        up = cell.change.clear == "up"
        yield Entry(
            title=_place(cell),
            text=f"{percent(cell.rate.value)}, {change_text(cell.change)}",
            link=view_link(
                by=cell.by,
                kind=_key(cell),
                seg=None if cell.by is None else segment_value(cell.segment),
            ),
            tag="worse" if up else "better",
            tone="bad" if up else "good",
        )


def _key(cell: ChangedCell) -> str:
    return f"{cell.stage}.{cell.kind}" if cell.kind else cell.stage


def _place(cell: ChangedCell) -> str:
    return f"{_key(cell)}, {cell.by} {segment_name(cell.segment)}" if cell.by else _key(cell)


# Reasons, losses, and the list


def _undetermined(row: KindRow) -> Reason:
    return Reason(
        reason=row.kind,
        turns=row.rate.hits,
        meaning=of_reason(row.kind),
        link=view_link(kind=f"undetermined.{row.kind}"),
    )


def _losses(run: Run) -> Iterator[Loss]:
    rows = run.rows("losses", ("outcome", "reason", "file"))
    counts = Counter((row["outcome"], row["reason"]) for row in rows)
    places: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        places.setdefault((row["outcome"], row["reason"]), {})[row["file"] or ""] = None
    for (outcome, reason), records in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        files = list(places[outcome, reason])
        yield Loss(outcome=outcome, reason=reason, records=records, file=files[0], files=len(files))


def _static(index: Index, place: int) -> StaticTurn:
    row = index.turns.slice(place, 1).to_pylist()[0]
    started = row["started_at"]
    return StaticTurn(
        turn_id=row["turn_id"],
        started="no time" if started is None else started.strftime("%Y-%m-%d %H:%M"),
        root=index.roots[place] or "",
        marks=index.marks[place],
        question=row["question"],
        sentence=row["sentence"] or "",
        link=turn_link(row["conversation_id"], row["turn"]),
    )
