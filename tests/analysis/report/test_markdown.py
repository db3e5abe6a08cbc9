import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from analysis.report.markdown import LONGEST, MARKER, escape, render_markdown
from analysis.report.model import report_of
from analysis.run import Run
from tests.analysis.runs import finding, metric, turn_row, write_run

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/a.png)",
    "[x]: https://evil.example",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "# heading",
    "1. list",
    "- list",
    "+ list",
    "--- ",
    "=====",
    "> quote",
    "```\ncode\n```",
    "~~~\ncode",
    "`x` *y* **z** __w__ ~~s~~ $m$",
    "\\`x\\` \\*y\\*",
    "&lt;b&gt; &amp; &#60;",
    "a\\",
    "</details><details open>",
    "<!-- x --> stagefault",
]
WORD_JOINER = "\u2060"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_shows_as_it_is(text: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(f"- {escape(text)}")
    inner = html.removeprefix("<ul>\n<li>").removesuffix("</li>\n</ul>\n")
    assert "<" not in inner, inner
    shown = inner.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    shown = shown.replace("&amp;", "&").replace(WORD_JOINER, "")
    assert shown == " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    ["@octocat", "me@example.com", "#12", "http://evil.example", "www.evil.example", ":smile:"],
)
def test_nothing_becomes_a_mention_or_a_link(text: str) -> None:
    assert not re.search(r"@\w|#\w|://|www\.|:\w+:", escape(text))
    assert escape(text).replace(WORD_JOINER, "").replace("\\", "") == text


def test_numbers_and_times_stay_readable() -> None:
    assert escape("7.1 % (6.7–7.5) at 14:05 UTC") == "7.1 % (6.7–7.5) at 14:05 UTC"


def test_a_report_escapes_every_name_of_a_trace(tmp_path: Path) -> None:
    bad = "<b>|x|\n[y](z)"
    row = turn_row(
        "c/1",
        root="retrieval.missed_chunk",
        collections=[bad],
        sentence=bad,
        question=bad,
    )
    row["conversation_id"], row["turn_id"] = bad, f"{bad}/1"
    folder = write_run(
        tmp_path,
        turns=[row],
        findings=[finding(f"{bad}/1", "retrieval.missed_chunk")],
        metrics=[metric(f"{bad}/1", bad, reason=bad)],
        info={
            "sources": [{"path": bad, "bytes": 1, "sha256": ""}],
            "skipped_files": [{"path": bad, "reason": bad}],
        },
    )
    text = render_markdown(report_of(Run(folder), by=["collection"]))
    assert text.startswith(MARKER)
    assert "<b>" not in text
    assert "](z)" not in text.replace("\\](z)", "")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} <= {3, 5, 6}


def test_a_report_fits_a_comment(tmp_path: Path) -> None:
    turns = [
        turn_row(f"c{number}/1", collections=["x" * 6_000 + str(number)]) for number in range(40)
    ]
    text = render_markdown(report_of(Run(write_run(tmp_path, turns=turns)), by=["collection"]))
    assert len(text.encode()) <= LONGEST + 100
    assert "The rest is left out" in text
