"""Messages and arguments as Monocle writes them: texts of objects with one key each.

    '{"system": "Be short."}'                        the key is the role
    '{"ai": [{"name": "stock", "args": {…}, "type": "tool_call"}]}'
    '{"tools": [{"tool_id": "c1", "tool_name": "stock", "tool_arguments": …}]}'
    '{"tool_function": "stock", "tool_arguments": …, "call_id": "c1"}'
    '{"call_id": "c1", "output": "7 left"}'

A text alone is the question of a side that goes in, the answer of one that comes out.

Source: monocle-apptrace 0.3 to 0.8, accessors of its instrumentations.
"""

from collections.abc import Iterator

from ingest.conventions.messages import Messages, Role, read_messages
from ingest.span import Value
from ingest.values import Decoded, decode

_ROLES = ("system", "developer", "user", "human", "assistant", "ai", "model", "tool", "function")
_PREFIX = "input: "
_OF_FRAMEWORK = "security_context"


def read_side(recorded: Value, role: Role) -> Messages | None:
    """Read the messages of one side of a call; None when nothing is recorded."""
    if recorded is None:
        return None
    whole = decode(recorded)
    listed = whole.value if isinstance(whole.value, list) else [whole.value]
    items: list[Value] = []
    for entry in listed:
        items.extend(_items(decode(entry).value, role))
    return read_messages(items, role) if items else None


def read_text(recorded: Value) -> Value:
    """Return a text that is recorded as a list of one, or quoted once more."""
    whole = decode(recorded).value
    texts = whole if isinstance(whole, list) else [whole]
    read = [decode(text).value for text in texts]
    return read[0] if len(read) == 1 else "\n\n".join(t for t in read if isinstance(t, str)) or None


def read_arguments(recorded: Value) -> Decoded:
    """Return a call's arguments, without what a framework adds to them."""
    whole = decode(recorded)
    if isinstance(whole.value, list) and len(whole.value) == 1:
        held = whole.value[0]
        whole = decode(held.removeprefix(_PREFIX) if isinstance(held, str) else held)
    arguments = whole.value
    if not isinstance(arguments, dict) or _OF_FRAMEWORK not in arguments:
        return whole
    own: Value = {key: value for key, value in arguments.items() if key != _OF_FRAMEWORK}
    return Decoded(value=own, capture=whole.capture)


def _items(entry: Value, role: Role) -> Iterator[dict[str, Value]]:
    """Yield messages in a shape that every provider's reader knows."""
    if not isinstance(entry, dict):
        if isinstance(entry, str):
            yield {"role": role, "content": entry}
        return
    if "tool_function" in entry:
        call = {"name": entry["tool_function"], "id": entry.get("call_id")}
        yield _call({**call, "arguments": entry.get("tool_arguments")})
    elif "call_id" in entry:
        told = {"tool_call_id": entry["call_id"], "content": entry.get("output")}
        yield {"role": "tool", **told}
    elif isinstance(tools := entry.get("tools"), list):
        for tool in tools:
            if isinstance(tool, dict):
                call = {"name": tool.get("tool_name"), "id": tool.get("tool_id")}
                yield _call({**call, "arguments": tool.get("tool_arguments")})
    else:
        spoken = (key for key in _ROLES if key in entry)
        yield from ({"role": key, "content": _content(entry[key])} for key in spoken)


def _call(fields: dict[str, Value]) -> dict[str, Value]:
    return {"role": "assistant", "content": [{"type": "tool_call", **fields}]}


def _content(value: Value) -> Value:
    """Return a content as parts where it holds calls, else as it is."""
    inner = decode(value).value
    parts: list[Value] = inner if isinstance(inner, list) else [inner]
    calls = all(isinstance(part, dict) and "type" in part for part in parts)
    return parts if parts and calls else value
