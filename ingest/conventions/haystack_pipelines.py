"""Haystack's own tracer: pipelines, the components that they run, and agents.

    haystack.pipeline.run    haystack.pipeline.input_data = {"router": {"query": "…"}}
      haystack.component.run   haystack.component.name  = "router"
                               haystack.component.type  = "ConditionalRouter"
                               haystack.component.input  = {"query": "How many vacation days?"}
                               haystack.component.output = {"hr": "How many vacation days?"}
      haystack.component.run   type = "InMemoryBM25Retriever"   output = {"documents": [{…}]}
      haystack.component.run   type = "OpenAIGenerator"         output = {"replies": ["…"]}
      haystack.component.run   type = "Agent"
        haystack.agent.run     haystack.agent.output = {"messages": [all of the run]}

What a component did shows in its type's last word. Content is off by default. A component
that does not serialise is the text that Python prints, which no reading is built on.

Source: haystack-ai 2.18, a run of it; tracing and pipelines.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ingest.conventions import routes
from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.handoffs import handoff_by_tool
from ingest.conventions.haystack import branches_taken
from ingest.conventions.lookup import begins, first, first_id, first_text, get
from ingest.conventions.parts import says_error
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.policy import flag_of_finish
from ingest.conventions.tool_results import read_result, tool_fact
from ingest.conventions.usage import usage_of
from ingest.span import RawSpan, RouteFact, Span, SpanKind, ToolDefinition, Value
from ingest.values import NOT_CAPTURED, Decoded, decode

NAME = "haystack"
MARKERS = (b"haystack.",)

_PREFIX = "haystack."
_TYPE = "haystack.component.type"
_SUFFIXES = {
    "Generator": SpanKind.LLM,
    "Retriever": SpanKind.RETRIEVER,
    "WebSearch": SpanKind.RETRIEVER,
    "Ranker": SpanKind.RERANKER,
    "Embedder": SpanKind.EMBEDDING,
    "Router": SpanKind.ROUTER,
    "Agent": SpanKind.AGENT,
    "ToolInvoker": SpanKind.TOOL,
}
_ROUTERS_OF_FILES = ("FileTypeRouter", "MetadataRouter", "DocumentTypeRouter")
_INPUTS = ("haystack.component.input", "haystack.agent.input", "haystack.pipeline.input_data")
_OUTPUTS = ("haystack.component.output", "haystack.agent.output", "haystack.pipeline.output_data")
_AGENT = "haystack.agent.run"


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded by this tracer."""
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one span; a pipeline and whatever prepares, joins or writes has kind OTHER."""
    attributes = raw.attributes
    name = first_id(attributes, "haystack.component.name")
    kind = _kind(raw)
    span = Span(
        raw=raw,
        kind=kind,
        agent=name if kind is SpanKind.AGENT else None,
        error=error_text(raw),
    )
    took, gave = _side(raw, _INPUTS), _side(raw, _OUTPUTS)
    match kind:
        case SpanKind.LLM:
            told = _with_call(with_payloads(span, took, gave), took.value, gave.value)
            return routes.refine(told, is_step=False, name=name)
        case SpanKind.AGENT:
            return _with_run(with_payloads(span, took, gave), took.value)
        case SpanKind.ROUTER:
            return _with_route(span, gave.value)
        case SpanKind.TOOL:
            return _with_tool(span, gave.value)
        case _:
            return with_payloads(span, _of_only_component(took), gave)


def _kind(raw: RawSpan) -> SpanKind:
    if raw.name == _AGENT:
        return SpanKind.AGENT
    kind = first_id(raw.attributes, _TYPE) or ""
    if kind in _ROUTERS_OF_FILES:
        return SpanKind.OTHER
    return next((_SUFFIXES[s] for s in _SUFFIXES if kind.endswith(s)), SpanKind.OTHER)


def _side(raw: RawSpan, keys: tuple[str, ...]) -> Decoded:
    """Return an object of parameters or results; the tracer records nothing as an empty one."""
    found = decode(first(raw.attributes, keys))
    return found if found.value and isinstance(found.value, dict) else NOT_CAPTURED


def _of_only_component(took: Decoded) -> Decoded:
    """Return what a pipeline gave the one component that it gave anything."""
    inputs = list(took.value.values()) if isinstance(took.value, dict) else []
    return replace(took, value=inputs[0]) if len(inputs) == 1 and inputs[0] else took


def _with_call(span: Span, took: Value, gave: Value) -> Span:
    meta = _meta(gave)
    finish = span.finish_reason or first_id(meta, "finish_reason")
    return replace(
        span,
        model=first_id(meta, "model"),
        usage=usage_of(meta.get("usage")),
        finish_reason=finish,
        policy_flag=flag_of_finish(finish),
        tools_available=_catalogue(took),
    )


def _meta(gave: Value) -> Mapping[str, Value]:
    """Return what the model's API told beside a reply: in it, or in a list beside the replies."""
    told: Mapping[str, Value] = gave if isinstance(gave, dict) else {}
    for key in ("meta", "replies"):
        listed = told.get(key)
        told_first = listed[0] if isinstance(listed, list) and listed else None
        if isinstance(told_first, dict):
            inner = told_first.get("meta", told_first)
            return inner if isinstance(inner, dict) else {}
    return {}


def _catalogue(took: Value) -> tuple[ToolDefinition, ...] | None:
    listed = took.get("tools") if isinstance(took, dict) else None
    return read_definitions(listed) if isinstance(listed, list) and listed else None


def _with_run(span: Span, took: Value) -> Span:
    """Cut an agent's messages, which are all of the run, after the user's last one."""
    messages = span.output_messages
    users = [i for i, m in enumerate(messages or ()) if m.role == "user"]
    told: Mapping[str, Value] = took if isinstance(took, dict) else {}
    return replace(
        span,
        output_messages=messages[users[-1] + 1 :] if messages and users else messages,
        instructions=first_text(told, "system_prompt"),
        tools_available=read_definitions(get(span.raw.attributes, "haystack.agent.tools")),
    )


def _with_route(span: Span, gave: Value) -> Span:
    taken = branches_taken(gave)
    branches = decode(get(span.raw.attributes, "haystack.component.output_spec")).value
    candidates = tuple(map(_candidate, branches)) if isinstance(branches, dict) else ()
    return replace(span, route=RouteFact(chosen=taken, candidates=candidates)) if taken else span


def _candidate(name: str) -> ToolDefinition:
    return ToolDefinition(name=name)


def _with_tool(span: Span, gave: Value) -> Span:
    """Add the call that was run; of several, the messages of the agent tell."""
    listed = gave.get("tool_messages") if isinstance(gave, dict) else None
    messages = listed if isinstance(listed, list) else []
    results = [result for message in messages for result in _results(message)]
    if len(results) != 1:
        return replace(span, kind=SpanKind.OTHER)
    called = get(results[0], "origin")
    call: Mapping[str, Value] = called if isinstance(called, dict) else {}
    tool = tool_fact(
        name=first_id(call, "tool_name") or span.raw.name,
        call_id=first_id(call, "id"),
        arguments=decode(call.get("arguments")),
        result=read_result(get(results[0], "result")),
        error=span.error,
        flagged=says_error(results[0]),
        definition=None,
    )
    handoff = handoff_by_tool(tool.name, tool.arguments, None)
    return replace(span, tool=tool, handoff=handoff)


def _results(message: Value) -> Iterator[Mapping[str, Value]]:
    parts = message.get("content") if isinstance(message, dict) else None
    for part in parts if isinstance(parts, list) else []:
        result = part.get("tool_call_result") if isinstance(part, dict) else None
        if isinstance(result, dict):
            yield result
