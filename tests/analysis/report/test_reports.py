"""The same run in every form; counts as worked out in `test_breakdown`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from analysis.breakdown import Selection, selection_of
from analysis.report.html import render_html
from analysis.report.model import Report, report_of
from analysis.report.renderers import RENDERERS
from analysis.report.text import render_text
from analysis.run import Run
from analysis.tables.run_info import RunInfo
from tests.analysis.runs import metric, turn_row, write_run
from tests.analysis.test_breakdown import FINDINGS, METRICS, TURNS, many

INFO: RunInfo = {
    "sources": [
        {"path": "traces/a.jsonl", "bytes": 1_500_000, "sha256": ""},
        {"path": "traces/b.jsonl", "bytes": 600_000, "sha256": ""},
    ],
    "skipped_files": [{"path": "traces/notes.txt", "reason": "no trace format"}],
    "spans": 1_204,
    "records": {"read": 1_205, "loaded": 1_204, "repaired": 0, "duplicate": 0, "rejected": 1},
    "questions": {"asked": 60, "from_store": 40, "unjudged": 7},
    "cost_usd": 1.25,
    "judge": {
        "provider": "local",
        "model": "local-1",
        "prompts": {"answer": "answer/1"},
        "params": {},
        "agreement": "Agrees with people at κ 0.6 on relevance.",
    },
}


def report(store: Path, selected: Selection | None = None, **given: Any) -> Report:
    tables: dict[str, Any] = {"turns": TURNS, "findings": FINDINGS, "metrics": METRICS}
    run = Run(write_run(store, info=INFO, **(tables | given)))
    return report_of(run, by=["agent", "collection"], selected=selected or selection_of())


def test_text_says_what_was_read_judged_and_lost(tmp_path: Path) -> None:
    text = RENDERERS["text"](report(tmp_path))
    for part in (
        "Window     2026-01-01 00:00 – 2026-01-08 00:00 UTC",
        "Source     traces/a.jsonl and 1 more file (2.1 MB)",
        "Read       1,204 spans, 5 conversations, 7 turns",
        "Records    1,205 read, 1,204 loaded, 1 rejected",
        "Skipped    traces/notes.txt (no trace format)",
        "Judge      local/local-1 · 100 questions · 60 asked, 40 needed no asking · 7",
        "           undecided · $1.25",
        "Agreement  Agrees with people at κ 0.6 on relevance.",
        "Profile    default, untuned",
        "4 of 6 judged turns failed. Retrieval was the root in 2 of them.",
        "1 turn was not judged: 1 not_captured.",
        "Faults beside a root: contributing 1 turn unsupported_claim; downstream 1 turn",
        "Latent faults, which did no harm: 3 turns wrong_agent, 1 wrong_collection.",
        "stagefault show --failed --kind retrieval.missed_chunk --run r-1",
        "Failing turns, not rates: no agent has 60 judged turns.",
    ):
        assert part in text, part


def widest(text: str, store: Path) -> int:
    """Return the cells of the longest line; a path stays whole, so that it can be copied."""
    return max(cell_len(line) for line in text.splitlines() if str(store) not in line)


def test_text_fits_eighty_columns(tmp_path: Path) -> None:
    wide = "検索" * 60
    turns = [turn_row("a/1", root="routing.wrong_agent", agent=wide + str(n)) for n in range(9)]
    metrics = [metric("a/1", "a_metric_with_a_very_long_name_indeed_rate", 123_456, 1_234_567)]
    text = render_text(report(tmp_path, turns=turns, findings=[], metrics=metrics))
    assert widest(text, tmp_path) <= 80
    assert all(line == line.rstrip() for line in text.splitlines())


def test_colour_adds_nothing_but_colour(tmp_path: Path) -> None:
    made = report(tmp_path)
    assert re.sub(r"\x1b\[[\d;]*m", "", render_text(made, color=True)) == render_text(made)


def test_nothing_is_coined_for_an_empty_run(tmp_path: Path) -> None:
    made = report(tmp_path, turns=[], findings=[], metrics=[])
    text = render_text(made)
    assert "There is no turn to report on." in text
    assert "%" not in text.partition("There is no turn")[2]
    value = json.loads(RENDERERS["json"](made))
    assert value["failed"]["rate"] == {
        "value": None,
        "low": None,
        "high": None,
        "hits": 0,
        "n": 0,
    }


def test_an_undefined_metric_is_said_to_be_undefined(tmp_path: Path) -> None:
    made = report(tmp_path, metrics=[metric("a/1", "tool_ok_rate")])
    assert "  n/a (0 of 0): tool_ok_rate: 1 no_tool_called\n" in render_text(made)


def test_a_command_is_quoted_and_continued_where_it_is_long(tmp_path: Path) -> None:
    made = report(tmp_path, turns=many(1, 1), findings=[])
    info: RunInfo = {**made.info, "run_id": "$(reboot) " + "x" * 30}
    text = render_text(Report(info=info, breakdown=made.breakdown))
    assert "  stagefault show --failed --kind retrieval.missed_chunk \\\n" in text
    assert f"    --run '$(reboot) {'x' * 30}'\n" in text


def test_json_is_one_object_with_the_documented_paths(tmp_path: Path) -> None:
    text = RENDERERS["json"](report(tmp_path))
    assert text.count("\n") == 1
    value = json.loads(text)
    assert value["schema_version"] == 1
    assert value["stages"]["retrieval"]["rate"]["hits"] == 2
    assert value["stages"]["retrieval"]["rate"]["n"] == 6
    assert value["stages"]["retrieval"]["rate"]["value"] == pytest.approx(1 / 3)
    assert value["stages"]["retrieval"]["kinds"]["missed_chunk"]["inherited"] == 1
    assert value["stages"]["undetermined"]["kinds"]["corpus_not_probed"]["rate"]["hits"] == 1
    assert value["stages"]["routing"]["metrics"]["tool_ok_rate"]["total"] == 3
    assert value["not_judged"] == {"not_captured": 1}
    assert [one["name"] for one in value["segments"]["agent"]] == ["billing", "support"]
    assert value["comparison"] is None
    assert value["run"]["run_id"] == "r-1"
    assert len(value["failing"]) == 4


def test_every_form_names_the_faults_beside_a_root(tmp_path: Path) -> None:
    made = report(tmp_path)
    told = json.loads(RENDERERS["json"](made))["beside"]
    assert [(one["kind"], one["role"], one["turns"]) for one in told] == [
        ("unsupported_claim", "contributing", 1),
        ("irrelevant_chunks", "downstream", 1),
    ]
    markdown = RENDERERS["markdown"](made).replace("\\", "")
    assert "Faults beside a root" in markdown
    assert "downstream 1 turn irrelevant_chunks" in markdown
    page = " ".join(render_html(Run(tmp_path / "runs" / "r-1"), made).split())
    assert "<span>retrieval.irrelevant_chunks <b>1</b></span>" in page
    none = report(tmp_path / "none", findings=[])
    assert "beside a root" not in render_text(none)


def test_examples_take_turns_among_the_kinds(tmp_path: Path) -> None:
    turns = [
        *many(5, 5),
        turn_row("z/1", root="routing.wrong_tool"),
        turn_row("y/1", root="generation.off_topic"),
    ]
    made = report(tmp_path, turns=turns, findings=[])
    assert [turn.kind for turn in made.failing] == [
        "missed_chunk",
        "wrong_tool",
        "off_topic",
        "missed_chunk",
        "missed_chunk",
    ]


@pytest.mark.parametrize(
    ("failing", "told"),
    [
        pytest.param(7, "Examples: 5 of 7 failing turns", id="some"),
        pytest.param(5, "5 failing turns", id="all"),
        pytest.param(1, "1 failing turn", id="the one"),
    ],
)
def test_examples_say_of_how_many_they_are(tmp_path: Path, failing: int, told: str) -> None:
    made = report(tmp_path, turns=many(failing, 9), findings=[])
    assert f"<summary>{told}</summary>" in RENDERERS["markdown"](made)


def test_examples_follow_the_filters(tmp_path: Path) -> None:
    made = report(tmp_path, selection_of(agent="support"))
    assert [turn.turn_id for turn in made.failing] == ["a/2"]
    assert "Filter     agent=support" in render_text(made)


def test_a_comparison_in_every_form(tmp_path: Path) -> None:
    before = Run(write_run(tmp_path, "before", turns=many(2, 200)))
    now = Run(write_run(tmp_path, "now", turns=many(40, 200)))
    made = report_of(now, vs=before)
    text = render_text(made)
    assert "was 1.0 %, ▲ +19.00 points" in text
    assert "retrieval.missed_chunk: 20.0 %, was 1.0 %, ▲ +19.00 points" in text
    assert "What changed since run before" in text
    assert widest(text, tmp_path) <= 80
    assert "▲ +19.00" in RENDERERS["markdown"](made)
    value = json.loads(RENDERERS["json"](made))
    assert value["comparison"]["changed"][0]["change"]["clear"] == "up"
    assert value["stages"]["retrieval"]["change"]["before"]["hits"] == 2


def test_control_characters_reach_no_terminal(tmp_path: Path) -> None:
    evil = "\x1b[2Jx\u202ey\x9b1m"
    row = turn_row("c/1", root="retrieval.missed_chunk", agent=evil, sentence=evil, question=evil)
    row["turn_id"] = evil + "/1"
    info: RunInfo = {**INFO, "sources": [{"path": evil, "bytes": 1, "sha256": ""}]}
    run = Run(
        write_run(tmp_path, turns=[row], metrics=[metric(evil + "/1", evil, 1, 2)], info=info)
    )
    made = report_of(run, by=["agent"])
    for name, render in RENDERERS.items():
        text = render(made)
        bad = [c for c in text if (ord(c) < 32 and c not in "\t\n") or 127 <= ord(c) < 160]
        assert bad == [], name
        assert "\u202e" not in text, name
    assert json.loads(RENDERERS["json"](made))["segments"]["agent"][0]["name"] == evil


def test_a_notebook_shows_a_run_without_running_anything(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    run = Run(
        write_run(
            tmp_path,
            turns=[turn_row("a/1", root="retrieval.missed_chunk")],
            metrics=[metric("a/1", evil, 1, 2)],
        )
    )
    html = run._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "The only judged turn failed" in html
    assert len(html.encode()) < 100_000
    assert run._repr_markdown_().startswith("<!-- stagefault report -->")
