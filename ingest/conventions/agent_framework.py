"""Workflows of Microsoft's Agent Framework: which step of one a span runs in.

    workflow.run
      executor.process triage        executor.id = "triage"
        invoke_agent triage          the standard's names, see `gen_ai`
      edge_group.process SwitchCaseEdgeGroup
      message.send

Messages between steps carry no content, and the edge that was taken shows in the step that
is entered next.

Source: agent-framework-core 1.23, observability.
"""

from ingest.conventions.failures import error_text
from ingest.conventions.lookup import first_id
from ingest.span import RawSpan, Span

NAME = "agent_framework"
MARKERS = (b"executor.id",)

_EXECUTOR = "executor.id"
_SPAN = "executor.process"


def recognises(raw: RawSpan) -> bool:
    """Tell steps of a workflow."""
    return raw.name.startswith(_SPAN) and _EXECUTOR in raw.attributes


def convert(raw: RawSpan) -> Span:
    """Translate one span; it frames what its step does."""
    return Span(raw=raw, node=first_id(raw.attributes, _EXECUTOR), error=error_text(raw))
