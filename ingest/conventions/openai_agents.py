"""OpenAI Agents SDK under OpenInference.

    support               AGENT                       the whole run, no agent
      triage_agent        AGENT   graph.node.id
        generation        LLM     input.value  [..., {"type": "function_call_output", …}]

`llm.input_messages` leaves out tool calls and their results on some spans, and the system
message is missing from `input.value` on others: the longer of the two lists is whole.

Source: openinference-instrumentation-openai-agents 1.6 and 2.6.
"""

from dataclasses import replace

from ingest.conventions.lookup import first_id, get
from ingest.conventions.messages import decode_messages
from ingest.span import Message, RawSpan, Span, SpanKind

_SCOPE = "openinference.instrumentation.openai_agents"


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the OpenAI Agents instrumentor."""
    return raw.scope_name.startswith(_SCOPE)


def refine(span: Span) -> Span:
    """Add the messages that the flattened list leaves out; tell the run from its agents."""
    raw = span.raw
    if (
        span.kind is SpanKind.AGENT
        and first_id(raw.attributes, "graph.node.id", "agent.name") is None
    ):
        return replace(span, kind=SpanKind.OTHER, agent=None)
    return _with_whole_input(span) if span.kind is SpanKind.LLM else span


def _with_whole_input(span: Span) -> Span:
    recorded = decode_messages(get(span.raw.attributes, "input.value"), "user")
    flattened = span.input_messages or ()
    if recorded is None or len(recorded.messages) <= len(flattened):
        return span
    whole = recorded.messages
    if _begins_with_system(flattened) and not _begins_with_system(whole):
        whole = (flattened[0], *whole)
    return replace(span, input_messages=whole)


def _begins_with_system(messages: tuple[Message, ...]) -> bool:
    return bool(messages) and messages[0].role == "system"
