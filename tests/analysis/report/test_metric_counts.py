"""What a metric counts is named wherever its counts stand, and what it leaves out."""

import json
import re
from pathlib import Path

import pytest

from analysis.breakdown import breakdown_of
from analysis.metrics import METRICS, metric_named, metrics_at
from analysis.report.html import render_html
from analysis.report.metric_wording import metric_base, uncounted_text
from analysis.report.model import Report, report_of
from analysis.report.renderers import RENDERERS
from analysis.report.text import render_text
from analysis.run import Run
from tests.analysis.runs import finding, metric, turn_row, write_run


def run_with_a_probe(store: Path) -> Run:
    """A run in which the verdict misses nothing, and a probe shows what was missed."""
    root = "routing.missing_resource"
    return Run(
        write_run(
            store,
            turns=[turn_row("a/1", root=root), turn_row("b/1")],
            findings=[finding("a/1", root)],
            metrics=[
                *(metric(f"{one}/1", "missing_resource_rate", 0, 1) for one in "ab"),
                metric("a/1", "collection_ok_rate", 1, 1),
                metric("b/1", "collection_ok_rate", 2, 3),
            ],
        )
    )


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return report_of(run_with_a_probe(tmp_path))


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_the_text_names_units_at_every_width(report: Report, width: int) -> None:
    text = render_text(report, width=width)
    assert ("3 of 4 collections" if width >= 100 else "4 collections") in text
    assert ("0 of 2 turns" if width >= 100 else "2 turns") in text


@pytest.mark.parametrize("form", ["text", "markdown", "html", "notebook"])
def test_no_form_counts_a_fault_twice_without_saying_why(tmp_path: Path, form: str) -> None:
    run = run_with_a_probe(tmp_path)
    made = report_of(run)
    if form == "html":
        shown = render_html(run, made)
    elif form == "notebook":
        shown = run._repr_html_()
    else:
        shown = RENDERERS[form](made).replace("\\", "")
    words = " ".join(re.sub("<[^>]*>", " ", shown).split())
    assert "1 more turn has the fault missing_resource by a probe, or from an earlier turn" in words
    assert "4 collections" in words


def test_columns_that_overlap_say_so(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path, turns=[turn_row("a/1", collections=["x", "y"])]))
    made = report_of(run, by=["collection", "agent"])
    told = "A turn counts in every collection that it searched or should have searched"
    plain = [render(made) for name, render in RENDERERS.items() if name in ("text", "markdown")]
    notebook = made.breakdown._repr_html_()
    for text in (*plain, notebook):
        assert " ".join(text.split()).count(told) == 1
    page = render_html(run, made)
    assert f"no collection has 60 judged turns. {told}" in page
    assert f"no agent has 60 judged turns. {told}" not in page


def test_json_names_both(report: Report) -> None:
    value = json.loads(RENDERERS["json"](report))["stages"]["routing"]["metrics"]
    assert value["missing_resource_rate"]["counts"] == "turn"
    assert value["missing_resource_rate"]["more_with_fault"] == 1
    assert value["collection_ok_rate"]["more_with_fault"] == 0


def test_nothing_is_said_where_both_agree(report: Report) -> None:
    other = next(one for one in report.breakdown.metrics if one.metric == "collection_ok_rate")
    assert uncounted_text(other) == ""
    assert metric_base(other) == "3 of 4 collections"
    assert metric_base(other, short=True) == "4 collections"


def test_every_rate_names_what_it_counts() -> None:
    assert [one.name for one in METRICS if one.kind == "rate" and not one.counts] == []


def test_a_metric_is_known_at_every_k() -> None:
    (ten,) = (one for one in metrics_at(10) if one.name == "precision_at_10")
    named = metric_named("precision_at_10")
    assert named is not None
    assert (named.stage, named.counts) == (ten.stage, "rank")
    assert metric_named("a_rate_of_tomorrow") is None


def test_a_rate_that_this_version_does_not_know_is_shown_without_a_unit(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path, turns=[turn_row("a/1")], metrics=[metric("a/1", "x_rate", 1, 2)]))
    (row,) = breakdown_of(run.table("turns"), run.table("findings"), run.batches("metrics")).metrics
    assert metric_base(row) == "1 of 2"
