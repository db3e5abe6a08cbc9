"""Spans of the Vercel AI SDK, version 6."""

import pytest

from ingest.conventions import to_span
from ingest.span import Message, RawSpan, SpanKind, ToolRequest, ToolResponse
from tests.traces.expectations import Expected, seen, spans_of, turns_of
from tests.traces.loading import file, parsed

FILES = {
    "ai-generateObject.json": Expected(
        question="Generate a simple recipe for scrambled eggs.",
        answer='{"name":"Scrambled Eggs","ingredients":["2 eggs","2 tablespo',
        agents="test-generate-object",
        tokens=(63, 156),
    ),
    "ai-streamText-doStream.json": Expected(
        question="Write a short poem about TypeScript.",
        answer="In code’s embrace, where types align,  \nTypeScript dances, c",
        agents="test-stream-text",
        tokens=(15, 112),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_call(name: str) -> None:
    (turn,) = turns_of(f"vercel-openinference/{name}")
    assert seen(turn) == FILES[name]


def test_a_prompt_and_a_conversation() -> None:
    second, first = turns_of("vercel-openinference/ai-generateText.json")
    assert seen(first) == Expected(
        question="Write a haiku about programming.",
        answer="Lines of code align,  \nLogic dances through the night—  \nDre",
        agents="test-generate-text",
        tokens=(14, 20),
    )
    assert seen(second) == Expected(
        question="And what is 3 + 3?",
        answer="3 + 3 equals 6.",
        agents="test-generate-text-messages",
        tokens=(50, 9),
    )
    assert [message.text for message in second.history] == ["What is 2 + 2?", "2 + 2 equals 4."]


def test_an_embedding_answers_nothing() -> None:
    (span,) = spans_of("vercel-openinference/ai-embed-doEmbed.json")
    assert (span.kind, span.model) == (SpanKind.EMBEDDING, "text-embedding-3-small")
    assert turns_of("vercel-openinference/ai-embed-doEmbed.json") == []


@pytest.mark.parametrize(
    "name",
    ["openinference_client_span_input_output_only", "otel_genai_deprecated_client_span_tool_calls"],
)
def test_one_call_under_the_names_of_two_conventions(name: str) -> None:
    attributes = parsed(file(f"vercel-openinference/{name}.json"))
    span = to_span(RawSpan(trace_id="t", span_id="s", name="chat gpt-4", attributes=attributes))
    request = ToolRequest(call_id="1234", name="get_weather", arguments={"location": "Paris"})
    response = ToolResponse(call_id="1234", name=None, result="rainy, 57°F")
    assert span.input_messages == (
        Message(role="user", text="Weather in Paris?"),
        Message(
            role="assistant",
            text="Absolutely! Let me check the weather for you.",
            tool_requests=(request,),
        ),
        Message(role="tool", tool_responses=(response,)),
    )
    (answer,) = span.output_messages or ()
    assert answer.text == "The weather in Paris is currently rainy with a temperature of 57°F."
    assert (span.kind, span.model) == (SpanKind.LLM, "gpt-4-0613")
    assert span.usage is not None
    assert (span.usage.input_tokens, span.usage.output_tokens) == (97, 52)
