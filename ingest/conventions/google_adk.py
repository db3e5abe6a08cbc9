"""Google ADK spans, with the keys that it writes beside the standard's.

    invoke_agent helm_agent
      call_llm                 gcp.vertex.agent.llm_request  = {"config": {"system_instruction": …,
                                 "tools": [...]}, "contents": [{"role": "user", "parts": [...]}]}
                               gcp.vertex.agent.llm_response = {"content": {"parts": [...]}}
        generate_content m1    the same call, without content
          execute_tool stock   gcp.vertex.agent.tool_call_args, gcp.vertex.agent.tool_response
      execute_tool (merged tools)   parallel calls once more, see `gen_ai`

`{}` stands for content that is switched off, and for a request on spans that make none. A
result that is no object is wrapped as `{"result": …}`. Control is passed by a tool called
`transfer_to_agent`.

Source: google-adk 1.10 to 2.13, telemetry.
"""

import re
from dataclasses import replace

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.failures import error_text
from ingest.conventions.lookup import begins, first_id, first_text, get
from ingest.conventions.operations import kind_of_name, kind_of_operation
from ingest.conventions.payload_facts import with_payloads
from ingest.span import RawSpan, Span, SpanKind, Value
from ingest.values import NOT_CAPTURED, Decoded, decode

NAME = "google_adk"
MARKERS = (b"gcp.vertex.agent",)
SCOPES = ("gcp.vertex.agent",)
SPAN_NAMES = ("agent_run [",)
"""Beginnings of names by which a span without attributes is known."""

_PREFIX = "gcp.vertex.agent."
_REQUEST = "gcp.vertex.agent.llm_request"
_RESPONSE = "gcp.vertex.agent.llm_response"
_ARGUMENTS = "gcp.vertex.agent.tool_call_args"
_RESULT = "gcp.vertex.agent.tool_response"
_CALL = "call_llm"
_TOOL_SPAN = "execute_tool "
_OLD_RUN = re.compile(r"agent_run \[([^\]]{1,200})\]")


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the kit."""
    if raw.scope_name in SCOPES or _OLD_RUN.fullmatch(raw.name):
        return True
    return begins(raw.attributes, _PREFIX)


def convert(raw: RawSpan) -> Span:
    """Translate one span; an invocation frames what its agents do."""
    attributes = raw.attributes
    old_run = _OLD_RUN.fullmatch(raw.name)
    span = Span(
        raw=raw,
        kind=SpanKind.AGENT if old_run else _kind(raw),
        conversation_id=first_id(attributes, "gcp.vertex.agent.session_id"),
        agent=old_run[1] if old_run else first_id(attributes, "gen_ai.agent.name"),
        error=error_text(raw),
    )
    match span.kind:
        case SpanKind.LLM:
            return _with_call(span)
        case SpanKind.TOOL:
            return with_payloads(
                span,
                get(attributes, _ARGUMENTS),
                _result(get(attributes, _RESULT)),
                tool_name=first_id(attributes, "gen_ai.tool.name")
                or raw.name.removeprefix(_TOOL_SPAN),
                call_id=first_id(attributes, "gen_ai.tool.call.id"),
            )
        case _:
            return span


def _kind(raw: RawSpan) -> SpanKind:
    if raw.name == _CALL:
        return SpanKind.LLM
    by_operation = kind_of_operation(get(raw.attributes, "gen_ai.operation.name"))
    return by_operation or kind_of_name(raw.name) or SpanKind.OTHER


def _with_call(span: Span) -> Span:
    request = _content(get(span.raw.attributes, _REQUEST))
    response = _content(get(span.raw.attributes, _RESPONSE))
    told = with_payloads(span, request, response)
    config = request.value.get("config") if isinstance(request.value, dict) else None
    if not isinstance(config, dict):
        return told
    return replace(
        told,
        instructions=first_text(config, "system_instruction"),
        tools_available=read_definitions(get(config, "tools")),
    )


def _content(value: Value) -> Decoded:
    found = decode(value)
    return NOT_CAPTURED if found.value == {} else found


def _result(value: Value) -> Decoded:
    found = decode(value)
    if isinstance(found.value, dict) and found.value.keys() == {"result"}:
        return replace(decode(found.value["result"]), capture=found.capture)
    return found
