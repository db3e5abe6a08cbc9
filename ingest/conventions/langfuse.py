"""Langfuse observations, from its SDKs or out of its exports.

    langfuse.observation.type          = "retriever"
    langfuse.observation.input         = {"query": "vacation days"}
    langfuse.observation.output        = [{"page_content": "…", "metadata": {…}}]
    langfuse.observation.usage_details = {"input": 30, "input_cached_tokens": 20, "output": 12}
    langfuse.observation.level         = "ERROR"
    session.id                         = "conv-42"

Spans of other recorders pass through Langfuse, keep their own attributes and lose their input
and output to these keys. The type `span` says nothing then, and `generation` is also given to
steps that call no model, so the other recorder's word counts.

Source: langfuse 5.0, attribute names and types; its documentation of usage details, in which
cached and reasoning tokens are counted apart.
"""

from collections.abc import Mapping
from datetime import datetime

from ingest.conventions import gen_ai, openinference
from ingest.conventions.failures import error_text
from ingest.conventions.identity import model_of, node_of
from ingest.conventions.langgraph import refine_any
from ingest.conventions.lookup import Attributes, begins, first, first_id, first_text, get
from ingest.conventions.payload_facts import Payload, with_payloads
from ingest.conventions.usage import apart
from ingest.span import RawSpan, Span, SpanKind, Usage, Value
from ingest.values import decode, text_of

NAME = "langfuse"
MARKERS = (b"langfuse.",)

_PREFIX = "langfuse."
_TYPE = "langfuse.observation.type"
_KINDS = {
    "generation": SpanKind.LLM,
    "agent": SpanKind.AGENT,
    "tool": SpanKind.TOOL,
    "retriever": SpanKind.RETRIEVER,
    "embedding": SpanKind.EMBEDDING,
    "guardrail": SpanKind.GUARDRAIL,
    # span, event, chain and evaluator do no stage's work.
}
_INPUTS = ("langfuse.observation.input",)
_OUTPUTS = ("langfuse.observation.output",)
_WHOLE_INPUTS = (*_INPUTS, "langfuse.trace.input")
_WHOLE_OUTPUTS = (*_OUTPUTS, "langfuse.trace.output")
_MODEL = "langfuse.observation.model.name"
_USAGE = "langfuse.observation.usage_details"
_INPUT_TOKENS = ("input", "prompt_tokens", "promptTokens")
_OUTPUT_TOKENS = ("output", "completion_tokens", "completionTokens")
_CACHED = ("input_cached_tokens", "cache_read_input_tokens", "input_cache_read")
_WRITTEN = ("cache_creation_input_tokens", "input_cache_creation")
_REASONED = ("output_reasoning_tokens", "output_reasoning")
_LEVEL = "langfuse.observation.level"
_MESSAGE = "langfuse.observation.status_message"
_FIRST_OUTPUT = "langfuse.observation.completion_start_time"


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one observation; a type that does no stage's work becomes OTHER."""
    attributes = raw.attributes
    kind = _kind(raw)
    is_root = not raw.parent_id
    took = Payload.of(first(attributes, _WHOLE_INPUTS if is_root else _INPUTS))
    gave = Payload.of(first(attributes, _WHOLE_OUTPUTS if is_root else _OUTPUTS))
    span = Span(
        raw=raw,
        kind=kind,
        agent=raw.name or None if kind is SpanKind.AGENT else None,
        model=model_of(attributes, _MODEL),
        usage=_usage(attributes),
        first_output_ms=_first_output_ms(raw),
        node=node_of(attributes),
        error=_error(raw),
    )
    told = with_payloads(span, took.decoded, gave.decoded)
    return refine_any(told, raw.name, took.value, gave.value)


def _kind(raw: RawSpan) -> SpanKind:
    if openinference.recognises(raw):
        return openinference.convert(raw).kind
    by_operation = gen_ai.kind_of(raw) if gen_ai.recognises(raw) else SpanKind.OTHER
    if by_operation is not SpanKind.OTHER:
        return by_operation
    recorded = text_of(get(raw.attributes, _TYPE))
    own = _KINDS.get((recorded or "").lower(), SpanKind.OTHER)
    called = first(raw.attributes, (_MODEL, _USAGE)) not in (None, "", {}, "{}")
    return own if own is not SpanKind.LLM or called else SpanKind.OTHER


def _usage(attributes: Attributes) -> Usage | None:
    recorded = decode(get(attributes, _USAGE)).value
    counts: Mapping[str, Value] = recorded if isinstance(recorded, dict) else {}
    return apart(
        counts,
        inputs=_INPUT_TOKENS,
        outputs=_OUTPUT_TOKENS,
        cached=_CACHED,
        written=_WRITTEN,
        reasoned=_REASONED,
    )


def _error(raw: RawSpan) -> str | None:
    recorded = error_text(raw)
    if recorded is None and first_id(raw.attributes, _LEVEL) == "ERROR":
        return first_text(raw.attributes, _MESSAGE) or "error"
    return recorded


def _first_output_ms(raw: RawSpan) -> float | None:
    recorded = decode(get(raw.attributes, _FIRST_OUTPUT)).value
    if not isinstance(recorded, str) or raw.start_ns is None:
        return None
    try:
        moment = datetime.fromisoformat(recorded)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    return max(moment.timestamp() * 1e3 - raw.start_ns / 1e6, 0.0)
