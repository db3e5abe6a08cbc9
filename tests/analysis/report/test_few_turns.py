"""Where no day or segment has turns enough for a rate, every form counts and says why once."""

import re
from pathlib import Path

import pytest

from analysis.breakdown.model import Rate, Segment, Segmentation
from analysis.report.html import render_html
from analysis.report.model import Report, report_of
from analysis.report.renderers import RENDERERS
from analysis.report.text import render_text
from analysis.report.wording import cell_text, few_text, unit_text
from analysis.run import Run
from tests.analysis.runs import finding, turn_row, write_run

ROOT = "retrieval.missed_chunk"


def run_of(store: Path, *days: tuple[int, int]) -> Run:
    """Return a run with so many failing turns of so many turns on each day."""
    turns = [
        turn_row(f"{day}-{n}/1", root=ROOT if n < hits else "", day=day)
        for day, (hits, total) in enumerate(days)
        for n in range(total)
    ]
    failed = [turn["turn_id"] for turn in turns if turn["outcome"] == "failed"]
    return Run(write_run(store, turns=turns, findings=[finding(one, ROOT) for one in failed]))


def shown(run: Run, form: str) -> str:
    """Return a report cut by day in one form, on one line and without tags."""
    made: Report = report_of(run, by=["day"])
    if form == "html":
        text = render_html(run, made)
    elif form == "notebook":
        text = made.breakdown._repr_html_()
    elif form == "narrow":
        text = render_text(made, width=50)
    else:
        text = RENDERERS[form](made)
    return " ".join(re.sub("<[^>]*>", " ", text).split())


FORMS = ["text", "narrow", "markdown", "notebook", "html"]
WHY = "Failing turns, not rates: no day has 60 judged turns."


@pytest.mark.parametrize("form", FORMS)
def test_days_of_few_turns_are_counted(tmp_path: Path, form: str) -> None:
    told = shown(run_of(tmp_path, (2, 9), (4, 59)), form)
    assert told.count(WHY) == 1
    assert "~" not in told.replace("\\~", "")


@pytest.mark.parametrize("form", FORMS)
def test_one_day_of_many_turns_makes_rates_of_all(tmp_path: Path, form: str) -> None:
    told = shown(run_of(tmp_path, (2, 9), (6, 60)), form)
    assert WHY not in told
    assert "10.0" in told
    assert "fewer than 3 failing turns, or fewer than 60 judged: do not read much into it" in told


def test_the_text_tells_turns_by_day(tmp_path: Path) -> None:
    text = render_text(report_of(run_of(tmp_path, (2, 9), (4, 59))))
    table = text[text.index("day (UTC)") :].splitlines()[:4]
    stages = ["routing", "retrieval", "generation", "undetermined"]
    assert [line.split() for line in table] == [
        ["day", "(UTC),", "turns", "judged", "failed", *stages],
        ["2026-01-01", "9", "2", "0", "2", "0", "0"],
        ["2026-01-02", "59", "4", "0", "4", "0", "0"],
        WHY.split(),
    ]


def test_the_page_reads_no_trend_into_few_turns(tmp_path: Path) -> None:
    few = shown(run_of(tmp_path / "few", (2, 9), (4, 59)), "html")
    many = shown(run_of(tmp_path / "many", (2, 60), (4, 59)), "html")
    told = "No day has 60 judged turns: read no trend into them."
    assert (told in few, told in many) == (True, False)


def segmentation(*counts: tuple[int, int]) -> Segmentation:
    return Segmentation(
        by="agent",
        segments=tuple(
            Segment(name=str(n), turns=total, failed=Rate.of(hits, total))
            for n, (hits, total) in enumerate(counts)
        ),
    )


@pytest.mark.parametrize(
    ("counts", "cells", "unit"),
    [
        pytest.param([(3, 59), (0, 9), (0, 0)], ["3", "0", "–"], "turns", id="few everywhere"),
        pytest.param([(3, 60), (1, 9), (0, 9)], ["5.0", "11.1~", "0"], "%", id="enough in one"),
        pytest.param([(2, 60)], ["3.3~"], "%", id="few that failed"),
    ],
)
def test_cells(counts: list[tuple[int, int]], cells: list[str], unit: str) -> None:
    cut = segmentation(*counts)
    assert [cell_text(cut, one.failed) for one in cut.segments] == cells
    assert unit_text(cut) == unit
    assert bool(few_text(cut)) is (unit == "turns")


def test_what_is_left_out_of_a_table_has_a_name(tmp_path: Path) -> None:
    turns = [turn_row(f"{n}/1", agent=f"agent-{n:02}") for n in range(14)]
    made = report_of(Run(write_run(tmp_path, turns=turns)), by=["agent"])
    assert "and 10 smaller agents; --json has all" in render_text(made)
    assert "2 more agents not shown" in RENDERERS["markdown"](made)
    assert "; 2 more agents not shown" in render_html(Run(tmp_path / "runs" / "r-1"), made)
