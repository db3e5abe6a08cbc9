"""Tool calls over the Model Context Protocol, as client and server record them.

    rpc.method = "tools/call"        mcp.method.name = "tools/call"
    request    = {"method": "tools/call", "params": {"name": "stock", "arguments": {…}}}
    response   = {"content": [{"type": "text", "text": "7 left"}], "isError": false}

Such a span stands below the tool span of the agent that called, and repeats it; whoever
counts tool calls joins the two.

Source: OpenTelemetry semantic conventions for MCP; Logfire and OpenLLMetry instrumentations.
"""

from ingest.conventions.failures import error_text
from ingest.conventions.lookup import Attributes, first, first_id, get
from ingest.conventions.parts import says_error
from ingest.conventions.tool_results import read_result, tool_fact
from ingest.span import RawSpan, Span, SpanKind, Value
from ingest.values import Decoded, decode

NAME = "mcp"
MARKERS = (b"mcp.", b"rpc.jsonrpc")

_METHODS = ("mcp.method.name", "rpc.method")
_CALL = "tools/call"
_REQUESTS = ("request", "mcp.request.argument", "mcp.request.params")
_RESPONSES = ("response", "mcp.response.value")
_NAMES = ("gen_ai.tool.name", "mcp.tool.name")
_ENVELOPE = ("root", "params")


def recognises(raw: RawSpan) -> bool:
    """Tell a call of a tool from other traffic of the protocol."""
    attributes = raw.attributes
    if first_id(attributes, *_METHODS) == _CALL:
        return True
    return get(_request(attributes), "method") == _CALL


def convert(raw: RawSpan) -> Span:
    """Translate one call."""
    attributes = raw.attributes
    params = _params(_request(attributes))
    arguments = params.get("arguments") if "name" in params else params or None
    response = decode(first(attributes, _RESPONSES))
    told = response.value if isinstance(response.value, dict) else {}
    fact = tool_fact(
        name=first_id(attributes, *_NAMES) or first_id(params, "name") or _named(raw),
        call_id=first_id(attributes, "gen_ai.tool.call.id"),
        arguments=decode(arguments),
        result=_result(response),
        error=error_text(raw),
        flagged=says_error(told),
        definition=None,
    )
    return Span(raw=raw, kind=SpanKind.TOOL, tool=fact, error=error_text(raw))


def _request(attributes: Attributes) -> dict[str, Value]:
    recorded = decode(first(attributes, _REQUESTS)).value
    return recorded if isinstance(recorded, dict) else {}


def _params(request: dict[str, Value]) -> dict[str, Value]:
    """Return name and arguments out of a whole message, or the arguments alone."""
    params = request
    for key in _ENVELOPE:
        inner = params.get(key)
        params = inner if isinstance(inner, dict) else params
    return params


def _result(response: Decoded) -> Decoded:
    """Return what the tool's server answered, without the protocol around it."""
    value = response.value
    content = value.get("content") if isinstance(value, dict) else None
    return response if content is None else read_result(content)


def _named(raw: RawSpan) -> str:
    return raw.name.rpartition(_CALL)[2].strip() or raw.name
