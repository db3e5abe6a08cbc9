"""Nothing is lost on a small screen: what does not fit is laid out anew, or says where it is."""

import re

import pytest
from playwright.sync_api import Browser

from analysis.report.html.links import turn_link
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import Opened, opened
from tests.analysis.report.html.stories import TURN

pytestmark = pytest.mark.browser

PHONE = 420
LAPTOP = 1280


def is_inside(one: Opened, selector: str, width: int) -> bool:
    """Tell whether everything that matches lies within the width, texts of drawings included."""
    boxes = one.page.locator(selector).evaluate_all(
        "all => all.map(node => node.getBoundingClientRect()).map(box => [box.left, box.right])"
    )
    assert boxes
    return all(left >= 0 and right <= width for left, right in boxes)


def test_on_a_laptop_every_agent_of_the_samples_has_its_column(
    browser: Browser, samples: Paged
) -> None:
    with opened(browser, samples.address, width=LAPTOP) as one:
        assert len(one.texts("#roots thead th.cell")) == 7
        assert is_inside(one, "#roots th.cell, #roots td.cell", LAPTOP)
        assert not one.page.locator(".hint").is_visible()


def test_a_table_that_goes_on_says_so(browser: Browser, samples: Paged) -> None:
    with opened(browser, samples.address, width=PHONE) as one:
        panel = one.page.locator(".wide", has=one.page.locator("#roots"))
        assert "goes-on" in str(panel.get_attribute("class"))
        assert one.page.locator(".hint").is_visible()
        panel.evaluate("node => { node.scrollLeft = node.scrollWidth }")
        one.page.wait_for_selector(".hint", state="hidden")
        assert "goes-on" not in str(panel.get_attribute("class"))


def test_on_a_phone_rate_and_interval_of_every_root_are_seen(
    browser: Browser, samples: Paged
) -> None:
    with opened(browser, samples.address, width=PHONE) as one:
        assert is_inside(one, "#roots tbody td:nth-child(-n+5)", PHONE)
        assert re.fullmatch(r"[\d.]+–[\d.]+", one.text("#roots tbody .range-text"))


def test_on_a_phone_the_flow_has_all_three_stages(browser: Browser, samples: Paged) -> None:
    with opened(browser, samples.address, width=PHONE) as one:
        assert not one.page.locator(".flow-wide").is_visible()
        assert one.page.locator(".flow-narrow .flow-head").all_text_contents() == [
            "Routing",
            "Retrieval",
            "Generation",
        ]
        assert is_inside(one, ".flow-narrow text", PHONE)
        sizes = one.page.locator(".flow-narrow text").evaluate_all(
            "all => all.map(node => node.getBoundingClientRect().height)"
        )
        assert min(sizes) > 10


@pytest.mark.parametrize("width", [PHONE, LAPTOP])
def test_sections_can_be_reached(browser: Browser, samples: Paged, width: int) -> None:
    with opened(browser, samples.address, width=width) as one:
        assert one.page.get_by_role("link", name="Input").is_visible()
        assert is_inside(one, ".bar-nav a", width)
        one.page.get_by_role("link", name="Trust").click()
        one.page.wait_for_function(
            "Math.abs(document.getElementById('trust').getBoundingClientRect().top) < 120"
        )


def test_on_a_phone_every_cell_says_what_it_is(browser: Browser, told: Paged) -> None:
    with opened(browser, told.address, width=PHONE) as one:
        one.story(turn_link("team-1", 2))
        assert is_inside(one, ".why td, .why th, .part-findings td, .judgements td", PHONE)
        label = one.page.locator(".why td").first.evaluate(
            "node => getComputedStyle(node, '::before').content"
        )
        assert label == '"Element of the question"'
        assert one.page.get_by_role("table").count() >= 4  # laid out as blocks, still tables
        assert one.page.get_by_role("columnheader", name="What decides").count() == 1


def test_on_a_phone_a_line_of_the_list_names_the_root(browser: Browser, told: Paged) -> None:
    with opened(browser, told.address, width=PHONE) as one:
        line = one.page.locator(".v-row", has_text="cancel the annual plan")
        assert line.locator(".v-root").inner_text() == "routing.wrong_collection"
        one.page.set_viewport_size({"width": 1400, "height": 900})
        one.page.wait_for_selector(f".v-id:has-text('{TURN}')")
        tops = one.page.locator(".v-row[data-place]").evaluate_all(
            "all => all.map(n => n.style.top)"
        )
        assert tops == ["0px", "36px"]


def test_names_break_between_words_only(browser: Browser, samples: Paged) -> None:
    with opened(browser, samples.address, width=PHONE) as one:
        broken = one.page.locator("code, #roots th").evaluate_all(
            """all => all.filter(node => node.offsetParent).filter(node => {
                const words = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
                while (words.nextNode()) {
                  const range = document.createRange();
                  range.selectNodeContents(words.currentNode);
                  const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
                  if (lines.size > 1 && !/[\\s-]/.test(words.currentNode.data)) return true;
                }
                return false;
            }).map(node => node.textContent)"""
        )
        assert broken == []
