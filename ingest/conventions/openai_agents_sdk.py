"""Spans of the OpenAI Agents SDK itself, out of its export or as Logfire passes them on.

    openai_agents.span_data = {"type": "function", "name": "search_hr",
                               "input": {"query": …}, "output": [{…}]}
    openai_agents.group_id  = "conv-42"

Logfire writes the fields of `span_data` as attributes, and the type shows in its template:

    logfire.msg_template = "Handoff: {from_agent} → {to_agent}"
    from_agent = "triage"   to_agent = "hr"

A response is exported as an id without texts; Logfire adds them as events (`gen_ai_events`).
Tasks and turns repeat the sums of their calls. A handoff to `hr` is offered to the model as
the tool `transfer_to_hr`.

Source: openai-agents, tracing span data; logfire, OpenAI Agents integration.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.lookup import Attributes, first_id, first_text, get
from ingest.conventions.payload_facts import with_payloads
from ingest.conventions.usage import usage_of
from ingest.span import HandoffFact, RawSpan, Span, SpanKind, ToolDefinition, Value
from ingest.values import decode, identifier

NAME = "openai_agents_sdk"
MARKERS = (b"openai_agents.", b"logfire.msg_template")

_DATA = "openai_agents.span_data"
_GROUPS = ("openai_agents.group_id", "group_id")
_TEMPLATE = "logfire.msg_template"
_TEMPLATES = {
    "OpenAI Agents trace: {name}": "trace",
    "Agent run: {name!r}": "agent",
    "Function: {name}": "function",
    "Handoff: {from_agent} → {to_agent}": "handoff",
    "Guardrail {name!r} {triggered=}": "guardrail",
    "Chat completion with {gen_ai.request.model!r}": "generation",
    "Responses API with {gen_ai.request.model!r}": "response",
    "Speech → Text with {gen_ai.request.model!r}": "transcription",
    "Text → Speech": "speech",
}
_KINDS = {
    "agent": SpanKind.AGENT,
    "function": SpanKind.TOOL,
    "generation": SpanKind.LLM,
    "response": SpanKind.LLM,
    "handoff": SpanKind.ROUTER,
    "guardrail": SpanKind.GUARDRAIL,
    # trace, custom and mcp_tools do no stage's work.
}
_VOICES = ("transcription", "speech")
"""They hold the question and the answer again, as sound."""
_UNSPEAKABLE = re.compile(r"\W+")


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the SDK's export, and those of Logfire's integration of it."""
    return _DATA in raw.attributes or _template(raw) is not None


def convert(raw: RawSpan) -> Span:
    """Translate one span; a type that does no stage's work becomes `SpanKind.OTHER`."""
    recorded = decode(get(raw.attributes, _DATA)).value
    data: Attributes = recorded if isinstance(recorded, dict) else raw.attributes
    told = first_id(data, "type") if isinstance(recorded, dict) else _template(raw)
    kind = _KINDS.get(told or "", SpanKind.OTHER)
    span = Span(
        raw=raw,
        kind=kind,
        conversation_id=_group(raw.attributes),
        error=error_text(raw) or _error(data),
        synthetic=told in _VOICES,
    )
    match kind:
        case SpanKind.AGENT:
            return replace(span, agent=first_id(data, "name"), tools_available=_offered(data))
        case SpanKind.LLM:
            span = replace(span, model=first_id(data, "model"), usage=usage_of(_usage(data)))
            return with_payloads(span, get(data, "input"), get(data, "output"))
        case SpanKind.TOOL:
            name = first_id(data, "name")
            return with_payloads(span, get(data, "input"), get(data, "output"), tool_name=name)
        case SpanKind.ROUTER:
            source, target = first_id(data, "from_agent"), first_id(data, "to_agent")
            return replace(span, handoff=HandoffFact(target=target, source=source))
        case SpanKind.GUARDRAIL:
            flag = first_id(data, "name") if get(data, "triggered") is True else None
            return replace(span, policy_flag=flag)
        case _:
            return span


def _group(attributes: Attributes) -> str | None:
    """Return the group of traces; none is recorded as the text `null`."""
    return next(
        (v for key in _GROUPS if (v := identifier(decode(get(attributes, key)).value))), None
    )


def _template(raw: RawSpan) -> str | None:
    recorded = get(raw.attributes, _TEMPLATE)
    return _TEMPLATES.get(recorded) if isinstance(recorded, str) else None


def _usage(data: Attributes) -> Value:
    return decode(get(data, "usage")).value


def _offered(data: Attributes) -> tuple[ToolDefinition, ...] | None:
    tools, handoffs = (read_definitions(get(data, key)) for key in ("tools", "handoffs"))
    if tools is None and handoffs is None:
        return None
    targets = (_UNSPEAKABLE.sub("_", agent.name).lower() for agent in handoffs or ())
    return (*(tools or ()), *(ToolDefinition(name=f"transfer_to_{name}") for name in targets))


def _error(data: Attributes) -> str | None:
    """Return what the SDK says of a failure that its span does not show as one."""
    told = decode(get(data, "error")).value
    if not isinstance(told, dict):
        return None
    details = told.get("data")
    inner: Mapping[str, Value] = details if isinstance(details, dict) else {}
    return first_text(inner, "error") or first_text(told, "message")
