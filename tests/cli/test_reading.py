"""Commands that read a run: which run, which turns of it, and what is said about the rest."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from analysis.labels import CHOICES
from analysis.tables.run_info import RunInfo
from tests.analysis.runs import finding, metric, turn_row, write_run
from tests.cli.conftest import Stagefault

TURNS = [
    turn_row("conv-a/1", tools=["get_order"]),
    turn_row("conv-a/2", root="routing.wrong_collection", agent="support", day=1),
    turn_row("conv-b/1", root="retrieval.missed_chunk", day=1),
    turn_row("conv-c/1", root="undetermined.corpus_not_probed", day=2),
    turn_row("conv-d/1", "not_judged", outcome_reason="not_captured"),
]
FINDINGS = [
    finding("conv-a/2", "routing.wrong_collection"),
    finding("conv-b/1", "retrieval.missed_chunk"),
]
METRICS = [metric("conv-a/1", "tool_ok_rate", 1, 2)]


def add_run(tmp_path: Path, run_id: str = "r-1", **given: Any) -> Path:
    turns = given.pop("turns", TURNS)
    counts: RunInfo = {
        "turns": len(turns),
        "conversations": len({turn["conversation_id"] for turn in turns}),
    }
    info: RunInfo = counts | given.pop("info", {})
    rows = {"turns": turns, "findings": FINDINGS, "metrics": METRICS, **given}
    return write_run(tmp_path / "store", run_id, **rows, info=info)


def created(day: int) -> RunInfo:
    return {"created": f"2026-01-{day:02}T00:00:00Z"}


def words(text: str) -> str:
    """Return a text on one line, however it was wrapped."""
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("command", "code"),
    [
        pytest.param(["report"], 0, id="report"),
        pytest.param(["report", "--json"], 0, id="report --json"),
        pytest.param(["show", "--failed"], 0, id="show --failed"),
        pytest.param(["show", "conv-a/2"], 0, id="show a turn"),
    ],
)
def test_a_run_without_turns_hides_no_run(
    stagefault: Stagefault, tmp_path: Path, command: list[str], code: int
) -> None:
    add_run(tmp_path, "good", info=created(1))
    add_run(tmp_path, "empty", turns=[], findings=[], metrics=[], info=created(2))
    result = stagefault(*command)
    assert result.exit_code == code
    assert "note: empty found no turn; shown is run good" in result.stderr


@pytest.mark.parametrize(
    "command", [["report"], ["report", "--run", "empty"], ["show", "--failed"]]
)
def test_a_run_without_turns_is_said_to_be_one(
    stagefault: Stagefault, tmp_path: Path, command: list[str]
) -> None:
    add_run(tmp_path, "empty", turns=[], findings=[], metrics=[])
    result = stagefault(*command)
    assert result.exit_code == 3
    assert "error: run empty: holds no turn." in result.stderr


def test_a_damaged_newest_run_is_passed_over_aloud(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path, "good", info=created(1))
    (add_run(tmp_path, "bad", info=created(2)) / "run.json").write_text("{")
    (add_run(tmp_path, "cut", info=created(3)) / "run.json").unlink()
    result = stagefault("report")
    assert result.exit_code == 0
    assert "Run        good" in result.stdout
    assert "bad/run.json: is damaged" in result.stderr
    assert "cut: holds no run.json" in result.stderr


def test_runs_are_listed_with_what_latest_means(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(
        tmp_path,
        "good",
        info={**created(1), "outcomes": {"passed": 1, "failed": 3, "not_judged": 1}},
    )
    add_run(tmp_path, "empty", turns=[], findings=[], metrics=[], info=created(2))
    (add_run(tmp_path, "bad") / "run.json").write_text("[]")
    result = stagefault("runs", "list")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "empty 2026-01-02T00:00:00Z no turn",
        "good 2026-01-01T00:00:00Z 5 turns, 3 failed, 1 not judged (latest)",
    ]
    assert "bad/run.json: is no run of stagefault" in result.stderr
    listed = json.loads(stagefault("runs", "list", "--json").stdout)
    assert listed["latest"] == "good"
    assert [run["run_id"] for run in listed["runs"]] == ["empty", "good"]
    assert listed["damaged"][0]["path"].endswith("bad/run.json")


def test_shipped_runs_are_listed_with_who_signed_them(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    add_run(tmp_path, "old", info=created(1))
    add_run(tmp_path, "new", info=created(2))
    assert json.loads(stagefault("runs", "list", "--json").stdout)["shipped"] == []
    for name in ("Ada, lead", "Bob, lead"):
        stagefault("runs", "ship", "old", "--signed", name)
    new, old = stagefault("runs", "list").stdout.splitlines()
    assert "shipped" not in new
    shipped = json.loads(stagefault("runs", "list", "--json").stdout)["shipped"]
    assert [(one["run_id"], one["signed"]) for one in shipped] == [
        ("old", "Ada, lead"),
        ("old", "Bob, lead"),
    ]
    assert old.endswith(f"(shipped {shipped[-1]['at']}, signed Bob, lead)")


def test_a_damaged_list_of_shipped_runs_hides_no_run(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    folder = add_run(tmp_path)
    (folder.parents[1] / "shipped.jsonl").write_text("{}\n")
    result = stagefault("runs", "list")
    assert (result.exit_code, result.stdout.startswith("r-1 ")) == (7, True)
    assert "shipped.jsonl: is damaged" in result.stderr
    listed = json.loads(stagefault("runs", "list", "--json").stdout)
    assert (listed["shipped"], len(listed["runs"])) == (None, 1)


def test_damaged_runs_alone_are_named_and_no_success(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    for run_id in ("bad", "worse"):
        (add_run(tmp_path, run_id) / "run.json").write_text("[]")
    result = stagefault("runs", "list")
    assert result.exit_code == stagefault("report").exit_code == 7
    assert "bad/run.json: is no run" in result.stderr
    assert "worse/run.json: is no run" in result.stderr
    assert "replay first" not in result.stderr
    listed = stagefault("runs", "list", "--json")
    assert (listed.exit_code, len(json.loads(listed.stdout)["damaged"])) == (7, 2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["report", "--agent", "biling"], "Did you mean billing?", id="agent"),
        pytest.param(["report", "--tool", "nope"], "Known: get_order.", id="tool"),
        pytest.param(["report", "--kind", "missed_chnk"], "missed_chunk", id="kind"),
        pytest.param(["report", "--kind", "routing.missed_chunk"], "retrieval.missed_chunk", id="stage of a kind"),
        pytest.param(["report", "--stage", "search"], "Known: ", id="stage"),
        pytest.param(["report", "--by", "agnt"], "Did you mean agent?", id="by"),
        pytest.param(["report", "--by", "agent,zzz"], "Known: agent, collection", id="by, second"),
        pytest.param(["show", "--failed", "--language", "EN"], "Did you mean en?", id="language"),
        pytest.param(["show", "--failed", "--service", "x"], "Known: desk.", id="service"),
        pytest.param(["report", "--vs", "r-1"], "cannot be compared with itself", id="the same run"),
        pytest.param(["report", "--vs", "r-0"], "Did you mean r-1?", id="no such run"),
        pytest.param(["report", "--run", "zzz"], "Known runs: r-1.", id="unknown run"),
        pytest.param(["show", "conv-a", "--failed"], "do not go together", id="both"),
        pytest.param(["show"], "neither a conversation nor --failed", id="neither"),
        pytest.param(["show", "conv-a", "--agent", "x"], "It belongs to show --failed", id="idle filter"),
        pytest.param(["show", "conv-a", "--limit", "3"], "--limit: has no meaning", id="idle limit"),
        pytest.param(["show", "--failed", "--spans"], "--spans: has no meaning", id="idle spans"),
        pytest.param(["show", "conv-a/7"], "these turns of the conversation: 1, 2.", id="no such turn"),
        pytest.param(["show", "conv"], "could be conv-a, conv-b, conv-c, …", id="several"),
        pytest.param(["show", "conv-x"], "Did you mean conv-", id="no such conversation"),
    ],
)  # fmt: skip
def test_what_is_unknown_is_an_error_with_what_is_near(
    stagefault: Stagefault, tmp_path: Path, arguments: list[str], says: str
) -> None:
    add_run(tmp_path)
    result = stagefault(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert says in result.stderr


def test_leaving_out_what_is_not_there_is_no_error(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    result = stagefault("report", "--agent", "!suport")
    assert result.exit_code == 0
    assert "warning: --agent !suport: no turn has agent 'suport' in run r-1." in result.stderr
    assert "Did you mean support?" in result.stderr


def test_a_report_by_stage_belongs_to_the_stage(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    text = words(stagefault("report", "--stage", "retrieval", "--by", "agent,tool").stdout)
    assert "1 of 4 judged turns failed by retrieval." in text
    assert "Filter stage=retrieval: 5 turns in 4 conversations; only failures by retrieval" in text
    assert "2 other turns failed otherwise." in text
    for other in ("undetermined", "generation", "wrong_collection", "tool_ok_rate", "routing"):
        assert other not in text, other
    made = json.loads(stagefault("report", "--stage", "retrieval", "--json").stdout)
    assert (made["filters"], made["roots"]) == ("stage=retrieval", "retrieval")
    assert list(made["stages"]) == ["retrieval"]
    assert made["passed"] + made["failed"]["rate"]["hits"] + made["failed_otherwise"] == 4


def test_a_report_of_a_window_counts_the_turns_that_start_in_it(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    add_run(tmp_path)
    bounds = ["--since", "2026-01-02", "--until", "2026-01-03"]
    text = words(stagefault("report", *bounds).stdout)
    told = "since=2026-01-02T00:00:00Z until=2026-01-03T00:00:00Z"
    assert f"Filter {told}: 2 turns in 2 conversations" in text
    assert "2 of 2 judged turns failed." in text
    assert "--since 2026-01-02T00:00:00Z --until 2026-01-03T00:00:00Z" in text
    shown = stagefault("show", "--failed", *bounds).stdout
    assert ("conv-a/2" in shown, "conv-c/1" in shown) == (True, False)
    counted = json.loads(stagefault("report", "--json", *bounds).stdout)
    assert (counted["filters"], counted["turns"]) == (told, 2)
    page = tmp_path / "week.html"
    stagefault("report", "-o", page, *bounds)
    assert ("conv-b/1" in page.read_text(), "conv-c/1" in page.read_text()) == (True, False)


@pytest.mark.parametrize(
    ("given", "turns"),
    [
        pytest.param(["--since", "2026-01-01", "--tz", "America/New_York"], 3, id="a zone"),
        pytest.param(["--since", "2026-01-03"], 1, id="open at its end"),
        pytest.param(["--until", "2026-01-02"], 2, id="open at its start, half open at its end"),
        pytest.param(["--since", "2025-01-01", "--until", "2025-02-01"], 0, id="nothing in it"),
        pytest.param(["--since", "2026-01-02", "--agent", "support"], 1, id="with a filter"),
        pytest.param([], 5, id="no window"),
    ],
)
def test_windows_of_a_report(
    stagefault: Stagefault, tmp_path: Path, given: list[str], turns: int
) -> None:
    add_run(tmp_path)
    assert json.loads(stagefault("report", "--json", *given).stdout)["turns"] == turns


def test_a_window_that_cannot_be_meant_is_refused(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    for given in (["--since", "soon"], ["--since", "7d", "--tz", "Mars"]):
        result = stagefault("report", *given)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"error: {given[-2]}: {given[-1]!r} is no ")


def test_hints_lead_to_the_same_run_store_and_filters(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    add_run(tmp_path)
    text = words(stagefault("report", "--agent", "billing,!x y").stdout.replace("\\", ""))
    assert "show --failed --kind retrieval.missed_chunk --agent 'billing,!x y' --run r-1" in text
    assert f"--store {tmp_path / 'store'}" in text


def test_a_hint_for_a_run_outside_of_a_store_names_its_folder(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    folder = add_run(tmp_path).rename(tmp_path / "elsewhere")
    text = words(stagefault("report", "--run", folder, store=False).stdout)
    assert f"--run {folder}" in text.replace("\\ ", "")


@pytest.mark.parametrize("columns", [1, 40, 52, 60, 79, 80, 200, 300])
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["report", "--by", "agent", "--vs", "before"], id="report"),
        pytest.param(["show", "--failed"], id="list"),
        pytest.param(["show", "conv-a"], id="conversation"),
        pytest.param(["show", "conv-b/1", "--spans"], id="turn"),
        pytest.param(["runs", "list"], id="runs"),
    ],
)
def test_no_line_is_longer_than_the_terminal(
    stagefault: Stagefault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    columns: int,
) -> None:
    add_run(tmp_path, "before", info=created(1))
    add_run(tmp_path, "r-1", info=created(2))
    monkeypatch.setenv("COLUMNS", str(columns))
    result = stagefault(*command)
    assert result.exit_code == 0, result.stderr
    width = min(max(columns, 40), 200)
    words_of_hints = ("--store", "--run", "stagefault")  # a path is not broken
    longest = [
        line
        for line in result.stdout.splitlines()
        if cell_len(line) > width and not line.strip().startswith(words_of_hints)
    ]
    assert longest == []


@pytest.mark.parametrize("columns", [40, 72, 80, 200])
def test_runs_lose_nothing_in_narrow_terminals(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    outcomes = {"passed": 1, "failed": 3, "not_judged": 0}
    add_run(tmp_path, "20261123-090000-1a2b", info=created(1))
    add_run(tmp_path, "short", info={**created(2), "outcomes": outcomes})
    signed = "Ada Lovelace, release manager of the service desk"
    stagefault("runs", "ship", "short", "--signed", signed)
    monkeypatch.setenv("COLUMNS", str(columns))
    result = stagefault("runs", "list")
    assert (
        words(result.stdout)
        .replace(" · ", " ")
        .startswith(
            "short 2026-01-02T00:00:00Z 5 turns, 3 failed, 0 not judged (latest) (shipped 20"
        )
    )
    assert f"signed {signed})" in words(result.stdout)
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    a_line_each = columns == 200
    assert (len(lines) == 2) == a_line_each
    assert ("20261123-090000-1a2b" in lines) == (not a_line_each), "ids stand alone, or none does"


def test_a_wide_terminal_is_used(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "How long may I return shoes that I bought as a gift? " * 4
    add_run(tmp_path, turns=[turn_row("conv-b/1", root="routing.wrong_tool", question=question)])
    shown = {}
    for columns in (80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown[columns] = stagefault("show", "conv-b/1").stdout
    assert len(shown[200].splitlines()) <= 40
    assert max(map(len, shown[200].splitlines())) > 80
    assert shown[200].count("…") < shown[80].count("…")


def test_what_has_no_room_is_named(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_run(tmp_path)
    monkeypatch.setenv("COLUMNS", "40")
    text = stagefault("report").stdout
    assert "no room for: 95 % interval, inherited" in text
    assert "  wrong_collection" in text


def test_a_comparison_says_why_no_rate_is_tested(stagefault: Stagefault, tmp_path: Path) -> None:
    sources = [{"path": "a", "bytes": 1, "sha256": "f" * 64}]
    selection = {"filters": {"agent": ["x"]}, "sample": "5%", "limit": None, "seed": 0, "found": 9}
    add_run(tmp_path, "before", info={**created(1), "sources": sources})
    add_run(tmp_path, "r-1", info={**created(2), "sources": sources, "selection": selection})
    text = words(stagefault("report", "--vs", "before").stdout)
    assert "0 rates compared" not in text
    assert "that takes 60 judged turns in both runs, and there are 4 here and 4 there." in text
    assert "Both runs read the same files (all)" in text
    assert "different turns: agent=x sample=5% here, all there." in text
    assert "Selected agent=x · sample of 5%, seed 0 · 4 of 9 conversations" in text
    markdown = stagefault("report", "--vs", "before", "-o", tmp_path / "x.md")
    assert markdown.exit_code == 0
    assert "Both runs read the same files" in (tmp_path / "x.md").read_text()


def test_quiet_tells_nothing_of_what_was_written(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    loud = stagefault("report", "-o", tmp_path / "a.md")
    quiet = stagefault("report", "-q", "-o", tmp_path / "b.md")
    assert "a.md  " in loud.stderr
    assert (quiet.stdout, quiet.stderr) == ("", "")


@pytest.mark.parametrize(
    ("name", "place"), [("conv-a/2", "#/c/conv-a/t/2"), ("conv-a", "#/c/conv-a")]
)
def test_the_page_of_a_turn_is_opened(
    stagefault: Stagefault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    place: str,
) -> None:
    opened: list[str] = []

    def browse(page: str) -> bool:
        opened.append(page)
        return True

    monkeypatch.setattr("webbrowser.open", browse)
    folder = add_run(tmp_path)
    missing = stagefault("show", name, "--open")
    assert (missing.exit_code, "has no page" in missing.stderr, opened) == (2, True, [])
    (folder / "report.html").write_text("x")
    assert stagefault("show", name, "--open").exit_code == 0
    assert opened == [f"{(folder / 'report.html').as_uri()}{place}"]
    monkeypatch.setattr("webbrowser.open", lambda page: False)
    assert "there is no browser" in stagefault("show", name, "--open").stderr
    assert stagefault("show", "--failed", "--open").exit_code == 2


def test_completion_as_json(stagefault: Stagefault) -> None:
    result = stagefault("completion", "zsh", "--json", store=False)
    assert json.loads(result.stdout)["shell"] == "zsh"


def test_names_are_completed_behind_a_comma(stagefault: Stagefault, tmp_path: Path) -> None:
    from click.shell_completion import ShellComplete

    from analysis.cli import main

    found: Iterable[Any] = ShellComplete(main, {}, "stagefault", "_X").get_completions(
        ["report", "--by"], "agent,to"
    )
    assert [item.value for item in found] == ["agent,tool"]


@pytest.mark.parametrize(
    ("command", "choices"),
    [
        pytest.param("completion", "bash, zsh, fish", id="completion"),
        pytest.param("export", "csv, jsonl, parquet, phoenix, langfuse, otlp", id="export"),
    ],
)
def test_a_missing_choice_is_told_on_one_line(
    stagefault: Stagefault, command: str, choices: str
) -> None:
    result = stagefault(command, store=False)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert f" {command}: Missing argument " in result.stderr
    assert f" Choose from: {choices}. See " in result.stderr


def test_labels_go_out_blind_come_back_and_are_held_against_the_judge(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    outcomes = {"passed": 1, "failed": 3, "not_judged": 1}
    add_run(tmp_path, info={"outcomes": outcomes})
    sheet = tmp_path / "sheet.jsonl"
    assert stagefault("label", "export", "-o", sheet).exit_code == 0
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    assert len(rows) == 4
    sheet.write_text("".join(json.dumps(row | {"label": "passed"}) + "\n" for row in rows) + "{\n")
    result = stagefault("label", "import", sheet)
    assert result.exit_code == 6
    assert result.stdout == "4 added, 0 replaced, 0 known, 0 unlabelled, 1 rejected\n"
    assert result.stderr == f"warning: {sheet}:5: is no JSON. The line is left out.\n"
    text = stagefault("label", "agreement").stdout
    assert "exact agreement 25.0 %" in text
    two = stagefault("label", "export", "--annotators", "2", "--json").stdout
    assert [row["annotator"] for row in json.loads(two)["rows"]] == ["1"] * 4 + ["2"] * 4
    assert json.loads(stagefault("label", "agreement", "--json").stdout)["corrections"] == 0


def test_the_help_of_a_sheet_names_every_label(stagefault: Stagefault) -> None:
    told = stagefault("label", "export", "--help", store=False).stdout
    lines = {line.split()[0]: line for line in told.splitlines() if line.strip()}
    for question in ("relevance", "support", "answer", "outcome"):
        assert set(CHOICES[question]) <= set(re.findall(r"\w+", lines[question]))


def test_one_of_a_thing_is_told_in_the_singular(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    sheet, file = tmp_path / "sheet.csv", tmp_path / "golden.jsonl"
    assert stagefault("label", "export", "--n", "1", "-o", sheet).stderr.endswith("  1 row\n")
    stagefault("golden", "add", "conv-a/2", file)
    linted = stagefault("golden", "lint", file, "--size", "2-9", store=False).stdout
    assert linted.startswith("1 item: ")
    assert "golden.jsonl: 1 item, 2-9 are meant" in linted
    turns = [turn_row("a/1", root="routing.wrong_tool")]
    found = [finding("a/1", "routing.wrong_tool")]
    info: RunInfo = {
        "records": {"read": 1, "loaded": 1, "repaired": 0, "duplicate": 0, "rejected": 0}
    }
    add_run(tmp_path, "one", turns=turns, findings=found, metrics=[], info=info)
    assert (
        "1 of 1 judged turn\n" in stagefault("check", "--run", "one", "--gate", "failed<=1").stdout
    )
    stagefault("report", "--run", "one", "-o", tmp_path / "one.md")
    assert "<summary>1 failing turn</summary>" in (tmp_path / "one.md").read_text()
    stagefault("report", "--run", "one", "--redact", "-o", tmp_path / "one.html")
    page = (tmp_path / "one.html").read_text()
    assert "<title>1 of 1 turn failed · one</title>" in page
    assert "1 record read: 1 loaded" in page


def test_two_runs_are_compared_turn_by_turn(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path, "before", info=created(1))
    add_run(tmp_path, "r-1", info=created(2))
    result = stagefault("diff", "before")
    assert result.exit_code == 0
    assert "3 of 4 shared turns failed before, 3 after" in words(result.stdout)
    assert json.loads(stagefault("diff", "before", "r-1", "--json").stdout)["pairs"] == 5
    add_run(tmp_path, "other", turns=[turn_row("z/1")], findings=[], metrics=[])
    apart = stagefault("diff", "before", "other")
    assert apart.exit_code == 3
    assert "have no turn in common" in apart.stderr


def test_gates_of_the_command_line_and_of_the_file(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    add_run(tmp_path)
    assert stagefault("check").exit_code == 2
    assert stagefault("check", "--gate", "failed<=80%").exit_code == 0
    config = tmp_path / "stagefault.toml"
    config.write_text('[gates]\nfailed = "<= 1 %"\n"routing.wrong_tool" = "<= 0"\n')
    failed = stagefault("check", "-o", "gates.junit.xml", "-o", "gates.md", "--github")
    assert failed.exit_code == 1
    assert "1 of 2 gates failed." in failed.stdout
    assert failed.stderr.startswith("::error title=stagefault::failed: 75.0 %25")
    assert (tmp_path / "gates.junit.xml").read_text().startswith("<?xml")
    assert stagefault("check", "--gate", "failed<=80%").exit_code == 0
    assert stagefault("check", "-o", "gates.docx").exit_code == 2
    assert json.loads(stagefault("check", "--json").stdout)["failed"] == 1


def test_a_run_is_shipped_and_compared_with(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    assert "holds no shipped run" in stagefault("check", "--vs", "shipped").stderr
    assert stagefault("runs", "ship", "--signed", " ").exit_code == 2
    shipped = stagefault("runs", "ship", "latest", "--signed", "Ada, lead")
    assert shipped.stdout.startswith("r-1 shipped 20")
    result = stagefault("check", "--vs", "shipped")
    assert (result.exit_code, "is the one to compare with" in result.stdout) == (0, True)


def test_a_check_that_looked_at_nothing_does_not_pass(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    add_run(tmp_path)
    unmeasured = ("--gate", "generation.answer_relevance>=0.5")
    nothing = stagefault("check", *unmeasured)
    assert nothing.exit_code == 1
    assert nothing.stderr.startswith("error: check: no gate could be measured.")
    assert stagefault("check", *unmeasured, "--gate", "failed<=80%").exit_code == 0


@pytest.mark.parametrize("form", ["csv", "jsonl", "phoenix", "langfuse", "otlp"])
def test_exports_go_to_stdout_or_to_a_file(
    stagefault: Stagefault, tmp_path: Path, form: str
) -> None:
    add_run(tmp_path)
    shown = stagefault("export", form)
    written = stagefault("export", form, "-o", tmp_path / "out", "-q")
    assert (shown.exit_code, written.exit_code, written.stdout, written.stderr) == (0, 0, "", "")
    assert (tmp_path / "out").read_text() == shown.stdout


def test_a_table_is_copied_as_parquet(stagefault: Stagefault, tmp_path: Path) -> None:
    folder = add_run(tmp_path)
    path = tmp_path / "deep" / "findings.parquet"
    result = stagefault("export", "parquet", "--table", "findings", "-o", path, "--json")
    assert json.loads(result.stdout)["bytes"] == path.stat().st_size
    assert path.read_bytes() == (folder / "findings.parquet").read_bytes()
    assert stagefault("export", "parquet").exit_code == 2
    assert stagefault("export", "phoenix", "--table", "turns").exit_code == 2
    (folder / "turns.parquet").unlink()
    assert stagefault("export", "parquet", "-o", path).exit_code == 7
    assert stagefault("export", "csv", "-o", path).exit_code == 7


def test_a_golden_set_grows_is_checked_and_scored(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    file = tmp_path / "golden.jsonl"
    assert stagefault("golden", "add", "conv-a/2", file, "--tag", "type:deep").exit_code == 0
    assert stagefault("golden", "add", "conv-a/2", file).exit_code == 2
    assert stagefault("golden", "add", "conv-a/9", file, "--id", "x").exit_code == 2
    assert len(file.read_text().splitlines()) == 1
    assert stagefault("golden", "lint", file, store=False).exit_code == 0
    linted = stagefault("golden", "lint", file, "--shares", "deep=40", "--size", "2-9", store=False)
    assert linted.exit_code == 1
    assert "type deep: is 100.0 % of the items, 40 % are meant" in linted.stdout
    for wrong in (["--shares", "deep"], ["--size", "many"]):
        assert stagefault("golden", "lint", file, *wrong, store=False).exit_code == 2
    scored = stagefault("golden", "score", file)
    assert (scored.exit_code, "1 of 1 item has a turn" in scored.stdout) == (0, True)
    assert json.loads(stagefault("golden", "score", file, "--json").stdout)["run_id"] == "r-1"
    file.write_text('{"id": "z", "question": "Never asked?"}\n{\n')
    missed = stagefault("golden", "score", file)
    assert missed.exit_code == 3
    assert "golden.jsonl:2: is no item" in missed.stderr


@pytest.mark.parametrize("command", [["report"], ["report", "--json"], ["show", "--failed"]])
@pytest.mark.parametrize(
    ("given", "told"),
    [
        pytest.param(
            ["--since", "2025-01-01", "--until", "2025-02-01T12:30"],
            "error: --since/--until: no turn of run r-1 starts in 2025-01-01 00:00 – 2025-02-01 "
            "12:30 UTC. Its turns start from 2026-01-01 00:00 to 2026-01-03 00:00 UTC.\n",
            id="before the run",
        ),
        pytest.param(
            ["--since", "2027-01-01T00:00:00.123456789"],
            "error: --since: no turn of run r-1 starts from 2027-01-01 00:00 UTC. Its",
            id="behind it, to the nanosecond",
        ),
        pytest.param(
            ["--until", "2025-01-01"],
            "error: --until: no turn of run r-1 starts before 2025-01-01 00:00 UTC. Its",
            id="open at its start",
        ),
        pytest.param(
            ["--agent", "support", "--tool", "get_order"],
            "error: run r-1: no turn has agent=support and tool=get_order together. Leave one of "
            "them out.\n",
            id="two filters without a turn in common",
        ),
        pytest.param(
            ["--agent", "support", "--since", "2026-01-03"],
            "error: run r-1: no turn from 2026-01-03 00:00 UTC has agent=support.",
            id="a filter and a window",
        ),
    ],
)
def test_a_selection_without_a_turn_is_told_with_what_the_run_has(
    stagefault: Stagefault, tmp_path: Path, command: list[str], given: list[str], told: str
) -> None:
    add_run(tmp_path)
    result = stagefault(*command, *given)
    assert result.exit_code == 3
    assert told in result.stderr
    assert result.stdout


def test_that_nothing_failed_is_a_result(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    result = stagefault("show", "--failed", "--kind", "generation.off_topic")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("shown 0 of 0 turns (outcome=failed kind=generation.off_topic)")


def test_a_list_names_its_window(stagefault: Stagefault, tmp_path: Path) -> None:
    add_run(tmp_path)
    shown = words(stagefault("show", "--failed", "--since", "2026-01-02").stdout)
    assert "(outcome=failed since=2026-01-02T00:00:00Z)" in shown


def test_an_age_is_told_without_nanoseconds(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_run(tmp_path)
    monkeypatch.setattr("analysis.cli.clock.now_ns", lambda: 1_767_900_000_123_456_789)
    text = words(stagefault("report", "--since", "9d").stdout)
    assert "since=2025-12-30T19:20:01Z until=2026-01-08T19:20:01Z: 5 turns" in text


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        pytest.param("text", "Run        r-1", id="text"),
        pytest.param("md", "<!-- stagefault report -->\n**3 of 4", id="Markdown"),
        pytest.param("json", '{"schema_version": 1', id="JSON"),
        pytest.param("html", "<!doctype html>", id="HTML"),
    ],
)
def test_a_report_is_printed_in_the_form_that_is_asked_for(
    stagefault: Stagefault, tmp_path: Path, form: str, begins: str
) -> None:
    add_run(tmp_path)
    assert stagefault("report", "--format", form).stdout.startswith(begins)
    written = stagefault("report", "-o", tmp_path / "week.md", "--format", form)
    assert written.stdout.startswith(begins)
    assert (tmp_path / "week.md").read_text("utf-8").startswith("<!-- stagefault report -->")
    assert stagefault("report", "-o", tmp_path / "week.md", "-q").stdout == ""


def test_the_newest_runs_are_listed_and_how_many_there_are(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    for day in (1, 2, 3):
        add_run(tmp_path, f"r-{day}", info=created(day))
    lines = stagefault("runs", "list", "--limit", "2").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["r-3", "r-2", "shown"]
    assert lines[-1] == "shown 2 of 3 runs"
    listed = json.loads(stagefault("runs", "list", "--limit", "2", "--json").stdout)
    assert len(listed["runs"]) == 3


def test_a_beginning_that_is_too_short_is_said_to_be(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    add_run(tmp_path)
    result = stagefault("show", "con")
    assert result.exit_code == 2
    assert "con: is too short for the beginning of an id" in result.stderr
    assert "is not in run" in stagefault("show", "xyz").stderr


@pytest.mark.parametrize("form", [["--json"], ["--format", "md"]])
def test_two_reports_on_stdout_are_refused(
    stagefault: Stagefault, tmp_path: Path, form: list[str]
) -> None:
    add_run(tmp_path)
    result = stagefault("report", "-o", "-", *form)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "-o -: stdout gets what --json or --format asks for" in result.stderr
