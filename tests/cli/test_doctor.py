"""`doctor`: what it says of files, turns and single spans, and how it says it."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from analysis import load_run
from tests.cli.conftest import Stagefault
from tests.cli.test_replay import turn_line

ROOT = Path(__file__).parents[2]
CASES = ROOT.parent / "shared" / "cases"
HOUSE = ROOT / "docs" / "mapping"


def told(stagefault: Stagefault, *arguments: str | Path, code: int = 0) -> str:
    result = stagefault("doctor", *arguments, store=False)
    assert result.exit_code == code, result.stderr
    return result.stdout


def span_line(*spans: dict[str, Any], service: str = "desk") -> str:
    attributes = [{"key": "service.name", "value": {"stringValue": service}}]
    made = [
        {
            **span,
            "attributes": [
                {"key": key, "value": {"stringValue": value}}
                for key, value in span.get("attributes", {}).items()
            ],
        }
        for span in spans
    ]
    resource = {"resource": {"attributes": attributes}, "scopeSpans": [{"spans": made}]}
    return json.dumps({"resourceSpans": [resource]})


def test_what_it_counts_fits_in_80_columns(stagefault: Stagefault, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("\n".join(turn_line(n) for n in range(3)))
    text = told(stagefault, tmp_path / "a.jsonl")
    assert max(map(len, text.splitlines())) <= 80
    assert "Turns      3 in 3 conversations" in text
    assert "Ids from   none 3 (each trace a conversation)" in text
    assert "Content    on: agent 3 of 3" in text
    assert "Record a conversation id" in text
    assert "(3 of 3 turns" in text


@pytest.mark.parametrize("columns", [1, 40, 50, 59, 60, 80, 120, 200, 300])
@pytest.mark.parametrize(
    "more",
    [
        pytest.param([], id="counts"),
        pytest.param(["--explain", "0000000000000203"], id="span"),
    ],
)
def test_it_fits_the_terminal_and_loses_nothing(
    stagefault: Stagefault, monkeypatch: pytest.MonkeyPatch, columns: int, more: list[str]
) -> None:
    asked: list[str | Path] = [HOUSE / "house.jsonl", "--config", HOUSE / "house.toml", *more]
    usual = told(stagefault, *asked)
    monkeypatch.setenv("COLUMNS", str(columns))
    text = told(stagefault, *asked)
    width = min(max(columns, 40), 200)
    assert [line for line in text.splitlines() if cell_len(line) > width] == []
    assert "".join(text.split()) == "".join(usual.split())


def test_a_wide_terminal_gets_long_lines(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jsonl").write_text(turn_line(1))
    monkeypatch.setenv("COLUMNS", "200")
    text = told(stagefault, tmp_path / "a.jsonl")
    assert "What would help most" in text
    assert 80 < max(map(len, text.splitlines())) <= 200


@pytest.mark.parametrize("columns", [40, 200])
def test_the_configuration_fits_the_terminal(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    store = ("long-name/" * 12).rstrip("/")
    (tmp_path / "stagefault.toml").write_text(f'store = "{store}"\n')
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = told(stagefault, "--config", tmp_path / "stagefault.toml").splitlines()
    paths = (store, str(tmp_path / "stagefault.toml"))
    long = [line for line in lines if len(line) > columns]
    assert [line for line in long if not any(path in line for path in paths)] == []
    assert all(any(path in line for line in lines) for path in paths)


def test_a_folder_without_traces_is_said_in_a_line(stagefault: Stagefault, tmp_path: Path) -> None:
    assert told(stagefault, tmp_path, code=3).startswith("Files      none read\n")


NOT_THERE = [
    pytest.param(None, "Name the file or folder that your collector or SDK", id="an empty folder"),
    pytest.param(b"", "See that the exporter has written", id="an empty file"),
    pytest.param(b'{"resourceSpans":[]}', "See that the exporter has written", id="no span"),
    pytest.param(bytes(range(256)) * 9, "Name a file that holds traces: OTLP", id="binary"),
    pytest.param(b"PK\x03\x04", "A ZIP archive: unpack it first.", id="what is known"),
    pytest.param(b'{"resourceMetrics":[]}', "add an exporter to the traces pipeline", id="metrics"),
]


@pytest.mark.parametrize("named", [False, True], ids=["a folder", "a file"])
@pytest.mark.parametrize(("content", "step"), NOT_THERE)
def test_where_no_trace_is_the_next_step_is_told_and_no_run_is_kept(
    stagefault: Stagefault, tmp_path: Path, content: bytes | None, step: str, *, named: bool
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    if content is not None:
        (source / "x").write_bytes(content)
        source = source / "x" if named else source
    text = " ".join(told(stagefault, source, code=3).split())
    assert step in text.partition("What would help most")[2]
    [advice] = json.loads(told(stagefault, source, "--json", code=3))["advice"]
    assert step in advice
    for _ in range(2):
        ran = stagefault("replay", source)
        assert (ran.exit_code, ran.stdout) == (3, "")
        assert ran.stderr.startswith(f"error: {source}: holds no trace (")
        assert step in ran.stderr
    assert list((tmp_path / "store" / "runs").iterdir()) == []


def test_a_damaged_record_is_something_and_its_run_is_kept(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    (tmp_path / "a.jsonl").write_text('{"resourceSpans": [{"scopeSpans": 7}]}\n')
    text = " ".join(told(stagefault, tmp_path / "a.jsonl", code=3).split())
    assert "a.jsonl, byte 0: bad_structure" in text
    assert "Export the traces again" in text
    assert stagefault("replay", tmp_path / "a.jsonl", "-q").exit_code == 3
    assert load_run("latest", tmp_path / "store").info["records"]["rejected"] == 1


def test_spans_that_are_nothing_of_an_agent_lead_to_the_mapping(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    span = {"traceId": "1" * 32, "spanId": "2" * 16, "name": "GET /", "startTimeUnixNano": "1"}
    (tmp_path / "a.jsonl").write_text(span_line({**span, "attributes": {}}))
    text = " ".join(told(stagefault, tmp_path / "a.jsonl", code=3).split())
    assert "[mapping] of stagefault.toml" in text.partition("What would help most")[2]


def log_line(trace: int, span: int) -> str:
    record = {"traceId": f"{trace:032x}", "spanId": f"{span:016x}", "body": {"stringValue": "x"}}
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]})


def test_records_that_are_no_spans_are_told(stagefault: Stagefault, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([turn_line(1), log_line(2, 2), log_line(2, 9), log_line(9, 9)]))
    text = " ".join(told(stagefault, path).split())
    assert "4 read = 4 loaded" in text
    assert "of them 1 span and 3 log records (1 told of a span, 2 of no span that was read)" in text
    counts = json.loads(told(stagefault, path, "--json"))["log_records"]
    assert counts == {"read": 3, "of_no_span": 2, "made_into_spans": 0}


def test_spans_of_one_id_that_differ_are_explained(stagefault: Stagefault, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(turn_line(1) + "\n" + turn_line(1).replace("Yes, it is.", "No.") + "\n")
    text = " ".join(told(stagefault, path).split())
    assert "Losses duplicate conflicting_span 1" in text
    assert "conflicting_span: Another finished span with the same id says something else" in text
    meanings = json.loads(told(stagefault, path, "--json"))["meanings"]
    assert list(meanings) == ["conflicting_span"]


@pytest.mark.parametrize("columns", [40, 80])
def test_paths_are_whole_on_one_line_and_places_are_bytes(
    stagefault: Stagefault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    path = tmp_path / "of the week" / f"{'long-name-' * 5}.jsonl"
    path.parent.mkdir()
    path.write_text(turn_line(1) + "\n" + '{"resourceSpans": [{"scopeSpans": 7}]}\n')
    zipped = path.with_name("an archive.zip")
    zipped.write_bytes(b"PK\x03\x04")
    byte = len(turn_line(1)) + 1
    lines = told(stagefault, path.parent, code=6).splitlines()
    assert sum(line.startswith(f"  {path}") for line in lines) == 1
    assert sum(line.startswith(f"  {zipped}") for line in lines) == 1
    assert f"{path}, byte {byte}: bad_structure" in " ".join("\n".join(lines).split())
    assert [line for line in lines if cell_len(line) > columns and str(tmp_path) not in line] == []
    ran = stagefault("replay", path.parent, "-q", "--allow-losses")
    for whole in (path, zipped):
        assert any(str(whole) in line for line in ran.stdout.splitlines())
    assert f"warning: {path}, byte {byte}: bad_structure" in ran.stderr
    [loss] = json.loads(told(stagefault, path, "--json", code=6))["losses"]
    assert (loss["file"], loss["offset"]) == (str(path), byte)


def test_one_file_that_is_skipped_is_one(stagefault: Stagefault, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(turn_line(1))
    (tmp_path / "notes.docx").write_text("x")
    assert "Skipped    1 file: " in told(stagefault, tmp_path)


def test_files_that_are_no_traces_name_what_to_export(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    results = [{"task_id": "t", "tools_used": [], "final_answer_called": False}]
    (tmp_path / "results.json").write_text(json.dumps(results))
    text = " ".join(told(stagefault, tmp_path, code=3).split())
    assert "Files none read" in text
    assert "Results of smoltrace evaluations: export the spans beside them" in text
    named = told(stagefault, tmp_path / "results.json", code=3)
    assert "Results of smoltrace" in " ".join(named.split())


def test_metrics_among_the_traces_are_counted(stagefault: Stagefault, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(turn_line(1) + '\n{"resourceMetrics": []}\n')
    text = told(stagefault, tmp_path / "a.jsonl")
    assert "  passed over: 1 request of metrics or profiles\n" in text
    (tmp_path / "b.jsonl").write_text('{"resourceMetrics": []}\n')
    text = " ".join(told(stagefault, tmp_path / "b.jsonl", code=3).split())
    assert "1 read = 0 loaded + 0 repaired + 0 duplicate + 1 rejected" in text
    assert "not_a_trace_file OTLP metrics: add an exporter to the traces pipeline" in text


def test_what_holds_no_record_is_counted_and_told(stagefault: Stagefault, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(turn_line(1) + '\n{"resourceSpans": []}\n{"resourceMetrics": []}\n')
    told_here = "1 request of metrics or profiles, 1 request or document without any record"
    assert f"passed over: {told_here}" in " ".join(told(stagefault, path).split())
    [source] = json.loads(told(stagefault, path, "--json"))["sources"]
    assert (source["passed_over"], source["empty"]) == (1, 1)
    report = stagefault("replay", path, "-q").stdout
    assert f"Skipped {told_here}" in " ".join(report.split())
    info = load_run("latest", tmp_path / "store").info
    assert info["passed_over"] == {"other_signals": 1, "empty": 1}


@pytest.mark.skipif(not CASES.is_dir(), reason="the given cases are not here")
def test_14_two_recordings_of_one_call_are_one_call(stagefault: Stagefault) -> None:
    case = CASES / "14.tokens.jsonl"
    assert "llm 3 (2 calls)" in told(stagefault, case)
    counted = json.loads(told(stagefault, case, "--json"))
    want = json.loads((CASES / "expected.json").read_text("utf-8"))["14"]
    assert counted["model_calls"] == want["llm_calls"]


def test_nothing_is_advised_where_nearly_all_is_told(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    lines = [turn_line(number) for number in range(50)]
    lines[0] = lines[0].replace("Yes, it is.", "")
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    text = " ".join(told(stagefault, tmp_path / "a.jsonl").split())
    assert "answer 98 %" in text
    assert "Record the answer" not in text


def test_switched_off_content_is_one_advice(stagefault: Stagefault, tmp_path: Path) -> None:
    line = turn_line(1).replace("gen_ai.input.messages", "x").replace("gen_ai.output.messages", "y")
    (tmp_path / "a.jsonl").write_text(line)
    text = told(stagefault, tmp_path / "a.jsonl")
    assert "Content    off: agent 0 of 1" in text
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY (1 of 1" in text
    assert "Record the user's message" not in text


def test_clocks_that_disagree_are_told(stagefault: Stagefault, tmp_path: Path) -> None:
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "a"}
    root: dict[str, Any] = {"traceId": "1" * 32, "spanId": "1" * 16, "name": "invoke_agent a"}
    child: dict[str, Any] = {"traceId": "1" * 32, "spanId": "2" * 16, "name": "chat m"}
    second = 10**9
    root |= {
        "startTimeUnixNano": str(5 * second),
        "endTimeUnixNano": str(9 * second),
        "attributes": agent,
    }
    child |= {
        "parentSpanId": "1" * 16,
        "startTimeUnixNano": str(2 * second),
        "endTimeUnixNano": str(10 * second),
        "attributes": {"gen_ai.operation.name": "chat"},
    }
    path = tmp_path / "a.jsonl"
    path.write_text(f"{span_line(root, service='desk')}\n{span_line(child, service='model')}\n")
    text = " ".join(told(stagefault, path).split())
    assert "1 begins before its parent" in text
    assert "1 ends after its parent" in text
    assert "model runs up to 3,000 ms before desk calls it (1 call): clocks differ" in text
    clocks = json.loads(told(stagefault, path, "--json"))["clocks"]
    assert clocks["skews"] == [{"from": "desk", "to": "model", "calls": 1, "most_ms": 3000.0}]


def test_json_holds_the_same_counts(stagefault: Stagefault, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(turn_line(1) + "\n{broken\n")
    counted = json.loads(told(stagefault, tmp_path / "a.jsonl", "--json", code=6))
    records = counted["records"]
    assert records["read"] == sum(records[name] for name in records if name != "read") == 2
    assert [loss["outcome"] for loss in counted["losses"]] == ["rejected"]
    assert counted["conversation_ids"] == {"told": {}, "inferred": 1}
    assert counted["content"] == {"state": "on", "kinds": {"agent": {"captured": 1}}}


def test_one_span_is_explained_to_its_turn(stagefault: Stagefault) -> None:
    house, mapping = HOUSE / "house.jsonl", HOUSE / "house.toml"
    text = told(stagefault, house, "--config", mapping, "--explain", "0000000000000203")
    assert max(map(len, text.splitlines())) <= 80
    squeezed = " ".join(text.split())
    assert "In turn chat-7/2" in squeezed
    assert "retrieval.query delivery of orders ← mapping.retrieval: acme.kb.q" in squeezed
    assert "rule mapping: conversation: nothing stands at acme.chat.id" in squeezed
    assert "conversation id chat-7 ← span 0000000000000201 desk.turn" in squeezed
    found = json.loads(
        told(stagefault, house, "--config", mapping, "--explain", "0000000000000203", "--json")
    )
    facts = {fact["fact"]: fact for fact in found["turn_facts"]}
    assert facts["answer"]["keys"] == ["acme.reply"]
    assert facts["tool arguments"]["spans"] == ["0000000000000204"]
    assert facts["chunks (ok)"]["convention"] == "mapping.retrieval"


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        pytest.param("ffff", "no span id begins with 'ffff'", id="none"),
        pytest.param("00000000000002", "5 spans begin with", id="several"),
    ],
)
def test_a_span_that_cannot_be_meant_is_an_error(
    stagefault: Stagefault, wanted: str, problem: str
) -> None:
    result = stagefault("doctor", HOUSE / "house.jsonl", "--explain", wanted, store=False)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert problem in result.stderr
