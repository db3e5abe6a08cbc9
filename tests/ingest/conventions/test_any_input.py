"""Whatever stands under a convention's names, translating a span does not fail."""

import ast
import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest import conventions
from ingest.conventions import to_span
from ingest.span import RawEvent, RawSpan, Span, SpanKind, Value

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
OTHER_NAMES = st.sampled_from(
    [
        "traceloop.entity.input", "traceloop.entity.output", "gen_ai.task.output", "gen_ai.handoff.to_agent",
        "mlflow.spanInputs", "mlflow.spanOutputs", "mlflow.chat.tools", "mlflow.chat.tokenUsage",
        "langfuse.observation.input", "langfuse.observation.output", "langfuse.observation.usage_details",
        "langsmith.inputs", "langsmith.outputs", "langsmith.invocation_params", "langsmith.dotted_order",
        "ai.prompt", "ai.prompt.messages", "ai.prompt.tools", "ai.response.toolCalls", "ai.response.text",
        "ai.response.object", "ai.toolCall.args", "ai.toolCall.result", "ai.value", "ai.values", "ai.usage",
        "all_messages_events", "response_data", "request_data", "logfire.msg", "model_request_parameters",
        "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response", "gcp.vertex.agent.tool_call_args",
        "gcp.vertex.agent.tool_response", "entity", "entity.1.name", "entity.1.type", "entity.2.from_agent",
        "openai_agents.span_data", "haystack.component.input", "haystack.component.output",
        "haystack.component.output_spec", "haystack.agent.input", "haystack.agent.output", "haystack.agent.tools",
        "haystack.pipeline.input_data", "ai.observability.record_root.input", "ai.observability.call.kwargs.query",
        "ai.observability.call.return", "ai.observability.retrieval.retrieved_contexts",
        "ai.observability.reranking.output_context_texts", "ai.observability.reranking.output_context_scores",
        "ai.observability.mcp.input_arguments", "ai.observability.graph_node.output_state",
        "ai.observability.graph_node.node_name", "confident.span.input", "confident.span.output",
        "confident.span.retrieval_context", "confident.agent.tool_definitions", "metadata.langgraph.goto",
        "gen_ai.tool.type", "gen_ai.retriever.results", "executor.id", "mcp.method.name", "event_loop.cycle_id",
    ]
)  # fmt: skip
KINDS = {
    "traceloop.span.kind": ["workflow", "task", "agent", "tool", "handoff"],
    "mlflow.spanType": ["LLM", "CHAT_MODEL", "TOOL", "RETRIEVER", "RERANKER", "AGENT", "CHAIN", "GUARDRAIL"],
    "langfuse.observation.type": ["generation", "tool", "retriever", "agent", "chain", "guardrail", "span"],
    "langsmith.span.kind": ["llm", "tool", "retriever", "chain", "prompt"],
    "ai.operationId": ["ai.generateText", "ai.generateText.doGenerate", "ai.toolCall", "ai.rerank", "ai.embed"],
    "span.type": ["agentic.turn", "agentic.delegation", "agentic.tool.invocation", "inference", "retrieval"],
    "ai.observability.span_type": ["record_root", "retrieval", "reranking", "generation", "MCP", "graph_node"],
    "confident.span.type": ["agent", "llm", "retriever", "tool"],
    "haystack.component.type": ["ConditionalRouter", "OpenAIGenerator", "XRetriever", "XRanker", "ToolInvoker"],
    "gen_ai.operation.name": ["chat", "execute_tool", "invoke_agent"],
}  # fmt: skip
PRODUCERS = st.sampled_from([{key: word} for key, words in KINDS.items() for word in words])
EVENTS = st.builds(
    RawEvent,
    name=st.sampled_from(
        [
            "gen_ai.choice",
            "gen_ai.user.message",
            "gen_ai.content.prompt",
            "gen_ai.prompt",
            "data.input",
            "data.output",
            "metadata",
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
    check(raw)


@given(
    attributes=st.dictionaries(OTHER_NAMES, RECORDED, max_size=6),
    producer=PRODUCERS,
    name=SPAN_NAMES | st.sampled_from(["call_llm", "execute_tool x", "executor.process x", "agent run"]),
    events=st.lists(EVENTS, max_size=2).map(tuple),
)  # fmt: skip
def test_any_values_of_other_producers_give_a_span(
    attributes: dict[str, Any],
    producer: dict[str, str],
    name: str,
    events: tuple[RawEvent, ...],
) -> None:
    told = attributes | producer
    check(RawSpan(trace_id="t", span_id="a", name=name, attributes=told, events=events))


def check(raw: RawSpan) -> None:
    span = to_span(raw)
    assert isinstance(span, Span)
    assert isinstance(span.kind, SpanKind)
    assert span.raw is raw
    assert to_span(raw) == span


def _constants() -> set[str]:
    """Return every text in the code of the conventions that may be a name of an attribute."""
    folder = Path(conventions.__file__).parent
    nodes = chain.from_iterable(
        ast.walk(ast.parse(path.read_text("utf-8"))) for path in folder.glob("*.py")
    )
    texts = (node.value for node in nodes if isinstance(node, ast.Constant))
    return {
        text for text in texts if isinstance(text, str) and 2 < len(text) < 60 and " " not in text
    }


@pytest.mark.parametrize("value", [[1], {"a": 1}, True, 1.5], ids=repr)
def test_a_value_of_any_type_under_any_name(value: Value) -> None:
    names = _constants()
    assert {"span.type", "logfire.msg_template", "gen_ai.operation.name"} <= names
    for marker in ("gen_ai.system", "openinference.span.kind"):
        for name in names:
            to_span(RawSpan(trace_id="t", span_id="s", attributes={marker: "x", name: value}))
