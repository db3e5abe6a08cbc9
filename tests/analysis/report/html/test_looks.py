"""The page fits any screen and can be read, in light and dark."""

from typing import Literal

import pytest
from playwright.sync_api import Browser

from analysis.report.html.links import turn_link
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import Opened, opened

pytestmark = pytest.mark.browser

_CONTRAST = """
() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = "#000";
    paint.fillStyle = text;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const behind = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) layers.push(rgba(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((below, top) => (top[3] ? over(top, below) : below), [255, 255, 255, 1]);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const poor = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || node.closest("script, title, .away, .skip")) continue;
    if (!node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const style = getComputedStyle(node);
    const ground = behind(node);
    const ink = over(rgba(node instanceof SVGElement ? style.fill : style.color), ground);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) poor.set(`${node.tagName}.${node.getAttribute("class")}`, `${ratio.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 30)}`);
  }
  return [...poor].map(([where, how]) => `${where}: ${how}`);
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(
    browser: Browser, told: Paged, samples: Paged, scheme: Literal["light", "dark"]
) -> None:
    with opened(browser, samples.address, scheme=scheme) as one:
        assert one.page.evaluate(_CONTRAST) == []
        one.visit(told.address + turn_link("team-1", 2))
        one.page.wait_for_selector(".chain")
        one.page.evaluate(
            "document.querySelectorAll('#turn details').forEach(part => { part.open = true })"
        )
        assert one.page.evaluate(_CONTRAST) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1400])
def test_nothing_runs_over_the_side(
    browser: Browser, samples: Paged, told: Paged, width: int, scheme: Literal["light", "dark"]
) -> None:
    with opened(browser, samples.address, width=width, scheme=scheme) as one:
        assert overflowing(one, width) == []
        one.visit(told.address + turn_link("team-1", 2))
        one.page.wait_for_selector(".chain")
        one.page.evaluate(
            "document.querySelectorAll('#turn details').forEach(part => { part.open = true })"
        )
        assert overflowing(one, width) == []


def overflowing(one: Opened, width: int) -> list[str]:
    """Return elements that stick out of the page and cannot be scrolled to within it."""
    assert one.page.evaluate("document.documentElement.scrollWidth") <= width
    found: list[str] = one.page.evaluate(
        """width => [...document.querySelectorAll("main:not([hidden]) *")].filter(node => {
            const box = node.getBoundingClientRect();
            return box.right > width + 1 && box.width > 0 && !node.closest(".wide, .away, .v-body, svg, pre");
        }).map(node => `${node.tagName}.${node.className}`)""",
        width,
    )
    return found


def test_motion_and_print(browser: Browser, told: Paged) -> None:
    with opened(browser, told.address) as one:
        assert (
            one.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
        )
        one.page.emulate_media(media="print")
        assert one.page.locator("#static-turns").is_visible()
        assert not one.page.locator("#list").is_visible()
        assert not one.page.locator(".bar").is_visible()
        assert not one.page.locator("#by").is_visible()


def test_the_focus_is_seen(page: Opened) -> None:
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Tab")
    outline = page.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
