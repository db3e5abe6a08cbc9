"""Whether a span's content was recorded.

Content is off by default in production, so a missing text is a state and no failure. Only
spans whose kind carries content can miss it.
"""

from typing import Final

from ingest.span import Capture, Span, SpanKind

SWITCHES: Final[dict[str, str]] = {
    "gen_ai": "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY",
    "openllmetry": "TRACELOOP_TRACE_CONTENT=true",
    "openinference": "OPENINFERENCE_HIDE_INPUTS and …_OUTPUTS unset",
    "google_adk": "ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true",
    "agent_framework": "ENABLE_SENSITIVE_DATA=true",
    "haystack_pipelines": "HAYSTACK_CONTENT_TRACING_ENABLED=true",
    "vercel_ai": "recordInputs and recordOutputs: true",
}
"""By convention, the setting of its recorder that captures content."""

CARRIERS: Final = (
    SpanKind.AGENT,
    SpanKind.LLM,
    SpanKind.TOOL,
    SpanKind.RETRIEVER,
    SpanKind.RERANKER,
)
"""Kinds of spans that carry content."""


def content_of(span: Span) -> Capture:
    """Return the content state of a span, given all the facts that were found on it."""
    if span.content == "truncated":
        return "truncated"
    match span.kind:
        case SpanKind.LLM | SpanKind.AGENT:
            told = _has_text(span)
        case SpanKind.TOOL:
            told = span.handoff is not None or _has_execution(span)
        case SpanKind.RETRIEVER:
            fact = span.retrieval
            told = fact is not None and (fact.query is not None or fact.documents is not None)
        case SpanKind.RERANKER:
            ranked = span.rerank
            told = ranked is not None and (
                ranked.documents_in is not None or ranked.documents_out is not None
            )
        case _:
            told = True
    return "captured" if told else "not_captured"


def is_cut(span: Span) -> bool:
    """Tell whether a length limit cut any content of the span."""
    tool = span.tool
    return span.content == "truncated" or (
        tool is not None and "truncated" in (tool.arguments_capture, tool.result_capture)
    )


def _has_text(span: Span) -> bool:
    messages = (*(span.input_messages or ()), *(span.output_messages or ()))
    return (
        span.input_text is not None
        or span.output_text is not None
        or span.output_value is not None
        or any(m.text is not None or m.tool_requests or m.tool_responses for m in messages)
    )


def _has_execution(span: Span) -> bool:
    tool = span.tool
    return tool is not None and not (
        tool.arguments_capture == "not_captured" and tool.result_capture == "not_captured"
    )
