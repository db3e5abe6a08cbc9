"""LangChain objects as they are serialised into attributes.

    {"lc": 1, "type": "constructor", "id": [..., "HumanMessage"], "kwargs": {"content": …}}
    {"type": "human", "data": {"content": …}}
    {"kwargs": {"type": "human", "content": …}}
    {"content": "7 left", "tool_call_id": "c1", "status": "success"}

All of them become one flat object with a `type`.

Source: langchain-core, `dumpd`, `message_to_dict` and `ToolMessage`.
"""

from collections.abc import Mapping

from ingest.span import Value

_CLASSES = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
}
_CHUNK = "Chunk"


def unwrap(item: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the fields of a serialised object; *item* itself when it is none."""
    data, kwargs = item.get("data"), item.get("kwargs")
    if isinstance(data, dict) and "type" in item:
        return {"type": item["type"], **data}
    if not isinstance(kwargs, dict):
        return item
    path = item.get("id")
    if isinstance(path, list) and path and isinstance(path[-1], str):
        kind = _CLASSES.get(path[-1].removesuffix(_CHUNK), path[-1])
        return {"type": kind, **kwargs}
    return kwargs


def unwrap_tool_message(value: Value) -> Mapping[str, Value] | None:
    """Return the fields of a tool message that stands for a tool's result."""
    if not isinstance(value, dict):
        return None
    message = unwrap(value)
    return message if "content" in message and "tool_call_id" in message else None
