"""Hostile traces stay text, and the page works, or at least reads, under any policy."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from analysis.breakdown import selection_of
from analysis.cli import main
from analysis.report.html import render_html
from analysis.report.html.assets import assets
from analysis.report.html.links import turn_link
from analysis.report.model import report_of
from tests.analysis.report.html.conftest import Paged, paged
from tests.analysis.report.html.hostile import PAYLOADS, hostile
from tests.analysis.report.html.opening import Opened, opened, served

pytestmark = pytest.mark.browser

CASES = Path(__file__).parents[5] / "shared" / "cases"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
JENKINS = "sandbox; default-src 'none'; style-src 'self'"
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def without_policy(page: Path) -> Path:
    """Write the page again with its own policy removed."""
    text, removed = POLICY.subn("", page.read_text("utf-8"))
    assert removed == 1
    bare = page.with_name("bare.html")
    bare.write_text(text, "utf-8")
    return bare


def page_of(case: str, store: Path) -> Path:
    """Return the page that `replay` writes for a given case."""
    path = CASES / case
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    done = CliRunner().invoke(
        main, ["replay", str(path), "--store", str(store), "--judge", "local"]
    )
    assert done.exit_code == 0, done.output
    [page] = store.glob("runs/*/report.html")
    return page


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a trace full of markup."""
    return page_of("41.xss.jsonl", tmp_path_factory.mktemp("case"))


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Paged:
    """A run with a payload in every cell that a page shows."""
    folder = tmp_path_factory.mktemp("attacked")
    return paged(hostile(folder), folder)


POLICIES = pytest.mark.parametrize("policy", ["own", "none"])
"""The page as it is, and with its own policy taken away: text is harmless without it."""


def visited(browser: Browser, page: Path, links: Sequence[str] = ()) -> Iterator[Opened]:
    """Open views of a page, with everything that can be unfolded; without links, all of them."""
    with opened(browser, page.as_uri()) as one:
        yield one
        one.show("#/?outcome=all")
        shown = one.page.locator(".v-row a").evaluate_all("all => all.map(one => one.hash)")
        assert links or one.text(".list-count b") == str(len(shown))
        for link in links or shown:
            one.story(link)
            one.page.evaluate(
                "document.querySelectorAll('#turn details').forEach(one => { one.open = true })"
            )
            one.page.wait_for_selector(".raw .attributes")
            yield one


def assert_harmless(one: Opened, address: str) -> None:
    assert one.page.evaluate("typeof window.PWN") == "undefined"
    assert one.requests == [address]
    assert one.page.locator("img, iframe, object, embed, base, a[href^='javascript']").count() == 0
    assert one.page.locator("script:not([type='application/json'])").count() == 1
    assert one.page.locator("style").count() == 1


@POLICIES
def test_the_given_case_shows_its_payloads_as_text(
    browser: Browser, case: Path, policy: str
) -> None:
    page = case if policy == "own" else without_policy(case)
    seen = ""
    for one in visited(browser, page):
        assert_harmless(one, page.as_uri())
        one.assert_clean()
        seen += str(one.page.evaluate("document.body.innerText"))
    for payload in (
        "</script><script>window.PWN=1</script>",
        "<img src=x onerror=window.PWN=1>",
        '"><svg onload=window.PWN=1>',
        "[c](javascript:window.PWN=1)",
        "![p](http://127.0.0.1:9/leak?q=1)",
        "<!--<script>",
        "{{7*7}}${7*7}",
        "<style>*{display:none}</style>",
        "&lt;b&gt;",
    ):
        assert payload in seen


def links_of(paged: Paged) -> list[str]:
    rows = paged.run.rows("turns", ("conversation_id", "turn"))
    return [turn_link(row["conversation_id"], row["turn"]) for row in rows]


def test_the_given_case_of_control_characters(browser: Browser, tmp_path: Path) -> None:
    page = page_of("43.ansi.jsonl", tmp_path)
    text = page.read_text("utf-8")
    assert not CONTROLS.search(text)
    for one in visited(browser, page):
        assert_harmless(one, page.as_uri())
        one.assert_clean()
        seen = str(one.page.evaluate("document.querySelector('main:not([hidden])').textContent"))
        assert not CONTROLS.search(seen)
        turned = one.page.evaluate(
            """[...document.querySelectorAll('main *')].filter(node => node.checkVisibility()
                && [...node.childNodes].some(part => part.nodeType === 3
                    && /[\u202a-\u202e\u2066-\u2069]/.test(part.data)))
                .filter(node => getComputedStyle(node).unicodeBidi === 'normal')
                .filter(node => !node.closest('[dir]'))
                .map(node => node.outerHTML.slice(0, 200))"""
        )
        assert turned == []  # a mark of direction ends with the element that holds it


@POLICIES
def test_no_payload_runs_in_any_place(browser: Browser, attacked: Paged, policy: str) -> None:
    page = attacked.path if policy == "own" else without_policy(attacked.path)
    assert len(PAYLOADS) >= 100
    turns = visited(browser, page, links_of(attacked))
    assert_harmless(next(turns), page.as_uri())
    for payload, one in zip(PAYLOADS, turns, strict=True):
        assert_harmless(one, page.as_uri())
        one.assert_clean()
        text = str(one.page.evaluate("document.getElementById('turn').textContent"))
        assert text.count(payload) >= 12, payload


def test_a_filter_that_was_typed_is_text_too(browser: Browser, attacked: Paged) -> None:
    report = report_of(attacked.run, selected=selection_of(agent=PAYLOADS[1]))
    page = attacked.path.with_name("filtered.html")
    page.write_text(render_html(attacked.run, report), "utf-8")
    for one in visited(browser, page, links_of(attacked)[1:2]):
        assert_harmless(one, page.as_uri())
        one.assert_clean()
        assert one.page.locator(".facts", has_text=f"agent={PAYLOADS[1]}").count() == 1


def test_the_page_works_under_its_own_policy_as_a_header(browser: Browser, told: Paged) -> None:
    with served(told.path, assets().policy) as address, opened(browser, address) as one:
        one.story(turn_link("team-1", 2))
        assert one.page.locator(".chain").is_visible()
        one.assert_clean()


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param(JENKINS, id="sandbox"),
        pytest.param("script-src 'self'; style-src 'self'", id="no inline script"),
    ],
)
def test_without_its_script_the_page_still_reads(
    browser: Browser, samples: Paged, policy: str
) -> None:
    with served(samples.path, policy) as address, opened(browser, address, ready=False) as one:
        assert one.page.get_attribute("html", "data-ready") is None
        failed = samples.report.breakdown.failed.hits
        assert one.text("h1").startswith(f"{failed} of ")
        assert len(one.texts("#static-turns tbody tr")) == failed
        assert one.page.locator("#roots").is_visible()
        assert one.page.locator("#cuts table").count() == 7
        assert one.page.locator("#cuts table").last.is_visible()
        assert not one.page.locator("#list").is_visible()
