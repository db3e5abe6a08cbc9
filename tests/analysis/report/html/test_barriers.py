"""axe-core finds no barrier on the pages, in light and dark, wide and narrow."""

from importlib.resources import files
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from analysis.report.html import PageOptions, render_html
from analysis.report.html.links import turn_link
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import Opened, opened

pytestmark = pytest.mark.browser

AXE = files("axe_playwright_python") / "axe.min.js"
GRAVE = {"serious", "critical"}

looks = pytest.mark.parametrize("scheme", ["light", "dark"])
widths = pytest.mark.parametrize("width", [420, 1400])


def barriers(one: Opened) -> list[str]:
    """Return the grave violations that axe-core finds, each with the elements concerned."""
    one.page.evaluate(AXE.read_text("utf-8"))
    found: list[dict[str, Any]] = one.page.evaluate("axe.run().then(result => result.violations)")
    return [
        f"{rule['id']}: {node['html'][:120]} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def unfold(one: Opened) -> None:
    one.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")


def test_axe_finds_a_barrier_where_there_is_one(browser: Browser, told: Paged) -> None:
    with opened(browser, told.address) as one:
        one.page.evaluate("document.body.append(document.createElement('button'))")
        assert [text.split(":")[0] for text in barriers(one)] == ["button-name"]


@looks
@widths
def test_the_breakdown_has_no_barrier(
    browser: Browser, samples: Paged, scheme: Literal["light", "dark"], width: int
) -> None:
    with opened(browser, samples.address, scheme=scheme, width=width) as one:
        unfold(one)
        assert barriers(one) == []


@looks
@widths
def test_the_page_of_a_turn_has_no_barrier(
    browser: Browser, told: Paged, scheme: Literal["light", "dark"], width: int
) -> None:
    with opened(browser, told.address, scheme=scheme, width=width) as one:
        one.story(turn_link("team-1", 2))
        unfold(one)
        assert barriers(one) == []


@looks
def test_changes_have_no_barrier(
    browser: Browser, compared: Paged, scheme: Literal["light", "dark"]
) -> None:
    with opened(browser, compared.address, scheme=scheme) as one:
        assert one.page.locator(".arrow").count() > 0
        assert one.page.locator(".before").count() == 4
        assert barriers(one) == []


@pytest.mark.parametrize("key", ["?", "c"])
def test_the_cards_have_no_barrier(browser: Browser, told: Paged, key: str) -> None:
    with opened(browser, told.address + turn_link("team-1", 2)) as one:
        one.page.wait_for_selector(".chain")
        one.page.keyboard.press(key)
        one.page.wait_for_selector("dialog[open]")
        assert barriers(one) == []


def test_the_page_without_its_script_has_no_barrier(browser: Browser, told: Paged) -> None:
    path = told.path.with_name("plain.html")
    page = render_html(told.run, told.report, PageOptions(bodies=False))
    path.write_text(
        page.replace("<script>", "<template>").replace("</script>", "</template>"), "utf-8"
    )
    with opened(browser, path.as_uri(), ready=False) as one:
        assert barriers(one) == []
