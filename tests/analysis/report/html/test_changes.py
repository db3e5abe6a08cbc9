"""What changed since an earlier run: every figure counted here again from both runs' tables."""

import re
from typing import Any

import pytest

from analysis import load_run
from analysis.report.numbers import percent, points
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import Opened

pytestmark = pytest.mark.browser

Row = dict[str, Any]


@pytest.fixture
def page(window: Opened, compared: Paged) -> Opened:
    window.visit(compared.address)
    return window


@pytest.fixture(scope="module")
def turns(compared: Paged) -> tuple[list[Row], list[Row]]:
    """The turns of the run, and of the one before."""
    before = load_run("before", compared.run.folder.parents[1])
    return compared.run.rows("turns"), before.rows("turns")


def share(rows: list[Row], key: str | None) -> float:
    """Return the share of turns with a root."""
    roots = [f"{row['root_stage']}.{row['root_kind']}" for row in rows if row["root_stage"]]
    return sum(key is None or f"{root}.".startswith(f"{key}.") for root in roots) / len(rows)


def test_the_change_of_every_root(page: Opened, turns: tuple[list[Row], list[Row]]) -> None:
    now, before = turns
    rows = page.page.locator("#roots tbody tr").all()
    assert len(rows) == 7
    for row in rows:
        key = row.get_attribute("data-root")
        shown = row.locator("td.change").inner_text().split()
        assert shown[-1] == points(share(now, key) - share(before, key))
        assert (shown[0] == "▲") is (key in (None, "routing", "routing.wrong_collection"))


def test_the_strip_tells_the_change(page: Opened, turns: tuple[list[Row], list[Row]]) -> None:
    now, before = turns
    figure = page.page.locator(".strip > div", has_text="Change since before")
    text = figure.inner_text()
    assert f"{points(share(now, None) - share(before, None))} pt" in text
    assert f"was {percent(share(before, None))}" in text


def test_the_list_of_changes_is_what_stays_after_the_correction(
    page: Opened, compared: Paged
) -> None:
    comparison = compared.report.breakdown.comparison
    assert comparison is not None
    titles = page.page.locator(".entry-head a").all_text_contents()
    assert len(titles) == len(comparison.changed)
    assert set(titles) == {
        name + where
        for name in ("routing", "routing.wrong_collection")
        for where in ("", ", agent b")
    }
    said = page.text("#entries-title + .note")
    assert said.startswith(f"{comparison.cells_compared} rates looked at;")
    assert f"leaves {len(titles)} changes" in said


def test_a_change_leads_to_its_turns(page: Opened) -> None:
    page.page.get_by_role("link", name="routing.wrong_collection, agent b").click()
    assert page.hash == "#/?by=agent&kind=routing.wrong_collection&seg=b"
    assert page.text(".list-count").startswith("shown 59 of")


def test_cells_that_changed_carry_an_arrow(page: Opened, compared: Paged) -> None:
    page.page.locator("#by [data-by=agent]").click()
    comparison = compared.report.breakdown.comparison
    assert comparison is not None
    cells = page.page.locator("#roots td.cell", has_text="▲")
    assert cells.count() == sum(cell.by == "agent" for cell in comparison.changed)
    assert "was" in str(cells.first.locator("a").get_attribute("title"))


def test_the_days_before_stand_dashed_beside(
    page: Opened, turns: tuple[list[Row], list[Row]]
) -> None:
    now, before = turns
    for panel in page.page.locator("figure.panel").all():
        stage = panel.locator("figcaption").inner_text().lower()
        titles = panel.locator(".dot title").all_text_contents()
        assert len(titles) == panel.locator(".before-dot").count() == 3
        for title in titles:
            match = re.fullmatch(
                r"([\d-]+): (.+) \(.+\), \d+ of \d+ judged turns?; ([\d-]+): (.+), \d+ of (\d+) turns?",
                title,
            )
            assert match
            for rows, day, shown in ((now, match[1], match[2]), (before, match[3], match[4])):
                own = [row for row in rows if f"{row['started_at']:%Y-%m-%d}" == day]
                assert shown == percent(share(own, stage))
            assert int(match[1][-2:]) - int(match[3][-2:]) == 7
    assert "Dashed: before" in page.text("#trend .note")
