import pytest

from ingest.span import Span, Usage
from stages.model_calls import conversation_before, model_calls, since_question
from stages.tree import grow
from tests.builders import (
    agent_span,
    assistant,
    llm_span,
    request,
    span,
    system,
    tool_reply,
    tool_span,
    user,
)

USAGE = Usage(input_tokens=10, output_tokens=2)
MORE = Usage(input_tokens=30, output_tokens=6)


def calls_of(*spans: Span) -> list[tuple[str, Usage | None]]:
    tree = grow(spans)
    return [(call.span.span_id, call.usage) for call in model_calls(tree, tree.acting)]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([llm_span("l1", usage=USAGE)], [("l1", USAGE)], id="one span, one call"),
        pytest.param(
            [
                llm_span("l1", reply="Yes.", usage=USAGE),
                llm_span("l2", reply="Yes.", parent_id="l1", usage=USAGE),
            ],
            [("l2", USAGE)],
            id="framework and provider recorded one call",
        ),
        pytest.param(
            [
                llm_span("l1", reply="Yes.", usage=USAGE),
                llm_span("l2", parent_id="l1"),
            ],
            [("l2", USAGE)],
            id="tokens stand on the outer span only",
        ),
        pytest.param(
            [
                llm_span("l1", reply="Yes.", usage=MORE),
                llm_span("l2", reply="Look.", parent_id="l1", usage=USAGE),
                llm_span("l3", reply="Yes.", parent_id="l1", at_s=1, usage=USAGE),
            ],
            [("l2", USAGE), ("l3", USAGE)],
            id="a span above several calls is their sum",
        ),
        pytest.param(
            [
                llm_span("l1", usage=MORE),
                llm_span("l2", parent_id="l1"),
                llm_span("l3", parent_id="l1", at_s=1),
            ],
            [("l2", None), ("l3", MORE)],
            id="a sum that no call tells is kept once",
        ),
        pytest.param(
            [llm_span("l1", reply="A", usage=USAGE), llm_span("l2", reply="A", usage=USAGE)],
            [("l1", USAGE), ("l2", USAGE)],
            id="two calls side by side are two, whatever they said",
        ),
        pytest.param(
            [
                llm_span("l1", usage=USAGE),
                tool_span("x1", parent_id="l1"),
                llm_span("l2", parent_id="x1", usage=USAGE),
            ],
            [("l1", USAGE), ("l2", USAGE)],
            id="a call inside a tool that hangs below a call is another call",
        ),
        pytest.param([agent_span("a1", usage=MORE)], [], id="an agent's sum is no call"),
    ],
)
def test_each_call_is_counted_once(
    spans: list[Span], expected: list[tuple[str, Usage | None]]
) -> None:
    assert calls_of(*spans) == expected


def test_a_call_has_the_facts_of_all_its_spans() -> None:
    tree = grow(
        [
            agent_span("a1", agent="desk"),
            llm_span("l1", "Hi", "Hello", model="m1", usage=USAGE),
            llm_span("l2", parent_id="l1", first_output_ms=100.0, finish_reason="stop"),
        ]
    )
    (call,) = model_calls(tree, tree.acting)
    assert call.text == "Hello"
    assert call.read == (user("Hi"),)
    assert (call.model, call.usage, call.agent) == ("m1", USAGE, "desk")
    assert call.finish_reason == "stop"
    assert call.first_output_ns == tree.spans[0].raw.start_ns + 100_000_000  # type: ignore[operator]


def test_the_tail_after_the_question_holds_the_calls_of_this_turn_only() -> None:
    old, new = request("old", call_id="c0"), request("new", call_id="c1")
    messages = [
        user("First?"),
        assistant(None, old),
        tool_reply("1", "c0"),
        assistant("One."),
        user("Second?"),
        assistant(None, new),
        tool_reply("2", "c1"),
    ]
    assert since_question(messages) == tuple(messages[5:])


def test_tool_results_that_travel_as_user_messages_start_no_turn() -> None:
    reply = tool_reply("2", "c1")
    as_user = type(reply)(role="user", tool_responses=reply.tool_responses)
    messages = [user("Second?"), assistant(None, request()), as_user]
    assert since_question(messages) == tuple(messages[1:])


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([user("Now?")], (), id="nothing before"),
        pytest.param(
            [system("Be kind."), user("First?"), assistant("One."), user("Now?")],
            (user("First?"), assistant("One.")),
            id="texts of user and assistant, no system message",
        ),
        pytest.param([user("Other?")], None, id="the question is not in them"),
        pytest.param([], None, id="no messages"),
    ],
)
def test_history_is_what_stood_before_the_question(messages: list, expected: tuple | None) -> None:  # type: ignore[type-arg]
    assert conversation_before(messages, "Now?") == expected


def test_an_agents_noise_is_no_call() -> None:
    assert calls_of(agent_span("a1"), span("s1", parent_id="a1")) == []
