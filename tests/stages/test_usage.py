import pytest

from ingest.span import Span, SpanKind, Usage
from stages.usage import covered_ms
from tests.builders import (
    agent_span,
    assistant,
    llm_span,
    request,
    retriever_span,
    router_span,
    span,
    tool_span,
)
from tests.stages.assembling import turn_of


def usage(input_tokens: int | None = 10, output_tokens: int | None = 2) -> Usage:
    return Usage(input_tokens=input_tokens, output_tokens=output_tokens, cached_tokens=1)


AGENT = agent_span("a1", "How long?", "Thirty days.", usage=usage(999, 999))


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([], (999, 999, 1), id="an agent's sum where no call tells"),
        pytest.param([llm_span("l1", usage=usage())], (10, 2, 1), id="calls, not the agent's sum"),
        pytest.param(
            [llm_span("l1", usage=usage()), llm_span("l2", usage=usage(None, 3))],
            (10, 5, 2),
            id="what one call does not tell is left out",
        ),
        pytest.param(
            [agent_span("a2", parent_id="a1", usage=usage(5, 5))],
            (999, 999, 1),
            id="an inner agent's sum is in the outer one's",
        ),
    ],
)
def test_tokens_are_counted_once(spans: list[Span], expected: tuple[int, int, int]) -> None:
    turn = turn_of(AGENT, *spans)
    assert (turn.input_tokens, turn.output_tokens, turn.cached_tokens) == expected


def test_tokens_nobody_tells_are_unknown_not_zero() -> None:
    turn = turn_of(agent_span("a1", "How long?", "Thirty days."))
    assert (turn.input_tokens, turn.output_tokens, turn.cached_tokens) == (None, None, None)
    assert turn.use == {}


def test_each_span_is_counted_to_one_stage() -> None:
    turn = turn_of(
        AGENT,
        span("http", parent_id="a1"),
        router_span("o1", "hr", at_s=0),
        llm_span("l0", "route", '{"route": "hr"}', parent_id="o1", at_s=0.2, lasts_s=0.5),
        llm_span("l1", "How long?", assistant(None, request()), at_s=1, usage=usage()),
        tool_span("x1", "stock", {}, "1", call_id="c1", at_s=2),
        llm_span("l2", "expand", "more words", parent_id="x1", at_s=2.2, lasts_s=0.1),
        retriever_span("r1", "q", ["x"], at_s=2.5),
        span("k1", SpanKind.RERANKER, parent_id="a1", at_s=3.5),
        llm_span("l3", "How long?", "Thirty days.", at_s=5, usage=usage(20, 4)),
        llm_span("l4", "title?", "Returns", at_s=7, usage=usage(3, 1)),
    )
    stages = {row.span_id: row.stage for row in turn.spans}
    assert stages == {
        "a1": None,
        "http": None,
        "o1": "routing",
        "l0": "routing",
        "l1": "routing",
        "x1": "retrieval",
        "l2": "retrieval",
        "r1": "retrieval",
        "k1": "retrieval",
        "l3": "generation",
        "l4": "generation",
    }
    assert {stage: (u.duration_ms, u.input_tokens) for stage, u in turn.use.items()} == {
        "routing": (2000.0, 10),
        "retrieval": (2500.0, None),
        "generation": (2000.0, 23),
    }


def test_calls_before_the_last_one_route_when_nothing_was_fetched() -> None:
    turn = turn_of(
        AGENT,
        llm_span("l1", "classify", "faq"),
        llm_span("l2", "How long?", "Thirty days.", at_s=2),
    )
    stages = {row.span_id: row.stage for row in turn.spans}
    assert (stages["l1"], stages["l2"]) == ("routing", "generation")


def test_a_tool_that_runs_an_agent_is_no_time_of_its_own() -> None:
    turn = turn_of(
        AGENT,
        tool_span("x1", "ask_hr", {}, "Yes.", at_s=1, lasts_s=6),
        agent_span("a2", "x", "Yes.", agent="hr", parent_id="x1", at_s=1),
        retriever_span("r1", "q", ["x"], parent_id="a2", at_s=2),
    )
    assert turn.use.keys() == {"retrieval"}
    assert turn.use["retrieval"].duration_ms == 1000.0


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        pytest.param([], None, id="no span"),
        pytest.param([(None, None)], None, id="no time"),
        pytest.param([(0, 1)], 1000.0, id="one"),
        pytest.param([(0, 1), (2, 1)], 2000.0, id="apart"),
        pytest.param([(0, 2), (1, 2)], 3000.0, id="overlapping"),
        pytest.param([(0, 5), (1, 1)], 5000.0, id="inside"),
        pytest.param([(0, -1)], None, id="it ended before it began"),
        pytest.param([(0, 0)], 0.0, id="no time passed"),
    ],
)
def test_covered_time(
    times: list[tuple[float | None, float | None]], expected: float | None
) -> None:
    spans = [span(f"s{n}", at_s=at, lasts_s=lasts) for n, (at, lasts) in enumerate(times)]
    assert covered_ms(spans) == expected


def test_the_first_output_is_counted_from_the_start_of_the_turn() -> None:
    turn = turn_of(
        AGENT, llm_span("l1", "How long?", "Thirty days.", at_s=2, first_output_ms=250.0)
    )
    assert turn.generation is not None
    assert turn.generation.first_output_ms == 2250.0
