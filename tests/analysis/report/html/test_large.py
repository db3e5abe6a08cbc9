"""A hundred thousand turns are a list like any other."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from analysis.report.html import PageOptions, write_html, writing
from analysis.report.html.options import Layout
from analysis.report.model import report_of
from analysis.run import Run, load_run
from tests.analysis.report.html.opening import Opened, opened
from tests.analysis.runs import finding, turn_row, write_run

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TURNS = 100_000
PATIENCE_MS = 5_000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    chance = random.Random(7)
    rows, findings = [], []
    for number in range(TURNS):
        turn_id = f"conversation-{number // 5:05}/{number % 5 + 1}"
        failed = number % 20 == 0
        root = "retrieval.missed_chunk" if failed else ""
        question = f"Question {number}: may I return the shoes that I bought in shop {chance.randrange(999)}?"
        rows.append(turn_row(turn_id, root=root, day=chance.random() * 7, question=question,
                             agent=chance.choice(["billing", "support", "docs"])))  # fmt: skip
        if failed:
            findings.append(finding(turn_id, root))
    return load_run(write_run(tmp_path_factory.mktemp("large"), turns=rows, findings=findings))


@pytest.fixture(scope="module", params=["file", "auto"])
def large(run: Run, request: pytest.FixtureRequest, browser: Browser) -> Iterator[Opened]:
    layout: Layout = request.param
    index = run.folder / layout / "index.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "FOLDER_BUDGET", 1_000_000)
        written = write_html(run, report_of(run), index, PageOptions(layout=layout, budget=0))
    assert (written.parts is None) == (layout == "file")
    with opened(browser, index.as_uri()) as one:
        yield one
        one.assert_clean()


def since_start(one: Opened) -> float:
    return float(one.page.evaluate("performance.now()"))


def test_the_page_is_usable_soon(large: Opened) -> None:
    assert since_start(large) < PATIENCE_MS
    assert large.text(".list-count") == "shown 5,000 of 5,000 failing turns"


def test_few_rows_stand_in_the_page_wherever_it_is_scrolled(large: Opened) -> None:
    large.show("#/?outcome=all")
    assert large.text(".list-count") == "shown 100,000 of 100,000 turns"
    for part in (0, 0.5, 1):
        large.page.evaluate(
            "part => { const body = document.querySelector('.v-body'); body.scrollTop = part * body.scrollHeight }",
            part,
        )
        large.page.wait_for_selector(f".v-row[aria-rowindex='{max(int(part * TURNS), 2)}']")
        assert large.page.locator(".v-row").count() < 60
    assert large.page.get_attribute("[role=table]", "aria-rowcount") == "100001"


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        pytest.param("#/?outcome=all&q=question+77777%3A", 1, id="search"),
        pytest.param("#/?outcome=all&sort=question", TURNS, id="sort"),
        pytest.param("#/?kind=retrieval.missed_chunk", 5_000, id="filter"),
    ],
)
def test_searching_sorting_and_filtering_take_a_moment(
    large: Opened, view: str, expected: int
) -> None:
    before = since_start(large)
    large.show(view)
    assert large.text(".list-count").startswith(f"shown {expected:,} of")
    assert since_start(large) - before < PATIENCE_MS
