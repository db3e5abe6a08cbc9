import pytest

from ingest.span import Message, Span, ToolFact, ToolResponse, Value
from stages.records import ToolCall
from tests.builders import (
    agent_span,
    assistant,
    definition,
    llm_span,
    request,
    retriever_span,
    tool_reply,
    tool_span,
    user,
)
from tests.stages.assembling import turn_of

AGENT = agent_span("a1", "stock?", "A has 1.")


def calls_of(*spans: Span) -> tuple[ToolCall, ...]:
    return turn_of(AGENT, *spans).tool_calls


def asking(*requests: object, span_id: str = "l1", at_s: float = 0, **fields: object) -> Span:
    return llm_span(span_id, "stock?", assistant(None, *requests), at_s=at_s, **fields)  # type: ignore[arg-type]


def told(*messages: Message, at_s: float = 5) -> Span:
    return llm_span("l9", (user("stock?"), *messages), "A has 1.", at_s=at_s)


def test_parallel_calls_are_paired_by_id_whatever_their_order() -> None:
    calls = calls_of(
        asking(request("stock", {"sku": "A"}, "c1"), request("stock", {"sku": "B"}, "c2")),
        tool_span("x1", "stock", {"sku": "B"}, "2", call_id="c2", at_s=2),
        tool_span("x2", "stock", {"sku": "A"}, "1", call_id="c1", at_s=2.5, parent_id="x1"),
    )
    assert [(c.call_id, c.arguments, c.result, c.prior) for c in calls] == [
        ("c2", {"sku": "B"}, "2", ()),
        ("c1", {"sku": "A"}, "1", ()),
    ]


def test_without_ids_equal_arguments_pair_and_position_never_does() -> None:
    calls = calls_of(
        asking(request("stock", {"sku": "A"}, "c1"), request("stock", {"sku": "B"}, "c2")),
        tool_span("x1", "stock", {"sku": "B"}, "2", at_s=2),
        tool_span("x2", "stock", {"sku": "A"}, "1", at_s=3),
    )
    assert [(c.call_id, c.result) for c in calls] == [("c2", "2"), ("c1", "1")]


def test_the_only_call_of_a_name_needs_no_arguments_to_be_paired() -> None:
    fact = ToolFact(name="stock", arguments_capture="not_captured", result="1")
    (call,) = calls_of(
        asking(request("stock", {"sku": "A"}, "c1")), tool_span("x1", fact=fact, at_s=2)
    )
    assert (call.call_id, call.arguments, call.result) == ("c1", {"sku": "A"}, "1")


def test_calls_that_cannot_be_told_apart_are_not_counted_twice() -> None:
    fact = ToolFact(name="stock", arguments_capture="not_captured", result="1")
    calls = calls_of(
        asking(request("stock", {"sku": "A"}, None), request("stock", {"sku": "B"}, None)),
        tool_span("x1", fact=fact, at_s=2),
        tool_span("x2", fact=fact, at_s=3),
    )
    assert [call.call_id for call in calls] == ["call-1", "call-2"]


def test_a_call_seen_in_messages_only_counts_too() -> None:
    (call,) = calls_of(
        asking(request("stock", {"sku": "A"}, "c1")),
        told(assistant(None, request("stock", {"sku": "A"}, "c1")), tool_reply("1", "c1")),
    )
    assert (call.name, call.arguments, call.result, call.status) == (
        "stock",
        {"sku": "A"},
        "1",
        "ok",
    )
    assert call.span_id == "l1"


def test_a_request_that_only_the_next_prompt_shows_counts_once() -> None:
    (call,) = calls_of(
        llm_span("l1", "stock?", at_s=0),
        told(assistant(None, request("stock", {"sku": "A"}, "c1")), tool_reply("1", "c1")),
    )
    assert (call.call_id, call.result) == ("c1", "1")


def test_a_wish_that_the_next_prompt_shows_under_another_id_is_one_call() -> None:
    (call,) = calls_of(
        asking(request("stock", {"sku": "A"}, "item_7")),
        tool_span("x1", "stock", {"sku": "A"}, "1", at_s=2),
        told(assistant(None, request("stock", {"sku": "A"}, "c1")), tool_reply("1", "c1")),
    )
    assert call.call_id == "c1"


def test_the_id_that_the_result_bears_counts() -> None:
    (call,) = calls_of(
        asking(request("stock", {"sku": "A"}, "c1")),
        told(assistant(None, request("stock", {"sku": "A"}, "item_7")), tool_reply("1", "c1")),
    )
    assert (call.call_id, call.result) == ("c1", "1")


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        pytest.param({"answer": "A has 1."}, "A has 1.", id="handed back"),
        pytest.param({"args": ["A has 1."]}, None, id="no result recorded"),
    ],
)
def test_a_tool_that_only_hands_the_answer_back_is_no_call(arguments: Value, result: Value) -> None:
    turn = turn_of(AGENT, tool_span("x1", "final_answer", arguments, result))
    assert (turn.tool_calls, turn.evidence) == ((), ())


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        pytest.param({"answer": 7}, "7", id="a number"),
        pytest.param({"args": [7.5]}, "7.5", id="a number by position"),
        pytest.param({"answer": {"left": 7}}, "{'left': 7}", id="an object, printed"),
        pytest.param({"answer": {"left": 7}}, '{"left": 7}', id="an object, as JSON"),
    ],
)
def test_a_value_handed_back_is_no_call(arguments: Value, answer: str) -> None:
    fact = ToolFact(name="final_answer", arguments=arguments, result_capture="not_captured")
    spans = (agent_span("a1", "stock?", answer), tool_span("x1", fact=fact, at_s=1))
    assert turn_of(*spans).tool_calls == ()
    two = tool_span("x1", "stock", {"answer": 7, "sku": "A"}, at_s=1)
    assert [call.name for call in turn_of(spans[0], two).tool_calls] == ["stock"]


def test_a_result_that_was_read_before_a_call_began_is_not_its_own() -> None:
    fact = ToolFact(name="stock", arguments={"sku": "A"}, result_capture="not_captured")
    loose = ToolResponse(call_id=None, name=None, result="an older result")
    reply = Message(role="tool", tool_responses=(loose,))
    (call,) = calls_of(told(reply, at_s=5), tool_span("x1", fact=fact, at_s=9))
    assert (call.result, call.status) == (None, "unknown")
    (call,) = calls_of(told(reply, at_s=12), tool_span("x1", fact=fact, at_s=9))
    assert (call.result, call.status) == ("an older result", "ok")


def test_a_tool_whose_result_is_the_answer_is_a_call() -> None:
    (call,) = calls_of(tool_span("x1", "stock", {"sku": "A"}, "A has 1."))
    assert call.result == "A has 1."


def test_an_agent_beside_the_tool_that_ran_it_is_a_delegation() -> None:
    turn = turn_of(
        AGENT,
        tool_span("x1", "ask_stock_expert", {"q": "A?"}, "A has 1.", at_s=1, lasts_s=4),
        agent_span("a2", "A?", agent="Stock Expert", parent_id=None, at_s=2, lasts_s=2),
        llm_span("l1", "A?", "A has 1.", parent_id="a2", at_s=3, lasts_s=0.5),
        llm_span("l2", (user("stock?"), tool_reply("A has 1.")), "A has 1.", at_s=6),
    )
    assert turn.tool_calls == ()
    assert turn.routing is not None
    assert [choice.name for choice in turn.routing.agents] == [
        "shop-bot",
        "Stock Expert",
        "shop-bot",
    ]


def test_calls_of_earlier_turns_in_the_history_are_not_this_turns() -> None:
    messages = (
        user("before?"),
        assistant(None, request("stock", {"sku": "Z"}, "c0")),
        tool_reply("0", "c0"),
        assistant("None."),
        user("stock?"),
    )
    assert calls_of(llm_span("l1", messages, "A has 1.")) == ()


def test_the_result_comes_from_the_messages_when_the_span_lacks_it() -> None:
    fact = ToolFact(name="stock", call_id="c1", result=None, result_capture="not_captured")
    (call,) = calls_of(
        asking(request("stock", {"sku": "A"}, "c1")),
        tool_span("x1", fact=fact, at_s=2),
        told(tool_reply("1", "c1")),
    )
    assert (call.result, call.status) == ("1", "ok")


@pytest.mark.parametrize(
    ("fact", "status", "result"),
    [
        pytest.param(ToolFact(name="t", result="7"), "ok", "7", id="a result"),
        pytest.param(ToolFact(name="t", result=[]), "empty", [], id="nothing found"),
        pytest.param(
            ToolFact(name="t", is_error=True, error="503"), "error", None, id="the span failed"
        ),
        pytest.param(
            ToolFact(name="t", result="<gone>", result_capture="not_captured"),
            "unknown",
            None,
            id="a placeholder is no result",
        ),
    ],
)
def test_status_of_an_execution(fact: ToolFact, status: str, result: object) -> None:
    (call,) = calls_of(tool_span("x1", fact=fact))
    assert (call.status, call.result) == (status, result)


def test_what_was_not_captured_leaves_a_gap_and_no_evidence() -> None:
    fact = ToolFact(
        name="t", arguments_capture="not_captured", result=None, result_capture="not_captured"
    )
    turn = turn_of(AGENT, tool_span("x1", fact=fact))
    assert turn.evidence == ()
    assert [(gap.stage, gap.reason, gap.span_id) for gap in turn.gaps] == [
        ("routing", "tool_arguments_not_captured", "x1"),
        ("retrieval", "tool_result_not_captured", "x1"),
    ]


def test_a_cut_result_is_flagged_and_kept() -> None:
    fact = ToolFact(name="t", result="long te", result_capture="truncated")
    (call,) = calls_of(tool_span("x1", fact=fact))
    assert (call.truncated, call.result, call.status) == (True, "long te", "ok")


def test_two_spans_of_one_call_are_one_call() -> None:
    (call,) = calls_of(
        tool_span("x1", "stock", {"sku": "A"}, call_id="c1"),
        tool_span("x2", "stock", {"sku": "A"}, "1", call_id="c1", at_s=0.1),
    )
    assert (call.call_id, call.result, call.span_id) == ("c1", "1", "x1")


def test_a_tool_server_span_below_the_tool_span_is_the_same_call() -> None:
    (call,) = calls_of(
        tool_span("x1", "stock", {"sku": "A"}, "1"),
        tool_span("x2", "tools/call stock", {"sku": "A"}, "1", parent_id="x1", at_s=0.1),
    )
    assert (call.name, call.result) == ("stock", "1")


def test_results_that_were_known_are_prior_to_a_call() -> None:
    calls = calls_of(
        asking(request("find", {"n": 1}, "c1")),
        tool_span("x1", "find", {"n": 1}, "A", call_id="c1", at_s=2),
        asking(request("stock", {"sku": "A"}, "c2"), span_id="l2", at_s=4),
        tool_span("x2", "stock", {"sku": "A"}, "1", call_id="c2", at_s=6),
    )
    assert [(call.call_id, call.prior) for call in calls] == [("c1", ()), ("c2", ("c1",))]


def test_a_call_carries_the_catalogue_of_its_agent() -> None:
    tools = (definition("stock"), definition("price"))
    turn = turn_of(
        AGENT,
        llm_span("l1", "stock?", assistant(None, request("stock")), tools_available=tools),
        tool_span("x1", "stock", call_id="c1", at_s=2),
        agent_span("a2", parent_id="a1", agent="helper", at_s=3),
        tool_span("x2", "stock", {}, "1", parent_id="a2", call_id="c2", at_s=4),
    )
    assert [(call.agent, call.catalogue) for call in turn.tool_calls] == [
        ("shop-bot", tools),
        ("helper", None),
    ]


def test_handoffs_are_no_tool_calls() -> None:
    turn = turn_of(
        AGENT,
        asking(request("transfer_to_billing", {}, "c1"), request("ask_hr", {"q": "x"}, "c2")),
        tool_span("x1", "transfer_to_billing", call_id="c1", at_s=1),
        tool_span("x2", "ask_hr", {"q": "x"}, "yes", call_id="c2", at_s=2, lasts_s=3),
        agent_span("a2", "x", "yes", parent_id="x2", agent="hr", at_s=2.5, lasts_s=1),
    )
    assert turn.tool_calls == ()
    assert turn.routing is not None
    assert [choice.name for choice in turn.routing.agents] == ["shop-bot", "billing", "hr"]


def test_a_search_by_a_tool_is_marked_and_its_chunks_are_the_evidence() -> None:
    found: Value = [{"id": "p-1", "text": "Thirty days."}]
    turn = turn_of(AGENT, tool_span("x1", "search", {"query": "returns"}, found, call_id="c1"))
    assert turn.tool_calls[0].is_retrieval
    assert [item.evidence_id for item in turn.evidence] == ["p-1"]


def test_a_retriever_below_a_tool_is_one_retrieval_of_that_tool() -> None:
    turn = turn_of(
        AGENT,
        tool_span("x1", "kb", {"query": "returns"}, "Thirty days.", call_id="c1"),
        retriever_span("r1", None, ["Thirty days."], parent_id="x1", at_s=0.1),
    )
    (search,) = turn.retrievals
    assert (search.call_id, search.query, search.retrieval_id) == ("c1", "returns", "r1")
    assert turn.tool_calls[0].is_retrieval


def test_a_long_loop_stays_fast_and_bounded() -> None:
    spans = [
        tool_span(f"x{n:05}", "stock", {"n": n}, "1", call_id=f"c{n}", at_s=n) for n in range(2_000)
    ]
    calls = calls_of(*spans)
    assert len(calls) == 2_000
    assert len(calls[-1].prior) == 200


@pytest.mark.parametrize(
    ("recorded", "asked"), [("fc_1", "call_1"), ("call_1", "fc_1"), ("call_1", "call_1")]
)
def test_the_two_ids_of_one_call(recorded: str, asked: str) -> None:
    (call,) = calls_of(
        asking(request("stock", {"sku": "A"}, asked)),
        tool_span("x1", "stock", {"sku": "A"}, None, call_id=recorded, at_s=1),
        told(tool_reply("1", asked)),
    )
    assert (call.name, call.result) == ("stock", "1")


def test_ids_of_two_calls_stay_two() -> None:
    calls = calls_of(
        asking(request("stock", {"sku": "A"}, "call_2")),
        tool_span("x1", "stock", {"sku": "A"}, "1", call_id="call_1", at_s=1),
    )
    assert len(calls) == 2
