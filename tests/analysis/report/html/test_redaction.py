"""Pages for people who may not read the traces hold no word of them."""

import gzip
import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from analysis.cli import main
from analysis.report.html import PageOptions, render_html, write_html
from analysis.report.html.links import turn_link
from analysis.report.html.redaction import hidden, redacted, sentence_without_texts
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import opened
from tests.analysis.report.html.stories import story

REDACTED = PageOptions(redact=True)
WITHOUT = PageOptions(bodies=False)
SECRETS = (
    "How do I cancel", "Which plan", "annual plans are not refunded", "refund takes", "original card",
    "non-refundable", "within 14 days", "unused full months", "هل يمكنني", "设置", "cancel plan",
    "country = DE", "The account is in Germany", "does not hold the terms", 'known_from":"turn 1',
    "12345678901234567890", "What do we get back", "May I return", "Refunds (EU) §4",
)  # fmt: skip
"""Words of every text of the run: questions, answers, chunks, calls, reasons, attributes."""


def everything(page: str) -> str:
    """Return a page with all that is packed in it, as text."""
    islands = re.findall(r'<script type="application/json" id="[\w-]+">"([^"<]+)"</script>', page)
    unpacked = [gzip.decompress(b64decode(one)).decode("utf-8") for one in islands]
    return "\n".join([page, *unpacked])


def test_every_secret_is_on_the_page_that_hides_nothing(told: Paged) -> None:
    text = everything(render_html(told.run, told.report))
    assert [one for one in SECRETS if one not in text.replace('\\"', '"')] == []


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(REDACTED, id="redact"),
        pytest.param(WITHOUT, id="no bodies"),
        pytest.param(PageOptions(bodies=False, redact=True), id="both"),
    ],
)
def test_no_secret_is_on_a_page_for_others(told: Paged, options: PageOptions) -> None:
    text = everything(render_html(told.run, told.report, options)).replace('\\"', '"')
    assert [one for one in SECRETS if one in text] == []
    for kept in ("team-1", "policies-us", "wrong_collection", "billing"):
        assert kept in text


def test_numbers_names_and_ids_stay(told: Paged) -> None:
    text = everything(render_html(told.run, told.report, REDACTED))
    for kept in ("search_policies", "get_order", "country", "c-1", "eu-4", "gen_ai.operation.name",
                 '"grade":1', '"label":"contradicted"', '"tool_ok_rate"', '"cost_usd":0.0021'):  # fmt: skip
        assert kept in text
    assert "[57 characters hidden]" in text  # the question


def test_the_folder_hides_as_much(told: Paged, tmp_path: Path) -> None:
    options = PageOptions(layout="dir", redact=True)
    write_html(told.run, told.report, tmp_path / "index.html", options)
    for path in tmp_path.rglob("*.js"):
        for text in re.findall(r'stagefaultPart\("[\w-]+","([^"]+)"\)', path.read_text("utf-8")):
            found = gzip.decompress(b64decode(text)).decode("utf-8")
            assert [one for one in SECRETS if one in found] == []


@pytest.mark.browser
def test_a_redacted_turn_still_tells_what_failed(browser: Browser, told: Paged) -> None:
    path = told.path.with_name("redacted.html")
    path.write_text(render_html(told.run, told.report, REDACTED), "utf-8")
    with opened(browser, path.as_uri()) as one:
        assert one.page.locator("text=without any text of the traces").count() == 1
        one.story(turn_link("team-1", 2))
        assert one.text("#turn h1") == (
            "Routing, wrong_collection: The evidence is in a collection that was not searched."
        )
        assert one.texts(".stage-card h3 .tag") == ["root", "downstream", "contributing"]
        assert one.text(".question .pre") == "[57 characters hidden]"
        assert one.texts(".grid-cell") == ["full", "contradicted", "none"]
        one.assert_clean()


@pytest.mark.browser
def test_without_bodies_a_turn_names_the_command(browser: Browser, told: Paged) -> None:
    path = told.path.with_name("without.html")
    path.write_text(render_html(told.run, told.report, WITHOUT), "utf-8")
    with opened(browser, path.as_uri()) as one:
        one.story(turn_link("team-1", 2))
        story_text = one.text(".story")
        assert "made without the details of turns" in story_text
        assert "stagefault show team-1/2 --run r-story" in story_text
        one.assert_clean()


@pytest.mark.parametrize("flag", ["--redact", "--no-bodies"])
def test_every_format_of_the_command_hides(tmp_path: Path, flag: str) -> None:
    story(tmp_path)
    names = ("r.html", "r.md", "r.txt", "r.json")
    outputs = [word for name in names for word in ("-o", str(tmp_path / name))]
    done = CliRunner().invoke(main, ["report", "--store", str(tmp_path), flag, "--json", *outputs])
    assert done.exit_code == 0, done.output
    for text in (done.stdout, *((tmp_path / name).read_text("utf-8") for name in names)):
        assert [one for one in SECRETS if one in everything(text)] == []
        assert "wrong_collection" in text


BODY: dict[str, Any] = {
    "turn": {"root_stage": None, "root_kind": None, "turn_id": "a/1", "question": "secret", "new": "secret",
             "causes": [{"kind": "incomplete", "explanation": "secret", "evidence": ["P1", "chunk c 1", "secret"]}]},
    "metrics": [{"metric": "ndcg", "reason": "not_judged", "value": 0.5}],
    "verdicts": [{"question": "criterion", "subject": "secret", "criterion": "secret", "reason": "secret",
                  "detail": {"label": "full", "quote": "secret"}}],
    "citations": [{"marker": "secret", "start": 3, "end": 6, "status": "resolved"}],
    "spans": [{"name": "chat", "attributes": [["gen_ai.prompt", "secret", 9]]}],
    "tool_calls": [{"name": "get", "named_arguments": [["id", "secret"]], "result": None}],
}  # fmt: skip


def test_what_is_not_listed_is_hidden() -> None:
    found = redacted(BODY)
    assert "secret" not in json.dumps(found)
    assert hidden("x") == "[1 character hidden]"
    assert found["turn"]["question"] == found["turn"]["new"] == "[6 characters hidden]"
    assert found["turn"]["causes"][0]["evidence"][:2] == ["P1", "chunk c 1"]
    assert found["metrics"] == BODY["metrics"]
    assert found["citations"][0]["start"] == found["citations"][0]["end"] == 0
    assert found["spans"][0]["attributes"] == [["gen_ai.prompt", "[6 characters hidden]", 0]]
    assert found["tool_calls"][0]["result"] is None


@pytest.mark.parametrize(
    ("stage", "kind", "expected"),
    [
        pytest.param(None, None, None, id="not failed"),
        pytest.param(
            "generation",
            "incoherent",
            "Generation, incoherent: The answer cannot be followed.",
            id="a kind",
        ),
        pytest.param("undetermined", None, "Undetermined.", id="no kind"),
        pytest.param(
            "routing", "later_kind", "Routing, later_kind.", id="a kind without a meaning"
        ),
    ],
)
def test_a_sentence_that_quotes_nothing(
    stage: str | None, kind: str | None, expected: str | None
) -> None:
    assert sentence_without_texts(stage, kind) == expected
