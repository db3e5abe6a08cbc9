"""Vercel AI SDK spans under its own names (`ai.*`), versions 4 to 7.

    ai.streamText                LLM    ai.prompt = {"system": "…", "messages": [...]}
      ai.streamText.doStream     LLM    ai.prompt.messages, ai.prompt.tools
                                        ai.response.toolCalls = [{"toolName": "search", …}]
      ai.toolCall                TOOL   ai.toolCall.args = {"query": "vacation days"}
      ai.streamText.doStream     LLM    ai.response.text = "You get 25 days."

The outer span repeats the last text and the sum of all tokens: a model span above others is
no call of its own. What the application calls a call is its `ai.telemetry.functionId`; one
called `route-question` routes.

Source: vercel/ai, packages/otel, legacy telemetry; documentation of telemetry.
"""

from dataclasses import replace

from ingest.conventions import routes
from ingest.conventions.catalogues import read_definitions
from ingest.conventions.documents import read_documents
from ingest.conventions.failures import error_text
from ingest.conventions.identity import model_of
from ingest.conventions.lookup import Attributes, first, first_id, first_text, get
from ingest.conventions.messages import Messages, decode_messages, read_messages
from ingest.conventions.native_citations import response_citations
from ingest.conventions.payload_facts import Payload, with_payloads
from ingest.conventions.payloads import question_of
from ingest.conventions.policy import flag_of_finish
from ingest.conventions.usage import read_usage
from ingest.span import (
    Document,
    NativeCitation,
    RawSpan,
    RerankFact,
    Span,
    SpanKind,
    Value,
)
from ingest.values import decode, number

NAME = "vercel_ai"
MARKERS = (b"ai.operationId", b"ai.toolCall.", b"ai.prompt", b"ai.response.", b"ai.model.id")

_OPERATION = "ai.operationId"
_KINDS = {
    "ai.generateText": SpanKind.LLM,
    "ai.streamText": SpanKind.LLM,
    "ai.generateObject": SpanKind.LLM,
    "ai.streamObject": SpanKind.LLM,
    "ai.toolCall": SpanKind.TOOL,
    "ai.rerank": SpanKind.RERANKER,
    "ai.embed": SpanKind.EMBEDDING,
    "ai.embedMany": SpanKind.EMBEDDING,
}
_MODELS = ("ai.response.model", "ai.model.id")
_INPUT_TOKENS = ("ai.usage.inputTokens", "ai.usage.promptTokens")
_OUTPUT_TOKENS = ("ai.usage.outputTokens", "ai.usage.completionTokens")
_CACHED = ("ai.usage.cachedInputTokens", "ai.usage.inputTokenDetails.cacheReadTokens")
_WRITTEN = ("ai.usage.inputTokenDetails.cacheWriteTokens",)
_FIRST_OUTPUT_MS = ("ai.response.msToFirstChunk", "ai.stream.msToFirstChunk")
_TEXTS = ("ai.response.text", "ai.result.text")
_OBJECTS = ("ai.response.object", "ai.result.object")
_CALLS = ("ai.response.toolCalls", "ai.result.toolCalls")
_FINISH = ("ai.response.finishReason", "ai.finishReason")
_RANKED = "ai.ranking"
_POSITIONS = ("originalIndex", "index")
_SCORES = ("relevanceScore", "score")


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return _operation(raw) in _KINDS


def convert(raw: RawSpan) -> Span:
    """Translate one span."""
    attributes = raw.attributes
    kind = _KINDS[_operation(raw)]
    span = Span(
        raw=raw,
        kind=kind,
        agent=first_id(attributes, "ai.telemetry.functionId"),
        model=model_of(attributes, *_MODELS),
        first_output_ms=number(first(attributes, _FIRST_OUTPUT_MS)),
        error=error_text(raw),
    )
    match kind:
        case SpanKind.LLM:
            return _with_call(span)
        case SpanKind.TOOL:
            return with_payloads(
                span,
                get(attributes, "ai.toolCall.args"),
                get(attributes, "ai.toolCall.result"),
                tool_name=first_id(attributes, "ai.toolCall.name"),
                call_id=first_id(attributes, "ai.toolCall.id"),
            )
        case SpanKind.RERANKER:
            # the ranking is recorded one span below
            is_frame = get(attributes, _RANKED) is None
            return replace(span, rerank=_rerank(attributes), synthetic=is_frame)
        case _:
            return span


def _operation(raw: RawSpan) -> str:
    """Return the operation without what distinguishes the inner of its two spans."""
    recorded = first_id(raw.attributes, _OPERATION) or raw.name.partition(" ")[0]
    return ".".join(recorded.split(".")[:2])


def _with_call(span: Span) -> Span:
    attributes = span.raw.attributes
    prompt = Payload.of(get(attributes, "ai.prompt"))
    recorded = get(attributes, "ai.prompt.messages")
    inputs = decode_messages(recorded, "user") if recorded is not None else prompt.messages("user")
    outputs = _answer(attributes)
    finish = first_id(attributes, *_FINISH)
    text = outputs.messages[-1].text if outputs and outputs.messages else None
    cut = any(side.truncated for side in (inputs, outputs) if side)
    called = replace(
        span,
        input_messages=None if inputs is None else inputs.messages,
        output_messages=None if outputs is None else outputs.messages,
        input_text=question_of(prompt.value) if inputs is None else None,
        instructions=_instructions(prompt.value),
        content="truncated" if cut else "captured",
        tools_available=read_definitions(get(attributes, "ai.prompt.tools")),
        usage=read_usage(
            attributes,
            inputs=_INPUT_TOKENS,
            outputs=_OUTPUT_TOKENS,
            cached=_CACHED,
            written=_WRITTEN,
        ),
        citations=_citations(attributes, text),
        finish_reason=finish,
        policy_flag=flag_of_finish(None if finish is None else finish.replace("-", "_")),
    )
    return routes.refine(called, is_step=False, name=span.agent or "")


def _instructions(prompt: Value) -> str | None:
    return first_text(prompt, "system") if isinstance(prompt, dict) else None


def _answer(attributes: Attributes) -> Messages | None:
    """Return the message that the model wrote: text or object, and wishes to call tools."""
    text = first_text(attributes, *_TEXTS, *_OBJECTS)
    wished = decode(first(attributes, _CALLS)).value
    parts: list[Value] = [] if text is None else [{"type": "text", "text": text}]
    calls = wished if isinstance(wished, list) else []
    parts.extend({**call, "type": "tool-call"} for call in calls if isinstance(call, dict))
    return read_messages([{"role": "assistant", "content": parts}], "assistant") if parts else None


def _citations(attributes: Attributes, text: str | None) -> tuple[NativeCitation, ...]:
    """Read what each provider returned beside the text, under the provider's name."""
    metadata = decode(get(attributes, "ai.response.providerMetadata")).value
    providers = metadata.values() if isinstance(metadata, dict) else ()
    return tuple(
        citation
        for provider in providers
        if isinstance(provider, dict) and text is not None
        for citation in response_citations(provider, text)
    )


def _rerank(attributes: Attributes) -> RerankFact:
    """Return the documents, and in ranked order those that the ranking names by position."""
    documents = _documents(get(attributes, "ai.documents"))
    ranking = _items(get(attributes, _RANKED))
    ranked: list[Document] = []
    for position, score in _places(ranking):
        if documents is not None and 0 <= position < len(documents):
            ranked.append(replace(documents[position], score=score))
    told = documents is not None and get(attributes, _RANKED) is not None
    return RerankFact(
        query=first_text(attributes, "ai.query", "ai.rerank.query"),
        documents_in=documents,
        documents_out=tuple(ranked) if told else None,
    )


def _places(ranking: list[Value]) -> list[tuple[int, float | None]]:
    """Return position and score of each item of a ranking that names positions."""
    found: list[tuple[int, float | None]] = []
    for item in ranking:
        if isinstance(item, dict):
            position = number(first(item, _POSITIONS))
            if position is not None:
                found.append((int(position), number(first(item, _SCORES))))
    return found


def _documents(recorded: Value) -> tuple[Document, ...] | None:
    return None if recorded is None else read_documents(_items(recorded))


def _items(recorded: Value) -> list[Value]:
    """Return a list each of whose items is JSON text of its own."""
    listed = decode(recorded).value
    return [decode(item).value for item in listed] if isinstance(listed, list) else []
