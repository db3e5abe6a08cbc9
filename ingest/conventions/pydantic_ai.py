"""Pydantic AI: agent runs that hold all messages, and ids of runs inside runs.

    invoke_agent hr_agent
      pydantic_ai.all_messages      = [user, assistant, tool, assistant, user, assistant]
      pydantic_ai.new_message_index = 4      what stands before is history
      final_result                  = "You get 25 days. [hr-001]"

A run inside another one is given a conversation id of its own, so only the id of a span
without a parent is the conversation's for sure.

Source: pydantic-ai instrumentation, versions 2 to 5; Logfire.
"""

from dataclasses import replace

from ingest.conventions.lookup import begins, first, first_id, get
from ingest.conventions.messages import Messages, decode_messages
from ingest.conventions.payloads import answer_of
from ingest.span import RawSpan, Span, SpanKind
from ingest.values import count, decode

_SCOPE = "pydantic-ai"
_ALL_MESSAGES = ("pydantic_ai.all_messages", "all_messages")
_NEW_INDEX = "pydantic_ai.new_message_index"
_FINAL = "final_result"
_SPAN_NAMES = {"agent run": SpanKind.AGENT, "running tool": SpanKind.TOOL}


def recognises(raw: RawSpan) -> bool:
    """Tell spans of Pydantic AI and of Logfire, which exports them."""
    return raw.scope_name.startswith((_SCOPE, "logfire")) or begins(
        raw.attributes, "pydantic_ai.", "logfire."
    )


def refine(span: Span) -> Span:
    """Add what an agent run holds, and doubt ids of runs that may be inner ones."""
    attributes = span.raw.attributes
    kind = span.kind if span.kind is not SpanKind.OTHER else _SPAN_NAMES.get(span.raw.name)
    refined = replace(
        span,
        kind=kind or span.kind,
        agent=span.agent or first_id(attributes, "agent_name"),
        model=span.model or first_id(attributes, "model_name"),
        conversation_weak=span.conversation_id is not None and _may_be_inner(span.raw),
    )
    return _with_run(refined) if refined.kind is SpanKind.AGENT else refined


def _may_be_inner(raw: RawSpan) -> bool:
    own_run = raw.scope_name.startswith(_SCOPE) or "gen_ai.agent.call.id" in raw.attributes
    return own_run and raw.parent_id is not None


def _with_run(span: Span) -> Span:
    attributes = span.raw.attributes
    final = decode(get(attributes, _FINAL))
    recorded = first(attributes, _ALL_MESSAGES)
    run = decode_messages(recorded, "user") if recorded is not None else None
    inputs, outputs = span.input_messages, span.output_messages
    if run is not None and not inputs and not outputs:
        start = _first_answer(run, count(get(attributes, _NEW_INDEX)) or 0)
        inputs, outputs = run.messages[:start], run.messages[start:]
    return replace(
        span,
        input_messages=inputs,
        output_messages=outputs,
        output_text=answer_of(final.value) or span.output_text,
        output_value=final.value if isinstance(final.value, dict | list) else span.output_value,
        content="truncated" if run is not None and run.truncated else span.content,
    )


def _first_answer(run: Messages, new: int) -> int:
    """Return the position of the first message that the model wrote in this run."""
    for position, message in enumerate(run.messages):
        if position >= new and message.role == "assistant":
            return position
    return len(run.messages)
