"""Monocle spans: what was done is a `span.type`, who did it are entities, content is events.

    agentic.turn                  the user's message, from question to answer
      agentic.invocation          entity.1.name = "hr_agent"   entity.1.from_agent = "triage"
        inference.framework       entity.2.name = "m1"
          inference.modelapi      the same call once more, without content
        agentic.tool.invocation   entity.1.name = "stock", entity.2.name = "hr_agent"
          agentic.mcp.invocation  the same call once more
        retrieval                 entity.1.type = "vectorstore.knowledge_base"

    event data.input   {"input": ['{"system": "Be short."}', '{"user": "Hello"}']}
    event data.output  {"response": '{"assistant": "Hi"}', "error_code": ""}
    event metadata     {"prompt_tokens": 50, "completion_tokens": 12, "finish_reason": "stop"}

Some stores fold entities into a list. After an error, the response is its message. How
messages are written is in `monocle_messages`.

Source: monocle-apptrace 0.3 to 0.8, metamodel.
"""

from collections.abc import Mapping
from dataclasses import replace

from ingest.conventions import routes
from ingest.conventions.failures import error_text
from ingest.conventions.lookup import Attributes, first_id, first_text, get, positions
from ingest.conventions.monocle_messages import read_arguments, read_side, read_text
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.payloads import called_with
from ingest.conventions.policy import flag_of_error, flag_of_finish
from ingest.conventions.usage import usage_of
from ingest.span import HandoffFact, RawSpan, Span, SpanKind, ToolDefinition, Value
from ingest.values import decode

NAME = "monocle"
MARKERS = (b"monocle_apptrace", b"span.type")

_TYPE = "span.type"
_KINDS = {
    "agentic.turn": SpanKind.AGENT,
    "agentic.request": SpanKind.AGENT,
    "agentic.invocation": SpanKind.AGENT,
    "agentic.delegation": SpanKind.ROUTER,
    "agentic.tool.invocation": SpanKind.TOOL,
    "agentic.mcp.invocation": SpanKind.TOOL,
    "inference": SpanKind.LLM,
    "inference.framework": SpanKind.LLM,
    "inference.modelapi": SpanKind.LLM,
    "retrieval": SpanKind.RETRIEVER,
    "embedding": SpanKind.EMBEDDING,
    "workflow": SpanKind.OTHER,
    "custom": SpanKind.OTHER,
    "generic": SpanKind.OTHER,
}
_SESSIONS = ("scope.agentic.session", "scope.session_id", "scope.session")
_AGENT = "agent."
_MODEL = "model."
_STORE = "vectorstore."
_DEFAULT = "unknown"
_INPUTS = ("input", "query")
_OUTPUTS = ("response", "output")
_RESULT = "result"


def recognises(raw: RawSpan) -> bool:
    """Tell whether *raw* was recorded with this convention."""
    return first_text(raw.attributes, _TYPE) in _KINDS


def convert(raw: RawSpan) -> Span:
    """Translate one span."""
    attributes = raw.attributes
    entities = _entities(attributes)
    kind = _KINDS[str(get(attributes, _TYPE))]
    span = Span(
        raw=raw,
        kind=kind,
        conversation_id=first_id(attributes, *_SESSIONS),
        agent=_named(entities, _AGENT),
        error=error_text(raw),
    )
    took = _event(raw, "data.input", _INPUTS)
    gave = None if span.error is not None else _event(raw, "data.output", _OUTPUTS)
    match kind:
        case SpanKind.LLM:
            return _with_call(span, entities, took, gave)
        case SpanKind.TOOL:
            return _with_tool(span, entities[0] if entities else {}, took, gave)
        case SpanKind.RETRIEVER:
            told = with_payloads(span, read_text(took), gave)
            return _in_collection(told, entities)
        case SpanKind.ROUTER:
            passed = entities[0] if entities else {}
            source, target = first_id(passed, "from_agent"), first_id(passed, "to_agent")
            return replace(span, agent=None, handoff=HandoffFact(target=target, source=source))
        case SpanKind.AGENT:
            return with_payloads(span, read_text(took), read_text(gave))
        case _:
            return _with_function(span, took, gave)


def _entities(attributes: Attributes) -> list[Mapping[str, Value]]:
    """Return the entities in order, with or without the numbers in their names."""
    folded = get(attributes, "entity")
    if isinstance(folded, list):
        return [entity for entity in folded if isinstance(entity, dict)]
    found: list[Mapping[str, Value]] = []
    for position in positions(attributes, "entity"):
        prefix = f"entity.{position}."
        found.append({k.removeprefix(prefix): v for k, v in attributes.items() if prefix in k})
    return found


def _named(entities: list[Mapping[str, Value]], kind: str) -> str | None:
    named = (first_id(e, "name") for e in entities if str(e.get("type", "")).startswith(kind))
    return next((name for name in named if name and name != _DEFAULT), None)


def _event(raw: RawSpan, name: str, keys: tuple[str, ...]) -> Value:
    """Return what an event of this name holds; None when there is none."""
    for event in raw.events:
        if event.name == name:
            return next((event.attributes[key] for key in keys if key in event.attributes), None)
    return None


def _with_call(span: Span, entities: list[Mapping[str, Value]], took: Value, gave: Value) -> Span:
    counted: Attributes = next((e.attributes for e in span.raw.events if e.name == "metadata"), {})
    ended: Attributes = next((e.attributes for e in span.raw.events if e.name == "data.output"), {})
    finish = first_text(counted, "finish_reason") or first_text(ended, "finish_reason")
    inputs, outputs = read_side(took, "user"), read_side(gave, "assistant")
    cut = any(side.truncated for side in (inputs, outputs) if side)
    is_bare = not entities and not span.raw.events
    call = replace(
        span,
        model=first_id(counted, "model") or _named(entities, _MODEL),
        usage=usage_of(dict(counted)),
        input_messages=None if inputs is None else inputs.messages,
        output_messages=None if outputs is None else outputs.messages,
        content="truncated" if cut else "captured",
        finish_reason=finish,
        policy_flag=flag_of_finish(finish) or flag_of_error(span.error),
        synthetic=is_bare,
    )
    return routes.refine(call, is_step=False)


def _with_tool(span: Span, entity: Mapping[str, Value], took: Value, gave: Value) -> Span:
    name = first_id(entity, "name")
    description = first_text(entity, "description")
    definition = (
        ToolDefinition(name=name, description=description) if name and description else None
    )
    return with_payloads(span, read_arguments(took), gave, tool_name=name, definition=definition)


def _in_collection(span: Span, entities: list[Mapping[str, Value]]) -> Span:
    """Add the store's name where it is more than the kind of store it is."""
    fact = span.retrieval
    for entity in entities:
        kind, name = str(entity.get("type", "")), first_id(entity, "name")
        if fact is not None and kind.startswith(_STORE) and name is not None:
            own = name.casefold() != kind.removeprefix(_STORE).casefold()
            if own and fact.collection is None:
                return replace(span, retrieval=replace(fact, collection=name))
    return span


def _with_function(span: Span, took: Value, gave: Value) -> Span:
    """Add what a function of the application took and gave; it may route or rewrite."""
    arguments, result = called_with(decode(took)), decode(gave)
    if isinstance(result.value, dict) and result.value.keys() == {_RESULT}:
        result = replace(decode(result.value[_RESULT]), capture=result.capture)
    told = with_payloads(span, arguments, result)
    return routes.refine(told, is_step=routes.is_step_name(span.raw.name))
