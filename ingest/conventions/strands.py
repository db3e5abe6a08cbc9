"""AWS Strands, which writes the standard's names and puts content into events.

    invoke_agent Shop        gen_ai.agent.tools = ["stock"]   gen_ai.agent.system_prompt = "…"
      execute_event_loop_cycle     event_loop.cycle_id
        chat                 gen_ai.server.time_to_first_token, in milliseconds
        execute_tool stock   events gen_ai.tool.message, gen_ai.choice; or, as messages,
                             gen_ai.client.inference.operation.details

Agents of a swarm pass control by a tool called `handoff_to_agent`. A swarm or a graph is an
operation of its own (`invoke_swarm`), which only frames.

Source: strands-agents 1.62, telemetry.
"""

from dataclasses import replace

from ingest.conventions.lookup import first_text, get
from ingest.span import RawSpan, Span, SpanKind
from ingest.values import number

_SCOPE = "strands."
_SYSTEMS = ("gen_ai.system", "gen_ai.provider.name")
_SYSTEM = "strands-agents"
_CYCLE = "event_loop.cycle_id"
_PROMPT = "gen_ai.agent.system_prompt"
_FIRST_OUTPUT_MS = "gen_ai.server.time_to_first_token"
_GROUPS = ("invoke_swarm", "invoke_graph")


def recognises(raw: RawSpan) -> bool:
    """Tell spans of Strands."""
    attributes = raw.attributes
    named = (get(attributes, key) == _SYSTEM for key in _SYSTEMS)
    return raw.scope_name.startswith(_SCOPE) or _CYCLE in attributes or any(named)


def refine(span: Span) -> Span:
    """Add what stands under names of its own; a group of agents is none itself."""
    attributes = span.raw.attributes
    prompt = first_text(attributes, _PROMPT) if span.kind is SpanKind.AGENT else None
    is_group = span.raw.name in _GROUPS
    return replace(
        span,
        agent=None if is_group else span.agent,
        instructions=span.instructions or prompt,
        first_output_ms=number(get(attributes, _FIRST_OUTPUT_MS)) or span.first_output_ms,
    )
