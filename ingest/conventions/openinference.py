"""OpenInference spans, as written by Phoenix and its instrumentors.

    openinference.span.kind              = "RETRIEVER"
    session.id                           = "conv-42"
    input.value                          = "vacation days expire date"
    retrieval.documents.0.document.id    = "hr-001"
    metadata                             = "{"langgraph_node": "retrieve", …}"

The kind is required, but an exporter that keeps 128 attributes drops the oldest, and the kind
is among them: then the other keys tell it. What single libraries do differently stands in
their own files.

Source: OpenInference specification, spec/semantic_conventions.md.
"""

from dataclasses import replace

from ingest.conventions import (
    beeai,
    crewai,
    haystack,
    langgraph,
    llamaindex,
    openai_agents,
    routes,
)
from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.handoffs import handoff_by_tool, is_handoff_name
from ingest.conventions.identity import model_of, node_of
from ingest.conventions.lookup import Attributes, begins, first_id, get, tree
from ingest.conventions.openinference_messages import OUTPUT, payload, with_call, with_step
from ingest.conventions.openinference_steps import (
    read_decision,
    read_handoff,
    read_rerank,
    read_retrieval,
    read_tool,
    retrieval_flags,
)
from ingest.conventions.policy import flag_of_finish, flag_of_guardrail
from ingest.conventions.usage import read_usage
from ingest.span import RawSpan, Span, SpanKind, ToolDefinition
from ingest.values import decode

NAME = "openinference"
MARKERS = (
    b"openinference",
    b"retrieval.documents",
    b"llm.input_messages",
    b"llm.output_messages",
    b"llm.token_count",
    b"reranker.",
    b"tool.name",
    b"input.value",
    b"output.value",
)

_KIND = "openinference.span.kind"
_KINDS = {
    "LLM": SpanKind.LLM,
    "RETRIEVER": SpanKind.RETRIEVER,
    "RERANKER": SpanKind.RERANKER,
    "EMBEDDING": SpanKind.EMBEDDING,
    "TOOL": SpanKind.TOOL,
    "AGENT": SpanKind.AGENT,
    "GUARDRAIL": SpanKind.GUARDRAIL,
    "DECISION": SpanKind.ROUTER,
    # CHAIN, PROMPT, EVALUATOR and UNKNOWN do no stage's work.
}
_KEYS_OF_KIND = {
    "retrieval.documents.": SpanKind.RETRIEVER,
    "reranker.": SpanKind.RERANKER,
    "llm.token_count.": SpanKind.LLM,
    "llm.output_messages.": SpanKind.LLM,
    "llm.input_messages.": SpanKind.LLM,
    "tool.name": SpanKind.TOOL,
    "embedding.": SpanKind.EMBEDDING,
}
SCOPES = ("openinference.instrumentation.", "@arizeai/openinference")
_PAYLOADS = ("input.value", "output.value")
_MODELS = (
    "llm.model_name",
    "llm.response.model_name",
    "llm.request.model_name",
    "embedding.model_name",
    "reranker.model_name",
    "decision.model_name",
)
_FIRST_OUTPUT = "First Token Stream Event"
_LIBRARIES = (
    (openai_agents.recognises, openai_agents.refine),
    (langgraph.recognises, langgraph.refine),
    (llamaindex.recognises, llamaindex.refine),
    (haystack.recognises, haystack.refine),
    (crewai.recognises, crewai.refine),
    (beeai.recognises, beeai.refine),
)


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    attributes = raw.attributes
    return (
        get(attributes, _KIND) is not None
        or raw.scope_name.startswith(SCOPES)
        or begins(attributes, *_KEYS_OF_KIND)
        or any(key in attributes for key in _PAYLOADS)
    )


def convert(raw: RawSpan) -> Span:
    """Translate one span; a kind that does no stage's work becomes `SpanKind.OTHER`."""
    span = _with_facts(_base(raw))
    refinements = [refine for recognises_it, refine in _LIBRARIES if recognises_it(raw)]
    for refine in refinements:
        span = refine(span)
    return span if refinements else routes.refine(span, is_step=routes.is_step_name(raw.name))


def _base(raw: RawSpan) -> Span:
    attributes = raw.attributes
    kind = kind_of(raw)
    return Span(
        raw=raw,
        kind=kind,
        conversation_id=first_id(attributes, "session.id"),
        agent=_agent(raw, kind),
        model=model_of(attributes, *_MODELS),
        usage=read_usage(
            attributes,
            inputs=("llm.token_count.prompt", "decision.token_count.input"),
            outputs=("llm.token_count.completion", "decision.token_count.output"),
            cached=("llm.token_count.prompt_details.cache_read",),
            written=("llm.token_count.prompt_details.cache_write",),
        ),
        first_output_ms=_first_output_ms(raw),
        tools_available=_catalogue(attributes),
        node=node_of(attributes),
        error=error_text(raw),
    )


def _with_facts(span: Span) -> Span:
    raw, attributes = span.raw, span.raw.attributes
    match span.kind:
        case SpanKind.LLM:
            told = with_call(span)
            return replace(told, policy_flag=flag_of_finish(told.finish_reason))
        case SpanKind.TOOL:
            return _with_tool(span)
        case SpanKind.RETRIEVER:
            retrieval = read_retrieval(attributes)
            return replace(span, retrieval=retrieval, flags=retrieval_flags(attributes))
        case SpanKind.RERANKER:
            return replace(span, rerank=read_rerank(attributes))
        case SpanKind.ROUTER:
            return replace(span, route=read_decision(attributes))
        case SpanKind.GUARDRAIL:
            verdict = payload(attributes, OUTPUT).value
            return replace(with_step(span), policy_flag=flag_of_guardrail(raw.name, verdict))
        case SpanKind.EMBEDDING:
            return span
        case _:
            return with_step(span)


def _with_tool(span: Span) -> Span:
    handoff = read_handoff(span.raw)
    if handoff is not None:
        return replace(span, handoff=handoff)
    tool = read_tool(span.raw, span.error)
    by_name = handoff_by_tool(tool.name, tool.arguments, span.agent)
    return replace(span, tool=tool, handoff=by_name)


def kind_of(raw: RawSpan) -> SpanKind:
    """Return what a span did, by its kind or else by what it records."""
    attributes = raw.attributes
    recorded = get(attributes, _KIND)
    if isinstance(recorded, str):
        kind = _KINDS.get(recorded.upper(), SpanKind.OTHER)
        return SpanKind.TOOL if kind is SpanKind.AGENT and _is_tool(raw) else kind
    for prefix, kind in _KEYS_OF_KIND.items():
        if begins(attributes, prefix):
            return kind
    return SpanKind.OTHER


def _is_tool(raw: RawSpan) -> bool:
    """Tell tools that LangChain's recorder calls agents, as all with `agent` in their names."""
    return first_id(raw.attributes, "tool.name") is not None or is_handoff_name(raw.name)


def _agent(raw: RawSpan, kind: SpanKind) -> str | None:
    named = first_id(raw.attributes, "agent.name")
    if kind is SpanKind.AGENT:
        return named or first_id(raw.attributes, "graph.node.id") or raw.name or None
    return named


def _catalogue(attributes: Attributes) -> tuple[ToolDefinition, ...] | None:
    recorded = tree(attributes, "llm.tools")
    if recorded is None:
        recorded = get(attributes, "smolagents.tools_names")
    if recorded is not None:
        return read_definitions(recorded)
    parameters = decode(get(attributes, "llm.invocation_parameters")).value
    return read_definitions(parameters) if isinstance(parameters, dict) else None


def _first_output_ms(raw: RawSpan) -> float | None:
    for event in raw.events:
        if event.name == _FIRST_OUTPUT and event.time_ns is not None and raw.start_ns is not None:
            return max(event.time_ns - raw.start_ns, 0) / 1e6
    return None
