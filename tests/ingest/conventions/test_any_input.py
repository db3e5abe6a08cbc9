"""Whatever stands under a convention's names, translating a span does not fail."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ingest.conventions import to_span
from ingest.span import RawEvent, RawSpan, Span, SpanKind

KEYS = st.sampled_from(
    [
        "role", "type", "content", "parts", "text", "id", "name", "message", "messages", "tool_calls",
        "function", "arguments", "response", "result", "citations", "annotations", "kwargs", "lc", "data",
        "document", "documents", "metadata", "score", "node", "ids", "distances", "error", "isError", "status",
        "start_index", "end_index", "sources", "start", "end", "selections", "index", "choices", "answers",
        "questions", "0", "1", "message.role", "document.id", "generatedResponsePart", "retrievedReferences",
        "groundingMetadata", "groundingSupports", "groundingChunks", "segment", "args", "parameters", "finish_reason",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    ["user", "assistant", "tool", "text", "tool_call", "tool_result", "human", "ai", "reasoning", "hr", "[1]",
     "function_call", "function_call_output", "url_citation", "__REDACTED__", "Error: x", '{"a": 1', "", "0", "{}"]
)  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | WORDS
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
RECORDED = VALUES | VALUES.map(json.dumps) | VALUES.map(repr)
NAMES = st.sampled_from(
    [
        "gen_ai.operation.name", "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions",
        "gen_ai.tool.definitions", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "gen_ai.retrieval.documents",
        "gen_ai.retrieval.query.text", "gen_ai.transfer.mode", "gen_ai.response.finish_reasons", "gen_ai.prompt",
        "gen_ai.completion", "gen_ai.prompt.0.content", "gen_ai.usage.input_tokens", "gen_ai.conversation.id",
        "gen_ai.request.model", "events", "pydantic_ai.all_messages", "pydantic_ai.new_message_index", "final_result",
        "openinference.span.kind", "input.value", "output.value", "metadata", "llm.input_messages",
        "llm.output_messages.0.message.contents.0.message_content", "llm.output_messages.0.message.content",
        "llm.output_messages.0.message.tool_calls.0.tool_call", "llm.tools.0.tool.json_schema", "llm.prompts",
        "llm.token_count.prompt", "retrieval.documents", "retrieval.documents.0.document", "retrieval.documents.7.document.id",
        "reranker.output_documents.0.document.metadata", "tool.name", "tool.parameters", "db.query.retrieved_documents",
        "tenant", "error.type", "smolagents.tools_names", "llm.invocation_parameters", "session.id",
    ]
)  # fmt: skip
OPERATIONS = st.sampled_from(
    ["chat", "execute_tool", "retrieval", "invoke_agent", "handoff", "rerank"]
)
OI_KINDS = st.sampled_from(
    ["LLM", "TOOL", "RETRIEVER", "RERANKER", "CHAIN", "AGENT", "DECISION", "GUARDRAIL"]
)
SCOPES = st.sampled_from(
    ["", "pydantic-ai"]
    + [f"openinference.instrumentation.{name}" for name in ("langchain", "llama_index", "haystack", "openai_agents")]
)  # fmt: skip
SPAN_NAMES = st.sampled_from(
    ["router", "rewrite", "Sel._select", "R._retrieve", "handoff to x", "ConditionalRouter.run", ""]
)
EVENTS = st.builds(
    RawEvent,
    name=st.sampled_from(
        [
            "gen_ai.choice",
            "gen_ai.user.message",
            "gen_ai.content.prompt",
            "exception",
            "db.query.result",
        ]
    ),
    attributes=st.dictionaries(KEYS | st.just("gen_ai.prompt"), RECORDED, max_size=3),
    body=VALUES,
)


@given(
    attributes=st.dictionaries(NAMES, RECORDED, max_size=8),
    operation=st.none() | OPERATIONS,
    kind=st.none() | OI_KINDS,
    scope=SCOPES,
    name=SPAN_NAMES,
    events=st.lists(EVENTS, max_size=2).map(tuple),
)
def test_any_values_give_a_span(
    attributes: dict[str, Any],
    operation: str | None,
    kind: str | None,
    scope: str,
    name: str,
    events: tuple[RawEvent, ...],
) -> None:
    if operation:
        attributes["gen_ai.operation.name"] = operation
    if kind:
        attributes["openinference.span.kind"] = kind
    raw = RawSpan(
        trace_id="t", span_id="a", name=name, attributes=attributes, events=events, scope_name=scope, status="error"
    )  # fmt: skip
    span = to_span(raw)
    assert isinstance(span, Span)
    assert isinstance(span.kind, SpanKind)
    assert span.raw is raw
    assert to_span(raw) == span
