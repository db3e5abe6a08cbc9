"""Spans to traces: whole, in one order, in bounded memory, nothing lost."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import (
    Attributes,
    Batch,
    RawEvent,
    RawLink,
    RawLog,
    RawSpan,
    StoreError,
    Trace,
    group_spans,
)
from ingest.oddities import oddities
from ingest.runs import Runs
from ingest.span import SourceRef
from ingest.wire import content_of, decode, encode
from tests.ingest.exports import as_dict, line, logs
from tests.ingest.outcome import group_paths


def span(span_id: str, trace_id: str = "t1", **fields: object) -> RawSpan:
    values: dict[str, object] = {"start_ns": 10, "end_ns": 20, "name": span_id}
    return RawSpan(trace_id=trace_id, span_id=span_id, **(values | fields))  # type: ignore[arg-type]


def log(span_id: str | None = "a", trace_id: str | None = "t1", body: str = "x") -> RawLog:
    event = RawEvent(name="log", time_ns=15, body=body)
    return RawLog(event=event, trace_id=trace_id, span_id=span_id)


def group(
    spans: Sequence[RawSpan], records: Sequence[RawLog] = (), memory_limit: int = 10**9
) -> tuple[list[Trace], list[str], int]:
    """Return the traces, the losses as words, and the orphan log records."""
    batches = [Batch(spans=[one]) for one in spans] + [Batch(logs=[one]) for one in records]
    grouping = group_spans(batches, memory_limit)
    traces = list(grouping)
    assert grouping.kept + len(grouping.losses) == len(spans) + len(records)
    return traces, [loss.reason for loss in grouping.losses], grouping.orphan_logs


def test_traces_come_by_id_and_spans_by_start() -> None:
    spans = [
        span("b", "t2"),
        span("z", "t1", start_ns=5),
        span("y", "t1", start_ns=None),
        span("b", "t1"),
        span("a", "t1"),
    ]
    traces, losses, _ = group(spans)
    assert [trace.trace_id for trace in traces] == ["t1", "t2"]
    assert [one.span_id for one in traces[0].spans] == ["z", "a", "b", "y"]
    assert losses == []


def test_nothing_gives_nothing() -> None:
    assert group([]) == ([], [], 0)


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        pytest.param({"end_ns": None}, {}, 1, id="the one that ended"),
        pytest.param({"end_ns": None, "attributes": {"a": 1}}, {}, 1, id="ended before larger"),
        pytest.param({"attributes": {"a": 1}}, {"attributes": {}}, 0, id="the larger one"),
        pytest.param({"flags": ("bad_time",)}, {}, 1, id="the one without repair"),
        pytest.param({}, {"events": (RawEvent(name="e"),)}, 1, id="the one with more events"),
        pytest.param({"name": "b"}, {"name": "a"}, 1, id="else by content"),
        pytest.param({}, {}, 0, id="equal: by place"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_span_that_tells_most_stays(
    one: dict[str, object],
    other: dict[str, object],
    kept: int,
    turned: bool,  # noqa: FBT001
) -> None:
    spans = [span("a", name="n", source=SourceRef(path="p", offset=offset)) for offset in (0, 100)]
    spans = [replace(spans[0], **one), replace(spans[1], **other)]  # type: ignore[arg-type]
    traces, losses, _ = group(spans[::-1] if turned else spans)
    [best] = traces[0].spans
    contradict = "name" in one
    assert best == replace(
        spans[kept], flags=("conflicting_span",) if contradict else spans[kept].flags
    )
    assert losses == ["conflicting_span" if contradict else "duplicate_span"]


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        pytest.param({"attributes": {"a": 1}}, {"attributes": {"a": 2}}, True, id="values"),
        pytest.param(
            {"attributes": {"a": 1}}, {"attributes": {"a": 1, "b": 2}}, False, id="fuller"
        ),
        pytest.param({"attributes": {"a": 1}}, {"attributes": {"b": 2}}, False, id="halves"),
        pytest.param({"parent_id": "p"}, {"parent_id": "q"}, True, id="parents"),
        pytest.param({"end_ns": 15}, {"end_ns": 16}, True, id="ends"),
        pytest.param({"end_ns": None, "name": "a"}, {"name": "b"}, False, id="an unfinished one"),
        pytest.param({}, {}, False, id="equal"),
    ],
)
def test_spans_of_one_id_that_contradict_each_other_are_told(
    one: dict[str, object],
    other: dict[str, object],
    conflict: bool,  # noqa: FBT001
) -> None:
    spans = [replace(span("a"), **one), replace(span("a"), **other)]  # type: ignore[arg-type]
    for order in (spans, spans[::-1]):
        [trace], losses, _ = group(order)
        assert losses == ["conflicting_span" if conflict else "duplicate_span"]
        assert trace.flags["conflicting_span"] == conflict


def test_a_duplicate_tells_where_it_stood() -> None:
    spans = [span("a", source=SourceRef(path="p", offset=o)) for o in (7, 5, 9)]
    grouping = group_spans([Batch(spans=spans)])
    [trace] = grouping
    assert trace.spans == (spans[1],)
    assert [(x.outcome, x.file, x.offset, x.span_id) for x in grouping.losses] == [
        ("duplicate", "p", 7, "a"),
        ("duplicate", "p", 9, "a"),
    ]


def test_one_id_in_two_traces_is_no_duplicate() -> None:
    traces, losses, _ = group([span("a", "t1"), span("a", "t2")])
    assert (len(traces), losses) == (2, [])


def test_log_records_become_events_of_their_span() -> None:
    own = RawEvent(name="own", time_ns=99)
    records = [log(body="second"), log(body="first")]
    records[0] = replace(records[0], event=replace(records[0].event, time_ns=30))
    [trace], _, orphans = group([span("a", events=(own,)), span("b")], records)
    assert [event.body for event in trace.spans[0].events] == [None, "first", "second"]
    assert trace.spans[1].events == ()
    assert (trace.orphan_logs, orphans) == ((), 0)


def test_log_records_without_their_span_are_kept_apart() -> None:
    records = [log("gone"), log(None), log("a", "t9"), log("a", None)]
    [trace], losses, orphans = group([span("a")], records)
    assert {one.span_id for one in trace.orphan_logs} == {"gone", None}
    assert (losses, orphans) == ([], 4)


def test_a_log_record_that_was_sent_twice_counts_once() -> None:
    [trace], losses, _ = group([span("a")], [log(), log(), log(body="y")])
    assert sorted(str(event.body) for event in trace.spans[0].events) == ["x", "y"]
    assert losses == ["duplicate_log"]


SPANS = [
    span(f"s{number}", f"t{number % 5}", start_ns=number % 3, attributes=Attributes(b"[]"))
    for number in range(40)
]


@given(st.permutations(SPANS + SPANS[:7]), st.sampled_from([0, 3_000, 20_000, 10**9]))
def test_order_and_memory_change_nothing(spans: list[RawSpan], memory_limit: int) -> None:
    assert group(spans, memory_limit=memory_limit)[0] == group(SPANS)[0]


def test_many_runs_are_merged_in_steps() -> None:
    shuffled = random.Random(1).sample(SPANS * 5, len(SPANS) * 5)
    records = [log("s1", "t1", str(number)) for number in range(30)]
    traces, losses, _ = group(shuffled, records, memory_limit=0)
    assert traces == group(SPANS, records)[0]
    assert losses == ["duplicate_span"] * 160


def test_runs_give_the_disk_back(tmp_path: Path) -> None:
    grouping = group_spans([Batch(spans=SPANS[:20]), Batch(spans=SPANS[20:])], 1, tmp_path)
    next(grouping)
    assert list(tmp_path.iterdir()) == [], "what is on disk has no name"
    del grouping


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    grouping = group_spans([Batch(spans=SPANS)], 1, tmp_path / "nowhere")
    with pytest.raises(StoreError, match="nowhere: cannot be written: No such file"):
        next(grouping)


def test_runs_are_sorted_and_stable() -> None:
    runs = Runs(None)
    runs.add([("a", b"1"), ("c", b"2")])
    runs.add([("a", b"3"), ("b", b"")])
    assert list(runs.merged()) == [("a", b"1"), ("a", b"3"), ("b", b""), ("c", b"2")]
    assert len(runs) == 2
    runs.close()


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([span("a"), span("b", parent_id="a")], {}, id="a tree"),
        pytest.param([span("a"), span("b")], {"b": ["second_root"]}, id="two roots"),
        pytest.param([span("a", parent_id="x")], {"a": ["missing_parent"]}, id="no parent"),
        pytest.param(
            [span("a", parent_id="x"), span("b")],
            {"a": ["missing_parent"], "b": ["second_root"]},
            id="a root beside an orphan",
        ),
        pytest.param(
            [span("a"), span("b", parent_id="x"), span("c", parent_id="x")],
            {"b": ["missing_parent"], "c": ["missing_parent"]},
            id="orphans beside the root are no roots",
        ),
        pytest.param([span("a", parent_id="a")], {"a": ["self_parent"]}, id="its own parent"),
        pytest.param(
            [span("a", parent_id="b"), span("b", parent_id="a")],
            {"a": ["cycle"]},
            id="two in a cycle",
        ),
        pytest.param(
            [span("a", parent_id="c"), span("b", parent_id="a"), span("c", parent_id="b")],
            {"a": ["cycle"]},
            id="three in a cycle",
        ),
        pytest.param(
            [
                span("a", parent_id="b"),
                span("b", parent_id="c"),
                span("c", parent_id="b"),
                span("d", parent_id="a"),
            ],
            {"b": ["cycle"]},
            id="a tail into a cycle is not in it",
        ),
        pytest.param(
            [
                span("a", parent_id="b"),
                span("b", parent_id="a"),
                span("c", parent_id="d"),
                span("d", parent_id="c"),
            ],
            {"a": ["cycle"], "c": ["cycle"]},
            id="two cycles",
        ),
        pytest.param([span("a", end_ns=9)], {"a": ["end_before_start"]}, id="ends too early"),
        pytest.param([span("a", end_ns=10)], {}, id="takes no time"),
        pytest.param([span("a", end_ns=None)], {}, id="never ended"),
        pytest.param([], {}, id="no spans"),
    ],
)
def test_oddities(spans: list[RawSpan], expected: dict[str, list[str]]) -> None:
    assert oddities(spans) == expected


def test_a_long_chain_ends() -> None:
    chain = [span(f"s{n}", parent_id=f"s{n + 1}") for n in range(20_000)]
    assert set(oddities(chain)) == {"s19999"}


def test_oddities_are_flags_of_the_trace() -> None:
    [trace], _, _ = group([span("a", flags=("bad_time",)), span("b", end_ns=1)])
    assert trace.flags == {"bad_time": 1, "second_root": 1, "end_before_start": 1}
    assert trace.spans[1].flags == ("second_root", "end_before_start")


def test_records_travel_unchanged() -> None:
    rich = span(
        "a",
        parent_id="b",
        otel_kind="CLIENT",
        status="error",
        status_message="m\0",
        attributes=Attributes(b'[{"key":"a","value":{"stringValue":"\\u00e9"}}]'),
        events=(RawEvent(name="e", time_ns=1, attributes={"x": [1, None]}, body={"k": "v"}),),
        links=(RawLink(trace_id="l", span_id="m", attributes={"y": True}),),
        resource=Attributes.of({"service.name": "shop"}),
        scope_name="scope",
        scope_version="2",
        dropped_attributes=3,
        flags=("bad_time",),
        source=SourceRef(path="p", offset=4),
    )
    plain = span("b", start_ns=None, end_ns=None)
    records = [log(), replace(log(None, None), source=SourceRef(path="q", offset=1))]
    assert decode(encode([rich, plain], records)) == ([rich, plain], records)
    assert decode(encode([])) == ([], [])


def test_content_is_equal_wherever_a_record_stood() -> None:
    one, other = (span("a", source=SourceRef(path=p, offset=1)) for p in "pq")
    assert content_of(one) == content_of(other)
    assert content_of(one) != content_of(replace(other, name="b"))
    assert content_of(log()) != content_of(log(body="y"))


def test_files_in_any_order_give_the_same_traces(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "abc"]
    paths[0].write_bytes(line(1) + b"\n" + line(2))
    paths[1].write_bytes(line(2) + b"\n" + line(3))
    paths[2].write_bytes(json.dumps(as_dict(logs(2))).encode())
    traces, losses = group_paths(*paths)
    assert group_paths(*reversed(paths)) == (traces, losses)
    assert group_paths(*paths, memory_limit=1) == (traces, losses)
    assert [len(trace.spans) for trace in traces] == [3, 3, 3]
    assert [loss.outcome for loss in losses] == ["duplicate"] * 3
    assert [event.name for event in traces[1].spans[0].events] == ["gen_ai.choice"]
