"""Claude Agent SDK, as its instrumentor records it under two conventions at once.

    ClaudeAgentSDK.query     AGENT
      Agent                  TOOL    input {"subagent_type": "math-agent", "prompt": "…"}
        ClaudeAgentSDK.Agent AGENT   agent.name "Agent", gen_ai.agent.name "Agent", whoever it is
          Bash               TOOL

A tool called `Agent` (earlier `Task`) asks another agent and goes on with its answer; only
the tool's arguments name it. There are no model spans: the run's own counts are all.

Source: openinference-instrumentation-claude-agent-sdk 0.1.
"""

from dataclasses import replace

from ingest.span import HandoffFact, RawSpan, Span, SpanKind
from ingest.values import identifier

_SCOPE = "openinference.instrumentation.claude_agent_sdk"
_TOOLS = ("Agent", "Task")
_TARGET = "subagent_type"
_ANYBODY = "Agent"


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the instrumentor of this SDK."""
    return raw.scope_name.startswith(_SCOPE)


def refine(span: Span) -> Span:
    """Tell delegations from tools, and agents from the class that all of them are."""
    if span.kind is SpanKind.AGENT and span.agent == _ANYBODY:
        return replace(span, agent=None)
    if span.tool is None or span.tool.name not in _TOOLS:
        return span
    arguments = span.tool.arguments
    target = identifier(arguments.get(_TARGET)) if isinstance(arguments, dict) else None
    return replace(span, handoff=HandoffFact(target=target, source=span.agent, returns=True))
