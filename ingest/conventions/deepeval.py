"""DeepEval spans, as its exporter names them.

    confident.span.type   = "retriever"          agent, llm, retriever, tool
    confident.span.input  = "vacation days"      confident.span.retrieval_context = ["…"]
    confident.llm.model   = "gpt-5"              confident.llm.input_token_count  = 50
    confident.tool.name   = "stock"              confident.agent.name             = "hr_agent"
    confident.trace.thread_id = "conv-42"

Source: deepeval 4.3, attributes of its OTLP exporter.
"""

from dataclasses import replace

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.documents import read_documents
from ingest.conventions.failures import error_text
from ingest.conventions.langgraph import refine_any
from ingest.conventions.lookup import Attributes, begins, first, first_id, first_text, get
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.usage import read_usage
from ingest.span import RawSpan, Span, SpanKind, ToolDefinition
from ingest.values import decode

NAME = "deepeval"
MARKERS = (b"confident.",)

_PREFIX = "confident."
_KINDS = {
    "agent": SpanKind.AGENT,
    "llm": SpanKind.LLM,
    "retriever": SpanKind.RETRIEVER,
    "tool": SpanKind.TOOL,
}
_CATALOGUES = ("confident.agent.tool_definitions", "confident.agent.available_tools")


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one span; one without a type only frames others."""
    attributes = raw.attributes
    kind = _KINDS.get(str(get(attributes, "confident.span.type")), SpanKind.OTHER)
    name = first_id(attributes, "confident.span.name") or raw.name
    took, gave = get(attributes, "confident.span.input"), get(attributes, "confident.span.output")
    agent = first_id(attributes, "confident.agent.name")
    span = Span(
        raw=raw,
        kind=kind,
        conversation_id=first_id(attributes, "confident.trace.thread_id"),
        agent=agent or (name if kind is SpanKind.AGENT else None),
        model=first_id(attributes, "confident.llm.model"),
        usage=read_usage(
            attributes,
            inputs=("confident.llm.input_token_count",),
            outputs=("confident.llm.output_token_count",),
        ),
        tools_available=read_definitions(first(attributes, _CATALOGUES)),
        error=error_text(raw),
    )
    tool = first_id(attributes, "confident.tool.name") or name
    described = _described(attributes, tool)
    told = with_payloads(span, took, gave, tool_name=tool, definition=described)
    told = refine_any(told, name, decode(took).value, decode(gave).value)
    return _with_contexts(told)


def _described(attributes: Attributes, name: str) -> ToolDefinition | None:
    description = first_text(attributes, "confident.tool.description")
    return ToolDefinition(name=name, description=description) if description else None


def _with_contexts(span: Span) -> Span:
    """Prefer the passages that are kept apart to a retriever's returned value."""
    contexts = read_documents(get(span.raw.attributes, "confident.span.retrieval_context"))
    if span.retrieval is None or contexts is None or span.retrieval.documents:
        return span
    return replace(span, retrieval=replace(span.retrieval, documents=contexts))
