"""What a span says went wrong, in words.

Frameworks end a step early by raising: a LangGraph handoff is a `ParentCommand`, a pause
for a human a `GraphInterrupt`. The recorder writes them down as exceptions with an error
status, but nothing failed.

Source: OpenTelemetry, semantic conventions for exceptions and `error.type`.
"""

from ingest.conventions.lookup import get
from ingest.span import RawSpan
from ingest.values import identifier, text_of

_CONTROL_FLOW = frozenset(
    {"ParentCommand", "GraphInterrupt", "GraphBubbleUp", "NodeInterrupt", "GraphDrained"}
)
_TRACEBACK = "Traceback (most recent call last)"
_EXCEPTION = "exception"


def error_text(raw: RawSpan) -> str | None:
    """Return the error of a span that failed; None where it did not.

    The type stands in front (`ValueError: no stock`); a traceback is left out. A recorded
    exception on a span without an error status was handled and is none.
    """
    error_type = identifier(get(raw.attributes, "error.type"))
    if raw.status != "error" and error_type is None:
        return None
    kind, message = _exception(raw)
    kind = kind or error_type
    message = message or raw.status_message.partition(_TRACEBACK)[0].strip()
    if _is_control_flow(kind) or _is_control_flow(message.partition("(")[0]):
        return None
    if kind and not message.startswith(kind):
        return f"{kind}: {message}" if message else kind
    return message or "error"


def control_flow(raw: RawSpan) -> str | None:
    """Return the words of a framework's control-flow exception; None where none is."""
    kind, message = _exception(raw)
    if _is_control_flow(kind):
        return message
    return raw.status_message if _is_control_flow(raw.status_message.partition("(")[0]) else None


def _exception(raw: RawSpan) -> tuple[str | None, str]:
    for event in reversed(raw.events):
        if event.name == _EXCEPTION:
            kind = identifier(event.attributes.get("exception.type"))
            message = text_of(event.attributes.get("exception.message")) or ""
            return (kind.rpartition(".")[2] if kind else None), message.strip()
    return None, ""


def _is_control_flow(name: str | None) -> bool:
    return name is not None and name.strip().rpartition(".")[2] in _CONTROL_FLOW
