"""Spans of the Vercel AI SDK, version 6."""

import pytest

from ingest.span import SpanKind
from tests.traces.expectations import Expected, seen, spans_of, turns_of
from tests.traces.loading import vercel

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
    (turn,) = turns_of(f"vercel-openinference/{name}", vercel)
    assert seen(turn) == FILES[name]


def test_a_prompt_and_a_conversation() -> None:
    second, first = turns_of("vercel-openinference/ai-generateText.json", vercel)
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
    (span,) = spans_of("vercel-openinference/ai-embed-doEmbed.json", vercel)
    assert (span.kind, span.model) == (SpanKind.EMBEDDING, "text-embedding-3-small")
    assert turns_of("vercel-openinference/ai-embed-doEmbed.json", vercel) == []
