"""Logfire spans: its own integrations, and the marks that it leaves on all others.

    logfire.span_type = "pending_span"    written when a span starts, under an id of its own
    request_data      = {"messages": [...], "model": "m1"}
    response_data     = {"message": {"role": "assistant", "content": "…"}, "usage": {…}}

A streamed answer is recorded twice: by a span that ends when the stream begins, with the
request alone, and when the stream has ended by a record beside it that holds all.

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
from ingest.span import RawSpan, Span, SpanKind, Value
from ingest.values import decode

NAME = "logfire"
MARKERS = (b"logfire.",)

_PREFIX = "logfire."
_SPAN_TYPE = "logfire.span_type"
_PENDING = "pending_span"
_REQUEST = "request_data"
_RESPONSE = "response_data"
_OUTPUT, _EVENTS = "gen_ai.output.messages", "events"
_ASKED = ("messages", "input", "prompt")
_ANSWERED = ("message", "combined_chunk_content", "text")


def recognises(raw: RawSpan) -> bool:
    """Tell whether the span passed through Logfire."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one span: a model call of Logfire's own, or nothing but its marks."""
    attributes = raw.attributes
    request = decode(get(attributes, _REQUEST)).value
    response = decode(get(attributes, _RESPONSE)).value
    told = request if isinstance(request, dict) else {}
    opens = told.get("stream") is True and raw.status != "error" and not _has_answer(raw, response)
    span = Span(raw=raw, synthetic=opens or get(attributes, _SPAN_TYPE) == _PENDING)
    asked = first(told, _ASKED)
    if asked is None:
        return span
    answer = first(response, _ANSWERED) if isinstance(response, dict) else None
    call = replace(
        span,
        kind=SpanKind.LLM,
        model=first_id(told, "model"),
        usage=usage_in(response),
        tools_available=read_definitions(get(told, "tools")),
        error=error_text(raw),
    )
    return with_payloads(call, asked, answer)


def _has_answer(raw: RawSpan, response: Value) -> bool:
    if response is not None or get(raw.attributes, _OUTPUT) is not None:
        return True
    events = decode(get(raw.attributes, _EVENTS)).value
    listed = events if isinstance(events, list) else []
    return any(isinstance(event, dict) and event.get("role") == "assistant" for event in listed)
