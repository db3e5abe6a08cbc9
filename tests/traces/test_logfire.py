"""Spans that Logfire and Pydantic AI assert in their own tests."""

import pytest

from ingest.span import Message, SpanKind, ToolRequest, ToolResponse, Usage
from stages import Turn
from tests.traces.expectations import Expected, assembled, seen, spans_of
from tests.traces.loading import file, snapshots

AGENTS = "logfire/test_openai_agents.snapshots.json"


def turns(name: str, test: str) -> list[Turn]:
    """Return the turns of one test's spans."""
    worlds = (raw for raw in snapshots(file(name)) if raw.trace_id.startswith(f"{test}-"))
    return assembled(worlds)


def test_a_handoff_between_agents() -> None:
    (turn,) = turns(AGENTS, "test_responses")
    assert seen(turn) == Expected(
        question="Generate a random number then, hand off to agent2.",
        answer="The random number generated is 4, and it's been handed off t",
        agents="agent1 > agent2",
        tools=(("random_number", {}, "ok"),),
        tokens=(89, 18),
    )
    assert turn.routing is not None
    assert [catalogue.agent for catalogue in turn.routing.catalogues] == ["agent1"]
    assert [agent.name for agent in turn.routing.candidates] == ["agent2"]


def test_two_runs_in_one_trace() -> None:
    assert [seen(turn) for turn in turns(AGENTS, "test_responses_simple")] == [
        Expected(question="2+2?", answer="2 + 2 = 4", agents="agent1", tokens=(11, 8)),
        Expected(question="4?", answer="Yes, that's correct!", agents="agent1", tokens=(28, 6)),
    ]


def test_a_tool_that_failed_and_was_answered_for() -> None:
    (turn,) = turns(AGENTS, "test_function_tool_exception")
    assert seen(turn) == Expected(
        question="Call the tool.",
        answer="It seems there was an error when trying to call the tool. If",
        agents="Start Agent",
        tools=(("tool", {}, "error"),),
        tokens=(244 + 283, 10 + 30),
    )
    assert turn.tool_calls[0].error == "Ouch, don't do that again!"
    assert turn.tool_calls[0].call_id == "call_OpJ32C09GImFzxYLe01MiOOd"


def test_a_guardrail_lets_pass_or_stops() -> None:
    passed, stopped = turns(AGENTS, "test_input_guardrails")
    assert seen(passed) == Expected(
        question="1+1?", answer="1 + 1 equals 2.", agents="my_agent", tokens=(29, 9)
    )
    assert passed.generation is not None
    assert passed.generation.flag is None
    assert stopped.generation is not None
    assert (stopped.generation.flag, stopped.generation.answer) == ("zero_guardrail", None)


def test_a_chat_completion_of_an_agent() -> None:
    (turn,) = turns(AGENTS, "test_chat_completions")
    assert seen(turn) == Expected(
        question="1+1?", answer="1 + 1 = 2", agents="my_agent", tokens=(11, 8)
    )


def test_voices_do_not_speak_for_the_agent() -> None:
    (turn,) = turns(AGENTS, "test_voice_pipeline")
    row = seen(turn)
    assert (row.question, row.agents, row.tokens) == ("あたし", "Assistant", (10, 41))
    assert (row.answer or "").startswith("「")


def test_a_tool_of_an_mcp_server_is_called_once() -> None:
    (turn,) = turns("logfire/test_openai_agents_mcp.snapshots.json", "test_mcp")
    assert seen(turn) == Expected(
        question="Give me a random number",
        answer="Here's a random number for you: 4",
        agents="Assistant",
        tools=(("random_number", {}, "ok"),),
        tokens=(51 + 83, 11 + 11),
    )


def test_an_agent_inside_a_tool_of_an_mcp_server() -> None:
    (turn,) = turns("logfire/test_pydantic_ai_mcp.snapshots.json", "test_pydantic_ai_mcp_sampling")
    row = seen(turn)
    assert row.question == "tell a joke about socks"
    assert row.answer == "Why did the sock break up with the shoe?\n\nBecause it found s"
    assert row.tools == (("joker", {"theme": "socks"}, "ok"),)
    assert row.tokens == (45 + 12 + 87, 15 + 20 + 21)


@pytest.mark.parametrize(
    ("test", "asked", "answered", "tokens"),
    [
        ("test_sync_chat_completions-0", "What is four plus five?", "Nine", (2, 1)),
        ("test_completions-10", "What is four plus five?", "Nine", (2, 1)),
        ("test_async_chat_completions-3", "What is four plus five?", "Nine", (2, 1)),
    ],
)
def test_calls_of_the_openai_client(
    test: str, asked: str, answered: str, tokens: tuple[int, int]
) -> None:
    (turn,) = turns("logfire/test_openai.snapshots.json", test)
    assert seen(turn) == Expected(question=asked, answer=answered, tokens=tokens)


@pytest.mark.parametrize(
    ("test", "answer", "tokens"),
    [
        ("test_sync_chat_completions_stream-8", "The answer is secret", (None, None)),
        ("test_completions_stream-18", "The answer is Nine", (None, None)),
        ("test_responses_stream-17", "Four plus five equals **nine**.", (13, 9)),
    ],
)
def test_a_stream_is_one_turn(
    test: str, answer: str, tokens: tuple[int | None, int | None]
) -> None:
    (turn,) = turns("logfire/test_openai.snapshots.json", test)
    question = "What is four plus five?"
    assert seen(turn) == Expected(question=question, answer=answer, tokens=tokens)


def test_content_left_out_by_gemini_is_a_state() -> None:
    (turn,) = turns(
        "logfire/test_google_genai.snapshots.json", "test_instrument_google_genai_no_content"
    )
    row = seen(turn)
    assert (row.question, row.answer, row.tokens) == (None, None, (39, 7))
    assert row.tools == (("get_current_weather", None, "unknown"),)
    assert turn.gap("question_not_captured") is not None
    assert turn.gap("answer_not_captured") is not None  # fmt: skip


def test_messages_of_pydantic_ai() -> None:
    span = spans_of("pydantic-ai/test_instrumented.snapshots.json", snapshots)[0]
    assert (span.kind, span.instructions) == (SpanKind.LLM, "instructions")
    assert span.usage == Usage(
        input_tokens=100, output_tokens=200, cached_tokens=20, cache_write_tokens=10
    )
    answered = (span.input_messages or ())[1].tool_responses
    assert answered[0] == ToolResponse(
        call_id="tool_call_3", name="tool3", result="tool_return_content"
    )
    (written,) = span.output_messages or ()
    assert written.tool_requests[:2] == (
        ToolRequest(call_id="tool_call_1", name="tool1", arguments="args1"),
        ToolRequest(call_id="tool_call_2", name="tool2", arguments={"args2": 3}),
    )
    assert isinstance(written, Message)


def test_calls_of_litellm_under_openinference() -> None:
    asked, answered = turns("logfire/test_litellm.snapshots.json", "test_litellm_instrumentation")
    place = {"location": "San Francisco, CA"}
    question = "What's the weather like in San Francisco?"
    assert seen(asked) == Expected(
        question=question,
        answer=None,
        tools=(("get_current_weather", place, "unknown"),),
        tokens=(80, 18),
    )
    assert seen(answered) == Expected(
        question=question,
        answer="The current temperature in San Francisco is 72°F. If you nee",
        tools=(("get_current_weather", place, "ok"),),
        tokens=(62, 26),
    )
