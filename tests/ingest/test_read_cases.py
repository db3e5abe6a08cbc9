"""The given cases with the values that are right for them."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest import RawSpan
from tests.ingest.exports import SHARED, case
from tests.ingest.outcome import group_paths, read_bytes, read_paths


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    values: dict[str, Any] = json.loads(case("expected.json").read_text("utf-8"))
    return values


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("01.a.traces.zst", "a"),
        ("01.b.traces.json", "b"),
        ("01.c.traces.zst", "c"),
        ("01.d.traces_7.binpb.zst", "d"),
    ],
)
def test_01_the_kind_is_found_by_content(name: str, part: str, expected: dict[str, Any]) -> None:
    right = expected["01"][part]
    found = read_paths(case(name))
    assert (len(found.traces), len(found.spans)) == (right["traces"], right["spans"])
    assert len(found.losses) == right["losses"]


@pytest.mark.parametrize(
    ("name", "part"), [("02.a.traces.jsonl.gz", "a"), ("02.b.traces.jsonl.zst", "b")]
)
def test_02_what_stands_before_a_cut_is_kept(
    name: str, part: str, expected: dict[str, Any]
) -> None:
    right = expected["02"][part]
    found = read_paths(case(name))
    assert (len(found.traces), len(found.spans)) == (right["traces"], right["spans"])
    assert found.reasons == [right["loss_kind"]]
    assert found.losses[0].file == str(case(name))
    assert found.losses[0].offset > max(s.source.offset for s in found.spans if s.source)


def test_04_bom_and_line_separators(expected: dict[str, Any]) -> None:
    right = expected["04"]
    found = read_paths(case("04.bom.jsonl"))
    assert (len(found.traces), len(found.spans)) == (right["traces"], right["spans"])
    assert len(found.losses) == right["losses"]
    assert question(found.spans, "402") == right["question_402"]


@pytest.mark.parametrize("part", ["a.pretty", "b.array", "c.concat"])
def test_06_json_that_is_not_lines(part: str, expected: dict[str, Any]) -> None:
    right = expected["06"][part[0]]
    found = read_paths(case(f"06.{part}.json"))
    assert (len(found.traces), len(found.spans)) == (right["traces"], right["spans"])
    assert found.losses == []


def test_06_a_line_of_24_mib(expected: dict[str, Any], tmp_path: Path) -> None:
    right = expected["06"]["generated"]
    found = read_bytes(tmp_path, big_line("é" * 12 * 2**20))
    assert (len(found.traces), len(found.spans)) == (right["traces"], right["spans"])
    messages = str(found.spans[0].attributes["gen_ai.output.messages"])
    answer = json.loads(messages)[0]["parts"][0]["content"]
    assert len(answer) == right["answer_characters"]


def test_06_a_line_beyond_the_limit_costs_itself(expected: dict[str, Any], tmp_path: Path) -> None:
    right = expected["06"]["oversize"]
    first = case("06.c.concat.json").read_bytes()
    whole, _ = json.JSONDecoder().raw_decode(first.decode())
    found = read_bytes(tmp_path, big_line("é" * 33 * 2**20) + json.dumps(whole).encode())
    assert (len(found.traces), len(found.spans)) == (right["traces"], right["spans"])
    assert [(loss.reason, loss.offset) for loss in found.losses] == [
        (right["loss_kind"], right["offset"])
    ]


def test_07_one_trace_in_four_spellings(expected: dict[str, Any]) -> None:
    right = expected["07"]
    found = read_paths(case("07.ids.jsonl"))
    assert found.traces == {right["trace_id"]}
    [root] = [span for span in found.spans if span.parent_id is None]
    children = [span for span in found.spans if span.parent_id == root.span_id]
    assert len(children) == right["children_of_root"]
    text = case("07.ids.jsonl").read_bytes()
    rejected = [
        {"line": text[: loss.offset].count(b"\n") + 1, "reason": loss.reason}
        for loss in found.losses
    ]
    assert rejected == right["rejected"]


def test_08_times_and_numbers_are_exact(expected: dict[str, Any]) -> None:
    right = expected["08"]
    found = read_paths(case("08.times.jsonl"))
    assert len(found.spans) == right["spans"]
    first = found.spans[:4]
    assert {s.start_ns for s in first} == {right["start_ns_first_three"]}
    assert [s.end_ns - s.start_ns for s in first if s.end_ns and s.start_ns] == [
        right["duration_ns_of_first_four"]
    ] * 4
    assert {s.attributes["big"] for s in first} == {right["big"]}
    assert {s.attributes["neg"] for s in first} == {right["neg"]}
    assert [s.attributes["d"] for s in first] == right["d"]
    assert found.reading.flags["non_finite_number"] == right["d"].count(None)
    defaults, enums = found.spans[4:]
    assert (defaults.otel_kind, defaults.status) == (right["kind_defaults"], "unset")
    assert enums.otel_kind == right["kind_enum_text"]
    assert enums.status == right["status_enum_text"].lower()


def test_09_broken_text_is_repaired_alone(expected: dict[str, Any]) -> None:
    right = expected["09"]
    found = read_paths(case("09.text.jsonl"))
    assert (len(found.traces), len(found.spans)) == (right["traces"], right["spans"])
    repaired = [loss for loss in found.losses if loss.outcome == "repaired"]
    assert len(repaired) == right["repaired_spans"]
    assert len({loss.offset for loss in repaired}) == right["repaired_lines"]
    assert found.reading.counts.rejected == right["losses"]
    assert question(found.spans, "902") == right["question_902"]
    assert "\0" in question(found.spans, "903")
    assert not question(found.spans, "903").endswith("\0")


def test_12_every_oddity_once(expected: dict[str, Any]) -> None:
    [trace], losses = group_paths(case("12.orphans.jsonl"))
    assert len(trace.spans) == expected["12"]["spans"]
    assert dict(trace.flags) == expected["12"]["flags"]
    assert losses == []
    [second] = [span for span in trace.spans if "second_root" in span.flags]
    assert second.name == "execute_tool stock"


def test_16_parts_in_any_order(expected: dict[str, Any]) -> None:
    parts = [case(f"16.split.part{number}.jsonl") for number in (1, 2)]
    traces, losses = group_paths(*parts)
    assert (traces, losses) == group_paths(*reversed(parts))
    assert [len(trace.spans) for trace in traces] == [expected["16"]["after_both"]["spans"]]
    assert [loss.outcome for loss in losses] == ["duplicate"]


def test_40_the_last_nanosecond_of_a_day_is_kept() -> None:
    found = read_paths(case("40.since.jsonl"))
    starts = [s.start_ns for s in found.spans if s.trace_id.endswith("2801")]
    assert min(start for start in starts if start) == 1_767_311_999_999_999_999


def test_a_folder_of_everything(tmp_path: Path) -> None:
    case("README.md")
    found = read_paths(SHARED / "cases")
    skipped = {Path(file.path).name for file in found.reading.skipped_files}
    assert {"README.md", "expected.json", "34.inject.replies.jsonl"} <= skipped
    assert set(found.reasons) == {"truncated_stream", "zero_span_id", "surrogate_replaced"}


def question(spans: list[RawSpan], trace: str) -> str:
    [agent] = [s for s in spans if s.trace_id.endswith(trace) and s.parent_id is None]
    messages = json.loads(str(agent.attributes["gen_ai.input.messages"]))
    return str(messages[0]["parts"][0]["content"])


def big_line(answer: str) -> bytes:
    """Return the request of recipe 06 with *answer* in it, as one line."""
    request = json.loads(case("06.a.pretty.json").read_text("utf-8"))
    agent, _, chat = request["resourceSpans"][0]["scopeSpans"][0]["spans"]
    messages = [{"role": "assistant", "parts": [{"type": "text", "content": answer}]}]
    for attribute in agent["attributes"]:
        if attribute["key"] == "gen_ai.output.messages":
            attribute["value"]["stringValue"] = json.dumps(messages, ensure_ascii=False)
    chat["attributes"] = [a for a in chat["attributes"] if a["key"] != "gen_ai.output.messages"]
    text = json.dumps(request, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"
