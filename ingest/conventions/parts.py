"""Parts of a message, in the shape of any provider or recorder.

    {"type": "text", "content": "Hello"}                      OTel GenAI
    {"type": "tool_use", "id": "c1", "name": "stock", …}      Anthropic
    {"toolResult": {"toolUseId": "c1", "content": [...]}}     Bedrock
    {"message_content": {"type": "text", "text": "Hello"}}    OpenInference
    {"tool_call_result": {"result": "7", "origin": {…}}}      Haystack

Reasoning is never part of the text: the user did not see it. Pictures, files and other
parts without text are passed over.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ingest.conventions.lookup import first_id
from ingest.conventions.native_citations import part_citations
from ingest.conventions.tool_results import hidden_error, read_result
from ingest.span import NativeCitation, ToolRequest, ToolResponse, Value
from ingest.values import decode, is_cut, text_of

_TEXT_TYPES = frozenset({"text", "input_text", "output_text", "refusal"})
_TEXT_KEYS = ("content", "text", "value", "refusal")
_REQUEST_TYPES = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_HOSTED_WRAPPER = "server_tool_call"
_HOSTED_TYPES = frozenset(
    {
        "code_interpreter_call",
        "file_search_call",
        "image_generation_call",
        "mcp_call",
        "mcp_tool_use",
        "server_tool_call",
        "server_tool_use",
        "tool_search_call",
        "web_search_call",
    }
)
"""What the provider runs by itself; everything else waits for the agent."""
_RESPONSE_SUFFIXES = ("_call_response", "_tool_result", "_call_output", "_function_response")
_RESPONSE_TYPES = frozenset({"tool_result", "function_response"})
_CALL_SUFFIX = "_call"

# objects that hold the part under the name of its type
_WRAPPERS = ("message_content", "tool_call")
_REQUEST_WRAPPERS = ("toolUse", "functionCall", "function_call", _HOSTED_WRAPPER)
_RESPONSE_WRAPPERS = ("toolResult", "functionResponse", "function_response", "tool_call_result")
_CALLED = {"tool_name", "arguments"}
_ORIGIN = "origin"
"""Key of the call that a result answers."""
_ERROR_FLAGS = ("is_error", "isError", "error")

_CALL_IDS = ("call_id", "tool_call_id", "tool_use_id", "toolUseId", "toolCallId", "id")
_NAMES = ("name", "toolName", "tool_name")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "action", "queries")
_RESULTS = ("response", "result", "content", "output", "results")


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What the parts of one message say."""

    text: str | None = None
    """None when there is no text part, or all of them are masked."""
    requests: tuple[ToolRequest, ...] = ()
    responses: tuple[ToolResponse, ...] = ()
    citations: tuple[NativeCitation, ...] = ()
    """Ranges count from the beginning of `text`."""
    truncated: bool = False


def read_content(value: Value) -> Content:
    """Read a text, a part, or a list of both."""
    texts: list[tuple[str, Mapping[str, Value]]] = []
    requests: list[ToolRequest] = []
    responses: list[ToolResponse] = []
    for item in value if isinstance(value, list) else [value]:
        part = _unwrapped(item)
        if (text := _text(item, part)) is not None:
            texts.append((text, part))
        elif (response := read_response(part)) is not None:
            responses.append(response)
        elif (request := read_request(part)) is not None:
            requests.append(request)
            responses.extend(_inline_results(part, request))
    text, citations = _joined(texts)
    return Content(
        text=text,
        requests=tuple(requests),
        responses=tuple(responses),
        citations=citations,
        truncated=text is not None and is_cut(text),
    )


def read_request(part: Mapping[str, Value]) -> ToolRequest | None:
    """Read a wish to call a tool; None for any other part."""
    kind = _type(part)
    wrapped = _inner(part, _REQUEST_WRAPPERS)
    if wrapped is None and not (
        kind in _REQUEST_TYPES
        or kind.endswith(_CALL_SUFFIX)
        or "function" in part
        or part.keys() >= _CALLED
    ):
        return None
    told = {**part, **(wrapped or {})}
    function = told.get("function")
    if isinstance(function, dict):
        told |= function
    name = first_id(told, *_NAMES) or kind.removesuffix(_CALL_SUFFIX)
    arguments = next((told[key] for key in _ARGUMENTS if key in told), None)
    if arguments is None and wrapped is part.get(_HOSTED_WRAPPER):
        arguments = {key: item for key, item in (wrapped or {}).items() if key != "type"} or None
    return ToolRequest(
        call_id=first_id(told, *_CALL_IDS),
        name=name,
        arguments=decode(arguments).value,
        hosted=kind in _HOSTED_TYPES or _HOSTED_WRAPPER in part,
    )


def read_response(part: Mapping[str, Value]) -> ToolResponse | None:
    """Read a tool's result; None for any other part."""
    kind = _type(part)
    wrapped = _inner(part, _RESPONSE_WRAPPERS)
    if wrapped is None and not (kind in _RESPONSE_TYPES or kind.endswith(_RESPONSE_SUFFIXES)):
        return None
    told = {**part, **(wrapped or {})}
    origin = told.get(_ORIGIN)
    told |= origin if isinstance(origin, dict) else {}
    result = read_result(next((told[key] for key in _RESULTS if key in told), None)).value
    return ToolResponse(
        call_id=first_id(told, *_CALL_IDS),
        name=first_id(told, *_NAMES),
        result=result,
        is_error=says_error(told) or hidden_error(result) is not None,
    )


def says_error(told: Mapping[str, Value]) -> bool:
    """Tell whether a result's own flag or status says that the call failed."""
    flagged = any(told.get(key) is True for key in _ERROR_FLAGS)
    return flagged or told.get("status") == "error"


def _text(item: Value, part: Mapping[str, Value]) -> str | None:
    if isinstance(item, str):
        return text_of(item)
    if _type(part) not in _TEXT_TYPES and ("type" in part or part.get("thought") is True):
        return None
    for key in _TEXT_KEYS:
        value = part.get(key)
        if isinstance(value, dict):  # {"type": "text", "text": {"value": "Hello"}}
            value = value.get("value")
        if isinstance(value, str):
            return text_of(value)
    return None


def _joined(
    texts: list[tuple[str, Mapping[str, Value]]],
) -> tuple[str | None, tuple[NativeCitation, ...]]:
    """Join the texts; an API that cites splits one text into blocks, without a gap."""
    cited = any(part.get("citations") for _, part in texts)
    gap = "" if cited else "\n\n"
    joined, citations = "", list[NativeCitation]()
    for text, part in texts:
        joined += gap if joined else ""
        citations.extend(part_citations(part, text, len(joined)))
        joined += text
    return (joined if texts else None), tuple(citations)


def _inline_results(part: Mapping[str, Value], request: ToolRequest) -> Iterable[ToolResponse]:
    """Results of a tool that the provider ran stand on the call itself."""
    for key in ("results", "output"):
        if part.get(key) is not None:
            result = read_result(part[key]).value
            yield ToolResponse(call_id=request.call_id, name=request.name, result=result)


def _unwrapped(item: Value) -> Mapping[str, Value]:
    if not isinstance(item, dict):
        return {}
    return _inner(item, _WRAPPERS) or item


def _inner(part: Mapping[str, Value], keys: tuple[str, ...]) -> Mapping[str, Value] | None:
    return next((inner for key in keys if isinstance(inner := part.get(key), dict)), None)


def _type(part: Mapping[str, Value]) -> str:
    return str(part.get("type", "")).replace("-", "_").lower()
