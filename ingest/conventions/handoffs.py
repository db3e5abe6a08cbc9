"""Handoffs that look like tool calls.

Agents pass control by calling a tool whose name says so: `transfer_to_hr_agent()`,
`transfer_to_agent(agent_name="hr_agent")`, `transfer_back_to_supervisor()`. A tool that
asks another agent and goes on with its answer (`ask_hr_agent`) is a tool.
"""

import re

from ingest.span import HandoffFact, Value
from ingest.values import identifier

_NAME = re.compile(
    r"(?:transfer|hand_?off)_(?:back_)?to_(\w{1,100})"
    r"|route_to_((?:\w{1,100}_)?(?:agent|subagent|assistant))",
    re.IGNORECASE,
)
_ARGUMENTS = ("agent_name", "agent", "target", "target_agent", "to")
_ANY_AGENT = frozenset({"agent", "subagent", "assistant"})


def is_handoff_name(name: str) -> bool:
    """Tell whether a tool of this name hands over, whatever it is given."""
    return _NAME.fullmatch(name) is not None


def handoff_by_tool(name: str | None, arguments: Value, source: str | None) -> HandoffFact | None:
    """Return the handoff that a tool call is; None for a real tool.

    Args:
        name: The tool's name.
        arguments: Parsed; they name the target of a general handoff tool.
        source: The agent that called, where it is recorded.
    """
    match = _NAME.fullmatch(name or "")
    if match is None:
        return None
    target = match[1] or match[2]
    if target.lower() in _ANY_AGENT:
        told = arguments if isinstance(arguments, dict) else {}
        named = (identifier(told.get(key)) for key in _ARGUMENTS)
        return HandoffFact(target=next((n for n in named if n), None), source=source)
    return HandoffFact(target=target, source=source)
