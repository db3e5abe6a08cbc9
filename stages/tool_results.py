"""What a tool's result says about its call: worked, failed, or worked and found nothing."""

import re
from collections.abc import Iterator

from ingest.span import ToolResponse, Value
from stages.records import ToolStatus
from stages.wording import parsed, squeezed

_LISTS = (
    "results",
    "documents",
    "matches",
    "retrievalResults",
    "hits",
    "items",
    "records",
    "rows",
    "entries",
    "chunks",
    "passages",
    "docs",
    "data",
    "content",
)
_FOUND_FLAGS = ("found", "exists")
_ERROR_START = re.compile(r"\s*(?:error|exception|traceback)\b\s*[:(]", re.IGNORECASE)
# fmt: off
_BOOKKEEPING = frozenset({
    "count", "total", "total_count", "totalCount", "size", "page",
    "limit", "offset", "took", "timed_out", "query", "isError",
    "is_error", "status", "next", "cursor", "next_cursor", "nextToken",
    "structuredContent", "metadata", "meta", "_meta",
})
# fmt: on
_NOTHING = re.compile(
    r"(?:sorry,? )?(?:there (?:is|are|were) )?(?:"
    r"(?:no|zero|0)(?: (?:such|matching|relevant|search|further))*"
    r" (?:results?|documents?|match(?:es)?|records?|entries|entry|rows?|items?|data|hits?|chunks?"
    r"|information|passages?|answers?)"
    r"|nothing|none)"
    r"(?: (?:were|was|is|are))?(?: (?:found|available|matched|returned|retrieved|exists?))?"
    r"|not found|null|n/a"
)
_LONGEST_NOTHING = 80


def status_of(result: Value, *, is_error: bool, captured: bool) -> ToolStatus:
    """Return how a call ended.

    Args:
        result: What came back, parsed or as text.
        is_error: A span or message says that the call failed.
        captured: Whether the trace tells what came back; `unknown` when not.
    """
    if is_error:
        return "error"
    if not captured:
        return "unknown"
    if reports_error(result):
        return "error"
    return "empty" if found_nothing(result) else "ok"


def found_nothing(result: Value) -> bool:
    """Tell whether a result is empty: nothing, an empty list in any wrapper, `found: false`."""
    if isinstance(result, str):
        inner = parsed(result)
        return says_nothing(result) if inner is None else found_nothing(inner)
    if result is None or result in ([], {}):
        return True
    if isinstance(result, list):
        texts = list(_block_texts(result))
        return len(texts) == len(result) and all(found_nothing(text) for text in texts)
    if isinstance(result, dict):
        return _object_is_empty(result)
    return False


def says_nothing(text: str) -> bool:
    """Tell whether a whole text only says that nothing was found."""
    if len(text) > _LONGEST_NOTHING:
        return not text.strip()
    words = squeezed(text).casefold().strip(" .!'\"")
    return not words or _NOTHING.fullmatch(words) is not None


def reports_error(result: Value) -> bool:
    """Tell whether a result is an error in words or in the shape that tool servers use."""
    if isinstance(result, str):
        return _ERROR_START.match(result) is not None
    if isinstance(result, dict):
        return result.get("isError") is True or result.get("is_error") is True
    return False


def error_text(response: ToolResponse) -> str | None:
    """Return the error of a result seen in messages, None when it is no error."""
    if not (response.is_error or reports_error(response.result)):
        return None
    if isinstance(response.result, str):
        return response.result
    texts = " ".join(_block_texts(_content(response.result)))
    return texts or "error"


def _object_is_empty(result: dict[str, Value]) -> bool:
    if any(result.get(flag) is False for flag in _FOUND_FLAGS):
        return True
    if len(result) == 1:
        return found_nothing(next(iter(result.values())))
    told = {key: value for key, value in result.items() if key not in _BOOKKEEPING}
    return any(key in told for key in _LISTS) and all(map(found_nothing, told.values()))


def _content(result: Value) -> list[Value]:
    content = result.get("content") if isinstance(result, dict) else None
    return content if isinstance(content, list) else []


def _block_texts(blocks: list[Value]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, dict) and isinstance(block.get("text"), str) and _is_block(block):
            yield str(block["text"])


def _is_block(block: dict[str, Value]) -> bool:
    return block.get("type") == "text" or set(block) == {"text"}
