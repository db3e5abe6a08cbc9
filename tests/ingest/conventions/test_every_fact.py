"""Where every recorder writes conversation, texts, tokens and model, by one row each.

A row is a span as its recorder writes it, and one fact that it tells. What agents, tools and
searches did is in `test_every_step`.
"""

import json
from typing import Any

import pytest

from ingest.span import Message, RawEvent, Span
from tests.ingest.conventions.recordings import made

USER = [{"role": "user", "parts": [{"type": "text", "content": "Hello"}]}]
OI, GENAI, LLMETRY = "openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind"
VERCEL, MLFLOW, LANGFUSE = "ai.operationId", "mlflow.spanType", "langfuse.observation.type"


def question(span: Span) -> str | None:
    return _text(span.input_messages, "user") or span.input_text


def answer(span: Span) -> str | None:
    return _text(span.output_messages, "assistant") or span.output_text


def _text(messages: tuple[Message, ...] | None, role: str) -> str | None:
    return next((m.text for m in reversed(messages or ()) if m.role == role), None)


def tokens(span: Span) -> tuple[Any, ...]:
    used = span.usage
    assert used is not None
    return used.input_tokens, used.output_tokens, used.cached_tokens, used.cache_write_tokens


def conversation(span: Span) -> str | None:
    return span.conversation_id


ROWS = [
    pytest.param(
        {OI: "AGENT", "session.id": "c-1"}, conversation, "c-1", id="openinference session"
    ),
    pytest.param(
        {LLMETRY: "workflow", "traceloop.association.properties.thread_id": "c-1"},
        conversation,
        "c-1",
        id="openllmetry thread",
    ),
    pytest.param(
        {LLMETRY: "workflow", "traceloop.association.properties.session_id": "c-1"},
        conversation,
        "c-1",
        id="openllmetry session",
    ),
    pytest.param(
        {LANGFUSE: "span", "langfuse.session.id": "c-1"}, conversation, "c-1", id="langfuse session"
    ),
    pytest.param(
        {VERCEL: "ai.generateText", "ai.telemetry.metadata.sessionId": "c-1"},
        conversation,
        "c-1",
        id="vercel session, versions 4 to 6",
    ),
    pytest.param(
        {VERCEL: "ai.generateText", "ai.settings.context.sessionId": "c-1"},
        conversation,
        "c-1",
        id="vercel session, version 7",
    ),
    pytest.param(
        {"gcp.vertex.agent.session_id": "c-1", GENAI: "generate_content"},
        conversation,
        "c-1",
        id="adk session",
    ),
    pytest.param(
        {GENAI: "invoke_agent", "gen_ai.thread.id": "c-1"}, conversation, "c-1", id="azure thread"
    ),
    pytest.param(
        {"langsmith.span.kind": "chain", "langsmith.trace.session_id": "project"},
        conversation,
        None,
        id="langsmith session is a project",
    ),
    # the user's question
    pytest.param(
        {GENAI: "chat", "gen_ai.input.messages": USER}, question, "Hello", id="genai structure"
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.input.messages": json.dumps(USER)},
        question,
        "Hello",
        id="genai text",
    ),
    pytest.param({OI: "AGENT", "input.value": "Hello"}, question, "Hello", id="openinference root"),
    pytest.param(
        {MLFLOW: '"AGENT"', "mlflow.spanInputs": '{"question": "Hello"}'},
        question,
        "Hello",
        id="mlflow root",
    ),
    pytest.param(
        {LANGFUSE: "agent", "langfuse.trace.input": '"Hello"'},
        question,
        "Hello",
        id="langfuse trace",
    ),
    pytest.param(
        {VERCEL: "ai.generateText", "ai.prompt": '{"prompt": "Hello"}'},
        question,
        "Hello",
        id="vercel prompt",
    ),
    pytest.param(
        {
            VERCEL: "ai.generateText.doGenerate",
            "ai.prompt.messages": '[{"role":"user","content":[{"type":"text","text":"Hello"}]}]',
        },
        question,
        "Hello",
        id="vercel messages",
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hello"},
        question,
        "Hello",
        id="openllmetry before 0.50",
    ),
    # answers
    pytest.param(
        {VERCEL: "ai.generateText", "ai.response.text": "Hi"}, answer, "Hi", id="vercel answer"
    ),
    pytest.param(
        {VERCEL: "ai.generateObject", "ai.response.object": '{"a": 1}'},
        answer,
        '{"a": 1}',
        id="vercel object",
    ),
    pytest.param(
        {OI: "LLM", "llm.output_messages.0.message.role": "assistant"}
        | {"llm.output_messages.0.message.contents.0.message_content.type": "text"}
        | {"llm.output_messages.0.message.contents.0.message_content.text": "Hi"},
        answer,
        "Hi",
        id="openinference contents",
    ),
    pytest.param(
        {GENAI: "invoke_agent", "final_result": "Hi", "logfire.msg": "a run"},
        answer,
        "Hi",
        id="pydantic ai final result",
    ),
    pytest.param(
        {LANGFUSE: "agent", "langfuse.trace.output": '"Hi"'},
        answer,
        "Hi",
        id="langfuse trace output",
    ),
    # tokens
    pytest.param(
        {GENAI: "chat", "gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 2}
        | {
            "gen_ai.usage.cache_read.input_tokens": 4,
            "gen_ai.usage.cache_creation.input_tokens": 1,
            "gen_ai.usage.reasoning.output_tokens": 1,
        },
        tokens,
        (9, 2, 4, 1),
        id="genai tokens, cache_creation",
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.usage.input_tokens": 9, "gen_ai.usage.cache_write.input_tokens": 1},
        tokens,
        (9, None, None, 1),
        id="genai tokens, cache_write",
    ),
    pytest.param(
        {OI: "LLM", "llm.token_count.prompt": 9, "llm.token_count.completion": 2}
        | {"llm.token_count.total": 11, "llm.token_count.prompt_details.cache_read": 4},
        tokens,
        (9, 2, 4, None),
        id="openinference tokens",
    ),
    pytest.param(
        {MLFLOW: '"LLM"', "mlflow.chat.tokenUsage": '{"input_tokens": 9, "output_tokens": 2}'},
        tokens,
        (9, 2, None, None),
        id="mlflow tokens",
    ),
    pytest.param(
        {
            VERCEL: "ai.generateText",
            "gen_ai.usage.input_tokens": 9,
            "gen_ai.usage.output_tokens": 2,
        },
        tokens,
        (9, 2, None, None),
        id="vercel under the names of the standard",
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.usage.prompt_tokens": 9, "gen_ai.usage.completion_tokens": 2},
        tokens,
        (9, 2, None, None),
        id="the old names of the standard",
    ),
    # models and times
    pytest.param(
        {OI: "LLM", "llm.response.model_name": "m"}, lambda s: s.model, "m", id="response model"
    ),
    pytest.param(
        {OI: "LLM", "llm.request.model_name": "m"}, lambda s: s.model, "m", id="request model"
    ),
    pytest.param(
        {VERCEL: "ai.embed", "ai.model.id": "m"}, lambda s: s.model, "m", id="vercel model"
    ),
    pytest.param(
        {LANGFUSE: "generation", "langfuse.observation.model.name": "m"},
        lambda s: s.model,
        "m",
        id="langfuse model",
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.response.time_to_first_chunk": 0.25},
        lambda s: s.first_output_ms,
        250.0,
        id="seconds to the first chunk",
    ),
    pytest.param(
        {VERCEL: "ai.streamText", "ai.response.msToFirstChunk": 250},
        lambda s: s.first_output_ms,
        250.0,
        id="milliseconds to the first chunk",
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.system": "strands-agents"}
        | {"gen_ai.server.time_to_first_token": 250},
        lambda s: s.first_output_ms,
        250.0,
        id="strands' milliseconds",
    ),
    # what stands elsewhere
    *(
        pytest.param(
            {GENAI: "chat", f"gen_ai.{what}_ref": "s3://bucket/1"},
            lambda s: (s.content, s.flags),
            ("not_captured", ("content_by_reference",)),
            id=f"{what} uploaded",
        )
        for what in ("input.messages", "output.messages", "system_instructions", "tool.definitions")
    ),
]


@pytest.mark.parametrize(("attributes", "fact", "expected"), ROWS)
def test_a_fact_is_read(attributes: dict[str, Any], fact: Any, expected: Any) -> None:
    assert fact(made(attributes)) == expected


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("gen_ai.client.inference.operation.details", id="details"),
        pytest.param("gen_ai.user.message", id="message"),
        pytest.param("gen_ai.content.prompt", id="prompt"),
    ],
)
def test_content_in_events(name: str) -> None:
    attributes: dict[str, Any] = {
        "gen_ai.client.inference.operation.details": {"gen_ai.input.messages": json.dumps(USER)},
        "gen_ai.user.message": {"content": "Hello"},
        "gen_ai.content.prompt": {"gen_ai.prompt": "Hello"},
    }[name]
    span = made({GENAI: "chat"}, events=(RawEvent(name=name, attributes=attributes),))
    assert question(span) == "Hello"
