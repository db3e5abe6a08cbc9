"""Turns that the spans themselves tell apart and number."""

from dataclasses import replace

import pytest

from ingest import RawSpan, Span, SpanKind
from stages.told_turns import told_order
from tests.stages.assembling import conversation_of, turns_of


def span(
    span_id: str,
    start: int,
    turn: str | None = None,
    parent: str | None = None,
    kind: SpanKind = SpanKind.LLM,
    *,
    trace_id: str = "t",
    says: str = "x",
) -> Span:
    raw = RawSpan(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent,
        name=span_id,
        start_ns=start * 10**9,
        end_ns=(start + 1) * 10**9,
    )
    return Span(
        raw=raw,
        kind=kind,
        turn=turn,
        conversation_id="c",
        input_text=f"{says}?",
        output_text=f"{says}!",
    )


def test_one_trace_is_parted_where_its_spans_say() -> None:
    turns = turns_of(
        span("session", 0, kind=SpanKind.OTHER),
        span("a", 1, "1", "session", says="one"),
        span("b", 3, None, "session", kind=SpanKind.OTHER),
        span("c", 5, "2", "session", says="two"),
        span("d", 6, None, "c", kind=SpanKind.TOOL),
    )
    assert [[row.span_id for row in turn.spans] for turn in turns] == [
        ["session", "a", "b"],
        ["c", "d"],
    ]
    assert [turn.question for turn in turns] == ["one?", "two?"]


def test_one_turn_for_all_spans_parts_nothing() -> None:
    (turn,) = turns_of(span("a", 1, "1"), span("b", 3, "1"))
    assert len(turn.spans) == 2


def test_numbers_come_before_clocks() -> None:
    traces = [
        [span("a", 9, "1", trace_id="x", says="one")],
        [span("b", 1, "10", trace_id="y", says="ten")],
        [span("c", 5, "2", trace_id="z", says="two")],
    ]
    for order in (traces, traces[::-1]):
        turns = conversation_of(*order).turns
        assert [turn.question for turn in turns] == ["one?", "two?", "ten?"]
    bare = [[replace(one, turn=None) for one in trace] for trace in traces]
    assert [turn.question for turn in conversation_of(*bare).turns] == ["ten?", "two?", "one?"]


@pytest.mark.parametrize(
    ("told", "order"),
    [
        pytest.param(["2", "1"], [2, 1], id="numbers"),
        pytest.param(["2", None], None, id="one tells none"),
        pytest.param(["2", "2"], None, id="one twice"),
        pytest.param(["2", "b"], None, id="no number"),
        pytest.param(["2", "9" * 10], None, id="too long to be meant"),
        pytest.param(["2", "²"], None, id="no digit of ours"),
        pytest.param([], [], id="no turn"),
    ],
)
def test_only_numbers_of_all_turns_order_them(
    told: list[str | None], order: list[int] | None
) -> None:
    assert told_order(told) == order
