r"""MLflow spans, out of its own traces or exported as OTLP.

    mlflow.spanType        = "\"RETRIEVER\""       each value is JSON text of its own
    mlflow.spanInputs      = {"query": "vacation days", "collection": "hr_policies"}
    mlflow.spanOutputs     = [{"page_content": "…", "metadata": {"doc_uri": …}, "id": "hr-001"}]
    mlflow.chat.tools      = [{"type": "function", "function": {"name": "stock", …}}]
    mlflow.chat.tokenUsage = {"input_tokens": 50, "output_tokens": 12}
    mlflow.trace.session   = "conv-42"             on the root: metadata of the trace

Any type may be given to any function, so a chain called `router` is a router by its name.

Source: MLflow 3.17, tracing constants, span types and `Trace.to_json`.
"""

from collections.abc import Mapping

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.identity import node_of
from ingest.conventions.langgraph import refine_any
from ingest.conventions.lookup import Attributes, begins, get
from ingest.conventions.mlflow_streams import first_chunk_ms, streamed
from ingest.conventions.payload_facts import Payload, with_payloads
from ingest.conventions.usage import read_usage
from ingest.span import RawSpan, Span, SpanKind, Usage, Value
from ingest.values import decode, identifier

NAME = "mlflow"
MARKERS = (b"mlflow.",)

_PREFIX = "mlflow."
_TYPE = "mlflow.spanType"
_KINDS = {
    "LLM": SpanKind.LLM,
    "CHAT_MODEL": SpanKind.LLM,
    "AGENT": SpanKind.AGENT,
    "TOOL": SpanKind.TOOL,
    "RETRIEVER": SpanKind.RETRIEVER,
    "RERANKER": SpanKind.RERANKER,
    "EMBEDDING": SpanKind.EMBEDDING,
    "GUARDRAIL": SpanKind.GUARDRAIL,
    # CHAIN, TASK, WORKFLOW, PARSER, MEMORY, EVALUATOR and UNKNOWN do no stage's work.
}
_MODELS = ("mlflow.llm.model", "mlflow.model.name")
_SESSIONS = ("mlflow.trace.session", "session.id")
_USAGE = "mlflow.chat.tokenUsage"
_INPUT_TOKENS = ("input_tokens", "prompt_tokens")
_OUTPUT_TOKENS = ("output_tokens", "completion_tokens")
_CACHED = ("cache_read_input_tokens", "cached_tokens")
_WRITTEN = ("cache_creation_input_tokens",)


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one span; a type that does no stage's work becomes `SpanKind.OTHER`."""
    attributes = raw.attributes
    kind = _KINDS.get(_word(attributes, _TYPE) or "", SpanKind.OTHER)
    took = Payload.of(get(attributes, "mlflow.spanInputs"))
    outputs = get(attributes, "mlflow.spanOutputs")
    gave = Payload.of(streamed(raw) if outputs in (None, "null") else outputs)
    span = Span(
        raw=raw,
        kind=kind,
        conversation_id=_first_word(attributes, _SESSIONS),
        agent=raw.name or None if kind is SpanKind.AGENT else None,
        model=_first_word(attributes, _MODELS),
        usage=_usage(attributes),
        first_output_ms=first_chunk_ms(raw),
        tools_available=read_definitions(get(attributes, "mlflow.chat.tools")),
        node=node_of(attributes),
        error=error_text(raw),
    )
    told = with_payloads(span, took.decoded, gave.decoded)
    return refine_any(told, raw.name, took.value, gave.value)


def _usage(attributes: Attributes) -> Usage | None:
    recorded = decode(get(attributes, _USAGE)).value
    counts: Mapping[str, Value] = recorded if isinstance(recorded, dict) else {}
    return read_usage(
        counts,
        inputs=_INPUT_TOKENS,
        outputs=_OUTPUT_TOKENS,
        cached=_CACHED,
        written=_WRITTEN,
    )


def _first_word(attributes: Attributes, names: tuple[str, ...]) -> str | None:
    return next((word for name in names if (word := _word(attributes, name))), None)


def _word(attributes: Attributes, name: str) -> str | None:
    """Return an id or a name, with or without the quotes of its JSON text."""
    return identifier(decode(get(attributes, name)).value)
