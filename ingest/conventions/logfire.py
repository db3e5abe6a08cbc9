"""Logfire spans: its own integrations, and the marks that it leaves on all others.

    logfire.span_type = "pending_span"    written when a span starts, under an id of its own
    request_data      = {"messages": [...], "model": "m1"}
    response_data     = {"message": {"role": "assistant", "content": "…"}, "usage": {…}}

Newer releases record model calls under the standard's names as well. What Logfire passes on
from the OpenAI Agents SDK is in `openai_agents_sdk`.

Source: logfire, OpenAI and Anthropic integrations, pending span processor.
"""

from dataclasses import replace

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.lookup import begins, first, first_id, get
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.usage import usage_in
from ingest.span import RawSpan, Span, SpanKind
from ingest.values import decode

NAME = "logfire"
MARKERS = (b"logfire.",)

_PREFIX = "logfire."
_SPAN_TYPE = "logfire.span_type"
_PENDING = "pending_span"
_REQUEST = "request_data"
_RESPONSE = "response_data"
_ASKED = ("messages", "input", "prompt")
_ANSWERED = ("message", "combined_chunk_content", "text")


def recognises(raw: RawSpan) -> bool:
    """Tell whether the span passed through Logfire."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one span: a model call of Logfire's own, or nothing but its marks."""
    attributes = raw.attributes
    span = Span(raw=raw, synthetic=get(attributes, _SPAN_TYPE) == _PENDING)
    request = decode(get(attributes, _REQUEST)).value
    asked = first(request, _ASKED) if isinstance(request, dict) else None
    if asked is None or not isinstance(request, dict):
        return span
    response = decode(get(attributes, _RESPONSE)).value
    answer = first(response, _ANSWERED) if isinstance(response, dict) else None
    call = replace(
        span,
        kind=SpanKind.LLM,
        model=first_id(request, "model"),
        usage=usage_in(response),
        tools_available=read_definitions(get(request, "tools")),
        error=error_text(raw),
    )
    return with_payloads(call, asked, answer)
