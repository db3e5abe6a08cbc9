"""One file or a page with a folder of parts: the same page, from disk and over HTTP."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from analysis.cli import main
from analysis.report.html import PageOptions, render_html, write_html
from analysis.report.html import writing as writing_module
from analysis.report.html.links import turn_link
from analysis.report.model import report_of
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import Opened, opened, served
from tests.analysis.report.html.stories import TURN, story

FOLDER = PageOptions(layout="dir")
STRICT = "script-src 'self'; style-src 'self'"
JENKINS = "sandbox; default-src 'none'; style-src 'self'"


@pytest.fixture(scope="module")
def parted(told: Paged, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run written by hand, as a page with parts, under a name that an address must quote."""
    path = tmp_path_factory.mktemp("parted") / "week 47 #1?.html"
    return write_html(told.run, told.report, path, FOLDER).page


def names(folder: Path) -> list[str]:
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file())


def test_a_page_has_its_parts_in_a_folder_of_its_name(parted: Path) -> None:
    assert names(parted.parent) == [
        "week 47 #1?.html",
        "week 47 #1?/app.css",
        "week 47 #1?/app.js",
        "week 47 #1?/data/index.js",
        "week 47 #1?/data/turns/00.js",
    ]


def test_an_index_has_its_parts_beside_it(told: Paged, tmp_path: Path) -> None:
    written = write_html(told.run, told.report, tmp_path / "index.html", FOLDER)
    assert written.parts == tmp_path
    assert names(tmp_path) == [
        "app.css",
        "app.js",
        "data/index.js",
        "data/turns/00.js",
        "index.html",
    ]
    assert written.size == sum(one.stat().st_size for one in tmp_path.rglob("*.*"))


def test_both_layouts_are_the_same_bytes_each_time(told: Paged, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_html(told.run, told.report, tmp_path / name / "index.html", FOLDER)
    contents = [
        {name: (tmp_path / folder / name).read_bytes() for name in names(tmp_path / folder)}
        for folder in ("a", "b")
    ]
    assert contents[0] == contents[1]


@pytest.mark.parametrize(
    ("budget", "most_turns", "parts"),
    [
        pytest.param(5_000_000, 50_000, False, id="small"),
        pytest.param(1_000, 50_000, True, id="bodies that do not fit"),
        pytest.param(5_000_000, 4, True, id="too many turns"),
        pytest.param(5_000_000, 5, False, id="just as many turns as fit"),
    ],
)
def test_the_size_chooses_the_layout(
    told: Paged,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    budget: int,
    most_turns: int,
    parts: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(writing_module, "FILE_TURNS", most_turns)
    path = tmp_path / "r.html"
    written = write_html(told.run, told.report, path, PageOptions(budget=budget))
    assert (written.parts is not None) == parts
    assert ("stagefaultPart" in path.read_text("utf-8")) != parts


def test_one_file_on_request_leaves_bodies_out(told: Paged, tmp_path: Path) -> None:
    options = PageOptions(layout="file", budget=0)
    path = write_html(told.run, told.report, tmp_path / "r.html", options).page
    assert names(tmp_path) == ["r.html"]
    assert path.read_text("utf-8") == render_html(told.run, told.report, options)


def test_shards_of_an_earlier_page_go_and_files_of_others_stay(told: Paged, tmp_path: Path) -> None:
    shards = tmp_path / "data" / "turns"
    shards.mkdir(parents=True)
    (shards / "ff.js").write_text('stagefaultPart("shard-255","secret");\n')
    (shards / "fe.js").write_text("export const mine = 1;\n")
    (shards / "notes.js").write_text("stagefaultPart(1)")
    write_html(
        told.run, told.report, tmp_path / "index.html", PageOptions(layout="dir", bodies=False)
    )
    assert names(shards) == ["fe.js", "notes.js"]


def assert_whole(one: Opened, *, clean: bool = True) -> None:
    """Check that list, filter and a turn work."""
    assert one.text(".list-count") == "shown 2 of 2 failing turns"
    one.show("#/?outcome=all&q=berlin")
    assert one.text(".list-count") == "shown 1 of 5 turns"
    one.story(turn_link("team-1", 2))
    assert one.text("#turn h1").startswith("Routing searched policies-us")
    assert one.page.locator("[data-node=C2]").count() == 1
    if clean:
        one.assert_clean()


@pytest.mark.browser
def test_the_folder_opens_from_disk(browser: Browser, parted: Path) -> None:
    with opened(browser, parted.as_uri()) as one:
        assert_whole(one)
        assert {request.split(":")[0] for request in one.requests} == {"file"}
        assert len(one.requests) == 5


@pytest.mark.browser
def test_the_folder_opens_under_a_strict_policy(browser: Browser, parted: Path) -> None:
    with served(parted, STRICT) as address, opened(browser, address) as one:
        assert_whole(one)


@pytest.mark.browser
def test_a_shard_is_fetched_when_its_turn_is_opened(browser: Browser, parted: Path) -> None:
    with opened(browser, parted.as_uri()) as one:
        assert not [request for request in one.requests if "/turns/" in request]
        one.story(turn_link("team-1", 2))
        one.story(turn_link("ar-1", 1))
        assert len([request for request in one.requests if "/turns/" in request]) == 1


@pytest.mark.browser
@pytest.mark.parametrize("layout", ["file", "dir"])
def test_where_no_script_may_run_the_tables_stand(
    browser: Browser, told: Paged, parted: Path, layout: str
) -> None:
    page = parted if layout == "dir" else told.path
    with served(page, JENKINS) as address, opened(browser, address, ready=False) as one:
        assert one.page.get_attribute("html", "data-ready") is None
        assert one.text("h1").startswith("2 of 4 judged turns failed.")
        assert len(one.texts("#static-turns tbody tr")) == 2
        assert one.page.locator("#cuts table").count() == 7
        assert not one.page.locator("#list").is_visible()
        display = one.page.evaluate("getComputedStyle(document.querySelector('.strip')).display")
        assert display == ("flex" if layout == "dir" else "block")  # its style is a file of its own


@pytest.mark.browser
@pytest.mark.parametrize(
    ("lost", "said"),
    [
        pytest.param(
            "data/turns/00.js", "data/turns/00.js is missing beside this page", id="a shard"
        ),
        pytest.param("data/index.js", None, id="the list"),
    ],
)
def test_a_part_that_is_lost(
    browser: Browser, told: Paged, tmp_path: Path, lost: str, said: str | None
) -> None:
    page = write_html(told.run, told.report, tmp_path / "index.html", FOLDER).page
    (tmp_path / lost).unlink()
    with opened(browser, page.as_uri(), ready=said is not None) as one:
        if said is None:
            one.page.wait_for_selector("#static-turns", state="visible")
        else:
            one.show(turn_link("team-1", 2))
            one.page.wait_for_selector(f"text={said}")


@pytest.mark.parametrize(
    ("words", "page", "parts"),
    [
        pytest.param(["-o", "out/"], "out/index.html", False, id="a folder"),
        pytest.param(["-o", "out/", "--layout", "dir"], "out/index.html", True, id="parts in it"),
        pytest.param(["-o", "out", "--layout", "dir"], "out/index.html", True, id="no extension"),
        pytest.param(["-o", "w.html", "--layout", "dir"], "w.html", True, id="beside a page"),
        pytest.param(["-o", "w.html", "--layout", "file"], "w.html", False, id="one file"),
    ],
)
def test_the_command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    page: str,
    parts: bool,  # noqa: FBT001
) -> None:
    story(tmp_path / "store")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["report", "--store", "store", *words])
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    text = Path(page).read_text("utf-8")
    assert ('src="./' in text) == parts
    assert page in done.stderr


def test_a_folder_without_its_slash_is_no_report(tmp_path: Path) -> None:
    story(tmp_path)
    done = CliRunner().invoke(main, ["report", "--store", str(tmp_path), "-o", "out"])
    assert done.exit_code == 2
    assert "or a folder's name and a slash" in done.stderr


def test_what_the_page_says_of_its_bodies(told: Paged, tmp_path: Path) -> None:
    report = report_of(told.run)
    write_html(told.run, report, tmp_path / "index.html", FOLDER)
    data = (tmp_path / "data" / "turns" / "00.js").read_text("utf-8")
    name, _, text = data.removeprefix("stagefaultPart(").removesuffix(");\n").partition(",")
    assert json.loads(name) == "shard-0"
    assert json.loads(text).isascii()
    assert TURN not in data
