"""`replay` from end to end, on the sample traces and on files written for the purpose."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis import load_run
from tests.cli.conftest import Stagefault

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_traces"
JSON_SAMPLE = SAMPLES / "people-desk-wed-fri.jsonl"


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def run_of(tmp_path: Path) -> Any:
    return load_run("latest", tmp_path / "store")


def attribute(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}


def turn_line(number: int, *, hour: int = 0) -> str:
    """Return one OTLP JSON line: an agent that answered one question."""
    start = 1_767_225_600_000_000_000 + hour * 3_600_000_000_000 + number * 1_000_000_000
    messages = [{"role": "user", "parts": [{"type": "text", "content": f"Is order {number} out?"}]}]
    answer = [{"role": "assistant", "parts": [{"type": "text", "content": "Yes, it is."}]}]
    span = {
        "traceId": f"{number + 1:032x}",
        "spanId": f"{number + 1:016x}",
        "name": "invoke_agent orders",
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 1_000_000),
        "attributes": [
            attribute("gen_ai.operation.name", "invoke_agent"),
            attribute("gen_ai.agent.name", "orders"),
            attribute("gen_ai.input.messages", json.dumps(messages)),
            attribute("gen_ai.output.messages", json.dumps(answer)),
        ],
    }
    scopes = [{"scope": {"name": "test"}, "spans": [span]}]
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": scopes}]})


def test_the_samples_give_a_run_a_breakdown_and_a_page(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    result = stagefault("replay", SAMPLES)
    run = run_of(tmp_path)
    assert result.exit_code == 0
    assert "judged turns failed" in result.stdout
    assert (run.folder / "report.html").stat().st_size > 10_000
    info = run.info
    counts = info["records"]
    assert counts["read"] == sum(counts[name] for name in counts if name != "read")
    assert info["turns"] == sum(info["outcomes"].values()) == len(run.turns())
    assert info["outcomes"]["failed"] == sum(info["root_stages"].values())


def test_a_second_run_asks_nothing_and_says_the_same(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    stagefault("replay", SAMPLES)
    first = run_of(tmp_path)
    stagefault("replay", SAMPLES)
    runs = sorted((tmp_path / "store" / "runs").iterdir())
    second = next(load_run(str(path)) for path in runs if path.name != first.run_id)
    assert second.info["questions"]["asked"] == 0
    one, other = tables(first.folder), tables(second.folder)
    del one["verdicts.parquet"], other["verdicts.parquet"]  # they tell where a reply came from
    assert one == other


def test_the_order_of_files_and_lines_changes_nothing(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    lines = [turn_line(number) for number in range(40)]
    written = {"one": (lines[:20], lines[20:]), "other": (lines[:14:-1], lines[14::-1])}
    found = []
    for store, parts in written.items():
        paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
        for path, part in zip(paths, parts, strict=True):
            path.write_text("\n".join(part))
        if store == "other":
            paths.reverse()
        stagefault("replay", *paths, "--store", tmp_path / store, store=False)
        run = load_run("latest", tmp_path / store)
        assert len(run.turns()) == 40
        found.append(tables(run.folder))
    assert found[0] == found[1]


def test_one_broken_record_among_thousands_is_lost_alone(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    lines = [turn_line(number) for number in range(3_000)]
    broken = 1_234
    lines[broken] = lines[broken][:-40] + "}"
    traces = tmp_path / "traces.jsonl"
    traces.write_text("\n".join(lines) + "\n")
    result = stagefault("replay", traces)
    run = run_of(tmp_path)
    (loss,) = run.losses().to_dict("records")
    offset = sum(len(line) + 1 for line in lines[:broken])
    assert result.exit_code == 6
    assert run.info["records"] == {
        "read": 3_000,
        "loaded": 2_999,
        "repaired": 0,
        "duplicate": 0,
        "rejected": 1,
    }
    assert len(run.turns()) == 2_999
    assert (loss["outcome"], loss["reason"]) == ("rejected", "invalid_json")
    assert (loss["file"], loss["offset"]) == (str(traces), offset)
    assert f"{offset}" in result.stdout or "1 rejected" in result.stdout


def test_verbose_tells_every_record_and_file_that_is_not_in_the_run(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    lines = [turn_line(0), *(f'{{"broken {number}' for number in range(5)), turn_line(0)]
    traces = tmp_path / "traces"
    traces.mkdir()
    (traces / "a.jsonl").write_text("\n".join(lines) + "\n")
    (traces / "notes.txt").write_text("nothing of ours")
    few = stagefault("replay", traces).stderr
    assert few.count("The record is not loaded.") == 3
    assert "5 records rejected; all of them are in losses.parquet" in few
    told = stagefault("replay", traces, "-v").stderr
    assert told.count("The record is not loaded.") == 5
    assert f"{traces / 'a.jsonl'}, byte {len(turn_line(0)) + 1}: " in told
    assert told.count("duplicate_span. The record is duplicate.") == 1
    assert f"note: {traces / 'notes.txt'}: not_a_trace_file. The file is skipped." in told
    assert "note: read " in told
    assert stagefault("replay", traces, "-v", "-q").exit_code == 2


def test_losses_can_be_allowed(stagefault: Stagefault, tmp_path: Path) -> None:
    traces = tmp_path / "traces.jsonl"
    traces.write_text(turn_line(1) + "\n{broken\n")
    assert stagefault("replay", traces, "--allow-losses").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        pytest.param(["missing.jsonl"], 2, "missing.jsonl", id="no such file"),
        pytest.param([str(JSON_SAMPLE), "--since", "soon"], 2, "--since", id="no time"),
        pytest.param([str(JSON_SAMPLE), "--sample", "0"], 2, "--sample", id="no sample"),
        pytest.param([str(JSON_SAMPLE), "--tz", "Mars/Base"], 2, "--tz", id="no time zone"),
        pytest.param([str(JSON_SAMPLE), "--judge", "recorded"], 2, "--answers", id="no answers"),
        pytest.param([str(JSON_SAMPLE), "--version", "corpus"], 2, "--version", id="no value"),
        pytest.param([str(JSON_SAMPLE), "-o", "x.docx"], 2, "x.docx", id="no such format"),
        pytest.param([str(JSON_SAMPLE), "--nope"], 2, "--nope", id="no such option"),
        pytest.param([], 2, "SRC", id="no source"),
        pytest.param(
            [str(JSON_SAMPLE), "--since", "2030-01-01"], 3, "", id="nothing in the window"
        ),
    ],
)
def test_what_cannot_be_meant_is_said_on_stderr(
    stagefault: Stagefault, arguments: list[str], code: int, says: str
) -> None:
    result = stagefault("replay", *arguments)
    assert result.exit_code == code
    assert says in result.stderr
    assert "Traceback" not in result.output


def test_an_empty_folder_holds_no_turn(stagefault: Stagefault, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = stagefault("replay", tmp_path / "empty")
    assert result.exit_code == 3


def test_json_is_one_object(stagefault: Stagefault) -> None:
    result = stagefault("replay", JSON_SAMPLE, "--json", "-q")
    report = json.loads(result.stdout)
    assert result.stderr == ""
    assert report["schema_version"] >= 1
    assert set(report["stages"]) >= {"routing", "retrieval", "generation"}


def test_filters_and_samples_choose_what_is_judged(stagefault: Stagefault, tmp_path: Path) -> None:
    stagefault("replay", JSON_SAMPLE)
    everything = run_of(tmp_path).turns()
    stagefault("replay", JSON_SAMPLE, "--language", "en", "--limit", "2", "-q")
    runs = [load_run(str(path)) for path in (tmp_path / "store" / "runs").iterdir()]
    chosen = min((run.turns() for run in runs), key=len)
    assert 0 < len(chosen) < len(everything)
    assert set(chosen["language"]) == {"en"}
    assert chosen["conversation_id"].nunique() <= 2


def test_what_was_selected_is_kept_and_told(stagefault: Stagefault, tmp_path: Path) -> None:
    first = stagefault(
        "replay", JSON_SAMPLE, "--agent", "hr_agent,!x", "--sample", "50%", "--seed", "7",
        "--limit", "3", "-q",
    )  # fmt: skip
    selection = run_of(tmp_path).info["selection"]
    assert selection["filters"] == {"agent": ["hr_agent", "!x"]}
    assert (selection["sample"], selection["seed"], selection["limit"]) == ("50%", 7, 3)
    assert selection["found"] >= run_of(tmp_path).info["conversations"]
    for text in (first.stdout, stagefault("report").stdout):
        told = " ".join(text.split())
        assert "Selected agent=hr_agent,!x · sample of 50%, seed 7 · at most 3" in told
    assert "warning: --agent !x: no turn has agent 'x'." in first.stderr


def test_an_unknown_filter_value_ends_without_a_turn_and_hides_no_run(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    stagefault("replay", JSON_SAMPLE, "-q")
    good = run_of(tmp_path).run_id
    result = stagefault("replay", JSON_SAMPLE, "--agent", "hr_agnt", "-q")
    assert result.exit_code == 3
    assert "error: no turn: none of " in result.stderr
    assert " The turns of the input start from 2026-11-1" in result.stderr
    assert "warning: --agent hr_agnt: no turn has agent 'hr_agnt'. Did you mean hr_agent" in (
        result.stderr
    )
    assert run_of(tmp_path).run_id == good


def test_an_emptied_verdict_store_is_named_before_it_is_filled(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    stagefault("replay", JSON_SAMPLE, "--limit", "1", "-q")
    ledger = tmp_path / "store" / "verdicts.sqlite"
    ledger.write_bytes(b"")
    result = stagefault("replay", JSON_SAMPLE, "--limit", "1", "-q")
    assert result.exit_code == 7
    assert result.stderr.count("verdicts.sqlite: is an empty file") == 1
    assert stagefault("replay", JSON_SAMPLE, "--limit", "1", "-q").exit_code == 0


def test_reports_are_written_by_extension(stagefault: Stagefault, tmp_path: Path) -> None:
    paths = [tmp_path / f"week{extension}" for extension in (".html", ".md", ".json", ".txt")]
    options = [word for path in paths for word in ("-o", str(path))]
    assert stagefault("replay", JSON_SAMPLE, "-q").exit_code == 0
    assert stagefault("report", *options).exit_code == 0
    assert all(path.stat().st_size > 500 for path in paths)
    assert json.loads(paths[2].read_text())["schema_version"] >= 1
