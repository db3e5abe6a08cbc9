"""Given cases, from the file to the tables of the run; skipped where they are absent."""

import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from analysis import Run, load_run
from tests.cli.conftest import Stagefault

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the given cases are not here")

Replay = Callable[..., Run]


@pytest.fixture
def replayed(stagefault: Stagefault, tmp_path: Path) -> Replay:
    """Replay case files into a fresh store and open the run."""

    def run(*names: str, code: int = 0) -> Run:
        result = stagefault("replay", *(CASES / name for name in names), "-q")
        assert result.exit_code == code, result.stderr
        return load_run("latest", tmp_path / "store")

    return run


def expected(case: str) -> Any:
    return json.loads((CASES / "expected.json").read_text("utf-8"))[case]


def rows(run: Run, table: Any, *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in columns) for row in run.rows(table, columns)]


@pytest.mark.parametrize(
    ("name", "code", "counts"),
    [
        pytest.param("01.a.traces.zst", 0, (2, 6), id="01 framed, zstd"),
        pytest.param("01.b.traces.json", 0, (2, 6), id="01 framed, protobuf"),
        pytest.param("01.c.traces.zst", 0, (2, 6), id="01 two frames"),
        pytest.param("01.d.traces_7.binpb.zst", 0, (1, 3), id="01 protobuf"),
        pytest.param("02.a.traces.jsonl.gz", 6, (6, 18), id="02 gzip, cut"),
        pytest.param("02.b.traces.jsonl.zst", 6, (135, 405), id="02 zstd, cut"),
        pytest.param("04.bom.jsonl", 0, (3, 9), id="04 byte-order mark"),
        pytest.param("06.a.pretty.json", 0, (1, 3), id="06 pretty"),
        pytest.param("06.b.array.json", 0, (2, 6), id="06 array"),
        pytest.param("06.c.concat.json", 0, (2, 6), id="06 concatenated"),
        pytest.param("07.ids.jsonl", 3, (1, 4), id="07 ids, of no agent"),
        pytest.param("08.times.jsonl", 3, None, id="08 times, of no agent"),
        pytest.param("09.text.jsonl", 0, (4, 12), id="09 text"),
        pytest.param("23.truncated.jsonl", 0, (1, 5), id="23 cut by limits"),
    ],
)
def test_a_file_is_counted_and_ends_in_its_code(
    replayed: Replay, name: str, code: int, counts: tuple[int, int] | None
) -> None:
    info = replayed(name, code=code).info
    assert counts is None or (info["traces"], info["spans"]) == counts
    records = info["records"]
    ended = [records[word] for word in ("loaded", "repaired", "duplicate", "rejected")]
    assert records["read"] == sum(ended)
    assert bool(records["rejected"]) == (code == 6 or name.startswith("07"))


@pytest.mark.parametrize("part", ["a", "b"])
def test_02_a_cut_stream_is_named_in_the_losses(replayed: Replay, part: str) -> None:
    want = expected("02")[part]
    name = next(CASES.glob(f"02.{part}.*")).name
    run = replayed(name, code=6)
    assert (run.info["traces"], run.info["spans"]) == (want["traces"], want["spans"])
    ((outcome, reason, file, offset),) = rows(run, "losses", "outcome", "reason", "file", "offset")
    assert (outcome, reason) == ("rejected", "truncated_stream")
    assert file.endswith(name)
    assert offset > 0


def test_09_text_survives_a_parquet_round_trip(replayed: Replay) -> None:
    want = expected("09")
    run = replayed("09.text.jsonl")
    questions = {row[0][-3:]: row[1] for row in rows(run, "turns", "conversation_id", "question")}
    assert run.info["records"]["rejected"] == 0
    assert run.info["records"]["repaired"] == want["repaired_spans"]
    assert questions["902"] == want["question_902"]
    assert "\0" in questions["903"] or "\u2400" in questions["903"]


def test_12_orphans_make_one_complete_turn(replayed: Replay) -> None:
    want = expected("12")
    run = replayed("12.orphans.jsonl")
    assert rows(run, "turns", "question", "answer", "complete") == [
        (want["question"], want["answer"], True)
    ]
    flags = [flag for (flags,) in rows(run, "spans", "flags") for flag in flags]
    for flag, count in want["flags"].items():
        assert flags.count(flag) == count, flag
    assert len(flags) == sum(want["flags"].values())
    assert [name for (name,) in rows(run, "tool_calls", "name")] == want["tools"]
    assert len(run.chunks()) == want["retrieved"]
    assert len(run.spans()) == want["spans"]


def test_14_tokens_are_counted_once(replayed: Replay) -> None:
    want = expected("14")["turns_parquet"]
    run = replayed("14.tokens.jsonl")
    assert rows(run, "turns", "input_tokens", "output_tokens", "cached_tokens") == [
        (want["input_tokens"], want["output_tokens"], want["cached_tokens"])
    ]


@pytest.mark.parametrize("swapped", [False, True])
def test_16_a_late_root_is_judged_once(replayed: Replay, swapped: bool) -> None:  # noqa: FBT001
    parts = ["16.split.part1.jsonl", "16.split.part2.jsonl"]
    if not swapped:
        run = replayed(parts[0])
        assert rows(run, "turns", "complete", "outcome") == [(False, "not_judged")]
        assert run.info["questions"] == {"asked": 0, "from_store": 0, "unjudged": 0}
    run = replayed(*(reversed(parts) if swapped else parts))
    turns = rows(run, "turns", "complete", "outcome")
    runs = [len(turns)]
    assert runs == [1]
    assert turns[0][0]
    assert run.info["records"]["duplicate"] == 1
    assert run.info["spans"] == 3


def test_17_one_conversation_in_time_order(replayed: Replay) -> None:
    want = expected("17")
    run = replayed("17.sessions.jsonl")
    turns = sorted(rows(run, "turns", "conversation_id", "turn", "question"))
    assert [question for _, _, question in turns] == want["order"]
    assert len({conversation for conversation, _, _ in turns}) == want["conversations"]
    carried = [name for (name,) in rows(run, "spans", "conversation_id") if name]
    assert len(carried) == want["spans_with_conversation"]


def test_19_parallel_calls_are_paired_by_id(replayed: Replay) -> None:
    run = replayed("19.parallel.jsonl")
    calls = {
        call_id: (name, json.loads(arguments), result)
        for call_id, name, arguments, result in rows(
            run, "tool_calls", "call_id", "name", "arguments", "result"
        )
    }
    for call_id, name, arguments, result in expected("19")["tools"]:
        assert calls[call_id][:2] == (name, arguments)
        assert str(calls[call_id][2]).strip('"') == result
    assert len(calls) == 3


def test_21_without_content_nothing_is_judged(replayed: Replay) -> None:
    want = expected("21")
    run = replayed("21.nocontent.jsonl")
    columns = ("outcome", "input_tokens", "output_tokens", "duration_ms")
    timed = ("retrieval_ms", "generation_ms")
    assert rows(run, "turns", *columns, *timed) == [
        (
            "not_judged",
            want["input_tokens"],
            want["output_tokens"],
            want["duration_ms"],
            want["retrieval_ms"],
            want["generation_ms"],
        )
    ]
    assert run.info["questions"]["asked"] == want["judge_calls"]
    assert rows(run, "retrievals", "status") == [("not_captured",)]
    assert len(run.findings()) == want["failures_attributed"]
    told = [
        (stage, value, reason)
        for stage, value, reason in rows(run, "metrics", "stage", "value", "reason")
        if stage != "service"
    ]
    assert told
    assert all(value is None and reason for _, value, reason in told)


def test_24_arguments_are_unwrapped_only_as_a_whole(replayed: Replay) -> None:
    run = replayed("24.double.jsonl")
    found = [json.loads(text) for (text,) in rows(run, "tool_calls", "arguments")]
    for arguments in expected("24")["args"]:
        found.remove(arguments)
    assert found == []


def test_26_empty_not_captured_and_not_used_stay_apart(replayed: Replay) -> None:
    run = replayed("26.empty.jsonl")
    searches = {
        turn[-4:-2]: status for turn, status in rows(run, "retrievals", "turn_id", "status")
    }
    assert searches == {"01": "empty", "02": "not_captured", "04": "ok"}
    assert len(run.turns()) == 4
    cited = {turn[-4:-2]: status for turn, status in rows(run, "citations", "turn_id", "status")}
    assert cited["01"] == "out_of_range"
    assert cited["02"] == "target_not_captured"
    failed = {
        turn[-4:-2]: stage
        for turn, stage in rows(run, "findings", "turn_id", "stage")
        if stage == "retrieval"
    }
    assert set(failed) <= {"01"}
    want = expected("26")
    retrieved = [n for (n,) in rows(run, "retrievals", "n_chunks") if n is not None]
    assert f"= {sum(retrieved) / len(retrieved)}" in want["mean_retrieved_over"]
    validity = {
        turn[-4:-2]: (value, reason)
        for turn, metric, value, reason in rows(
            run, "metrics", "turn_id", "metric", "value", "reason"
        )
        if metric == "citation_validity"
    }
    assert validity["01"] == (0.0, None)
    assert validity["02"] == (None, "citations_unclear")


def test_28_the_recorded_order_stands(replayed: Replay) -> None:
    want = expected("28")
    run = replayed("28.scores.jsonl")
    found = sorted(rows(run, "chunks", "rank", "chunk_id", "score"))
    assert [chunk for _, chunk, _ in found] == want["order"]
    assert [score for _, _, score in found] == want["scores"]


@pytest.mark.parametrize("case", ["29", "31", "32"])
def test_citations_are_read_from_text_only(replayed: Replay, case: str) -> None:
    want = expected(case)
    run = replayed(next(CASES.glob(f"{case}.*.jsonl")).name)
    assert len(run.citations()) == want["rows_in_citations"]
    if case == "32":
        kinds = [kind for _, kind in sorted(rows(run, "paragraphs", "paragraph", "kind"))]
        assert kinds == want["kinds"]


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Set the time zone of the machine, and set it back."""

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_zone
    monkeypatch.undo()
    time.tzset()


WINDOWS = {
    0: "2026-01-01 00:00 – 2026-01-02 00:00 UTC",
    1: "2025-12-31 18:30 – 2026-01-01 18:30 UTC",
    2: "from 2026-03-29 02:30 UTC",
    3: "2026-01-01 00:00 – 2026-01-02 00:00 UTC",
}
"""Resolved, by the number of the command line."""


@pytest.mark.parametrize(
    ("number", "zone"),
    [
        pytest.param(0, "UTC", id="days"),
        pytest.param(0, "Asia/Kolkata", id="days, read east"),
        pytest.param(0, "America/New_York", id="days, read west"),
        pytest.param(1, "UTC", id="an offset"),
        pytest.param(2, "Europe/Berlin", id="a minute that Berlin has not"),
        pytest.param(3, "UTC", id="an age"),
        pytest.param(3, "America/New_York", id="an age, read west"),
    ],
)
def test_40_windows_are_utc_and_exact(
    stagefault: Stagefault,
    monkeypatch: pytest.MonkeyPatch,
    in_zone: Callable[[str], None],
    tmp_path: Path,
    number: int,
    zone: str,
) -> None:
    case = expected("40")["cases"][number]
    in_zone(zone)
    if "now" in case:
        now = datetime.fromisoformat(case["now"]).timestamp()
        monkeypatch.setattr("analysis.cli.clock.now_ns", lambda: int(now) * 10**9)
    result = stagefault("replay", CASES / "40.since.jsonl", *case["args"].split(), "-q")
    assert result.exit_code == (0 if case["turns"] else 3)
    assert f"Window     {WINDOWS[number]}\n" in result.stdout
    traces = rows(load_run("latest", tmp_path / "store"), "turns", "trace_ids")
    assert sorted(ids[0][-4:] for (ids,) in traces) == sorted(case["traces"])


def test_43_no_control_character_reaches_the_terminal(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    bad = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")
    case = CASES / "43.ansi.jsonl"
    outputs = [stagefault("replay", case), stagefault("replay", case, "-v")]
    run = load_run("latest", tmp_path / "store")
    outputs += [stagefault("show", name) for (name,) in rows(run, "turns", "turn_id")]
    outputs += [
        stagefault("show", "--failed"),
        stagefault("report", "--by", "agent", "--by", "tool", "--by", "collection"),
        stagefault("show", "\x1b[2Jnobody"),
        stagefault("replay", "\x1b]52;c;eA==\x07.jsonl"),
        stagefault("doctor", case, store=False),
    ]
    for result in outputs:
        assert not bad.search(result.stdout), result.stdout
        assert not bad.search(result.stderr), result.stderr
