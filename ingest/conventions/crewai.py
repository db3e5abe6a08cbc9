"""CrewAI under OpenInference.

    Crew.kickoff              CHAIN   output {"raw": "…", "tasks_output": [...]}
      Task._execute_core      AGENT   input {"agent": "id=UUID('…') role='Writer' goal=…"}
                                      output {"description": "Write …", "raw": "…"}

An agent is known by its role, and a task asks for what its description says. The input holds
the text that Python prints for the agent. CrewAI's own telemetry (`Crew Created`) carries no
content and belongs to no convention.

Source: openinference-instrumentation-crewai 0.1 and 1.1.
"""

import re
from dataclasses import replace

from ingest.conventions.lookup import first_id
from ingest.conventions.openinference_messages import INPUT, OUTPUT, payload
from ingest.span import RawSpan, Span, SpanKind, Value
from ingest.values import text_of

_SCOPE = "openinference.instrumentation.crewai"
_ROLE = re.compile(r"\brole=(?:'([^']{1,200})'|\"([^\"]{1,200})\")")


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the CrewAI instrumentor."""
    return raw.scope_name.startswith(_SCOPE)


def refine(span: Span) -> Span:
    """Name the agent by its role, and take the task out of what was printed."""
    gave = payload(span.raw.attributes, OUTPUT).value
    told = gave if isinstance(gave, dict) else {}
    answered = text_of(told.get("raw")) or span.output_text
    if span.kind is not SpanKind.AGENT:
        return replace(span, output_text=answered)
    took = payload(span.raw.attributes, INPUT).value
    inputs = took if isinstance(took, dict) else {}
    return replace(
        span,
        agent=first_id(span.raw.attributes, "graph.node.id") or _role(inputs) or span.agent,
        input_text=text_of(told.get("description")) or text_of(inputs.get("task")),
        output_text=answered,
    )


def _role(inputs: dict[str, Value]) -> str | None:
    printed = inputs.get("agent")
    found = _ROLE.search(printed[:100_000]) if isinstance(printed, str) else None
    return (found[1] or found[2]).strip() if found else None
