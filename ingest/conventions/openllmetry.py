"""OpenLLMetry spans, as written by Traceloop's instrumentors and decorators.

    traceloop.span.kind     = "task"        workflow, task, agent, tool, handoff
    traceloop.entity.name   = "router"
    traceloop.entity.input  = {"inputs": {"messages": [{"lc": 1, …}]}, "tags": [], …}
    traceloop.entity.output = {"outputs": {"route": "hr_policies"}, "kwargs": {…}}
    traceloop.association.properties.thread_id = "conv-42"

LangChain's values come in an envelope. A tool's arguments in it are the text that Python
prints, and the standard's own key (`gen_ai.tool.call.arguments`) repeats the envelope. A
handoff is recorded before its target is known. Hits of a vector store are events, see
`vector_db`; model calls have the standard's names, see `gen_ai`.

Source: opentelemetry-semantic-conventions-ai 0.5, OpenLLMetry instrumentations 0.47 to 0.62.
"""

from dataclasses import replace

from ingest.conventions import langgraph
from ingest.conventions.documents import read_documents
from ingest.conventions.failures import error_text
from ingest.conventions.identity import node_of
from ingest.conventions.lookup import Attributes, begins, first, first_id, first_text, get
from ingest.conventions.operations import kind_of_operation
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.payloads import called_with
from ingest.span import RawSpan, Span, SpanKind, ToolDefinition, Value
from ingest.values import Decoded, decode

NAME = "openllmetry"
MARKERS = (b"traceloop.",)

_PREFIX = "traceloop."
_KINDS = {
    "agent": SpanKind.AGENT,
    "tool": SpanKind.TOOL,
    "handoff": SpanKind.ROUTER,
    # workflow and task frame what others do
}
_SUFFIXES = (".workflow", ".task", ".agent", ".tool")
_INPUTS = ("traceloop.entity.input", "gen_ai.task.input")
_OUTPUTS = ("traceloop.entity.output", "gen_ai.task.output")
_ARGUMENTS = ("gen_ai.tool.call.arguments", *_INPUTS)
_RESULTS = ("gen_ai.tool.call.result", *_OUTPUTS)
_TOOL_NAMES = ("gen_ai.tool.name", "traceloop.entity.name")
_INPUT_KEYS = ("inputs", "input_str")
_OUTPUT_KEYS = ("outputs", "output")
_BESIDE = frozenset({"tags", "metadata", "kwargs"})
_WRITES_MESSAGES = frozenset({SpanKind.LLM, SpanKind.EMBEDDING})


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one span; a model call's own facts are left to the standard's names."""
    attributes = raw.attributes
    name = _entity(raw)
    gave = opened(first(attributes, _OUTPUTS), _OUTPUT_KEYS)
    kind = _kind(attributes, name, gave)
    span = Span(
        raw=raw,
        kind=kind,
        agent=_agent(attributes, kind, name),
        node=node_of(attributes),
        error=error_text(raw),
    )
    if kind in _WRITES_MESSAGES:
        return span
    took = opened(first(attributes, _INPUTS), _INPUT_KEYS)
    span = _with_tool(span, name) if kind is SpanKind.TOOL else with_payloads(span, took, gave)
    return langgraph.refine_step(span, name, took.value, gave.value)


def opened(value: Value, keys: tuple[str, ...]) -> Decoded:
    """Return what an envelope holds; a value that is in none as it is.

    Args:
        value: The attribute as recorded.
        keys: Names under which the content may stand, the best one first.
    """
    whole = decode(value)
    envelope = whole.value
    if not isinstance(envelope, dict) or not envelope.keys() & _BESIDE:
        return called_with(whole)
    if not envelope.keys() <= {*keys, *_BESIDE}:
        return called_with(whole)
    held = next((envelope[key] for key in keys if envelope.get(key) not in (None, {})), None)
    inner = decode(held)
    return replace(inner, capture=whole.capture) if whole.capture == "truncated" else inner


def _with_tool(span: Span, name: str) -> Span:
    attributes = span.raw.attributes
    called = first_id(attributes, *_TOOL_NAMES) or name
    description = first_text(attributes, "gen_ai.tool.description")
    return with_payloads(
        span,
        opened(first(attributes, _ARGUMENTS), _INPUT_KEYS),
        opened(first(attributes, _RESULTS), _OUTPUT_KEYS),
        tool_name=called,
        call_id=first_id(attributes, "gen_ai.tool.call.id"),
        definition=ToolDefinition(name=called, description=description) if description else None,
    )


def _kind(attributes: Attributes, name: str, gave: Decoded) -> SpanKind:
    by_operation = kind_of_operation(get(attributes, "gen_ai.operation.name"))
    if by_operation is not None:
        return by_operation
    recorded = get(attributes, "traceloop.span.kind")
    if isinstance(recorded, str) and recorded in _KINDS:
        return _KINDS[recorded]
    if name.endswith("Retriever") and read_documents(gave.value) is not None:
        return SpanKind.RETRIEVER  # LangChain's, a mere task in older releases
    return SpanKind.OTHER


def _agent(attributes: Attributes, kind: SpanKind, name: str) -> str | None:
    named = first_id(attributes, "gen_ai.agent.name")
    return named or (name or None if kind is SpanKind.AGENT else None)


def _entity(raw: RawSpan) -> str:
    """Return what the application calls the step."""
    named = first_id(raw.attributes, "traceloop.entity.name")
    if named:
        return named
    return next((raw.name.removesuffix(s) for s in _SUFFIXES if raw.name.endswith(s)), raw.name)
