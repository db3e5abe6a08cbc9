"""TruLens spans: a type for each instrumented function, and what the type is judged by.

    ai.observability.span_type = "record_root"    .record_root.input    = "How many days?"
                                                  .record_root.output   = "25 days."
                               = "retrieval"      .retrieval.query_text = "vacation days"
                                                  .retrieval.retrieved_contexts = ["…", "…"]
                               = "reranking"      .reranking.output_context_texts  = ["…"]
                                                  .reranking.output_context_scores = [0.9]
                               = "generation"     .cost.num_prompt_tokens = 50
                               = "MCP"            .mcp.tool_name, .mcp.input_arguments, …
    ai.observability.conversation_id = "conv-42"
    ai.observability.call.kwargs.query = "vacation days"     ai.observability.call.return = …

Passages have no ids. Arguments and the returned value of the function tell what the type's
own names do not. Runs of feedback functions (`eval`, `eval_root`) do no stage's work.

Source: trulens-otel-semconv 2.16.
"""

import json
from dataclasses import replace

from ingest.conventions.documents import read_documents
from ingest.conventions.failures import error_text
from ingest.conventions.langgraph import refine_any, refine_step
from ingest.conventions.lookup import Attributes, first, first_id, first_text, get, tree
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.usage import read_usage
from ingest.span import Document, RawSpan, RerankFact, RetrievalFact, Span, SpanKind, Value
from ingest.values import decode, number

NAME = "trulens"
MARKERS = (b"ai.observability.",)

_PREFIX = "ai.observability."
_TYPE = _PREFIX + "span_type"
_KINDS = {
    "record_root": SpanKind.AGENT,
    "agent": SpanKind.AGENT,
    "retrieval": SpanKind.RETRIEVER,
    "reranking": SpanKind.RERANKER,
    "generation": SpanKind.LLM,
    "tool": SpanKind.TOOL,
    "mcp": SpanKind.TOOL,
    "guardrail": SpanKind.GUARDRAIL,
}
_NODES = ("graph_node.node_name", "graph_task.task_name")
_INPUTS = (
    "record_root.input",
    "mcp.input_arguments",
    "graph_node.input_state",
    "graph_task.input_state",
    "workflow.input_event",
)
_OUTPUTS = (
    "record_root.output",
    "mcp.output_content",
    "graph_node.output_state",
    "graph_task.output_state",
    "workflow.output_event",
    "call.return",
)
_ARGUMENTS = "call.kwargs"
_BOUND = ("self", "cls")


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return get(raw.attributes, _TYPE) is not None


def convert(raw: RawSpan) -> Span:
    """Translate one span; a type that does no stage's work becomes `SpanKind.OTHER`."""
    attributes = raw.attributes
    kind = _KINDS.get(str(_get(attributes, "span_type")).lower(), SpanKind.OTHER)
    took, gave = _first(attributes, _INPUTS), _first(attributes, _OUTPUTS)
    took = _arguments(attributes) if took is None else took
    node = first_id(attributes, *(_PREFIX + key for key in _NODES))
    span = Span(
        raw=raw,
        kind=kind,
        conversation_id=first_id(attributes, _PREFIX + "conversation_id"),
        agent=_agent(raw) if kind is SpanKind.AGENT else None,
        node=node,
        error=error_text(raw),
    )
    match kind:
        case SpanKind.RETRIEVER:
            return _with_search(with_payloads(span, took, gave))
        case SpanKind.RERANKER:
            return replace(span, rerank=_rerank(attributes))
        case SpanKind.LLM:
            return refine_any(_with_call(with_payloads(span, took, gave)), raw.name, took, gave)
        case SpanKind.TOOL:
            failed = _get(attributes, "mcp.output_is_error") is True
            return with_payloads(span, took, gave, tool_name=_tool_name(raw), failed=failed)
        case SpanKind.GUARDRAIL:
            return _with_verdict(with_payloads(span, took, gave))
        case _:
            told = with_payloads(span, took, gave)
            return told if node is None else refine_step(told, node, took, gave)


def _get(attributes: Attributes, name: str) -> Value:
    return get(attributes, _PREFIX + name)


def _first(attributes: Attributes, names: tuple[str, ...]) -> Value:
    return first(attributes, (_PREFIX + name for name in names))


def _arguments(attributes: Attributes) -> Value:
    """Return the arguments of the function, each of which is an attribute."""
    called = tree(attributes, _PREFIX + _ARGUMENTS)
    if not isinstance(called, dict):
        return called
    told = {key: decode(value).value for key, value in called.items() if key not in _BOUND}
    return told or None


def _agent(raw: RawSpan) -> str | None:
    named = first_id(raw.attributes, _PREFIX + "workflow.agent_name", "gen_ai.agent.name")
    is_root = str(_get(raw.attributes, "span_type")).lower() == "record_root"
    return named or (None if is_root else _function(raw))


def _function(raw: RawSpan) -> str:
    """Return the bare name of the function that was called."""
    called = first_id(raw.attributes, _PREFIX + "call.function") or raw.name
    return called.rpartition(".")[2]


def _tool_name(raw: RawSpan) -> str:
    named = first_id(raw.attributes, _PREFIX + "mcp.tool_name", "gen_ai.tool.name")
    return named or _function(raw)


def _with_search(span: Span) -> Span:
    attributes = span.raw.attributes
    told = span.retrieval or RetrievalFact(query=None, collection=None)
    query = first_text(attributes, _PREFIX + "retrieval.query_text")
    contexts = read_documents(_get(attributes, "retrieval.retrieved_contexts"))
    documents = told.documents if contexts is None else contexts
    return replace(span, retrieval=replace(told, query=query or told.query, documents=documents))


def _rerank(attributes: Attributes) -> RerankFact:
    return RerankFact(
        query=first_text(attributes, _PREFIX + "reranking.query_text"),
        documents_in=_contexts(attributes, "reranking.input_context"),
        documents_out=_contexts(attributes, "reranking.output_context"),
    )


def _contexts(attributes: Attributes, name: str) -> tuple[Document, ...] | None:
    texts = read_documents(_get(attributes, name + "_texts"))
    scores = decode(_get(attributes, name + "_scores")).value
    if texts is None or not isinstance(scores, list) or len(scores) != len(texts):
        return texts
    pairs = zip(texts, scores, strict=True)
    return tuple(replace(document, score=number(score)) for document, score in pairs)


def _with_call(span: Span) -> Span:
    """Add model and tokens; a prompt in several arguments went in with all of them."""
    attributes = span.raw.attributes
    arguments = _arguments(attributes)
    in_parts = isinstance(arguments, dict) and len(arguments) > 1 and not span.input_messages
    return replace(
        span,
        input_text=json.dumps(arguments, ensure_ascii=False) if in_parts else span.input_text,
        model=first_id(attributes, _PREFIX + "cost.model"),
        usage=read_usage(
            attributes,
            inputs=(_PREFIX + "cost.num_prompt_tokens",),
            outputs=(_PREFIX + "cost.num_completion_tokens",),
        ),
        first_output_ms=number(_get(attributes, "generation.time_to_first_token_ms")),
    )


def _with_verdict(span: Span) -> Span:
    attributes = span.raw.attributes
    if _get(attributes, "guardrail.passed") is not False:
        return span
    named = first_id(attributes, _PREFIX + "guardrail.name")
    return replace(span, policy_flag=named or span.raw.name)
