"""Runs and their pages, made once, and one browser for all tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from analysis import Plan, Run, load_run, replay
from analysis.judges import JudgeChoice
from analysis.report.html import render_html
from analysis.report.model import Report, report_of
from tests.analysis.report.html.opening import Opened, opened
from tests.analysis.report.html.stories import story
from tests.analysis.runs import finding, turn_row, write_run

SAMPLES = Path(__file__).parents[4] / "sample_traces"


@dataclass(frozen=True, slots=True)
class Paged:
    """A run and its page on disk."""

    run: Run
    report: Report
    path: Path

    @property
    def address(self) -> str:
        """Where a browser finds the page, without a server."""
        return self.path.as_uri()


def paged(run: Run, folder: Path, vs: Run | None = None) -> Paged:
    """Write the page of a run."""
    report = report_of(run, vs=vs)
    path = folder / "report.html"
    path.write_text(render_html(run, report), encoding="utf-8")
    return Paged(run, report, path)


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Paged:
    """The run written by hand."""
    folder = tmp_path_factory.mktemp("story")
    return paged(story(folder), folder)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Paged:
    """The samples with their known answers, as `replay` makes them."""
    folder = tmp_path_factory.mktemp("samples")
    judge = JudgeChoice(name="recorded", answers=SAMPLES / "answers.jsonl")
    return paged(replay([SAMPLES], store=folder, plan=Plan(sources=(), judge=judge)).run, folder)


@pytest.fixture(scope="session")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Paged:
    """A run against the one of the week before, in which far less went wrong."""
    folder = tmp_path_factory.mktemp("compared")
    runs = {}
    for name, failing, first_day in (("before", 4, 0), ("now", 60, 7)):
        turns, findings = [], []
        for number in range(200):
            root = "routing.wrong_collection" if number < failing else ""
            root = "generation.incomplete" if number % 40 == 39 else root
            turn_id = f"c{number}/1"
            turns.append(
                turn_row(turn_id, root=root, day=first_day + number % 3, agent="ab"[number < 100])
            )
            findings += [finding(turn_id, root)] if root else []
        runs[name] = load_run(write_run(folder, name, turns=turns, findings=findings))
    return paged(runs["now"], folder, vs=runs["before"])


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[Opened]:
    """One window that tests share; each opens its page anew."""
    with opened(browser, "about:blank", ready=False) as one:
        yield one


@pytest.fixture
def page(window: Opened, told: Paged) -> Iterator[Opened]:
    """The page of the run written by hand, opened from disk."""
    window.visit(told.address)
    yield window
    window.assert_clean()


@pytest.fixture
def sample_page(window: Opened, samples: Paged) -> Iterator[Opened]:
    """The page of the samples, opened from disk."""
    window.visit(samples.address)
    yield window
    window.assert_clean()
