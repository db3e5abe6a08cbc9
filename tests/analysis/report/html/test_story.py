"""The page of one turn says what its tables say."""

import json
import re
from typing import get_args

import pytest

from analysis.labels.reading import read_labels
from analysis.report.html.glossary import words
from analysis.report.html.links import turn_link
from analysis.report.html.meanings import FLAGS
from judge.screening import Flag
from tests.analysis.report.html.opening import Opened
from tests.analysis.report.html.stories import ARABIC, CHINESE, CLEARED, LONG_ID, TURN

pytestmark = pytest.mark.browser

STORY = turn_link("team-1", 2)


@pytest.fixture
def turn(page: Opened) -> Opened:
    page.story(STORY)
    return page


def test_the_sentence_comes_first(turn: Opened) -> None:
    assert (
        turn.text("#turn h1")
        == "Routing searched policies-us; the chunk that answers is in policies-eu."
    )
    assert turn.texts(".stage-card h3 .tag") == ["root", "downstream", "contributing"]


def test_the_rail_holds_the_conversation(turn: Opened) -> None:
    assert len(turn.texts(".rail li")) == 2
    assert "passed" in turn.texts(".rail li")[0]
    assert turn.page.get_attribute(".rail [aria-current]", "href") == STORY


def test_every_element_says_what_became_of_it(turn: Opened) -> None:
    rows = [row.split("\t") for row in turn.texts(".why tbody tr")]
    assert [(row[0], row[1], row[2].strip()) for row in rows] == [
        ("E1", "How do I cancel?", "P1"),
        ("E2", "What do we get back?", "P1"),
        ("–", "a claim that answers no element", "P2"),
    ]
    assert "misfounded" in rows[1][3]
    assert "never searched" in rows[1][6]
    assert "Would have been" not in rows[1][6]
    assert CLEARED in rows[2][6]


def test_the_chunk_that_was_missing_stands_in_the_list(turn: Opened) -> None:
    ghost = turn.text(".ghost")
    assert "Refunds (EU) §4" in ghost
    assert "should have been here" in ghost
    assert "found by a probe, grade 3" in ghost
    assert "policies-eu" in ghost


def test_citations_stand_where_they_are_whatever_stands_before(turn: Opened) -> None:
    assert [text.split()[0] for text in turn.texts(".cite")] == ["[1]", "[2]", "[9]"]
    assert "cite-bad" in str(turn.page.locator(".cite").nth(2).get_attribute("class"))


def test_the_grid_has_a_cell_for_every_verdict(turn: Opened) -> None:
    rows = [row.split("\t") for row in turn.texts(".support tr")]
    assert [cell.strip() for cell in rows[0]] == ["", "C1", "C2", "T1", "together", "rest"]
    assert [[cell.strip() for cell in row] for row in rows[1:]] == [
        ["P1", "full", "·", "·", "·", "·"],
        ["P2", "·", "contradicted", "·", "·", "·"],
        ["P3", "·", "·", "·", "none", "·"],
    ]


def lit(page: Opened) -> tuple[set[str], list[str]]:
    """Return the nodes and the words that are lit."""
    nodes = page.page.locator(".against .lit").evaluate_all(
        "all => all.map(one => one.dataset.node)"
    )
    return set(nodes), [" ".join(text.split()) for text in page.texts("mark.on")]


P1 = (
    {"P1", "C1"},
    [
        "annual plans are not refunded for unused months",
        "Annual subscriptions are non-refundable for unused months.",
    ],
)
P2 = ({"P2", "C2"}, ["takes thirty days", "within 14 days"])


def test_pointing_at_a_paragraph_lights_what_supports_or_contradicts_it(turn: Opened) -> None:
    turn.page.hover("[data-node=P2] .para-head")
    assert lit(turn) == ({*P2[0], "P2"}, P2[1])
    turn.page.hover("#turn h1")
    assert lit(turn) == (set(), [])
    assert turn.page.locator(".lighting").count() == 0


def test_a_paragraph_lights_the_chunk_that_should_have_been_there(turn: Opened) -> None:
    turn.page.hover("[data-node=P1] .para-head")
    nodes, words = lit(turn)
    assert {"P1", "C1"} < nodes
    assert any(node.startswith("found") for node in nodes)
    assert words == [*P1[1], "unused full months of an annual plan"]


def test_the_focus_lights_like_the_pointer(turn: Opened) -> None:
    turn.page.locator("[data-node=C2]").focus()
    nodes, words = lit(turn)
    assert {"P2", "C2"} <= nodes
    assert words == P2[1]


def test_a_cell_of_the_grid_lights_its_own_words_only(turn: Opened) -> None:
    turn.page.locator(".grid-cell", has_text="full").focus()
    assert lit(turn) == P1
    turn.page.locator(".grid-cell", has_text="none").hover()
    assert lit(turn) == ({"P3", "C1", "C2"}, [])


@pytest.mark.parametrize("word", ["false", "contradicted", "full", "root", "contributing"])
def test_a_tag_says_what_its_word_means(turn: Opened, word: str) -> None:
    tag = turn.page.locator(".tag", has_text=re.compile(f"^{word}$")).first
    assert tag.get_attribute("title") == words()[word]


def test_a_tag_that_only_borrows_a_colour_says_nothing(turn: Opened) -> None:
    tag = turn.page.locator(".tag.r-root", has_text="should have been here").first
    assert tag.get_attribute("title") is None


def test_a_citation_leads_to_its_source(turn: Opened) -> None:
    turn.page.locator(".cite").nth(1).click()
    assert turn.page.evaluate("document.activeElement.dataset.node") == "C2"


def test_a_reference_leads_to_the_judgement(turn: Opened) -> None:
    turn.page.get_by_role("button", name="verdict aaaaaaaa").first.click()
    assert turn.page.evaluate("document.activeElement.dataset.verdict") == "a" * 64


def test_the_wrong_value_is_marked_with_the_right_one(turn: Opened) -> None:
    call = turn.texts(".call")[1]
    assert '"US" should be DE known from turn 1' in " ".join(call.split())
    assert str(LONG_ID) in call


def test_spans_without_a_stage_are_folded(turn: Opened) -> None:
    rows = turn.page.locator(".span-row:visible")
    assert rows.count() == 3
    turn.page.get_by_role("button", name="Show 1 other span").click()
    assert rows.count() == 4


def test_raw_attributes_are_there_on_request(turn: Opened) -> None:
    assert turn.page.locator(".attributes").count() == 0
    turn.page.get_by_role("button", name="search_policies").click()
    assert str(LONG_ID) in turn.text(".attributes")
    assert "1767225600100000001" in turn.text(".attributes")


def test_judgements_name_judge_prompt_cost_and_reply(turn: Opened) -> None:
    turn.page.locator(".rest > summary").click()
    rows = turn.texts(".judgements tbody tr")
    assert len(rows) == 5
    assert "policies-us not ok; call 2 not ok" in rows[0]
    for part in ("local/local-1", "probe/1", "$0.0021", "asked", "“unused full months”"):
        assert part in rows[1]


def test_a_correction_is_one_line_that_an_import_reads(turn: Opened) -> None:
    turn.page.locator(".rest > summary").click()
    row = turn.page.locator("tr[data-verdict='" + "1" * 64 + "']")
    row.get_by_role("button", name="Disagree").click()
    turn.page.select_option("#correction-label", "partial")
    line = turn.page.input_value("#correction-line")
    assert "\n" not in line
    assert json.loads(line) == {
        "span_id": "b3",
        "name": "support",
        "annotator_kind": "HUMAN",
        "result": {"label": "partial"},
        "metadata": {
            "run_id": "r-story",
            "turn_id": TURN,
            "subject": "P2 × c-2",
            "judge_label": "contradicted",
            "key": "1" * 64,
        },
        "identifier": "stagefault:" + "1" * 64,
    }
    [label] = read_labels("lines", line).labels
    assert (label.question, label.label, label.turn_id) == ("support", "partial", TURN)
    assert "contradicted" not in turn.page.locator("#correction-label option").all_inner_texts()


def test_every_label_that_can_be_copied_is_one_that_an_import_reads(turn: Opened) -> None:
    turn.page.evaluate(
        "document.querySelectorAll('#turn details').forEach(one => { one.open = true })"
    )
    lines = []
    for opener in turn.page.get_by_role("button", name=re.compile("isagree")).all():
        opener.click()
        for value in turn.page.locator("#correction-label option").evaluate_all(
            "all => all.map(one => one.value)"
        ):
            turn.page.select_option("#correction-label", value)
            lines.append(turn.page.input_value("#correction-line"))
        turn.page.locator("#correction [data-close]").click()
    read = read_labels("lines", "\n".join(lines))
    assert read.problems == ()
    assert {label.question for label in read.labels} == {"routing", "probe", "support", "outcome"}
    assert len(read.labels) == len(lines) > 10


@pytest.mark.parametrize("by", ["button", "key"])
def test_the_outcome_can_be_corrected(turn: Opened, by: str) -> None:
    if by == "key":
        turn.page.keyboard.press("c")
    else:
        turn.page.get_by_role("button", name="I disagree: copy a correction").click()
    turn.page.fill("#correction-why", ' He said "no"\n')
    line = json.loads(turn.page.input_value("#correction-line"))
    assert line["name"] == "outcome"
    assert line["span_id"] == "b1"
    assert line["result"] == {"label": "passed", "explanation": 'He said "no"'}
    assert line["metadata"]["judge_label"] == "routing"


def test_on_the_breakdown_there_is_nothing_to_correct(page: Opened) -> None:
    page.story(STORY)
    page.page.keyboard.press("u")
    page.page.keyboard.press("c")
    assert page.page.locator("dialog[open]").count() == 0


def test_the_turn_as_json_is_all_there_is(turn: Opened) -> None:
    turn.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    turn.page.get_by_role("button", name="Copy turn as JSON").click()
    turn.page.wait_for_selector("#toast:not(:empty)")
    copied = turn.page.evaluate(
        "document.getElementById('copy-text').value || navigator.clipboard.readText()"
    )
    assert set(json.loads(copied)) >= {
        "turn",
        "tool_calls",
        "chunks",
        "verdicts",
        "spans",
        "findings",
        "metrics",
    }


def test_every_script_keeps_its_direction(page: Opened) -> None:
    page.story(turn_link("ar-1", 1))
    assert page.text(".question .pre") == ARABIC
    assert CHINESE in page.text(".answer")
    directions = page.page.evaluate("""
        ['.question .pre', '.answer .pre'].map(s => getComputedStyle(document.querySelector(s)).direction)
    """)
    assert directions == ["rtl", "ltr"]
    assert page.page.get_attribute(".question .pre", "lang") == "ar"
    assert page.page.get_attribute(".answer", "lang") == "zh"


def test_suspect_texts_are_told_with_the_verdicts_that_rest_on_them(turn: Opened) -> None:
    told = turn.text("#turn .suspect")
    assert "suspect text" in told
    assert "tells its reader to ignore instructions" in told
    turn.page.eval_on_selector_all("details.rest", "all => all.forEach(one => one.open = true)")
    rows = [row for row in turn.texts(".judgements tbody tr") if "orders" in row]
    assert len(rows) == 1
    assert "contradicted hidden orders" in " ".join(rows[0].split())
    assert "14 invisible characters" in rows[0]


def test_every_flag_has_a_meaning() -> None:
    assert set(FLAGS) == set(get_args(Flag))
