"""What a notebook shows is markup without code, small, and says what it leaves out."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis.breakdown import DIMENSIONS
from analysis.report.html import PageOptions
from analysis.report.notebook_turn import MOST_ROWS
from analysis.run import Run, load_run
from ingest.errors import UsageError
from tests.analysis.report.html.hostile import PAYLOADS, hostile
from tests.analysis.report.html.stories import TURN, story
from tests.analysis.runs import turn_row, write_run
from tests.analysis.test_breakdown import many


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return story(tmp_path_factory.mktemp("notebook"))


class Text(HTMLParser):
    """The text of a fragment, and the names of its elements and attributes."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.names: set[str] = set()
        self.feed(fragment)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


PLAIN = {"div", "style", "p", "b", "br", "span", "table", "thead", "tbody", "tr", "th", "td",
         "class", "dir", "scope"}  # fmt: skip


def test_a_turn_says_what_broke_it_and_what_shows_that(run: Run) -> None:
    text = " ".join(Text(run.turn(TURN)._repr_html_()).parts)
    for part in (
        "Routing searched policies-us; the chunk that answers is in policies-eu.",
        "turn 2 of 2", "wrong_collection", "contributing", "irrelevant_chunks", "misfounded",
        "The refund takes thirty days", "Refunds are paid within 14 days", "policies-us", "search_policies",
        "should have been there", "Refunds (EU) §4",
        "contradicted", "takes thirty days", "within 14 days",
    ):  # fmt: skip
        assert part in text


def test_a_turn_without_content_is_shown_too(run: Run) -> None:
    text = " ".join(Text(run.turn("open-1/1")._repr_html_()).parts)
    assert text.count("(not captured)") == 2
    assert "not judged" in text


def test_a_turn_is_what_show_prints_as_markdown(run: Run) -> None:
    text = run.turn(TURN)._repr_markdown_()
    assert text.startswith("```text\n")
    assert "policies-eu" in text


def test_no_text_ends_the_block(tmp_path: Path) -> None:
    row = turn_row("a/1", question="```` then ```")
    text = load_run(write_run(tmp_path, turns=[row])).turn("a/1")._repr_markdown_()
    assert text.startswith("`````text\n")
    assert text.endswith("\n`````\n")


def test_a_breakdown_shows_its_cuts_and_changes(tmp_path: Path) -> None:
    before = Run(write_run(tmp_path, "before", turns=many(2, 200) + many(5, 100, "policies")))
    now = Run(write_run(tmp_path, "now", turns=many(40, 200) + many(6, 100, "policies")))
    found = now.breakdown("collection", vs=before)
    text = " ".join(Text(found._repr_html_()).parts)
    assert "since before" in text
    assert "▲" in text
    assert "policies" in text
    assert "| missed_chunk | 46 |" in found._repr_markdown_().replace("\\", "")


def test_segments_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    turns = [turn_row(f"c{number}/1", agent=f"agent-{number}") for number in range(12)]
    html = Run(write_run(tmp_path, turns=turns)).breakdown("agent")._repr_html_()
    assert "and 4 more segments" in html


def test_rows_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    chunks = [
        {"turn_id": "a/1", "retrieval_id": "r", "chunk_id": f"c{n}", "rank": n, "text": "x" * 5_000}
        for n in range(1, MOST_ROWS + 6)
    ]
    paragraphs = [
        {
            "turn_id": "a/1",
            "paragraph": n,
            "kind": "prose",
            "start": 0,
            "end": 1,
            "text": "y" * 5_000,
        }
        for n in range(1, 200)
    ]
    view = Run(
        write_run(tmp_path, turns=[turn_row("a/1")], chunks=chunks, paragraphs=paragraphs)
    ).turn("a/1")
    html = view._repr_html_()
    assert "and 5 more rows" in html
    assert "and 179 more rows" in html
    assert len(html.encode()) < 100_000


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    run = hostile(tmp_path)
    turn_ids = run.turns(["turn_id"])["turn_id"]
    views = [run.turn(turn_id) for turn_id in turn_ids]
    everything: list[Any] = [run, run.breakdown(DIMENSIONS), *views]
    for shown in everything:
        html = shown._repr_html_()
        assert Text(html).names <= PLAIN
        assert len(html.encode()) < 100_000
        assert not re.search(r"[\x00-\x08\x0e-\x1f\u202e]", html)
        assert "\n```\n<" not in shown._repr_markdown_()
    assert len(views) == len(PAYLOADS)


def test_a_turn_that_is_not_there(run: Run) -> None:
    with pytest.raises(UsageError, match="is no turn of run r-story"):
        run.turn("team-1/9")


def test_a_run_writes_its_page(run: Run, tmp_path: Path) -> None:
    page = run.to_html(tmp_path / "p.html")
    assert "2 of 4 judged turns failed." in page.read_text("utf-8")
    parted = run.to_html(str(tmp_path / "q" / "index.html"), PageOptions(layout="dir"))
    assert (parted.parent / "app.js").is_file()


def test_the_run_names_the_story(run: Run) -> None:
    assert json.loads((run.folder / "run.json").read_text("utf-8"))["run_id"] in run._repr_html_()
