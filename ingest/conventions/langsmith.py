"""LangSmith runs, as the SDK exports them over OpenTelemetry or as the API returns them.

    langsmith.span.kind              = "retriever"                     langsmith.run_type
    gen_ai.prompt                    = {"query": "vacation days"}      langsmith.inputs
    gen_ai.completion                = {"documents": [...]}            langsmith.outputs
    langsmith.metadata.thread_id     = "conv-42"
    langsmith.trace.session_id       = a project, never a conversation

A retriever is exported under the operation `embeddings`, so the run type decides. What is no
object is wrapped into one: `{"input": …}`, `{"output": …}`.

Source: langsmith 0.15, OpenTelemetry exporter and run schema.
"""

from dataclasses import replace

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.identity import model_of, node_of
from ingest.conventions.langgraph import refine_any
from ingest.conventions.lookup import begins, first, first_id
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.usage import read_usage, usage_in
from ingest.span import RawSpan, Span, SpanKind, Usage, Value
from ingest.values import Decoded, decode

NAME = "langsmith"
MARKERS = (b"langsmith.",)

_PREFIX = "langsmith."
_TYPES = ("langsmith.span.kind", "langsmith.run_type")
_KINDS = {
    "llm": SpanKind.LLM,
    "tool": SpanKind.TOOL,
    "retriever": SpanKind.RETRIEVER,
    "embedding": SpanKind.EMBEDDING,
    # chain, prompt and parser do no stage's work.
}
_INPUTS = ("langsmith.inputs", "gen_ai.prompt")
_OUTPUTS = ("langsmith.outputs", "gen_ai.completion")
_AGENTS = ("langsmith.metadata.lc_agent_name", "langsmith.metadata.agent_name")
_MODELS = ("langsmith.metadata.ls_model_name",)
_INPUT_TOKENS = ("langsmith.prompt_tokens", "gen_ai.usage.input_tokens")
_OUTPUT_TOKENS = ("langsmith.completion_tokens", "gen_ai.usage.output_tokens")
_WRAPPERS = ("input", "output")
_CATALOGUES = ("tools", "functions")


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one run; a type that does no stage's work becomes `SpanKind.OTHER`."""
    attributes = raw.attributes
    kind = _KINDS.get(first_id(attributes, *_TYPES) or "", SpanKind.OTHER)
    took, gave = (_opened(first(attributes, keys)) for keys in (_INPUTS, _OUTPUTS))
    span = Span(
        raw=raw,
        kind=kind,
        agent=first_id(attributes, *_AGENTS),
        node=node_of(attributes),
        error=error_text(raw),
    )
    if kind is SpanKind.LLM:
        sent = took.value if isinstance(took.value, dict) else {}
        span = replace(
            span,
            model=model_of(attributes, *_MODELS) or first_id(sent, "model"),
            usage=_usage(raw, gave.value),
            tools_available=read_definitions(first(sent, _CATALOGUES)),
        )
    return refine_any(with_payloads(span, took, gave), raw.name, took.value, gave.value)


def _opened(value: Value) -> Decoded:
    """Take off the object around a value that is none."""
    whole = decode(value)
    if isinstance(whole.value, dict) and len(whole.value) == 1:
        ((key, inner),) = whole.value.items()
        if key in _WRAPPERS:
            return replace(decode(inner), capture=whole.capture)
    return whole


def _usage(raw: RawSpan, response: Value) -> Usage | None:
    told = read_usage(raw.attributes, inputs=_INPUT_TOKENS, outputs=_OUTPUT_TOKENS)
    inside = usage_in(response)
    if told is None or inside is None or told.input_tokens is None:
        return told or inside
    return replace(told, cached_tokens=inside.cached_tokens)
