"""OpenTelemetry GenAI spans, of every generation, and the dialects close to them.

    name                        = "chat gpt-5"
    gen_ai.operation.name       = "chat"
    gen_ai.conversation.id      = "conv-42"
    gen_ai.input.messages       = [{"role": "user", "parts": [{"type": "text", …}]}]
    gen_ai.usage.input_tokens   = 100

Content is off by default: most production spans hold names, ids and tokens only.

Source: OpenTelemetry semantic conventions for generative AI, registry and span pages.
"""

from ingest.conventions import langchain_azure, pydantic_ai, routes, strands
from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.gen_ai_events import carries_messages
from ingest.conventions.gen_ai_messages import REFERENCES, instructions, read_sides
from ingest.conventions.gen_ai_steps import read_handoff, read_retrieval, read_tool
from ingest.conventions.identity import conversation_of, model_of, node_of
from ingest.conventions.lookup import Attributes, begins, first, first_id, get, tree
from ingest.conventions.messages import Messages
from ingest.conventions.operations import kind_of_name, kind_of_operation
from ingest.conventions.policy import flag_of_finish
from ingest.conventions.stray_logs import MADE_OF_LOGS
from ingest.conventions.usage import read_usage
from ingest.span import RawSpan, Span, SpanKind, ToolDefinition, Usage
from ingest.values import decode, identifier, number

NAME = "gen_ai"
MARKERS = (b"gen_ai",)

_PREFIX = "gen_ai."
_OPERATION = "gen_ai.operation.name"
_MODELS = ("gen_ai.response.model", "gen_ai.request.model")
_INPUT_TOKENS = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.usage.prompt_tokens",
)
_OUTPUT_TOKENS = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.usage.completion_tokens",
)
_ANSWERED = ("gen_ai.response.model", "gen_ai.completion")
_CACHED = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.details.cache_read_tokens",
)
_WRITTEN = (
    "gen_ai.usage.cache_write.input_tokens",
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "gen_ai.usage.cache_write_input_tokens",
    "gen_ai.usage.details.cache_write_tokens",
)
_FINISH_REASONS = ("gen_ai.response.finish_reasons", "gen_ai.response.finish_reason")
_FIRST_CHUNK_S = (
    "gen_ai.response.time_to_first_chunk",
    "gen_ai.client.operation.time_to_first_chunk",
)
_CATALOGUES = ("gen_ai.tool.definitions", "model_request_parameters", "gen_ai.agent.tools")
_OLD_CATALOGUE = "llm.request.functions"
_LIBRARIES = (
    (pydantic_ai.recognises, pydantic_ai.refine),
    (strands.recognises, strands.refine),
    (langchain_azure.recognises, langchain_azure.refine),
)
_MERGED_TOOLS = "(merged tools)"
_MESSAGE_KINDS = frozenset({SpanKind.LLM, SpanKind.AGENT, SpanKind.OTHER})


def recognises(raw: RawSpan) -> bool:
    """Tell whether a key or an event of the convention is there."""
    return (
        begins(raw.attributes, _PREFIX)
        or "gen_ai" in raw.attributes
        or any(map(carries_messages, raw.events))
    )


def convert(raw: RawSpan) -> Span:
    """Translate one span; one of an unknown operation has kind OTHER."""
    attributes = raw.attributes
    kind = kind_of(raw)
    error = error_text(raw)
    tool = read_tool(raw, error) if kind is SpanKind.TOOL else None
    inputs, outputs = read_sides(raw) if kind in _MESSAGE_KINDS else (None, None)
    finish = _finish_reason(attributes, outputs)
    cut = any(side.truncated for side in (inputs, outputs) if side)
    told = Span(
        raw=raw,
        kind=kind,
        conversation_id=conversation_of(attributes),
        agent=_agent(raw, kind),
        model=model_of(attributes, *_MODELS),
        usage=_usage(attributes),
        first_output_ms=_first_output_ms(attributes),
        input_messages=None if inputs is None else inputs.messages,
        output_messages=None if outputs is None else outputs.messages,
        instructions=instructions(raw),
        content="truncated" if cut else "captured",
        tools_available=_catalogue(attributes),
        tool=tool,
        handoff=read_handoff(attributes, tool),
        retrieval=read_retrieval(raw) if kind is SpanKind.RETRIEVER else None,
        citations=() if outputs is None else outputs.citations,
        finish_reason=finish,
        policy_flag=flag_of_finish(finish),
        node=node_of(attributes),
        synthetic=raw.name.endswith(_MERGED_TOOLS),
        error=error,
        flags=("content_by_reference",) if first(attributes, REFERENCES) is not None else (),
    )
    for recognises_it, refine in _LIBRARIES:
        told = refine(told) if recognises_it(raw) else told
    return routes.refine(told, is_step=False)


def kind_of(raw: RawSpan) -> SpanKind:
    """Return what a span did, by its operation, its name or what it records."""
    attributes = raw.attributes
    operation = get(attributes, _OPERATION)
    if isinstance(operation, str):
        return kind_of_operation(operation) or SpanKind.OTHER
    by_name = kind_of_name(raw.name)
    if by_name is not None:
        return by_name
    if get(attributes, "gen_ai.tool.name") is not None:
        return SpanKind.TOOL
    return _kind_of_old_span(raw)


def _kind_of_old_span(raw: RawSpan) -> SpanKind:
    """Spans before `gen_ai.operation.name` show a model call by its request and answer."""
    attributes = raw.attributes
    if MADE_OF_LOGS in raw.flags:
        return SpanKind.LLM
    if first(attributes, _MODELS) is None:
        return SpanKind.OTHER
    by_request = kind_of_operation(get(attributes, "llm.request.type"))
    if by_request is not None:
        return by_request
    answered = first(attributes, (*_ANSWERED, *_INPUT_TOKENS, *_OUTPUT_TOKENS))
    has_events = any(map(carries_messages, raw.events))
    has_leaves = begins(attributes, "gen_ai.completion.")
    return SpanKind.LLM if answered is not None or has_events or has_leaves else SpanKind.OTHER


def _agent(raw: RawSpan, kind: SpanKind) -> str | None:
    named = first_id(raw.attributes, "gen_ai.agent.name")
    if named is None and kind is SpanKind.AGENT:
        return raw.name.removeprefix("invoke_agent").strip() or None
    return named


def _usage(attributes: Attributes) -> Usage | None:
    return read_usage(
        attributes,
        inputs=_INPUT_TOKENS,
        outputs=_OUTPUT_TOKENS,
        cached=_CACHED,
        written=_WRITTEN,
    )


def _first_output_ms(attributes: Attributes) -> float | None:
    seconds = number(first(attributes, _FIRST_CHUNK_S))
    return None if seconds is None else seconds * 1000


def _catalogue(attributes: Attributes) -> tuple[ToolDefinition, ...] | None:
    for name in _CATALOGUES:
        recorded = get(attributes, name)
        found = None if recorded is None else read_definitions(recorded)
        if found is not None:
            return found
    return read_definitions(tree(attributes, _OLD_CATALOGUE))


def _finish_reason(attributes: Attributes, outputs: Messages | None) -> str | None:
    recorded = decode(first(attributes, _FINISH_REASONS)).value
    reasons = recorded if isinstance(recorded, list) else [recorded]
    named = [reason for value in reasons if (reason := identifier(value))]
    if not named and outputs is not None:
        named = [message.finish_reason for message in outputs.messages if message.finish_reason]
    return named[-1] if named else None
