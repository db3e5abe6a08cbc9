"""Handoffs: control passed to another agent, however it was written down.

A handoff may have a span of its own, be an ordinary tool with a telling name
(`transfer_to_billing`), or be a tool whose execution is another agent's run. All three are
routing; none is a tool call.
"""

import re
from collections.abc import Iterable

from ingest.span import Span, SpanKind, Value

_NAME = re.compile(
    r"(?:transfer|hand_?off|handover|delegate|escalate)(?:_back)?_to_(\w[\w .-]*)", re.IGNORECASE
)
_GENERIC = ("agent", "subagent", "coworker", "team", "specialist")
_ARGUMENTS = ("agent_name", "agent", "target_agent", "coworker", "destination", "subagent_type")


def is_handoff_name(name: str) -> bool:
    """Tell whether a tool of this name hands over to another agent."""
    return _NAME.fullmatch(name.strip()) is not None


def target_of(name: str, arguments: Value = None) -> str | None:
    """Return the agent that a handoff tool names, in its name or its arguments."""
    match = _NAME.fullmatch(name.strip())
    if match is None:
        return None
    if match[1].casefold() not in _GENERIC:
        return match[1]
    if isinstance(arguments, dict):
        for key in _ARGUMENTS:
            if isinstance(named := arguments.get(key), str) and named:
                return named
    return None


def hands_over(span: Span, delegations: Iterable[str] = ()) -> bool:
    """Tell whether a span is a handoff; *delegations* are tool spans that ran an agent."""
    if span.handoff is not None or span.span_id in delegations:
        return True
    return span.kind is SpanKind.TOOL and span.tool is not None and is_handoff_name(span.tool.name)
