"""Messages of a model call, in the shape of any provider or recorder.

    [{"role": "user", "parts": [{"type": "text", "content": "Hello"}]}]     OTel GenAI
    {"messages": [[{"lc": 1, "id": [..., "HumanMessage"], "kwargs": …}]]}   LangChain
    {"choices": [{"message": {"role": "assistant", "content": "Hi"}}]}      OpenAI
    [{"type": "function_call_output", "call_id": "c1", "output": "7"}]      OpenAI Responses
    {"candidates": [{"content": {"role": "model", "parts": [...]}}]}        Gemini

Roles become four: `user`, `assistant`, `system`, `tool`. A user message that carries
nothing but tool results is a tool's.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ingest.conventions.langchain_values import unwrap
from ingest.conventions.native_citations import part_citations, response_citations
from ingest.conventions.parts import Content, read_content, read_request, says_error
from ingest.conventions.tool_results import hidden_error, read_result
from ingest.span import Message, NativeCitation, ToolRequest, ToolResponse, Value
from ingest.values import Decoded, decode, identifier

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "humanmessagechunk": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "tool-call": "assistant",
    "tool": "tool",
    "tool-response": "tool",
    "toolresult": "tool",
    "function": "tool",
    "ipython": "tool",
}
_LISTS = (
    "messages",
    "choices",
    "generations",
    "candidates",
    "contents",
    "replies",
    "output",
    "input",
)
_REASONING_TYPES = frozenset({"reasoning", "thinking"})
_FINISH_REASONS = ("finish_reason", "finishReason", "stop_reason", "stopReason")
_FINISH_HOLDERS = ("response_metadata", "generation_info", "additional_kwargs", "meta")
_CONTENTS = frozenset({"content", "contents", "tool_calls"})
_MAX_NESTING = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """The messages of one side of a call, and what its API cited."""

    messages: tuple[Message, ...]
    citations: tuple[NativeCitation, ...] = ()
    """Of the last message that has a text; ranges count from its beginning."""
    truncated: bool = False

    @property
    def told(self) -> bool:
        """Whether any message holds a text, a tool request or a tool result."""
        return any(m.text is not None or m.tool_requests or m.tool_responses for m in self.messages)


def decode_messages(value: Value, role: Role) -> Messages | None:
    """Read messages from an attribute value; None when it holds none.

    A plain text is one message of *role*. An empty list is an empty list of messages.

    Args:
        value: The attribute as recorded.
        role: Of messages that do not tell theirs.
    """
    decoded = decode(value)
    if isinstance(decoded.value, str):
        content = read_content(decoded.value)
        message = Message(role=role, text=content.text, truncated=content.truncated)
        return Messages(messages=(message,), truncated=content.truncated)
    return from_decoded(decoded, role)


def from_decoded(decoded: Decoded, role: Role) -> Messages | None:
    """Read messages as `read_messages` does, and pass on what the decoding cut off."""
    found = read_messages(decoded.value, role)
    if found is None or decoded.capture != "truncated":
        return found
    messages = found.messages
    if messages and _cut_in_messages(decoded):
        messages = (*messages[:-1], replace(messages[-1], truncated=True))
    return replace(found, messages=messages, truncated=True)


def read_messages(value: Value, role: Role) -> Messages | None:
    """Read messages from a decoded structure; None when it holds none."""
    items = _items(value, _MAX_NESTING)
    if items is None:
        return None
    read = [pair for item in items for pair in _read_item(item, role)]
    if items and not any(_is_message(item) for item in items):
        return None
    texts = [(m, cited) for m, cited in read if m.text is not None]
    citations = texts[-1][1] if texts else ()
    if texts and isinstance(value, dict) and not _is_message(value):
        citations += tuple(response_citations(value, texts[-1][0].text or ""))
    messages = tuple(message for message, _ in read)
    return Messages(
        messages=messages, citations=citations, truncated=any(m.truncated for m in messages)
    )


def _cut_in_messages(decoded: Decoded) -> bool:
    """Tell whether the cut fell into the last message, not into what follows the list."""
    value = decoded.value
    if isinstance(value, dict) and not _is_message(value):
        return decoded.last_cut and next(reversed(value)) in _LISTS
    return decoded.last_cut


def _items(value: Value, nesting: int) -> list[Mapping[str, Value]] | None:
    """Find the list of messages in a request, a response or a graph's state."""
    if nesting == 0:
        return None
    if isinstance(value, list):
        if value and isinstance(value[0], list):  # one list for each prompt of a batch
            return _items(value[0], nesting - 1)
        objects: list[Mapping[str, Value]] = [item for item in value if isinstance(item, dict)]
        return objects if objects or not value else None
    if not isinstance(value, dict):
        return None
    if _is_message(value):
        return [value]
    for key in _LISTS:
        inner = value.get(key)
        found = _items(inner, nesting - 1) if isinstance(inner, list) else None
        if found and any(map(_is_message, found)):
            return found
        if found == [] and key == "messages":
            return []
    return None


def _is_message(item: Mapping[str, Value]) -> bool:
    """Tell messages from documents, parts and other objects that stand in lists."""
    if isinstance(item.get("message"), dict) or "parts" in item or "generation_info" in item:
        return True
    if _is_candidate(item) or ("finish_reason" in item and ("text" in item or "content" in item)):
        return True
    told = unwrap(item)
    if _role(told) is not None and (_CONTENTS & told.keys() or "role" in told):
        return True
    if "role" in told and _CONTENTS & told.keys():
        return True
    kind = _kind(told)
    return kind.endswith(("_call", "_call_output")) or kind in _REASONING_TYPES


def _read_item(
    item: Mapping[str, Value], default: Role
) -> Iterator[tuple[Message, tuple[NativeCitation, ...]]]:
    told = _flat(item)
    role = _role(told)
    if role is None and _kind(told).endswith(("_call", "_call_output")):
        content = read_content([dict(told)])
        if content.requests:
            yield Message(role="assistant", tool_requests=content.requests), ()
        if content.responses:
            yield Message(role="tool", tool_responses=content.responses), ()
    elif _kind(told) not in _REASONING_TYPES and _is_message(item):
        yield _read_message(told, role or default)


def _flat(item: Mapping[str, Value]) -> Mapping[str, Value]:
    """Bring the fields of a message up to one level."""
    inner = item.get("message")
    if isinstance(inner, dict):  # a choice, a generation, or a nested OpenInference message
        return {**item, **unwrap(inner)}
    if _is_candidate(item):
        content = item["content"]
        return {"role": "model", **item, **(content if isinstance(content, dict) else {})}
    return unwrap(item)


def _is_candidate(item: Mapping[str, Value]) -> bool:
    """Tell the answers of Gemini, which hold their message as `content`."""
    content = item.get("content")
    return isinstance(content, dict) and "parts" in content


def _read_message(
    told: Mapping[str, Value], role: Role
) -> tuple[Message, tuple[NativeCitation, ...]]:
    content = read_content(_content_of(told))
    requests = _requests(told, content)
    responses = content.responses
    text = content.text
    citations = content.citations
    if role == "tool" and not responses:
        responses, text = (_tool_response(told, text),), None
    elif role == "user" and responses and text is None:
        role = "tool"
    if text is not None and not citations:
        citations = (*part_citations(told, text, 0), *response_citations(told, text))
    message = Message(
        role=role,
        text=None if text == "" and (requests or responses) else text,
        tool_requests=requests,
        tool_responses=responses,
        name=identifier(told.get("name")),
        finish_reason=_finish_reason(told),
        truncated=content.truncated,
    )
    return message, citations


def _content_of(told: Mapping[str, Value]) -> Value:
    for key in ("parts", "contents", "content", "text"):
        if told.get(key) not in (None, []):
            return told[key]
    return None


def _requests(told: Mapping[str, Value], content: Content) -> tuple[ToolRequest, ...]:
    """Join the calls beside the content with those in it; some recorders write both."""
    beside = [
        request for call in _calls(told) if (request := read_request(_as_call(call))) is not None
    ]
    known = {request.call_id for request in beside if request.call_id}
    return (*beside, *(r for r in content.requests if not beside or r.call_id not in known))


def _calls(told: Mapping[str, Value]) -> Iterable[Mapping[str, Value]]:
    extra = told.get("additional_kwargs")
    calls = told.get("tool_calls") or (extra.get("tool_calls") if isinstance(extra, dict) else None)
    if isinstance(calls, list) and calls:
        return [call for call in calls if isinstance(call, dict)]
    legacy = told.get("function_call")
    if isinstance(legacy, dict):
        return [legacy]
    if "function_call_name" in told:
        arguments = told.get("function_call_arguments_json")
        return [{"name": told["function_call_name"], "arguments": arguments}]
    return []


def _as_call(call: Mapping[str, Value]) -> Mapping[str, Value]:
    inner = call.get("tool_call")
    return {**(inner if isinstance(inner, dict) else call), "type": "tool_call"}


def _tool_response(told: Mapping[str, Value], text: str | None) -> ToolResponse:
    result = read_result(_content_of(told) if text is None else text).value
    return ToolResponse(
        call_id=identifier(told.get("tool_call_id")) or identifier(told.get("id")),
        name=identifier(told.get("name")),
        result=result,
        is_error=says_error(told) or hidden_error(result) is not None,
    )


def _finish_reason(told: Mapping[str, Value]) -> str | None:
    holders = [told, *(h for key in _FINISH_HOLDERS if isinstance(h := told.get(key), dict))]
    for holder in holders:
        for key in _FINISH_REASONS:
            if reason := identifier(holder.get(key)):
                return reason
    return None


def _role(told: Mapping[str, Value]) -> Role | None:
    for key in ("role", "type"):
        value = told.get(key)
        if isinstance(value, str) and value.lower() in _ROLES:
            return _ROLES[value.lower()]
    if "generation_info" in told:
        return "assistant"
    return None


def _kind(told: Mapping[str, Value]) -> str:
    return str(told.get("type", "")).lower()
