"""Two routes, their filters, and the keys that move between them."""

import json

import pytest

from analysis.report.html.links import turn_link
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import Opened
from tests.analysis.report.html.stories import TURN

pytestmark = pytest.mark.browser

STORY = turn_link("team-1", 2)
LISTED = ".v-row[data-place]"


def listed(page: Opened) -> list[str]:
    """Return the ids of the turns in the list, in order of their places."""
    rows = page.page.locator(LISTED)
    found = {
        int(str(row.get_attribute("data-place"))): row.locator(".v-id").inner_text()
        for row in rows.all()
    }
    return [found[place] for place in sorted(found)]


def test_the_list_takes_the_place_of_the_plain_table(page: Opened) -> None:
    assert listed(page) == ["ar-1/1", TURN]
    assert page.text(".list-count") == "shown 2 of 2 failing turns"
    assert not page.page.locator("#static-turns").is_visible()
    assert not page.page.locator("#cuts").is_visible()


def test_a_cell_filters_the_list_and_sets_the_hash(sample_page: Opened, samples: Paged) -> None:
    rows = samples.run.rows("turns")
    expected = {
        row["turn_id"]
        for row in rows
        if row["root_kind"] == "wrong_collection" and row["agent"] == "manuals_agent"
    }
    cell = sample_page.page.locator(
        "#roots tr[data-root='routing.wrong_collection'] td.cell a"
    ).first
    cell.click()
    assert sample_page.hash == "#/?by=agent&kind=routing.wrong_collection&seg=manuals_agent"
    assert set(listed(sample_page)) == expected
    assert cell.get_attribute("aria-current") == "true"
    assert sample_page.texts(".chip") == ["routing.wrong_collection ×", "agent: manuals_agent ×"]


def test_a_row_keeps_the_dimension_and_shows_its_turns(sample_page: Opened) -> None:
    sample_page.page.locator("#by [data-by=day]").click()
    assert sample_page.hash == "#/?by=day"
    sample_page.page.locator("#roots tr[data-root=retrieval] th a").click()
    assert sample_page.hash == "#/?by=day&kind=retrieval"
    in_view = "document.getElementById('turns').getBoundingClientRect().top < innerHeight"
    assert sample_page.page.evaluate(in_view)


def test_a_chip_removes_its_filter(sample_page: Opened) -> None:
    sample_page.show("#/?by=agent&kind=routing&seg=hr_agent")
    sample_page.page.get_by_role("button", name="Remove the filter agent: hr_agent").click()
    assert sample_page.hash == "#/?by=agent&kind=routing"


def test_reload_restores_filters_order_and_search(sample_page: Opened) -> None:
    sample_page.show("#/?by=collection&kind=generation&q=rx&sort=question")
    before = listed(sample_page)
    sample_page.reload()
    assert listed(sample_page) == before
    assert len(before) > 1
    assert sample_page.page.input_value("input[type=search]") == "rx"
    assert sample_page.page.get_attribute("#by [aria-pressed=true]", "data-by") == "collection"
    assert sample_page.page.get_attribute(".v-head [aria-sort]", "data-sort") == "question"


def test_filters_survive_the_way_down_and_back(sample_page: Opened) -> None:
    view = "#/?by=agent&kind=generation&seg=manuals_agent"
    sample_page.show(view)
    before = listed(sample_page)
    sample_page.page.locator(f"{LISTED} a").nth(1).click()
    sample_page.page.wait_for_selector(".chain")
    assert sample_page.hash.startswith("#/c/")
    assert sample_page.hash.endswith("?by=agent&kind=generation&seg=manuals_agent")
    assert f"2 of {len(before)}" in sample_page.text(".crumbs-end")
    sample_page.page.go_back()
    assert sample_page.hash == view
    assert listed(sample_page) == before
    assert (
        sample_page.page.evaluate("document.activeElement.closest('.v-row').dataset.place") == "1"
    )


def test_previous_and_next_stay_in_the_filter(sample_page: Opened) -> None:
    sample_page.show("#/?kind=routing.wrong_collection")
    ids = listed(sample_page)
    sample_page.page.locator(f"{LISTED} a").first.click()
    seen = []
    for _ in ids:
        sample_page.page.wait_for_selector(".chain")
        seen.append(str(sample_page.page.evaluate("location.hash.split('?')[0]")))
        sample_page.page.keyboard.press("j")
    assert seen == [turn_link(*_parts(turn_id)) for turn_id in ids]
    sample_page.page.keyboard.press("k")
    assert seen[-2] in sample_page.hash


def _parts(turn_id: str) -> tuple[str, int]:
    conversation_id, _, turn = turn_id.rpartition("/")
    return conversation_id, int(turn)


def test_keys_go_down_and_up(page: Opened) -> None:
    keyboard = page.page.keyboard
    keyboard.press("j")
    keyboard.press("j")
    keyboard.press("Enter")
    page.page.wait_for_selector(".chain")
    assert page.hash == STORY
    keyboard.press("k")
    assert page.hash == turn_link("ar-1", 1)
    keyboard.press("u")
    assert page.hash == "#/"
    keyboard.press("/")
    keyboard.type("berlin j")
    assert page.page.input_value("input[type=search]") == "berlin j"
    page.page.wait_for_selector(".chip")
    assert page.hash == "#/?q=berlin+j"
    assert page.text(".list-count").startswith("shown 0 of")


def test_keys_for_the_card_and_the_theme(page: Opened) -> None:
    page.page.keyboard.press("?")
    assert page.page.locator("#keys").is_visible()
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("t")
    assert page.page.get_attribute("html", "data-theme") == "dark"
    page.reload()
    assert page.page.get_attribute("html", "data-theme") == "dark"
    page.page.keyboard.press("t")
    assert page.page.get_attribute("html", "data-theme") == "light"


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        pytest.param("#/?outcome=passed", {"team-1/1", "other-1/1"}, id="passed"),
        pytest.param("#/?outcome=not_judged", {"open-1/1"}, id="not judged"),
        pytest.param("#/?outcome=all&q=not_captured", {"open-1/1"}, id="a reason is searched"),
        pytest.param("#/?by=day&seg=2026-01-02", {"ar-1/1"}, id="day"),
        pytest.param("#/?by=tool&seg=get_order", {TURN}, id="one of several tools"),
        pytest.param("#/?by=collection&seg=policies-eu", {TURN}, id="where it should have searched"),
        pytest.param("#/?by=nonsense&seg=x", {TURN, "ar-1/1"}, id="a dimension that is none"),
        pytest.param("#/?kind=routing.wrong", set(), id="half a kind is no kind"),
        pytest.param("#/?q=%D8%A7%D9%84%D8%A2%D9%86", {"ar-1/1"}, id="arabic"),
    ],
)  # fmt: skip
def test_what_a_route_lists(page: Opened, view: str, expected: set[str]) -> None:
    page.show(view)
    assert set(listed(page)) == expected


@pytest.mark.parametrize(
    ("view", "opened"),
    [
        pytest.param("#/c/team-1", STORY, id="the first that failed"),
        pytest.param("#/c/other-1", turn_link("other-1", 1), id="none failed: the first"),
        pytest.param("#/c/team-1/?kind=routing", f"{STORY}?kind=routing", id="filters stay"),
    ],
)
def test_a_conversation_opens_where_it_failed(page: Opened, view: str, opened: str) -> None:
    page.story(view)
    assert page.hash == opened
    assert page.page.locator(".chain").is_visible()


def test_a_conversation_that_is_not_there_says_so(page: Opened) -> None:
    page.show("#/c/nobody")
    page.page.wait_for_selector("#turn .lede")
    assert page.text("#turn .lede") == "There is no such conversation in this page."


@pytest.mark.parametrize(
    ("view", "link", "expected"),
    [
        pytest.param("#/?q=rx&sort=question", "#roots tr[data-root=retrieval] th a",
                     "#/?kind=retrieval&q=rx&sort=question", id="search and order"),
        pytest.param("#/?by=agent&kind=routing&seg=hr_agent", "#roots tr[data-root=retrieval] th a",
                     "#/?by=agent&kind=retrieval&seg=hr_agent", id="segment"),
        pytest.param("#/?kind=routing&q=rx", "#roots thead th.cell a",
                     "#/?by=agent&kind=routing&seg=manuals_agent&q=rx", id="root"),
        pytest.param("#/?kind=routing&q=rx", "#roots tr.all th a", "#/?q=rx", id="all roots: no root"),
        pytest.param("#/?by=agent&seg=hr_agent", ".dot >> nth=0",
                     "#/?by=day&kind=routing&seg=2026-11-16", id="another dimension: another segment"),
        pytest.param("#/?outcome=passed&q=rx", "#roots tr[data-root=retrieval] th a",
                     "#/?kind=retrieval&q=rx", id="only a failed turn has a root"),
        pytest.param("#/?kind=routing&sort=id", ".strip a[href*=not_judged]",
                     "#/?outcome=not_judged&sort=id", id="a turn that is not judged has none"),
        pytest.param("#/?kind=routing&q=rx", ".brand", "#/", id="home: everything"),
    ],
)  # fmt: skip
def test_links_keep_the_filters_that_they_do_not_name(
    sample_page: Opened, view: str, link: str, expected: str
) -> None:
    sample_page.show(view)
    assert expected.startswith("#/")
    first = sample_page.page.locator(link).first
    owner = first if first.get_attribute("href") else first.locator("xpath=..")
    assert owner.get_attribute("href") == expected
    owner.dispatch_event("click")
    sample_page.page.wait_for_timeout(50)
    assert sample_page.hash == expected


def test_a_link_to_a_turn_keeps_the_filters(sample_page: Opened) -> None:
    sample_page.show("#/?kind=generation&q=rx")
    example = sample_page.page.get_by_role("link", name="Open the turn").first
    assert str(example.get_attribute("href")).endswith("?kind=generation&q=rx")


@pytest.mark.parametrize("view", ["#/c/nobody/t/1", "#/c/team-1/t/99", "#/c/%E0%A4%A/t/1"])
def test_a_turn_that_is_not_there_says_so(page: Opened, view: str) -> None:
    page.show(view)
    page.page.wait_for_selector("#turn .lede")
    assert page.text("#turn .lede") == "There is no such turn in this page."


def test_sections_are_places_not_routes(page: Opened) -> None:
    page.show("#/?outcome=all")
    page.page.get_by_role("link", name="Metrics").click()
    assert page.hash == "#/?outcome=all"
    assert page.page.evaluate(
        "document.getElementById('metrics').getBoundingClientRect().top < innerHeight"
    )


def test_the_list_as_json_is_what_the_list_shows(page: Opened) -> None:
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.page.get_by_role("button", name="Copy as JSON").click()
    page.page.wait_for_selector("#toast:not(:empty)")
    copied = page.page.evaluate(
        "document.getElementById('copy-text').value || navigator.clipboard.readText()"
    )
    assert [turn["turn_id"] for turn in json.loads(copied)["turns"]] == ["ar-1/1", TURN]
