"""Tool results: what came back, and failures that hide in it as text.

    "Error: ticket backend returned 503"
    {"isError": true, "content": [{"type": "text", "text": "no such order"}]}
    {"status": "error", "message": "timeout"}

A result that merely talks about errors (a log line, a help page) is no failure: a text
has to begin with one, an object has to be an envelope that holds nothing else.
"""

import re
from collections.abc import Mapping

from ingest.span import ToolDefinition, ToolFact, Value
from ingest.values import Decoded, decode, text_of

_BEGINS_WITH_ERROR = re.compile(
    r"\s{0,40}(?:"
    r"(?:[A-Za-z_][\w.]{0,60})?Error(?:\([^()]{0,200}\))?\s?:\s?\S"
    r"|[A-Za-z_][\w.]{0,60}Exception(?:\([^()]{0,200}\))?\s?:\s?\S"
    r"|error\s?:\s?\S|ERROR\s?:\s?\S"
    r"|Error (?:executing|calling|invoking|running|while|in) (?:the )?(?:tool|function)\b"
    r"|Tool (?:execution|call) (?:failed|error)\b"
    r"|Traceback \(most recent call last\)"
    r")"
)
_ERROR_FLAGS = ("isError", "is_error")
_SUCCESS_FLAGS = ("success", "ok")
_STATUSES = ("status", "response_status", "responseStatus", "result_status")
_BAD_STATUS = frozenset({"error", "failed", "failure"})
_ENVELOPE = frozenset(
    {
        *_ERROR_FLAGS,
        *_SUCCESS_FLAGS,
        *_STATUSES,
        "code",
        "content",
        "detail",
        "details",
        "error",
        "error_code",
        "error_message",
        "error_type",
        "errors",
        "message",
        "request_id",
        "stack",
        "status_code",
        "structuredContent",
        "_meta",
        "meta",
        "tool_call_id",
        "traceback",
        "type",
    }
)
_WORDS = ("error", "error_message", "message", "detail", "details", "content", "errors")


def read_result(value: Value) -> Decoded:
    """Return a result without what an API puts around it, parsed.

    One text part (`[{"type": "text", "text": …}]`, or without the list) is the text that it
    holds, a typed value (`{"type": "json", "value": …}`) is the value. Several parts stay a
    list: a search returns one for each passage.
    """
    if isinstance(value, dict) and set(value) == {"type", "value"}:
        value = value["value"]
    inner = decode(value)
    part = inner.value
    texts = _texts([part] if isinstance(part, dict) and part.get("type") == "text" else part)
    return inner if texts is None or len(texts) != 1 else decode(texts[0])


def tool_fact(
    *,
    name: str,
    call_id: str | None,
    arguments: Decoded,
    result: Decoded,
    error: str | None,
    flagged: bool,
    definition: ToolDefinition | None,
) -> ToolFact:
    """Join what a tool span tells, with a failure that hides in its result.

    Args:
        name: The tool's name.
        call_id: Id of the call in the model's message.
        arguments: As decoded.
        result: As read by `read_result`.
        error: The span's own error, control flow left out.
        flagged: The recorder or the result's own status says that the call failed.
        definition: The tool as the model could choose it.
    """
    hidden = hidden_error(result.value)
    failed = flagged or error is not None or hidden is not None
    return ToolFact(
        name=name,
        call_id=call_id,
        arguments=arguments.value,
        arguments_capture=arguments.capture,
        result=result.value,
        result_capture=result.capture,
        is_error=failed,
        error=error or hidden or (text_of(result.value) if failed else None),
        definition=definition,
    )


def hidden_error(result: Value) -> str | None:
    """Return the words of a failure that a result reports; None for a real result."""
    if isinstance(result, str):
        return result.strip() if _BEGINS_WITH_ERROR.match(result) else None
    if not isinstance(result, dict):
        return None
    told = {key: item for key, item in result.items() if item not in (None, "", [], {})}
    if any(told.get(flag) is True for flag in _ERROR_FLAGS):
        return _words(told)
    if not _ENVELOPE.issuperset(told):
        return None
    if told.get("error") not in (None, False) or any(map(_is_bad, map(told.get, _STATUSES))):
        return _words(told)
    if any(result.get(flag) is False for flag in _SUCCESS_FLAGS):
        return _words(told)
    return None


def _is_bad(status: Value) -> bool:
    return isinstance(status, str) and status.casefold() in _BAD_STATUS


def _words(told: Mapping[str, Value]) -> str:
    for key in _WORDS:
        item = told.get(key)
        if isinstance(item, dict):
            item = item.get("message")
        words = text_of(item) or "\n".join(_texts(item) or ())
        if words:
            return words.strip()
    return "error"


def _texts(value: Value) -> list[str] | None:
    """Return the texts of a list that holds nothing but text parts."""
    if not isinstance(value, list) or not value:
        return None
    texts = [item["text"] for item in value if isinstance(item, dict) and _is_text_part(item)]
    spelled = [text for text in texts if isinstance(text, str)]
    return spelled if len(spelled) == len(value) else None


def _is_text_part(item: Mapping[str, Value]) -> bool:
    return "text" in item and (item.get("type") == "text" or len(item) == 1)
