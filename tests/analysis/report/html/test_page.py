"""The page as bytes: one file, the same each time, nothing that a policy would refuse."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from analysis.report.html import PageOptions, render_html
from analysis.report.html.assets import SCRIPTS, STYLES, assets
from analysis.report.html.glossary import words
from analysis.report.model import report_of
from analysis.run import load_run
from tests.analysis.report.html.conftest import Paged
from tests.analysis.runs import write_run

PACKAGE = Path(__file__).parents[4] / "analysis" / "report" / "html"


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def text(told: Paged) -> str:
    return told.path.read_text("utf-8")


def test_the_policy_stands_first(text: str) -> None:
    head = Elements(text).found[:3]
    assert [tag for tag, _ in head] == ["html", "head", "meta"]
    assert head[2][1]["http-equiv"] == "Content-Security-Policy"
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; "
        r"img-src data:; base-uri 'none'; form-action 'none'",
        str(head[2][1]["content"]),
    )


def test_there_is_one_script_one_style_and_nothing_to_fetch(text: str) -> None:
    elements = Elements(text).found
    scripts = [attributes for tag, attributes in elements if tag == "script"]
    assert [one for one in scripts if one.get("type") != "application/json"] == [{}]
    assert sum(tag == "style" for tag, _ in elements) == 1
    assert not {tag for tag, _ in elements} & {
        "img",
        "iframe",
        "link",
        "object",
        "embed",
        "base",
        "form",
    }
    for _, attributes in elements:
        assert "style" not in attributes
        assert "src" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert str(attributes.get("href", "#")).startswith("#")


def test_every_table_says_what_its_heads_are_for(text: str) -> None:
    heads = [attributes for tag, attributes in Elements(text).found if tag == "th"]
    assert heads
    assert all(one.get("scope") in {"col", "row", "rowgroup"} for one in heads)


def test_every_drawing_has_a_name(text: str) -> None:
    drawings = [attributes for tag, attributes in Elements(text).found if tag == "svg"]
    assert drawings
    assert all(one.get("aria-label") or one.get("aria-labelledby") for one in drawings)


def test_the_script_uses_nothing_that_reads_markup_or_code() -> None:
    script = assets().script
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
                 'setAttribute("style"', "import ", "fetch(", "XMLHttpRequest", "WebSocket", "Worker("):  # fmt: skip
        assert word not in script


def test_every_part_is_joined() -> None:
    assert sorted(f"{name}.js" for name in SCRIPTS) == sorted(
        path.name for path in PACKAGE.glob("js/*")
    )
    assert sorted(f"{name}.css" for name in STYLES) == sorted(
        path.name for path in PACKAGE.glob("css/*")
    )


def test_the_same_run_gives_the_same_bytes(told: Paged, text: str, tmp_path: Path) -> None:
    assert render_html(told.run, told.report) == text
    code = (
        "import sys; from analysis.run import load_run; from analysis.report.html import PageOptions, render_html;"
        "from analysis.report.model import report_of; from pathlib import Path;"
        "run = load_run(Path(sys.argv[1])); Path(sys.argv[2]).write_text(render_html(run, report_of(run)), 'utf-8')"
    )
    elsewhere = tmp_path / "again.html"
    subprocess.run(
        [sys.executable, "-c", code, told.run.folder, elsewhere],
        check=True, cwd=PACKAGE.parents[2], env={**os.environ, "PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"},
    )  # fmt: skip
    assert elsewhere.read_text("utf-8") == text


def test_a_small_budget_leaves_bodies_out_and_says_so(told: Paged) -> None:
    page = render_html(told.run, told.report, PageOptions(budget=0))
    assert 'id="shard-0"' not in page
    assert '"bodies":0,' in page


def test_a_run_without_a_turn_has_a_page(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path))
    page = render_html(run, report_of(run))
    assert "There is no turn to report on." in page
    assert "No turn failed." in page


def test_a_run_of_an_older_version_has_a_page(tmp_path: Path) -> None:
    folder = write_run(tmp_path)
    (folder / "run.json").write_text('{"schema_version": 1, "run_id": "old"}', "utf-8")
    run = load_run(folder)
    assert "unknown/unknown" in render_html(run, report_of(run))


def test_every_word_of_a_tag_says_what_it_means(told: Paged) -> None:
    tags = [
        (classes, attributes)
        for name, attributes in Elements(told.path.read_text("utf-8")).found
        if name == "span" and (classes := str(attributes.get("class"))).startswith("tag r-")
    ]
    assert tags
    for classes, attributes in tags:
        assert attributes["title"] == words()[classes.removeprefix("tag r-")]
