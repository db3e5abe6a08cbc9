"""Messages that GenAI recorders write beside the span: events, or logs joined to it.

    gen_ai.user.message                       {"content": "Hello"}
    gen_ai.choice                             {"finish_reason": "stop", "message": {…}}
    gen_ai.content.prompt                     {"gen_ai.prompt": "[{…}]"}
    gen_ai.client.inference.operation.details {"gen_ai.input.messages": [...], …}
    gen_ai.user.message, as a log record      body '{"role": "user", "content": "Hello"}'
    any name, as a log record                 body {"input": {"messages": [...]}, …}

What an event tells stands in its attributes, in its body, or as JSON in one attribute.

Source: OpenTelemetry GenAI semantic conventions 1.28 to 1.41, events; AWS ADOT.
"""

from collections.abc import Iterator, Mapping

from ingest.conventions.lookup import Attributes, get
from ingest.conventions.messages import Messages, Role, decode_messages, read_messages
from ingest.span import RawEvent, RawSpan, Value
from ingest.values import decode, text_of

Sides = tuple[Messages | None, Messages | None]
"""What went into a call and what came out."""

_INPUT_ROLES: dict[str, Role] = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_WRITTEN = "gen_ai.assistant.message"
_UNKNOWN = "gen_ai.unknown"
_PREFIX = "gen_ai."
_CHOICE = "gen_ai.choice"
_PROMPT = ("gen_ai.content.prompt", "gen_ai.prompt")
_PLAIN_PROMPT = "gen_ai.prompt"
_COMPLETION = ("gen_ai.content.completion", "gen_ai.completion")
_INPUT = "gen_ai.input.messages"
_OUTPUT = "gen_ai.output.messages"
_WHOLE_BODIES = ("gen_ai.event.content", "event_body", "body")
_EVENT_LISTS = ("events", "all_messages_events")
_PART_KEYS = {"text", "type", "content", "toolUse", "toolResult"}


def carries_messages(event: RawEvent) -> bool:
    """Tell events of this convention, and log records of any name that hold messages."""
    if event.name.startswith(_PREFIX):
        return True
    body = event.body if isinstance(event.body, dict) else {}
    sides = (body.get("input"), body.get("output"))
    return any(isinstance(side, dict) and "messages" in side for side in sides)


def details(raw: RawSpan) -> Sides:
    """Read the events that carry whole lists of messages."""
    inputs: Messages | None = None
    outputs: Messages | None = None
    for _, told in _events(raw):
        inputs = inputs or _side(told, _INPUT, "input", "user")
        outputs = outputs or _side(told, _OUTPUT, "output", "assistant")
    return inputs, outputs


def single_messages(raw: RawSpan) -> Sides:
    """Read the events that carry one message each, in order of time.

    Where no event is a choice, what the model wrote last is its answer.
    """
    inputs: list[Value] = []
    outputs: list[Value] = []
    last_read = 0
    for name, told in _events(raw):
        if name in _INPUT_ROLES:
            inputs.append({"role": _INPUT_ROLES[name], **_revived(told)})
            last_read = len(inputs) if name != _WRITTEN else last_read
        elif name == _PLAIN_PROMPT:
            inputs.append({"role": "user", "content": told.get("content")})
        elif name == _UNKNOWN and isinstance(told.get("data"), dict):
            inputs.append(told["data"])
        elif name == _CHOICE:
            outputs.append(_choice(told))
    if not outputs:
        inputs, outputs = inputs[:last_read], inputs[last_read:]
    return (
        read_messages(inputs, "user") if inputs else None,
        read_messages(outputs, "assistant") if outputs else None,
    )


def contents(raw: RawSpan) -> Sides:
    """Read the events of the first generation: one for all that went in, one for the rest."""
    inputs: Messages | None = None
    outputs: Messages | None = None
    for name, told in _events(raw):
        if name == _PROMPT[0]:
            inputs = decode_messages(told.get(_PROMPT[1]), "user")
        elif name == _COMPLETION[0]:
            outputs = decode_messages(told.get(_COMPLETION[1]), "assistant")
    return inputs, outputs


def tool_events(raw: RawSpan) -> tuple[Value, Value]:
    """Return a tool's arguments and result where its span records them as events.

    Each is an event of its own, or a part in a message of a whole list, or such a message:
    AWS ADOT has arguments as a message to the tool and the result as one of the assistant.
    """
    asked, answered = details(raw)
    took = asked.messages if asked else ()
    gave = answered.messages if answered else ()
    arguments: Value = next(
        (r.arguments for m in reversed(took) for r in m.tool_requests[::-1]), None
    )
    if arguments is None:
        arguments = next((r.result for m in reversed(took) for r in m.tool_responses[::-1]), None)
    result: Value = next((r.result for m in reversed(gave) for r in m.tool_responses[::-1]), None)
    if result is None:
        result = next((m.text for m in reversed(gave) if m.role == "assistant" and m.text), None)
    for name, told in _events(raw):
        if name == "gen_ai.tool.message":
            arguments = told.get("content")
        elif name == _CHOICE:
            result = told.get("message", told.get("content"))
    return arguments, result


def _events(raw: RawSpan) -> Iterator[tuple[str, Mapping[str, Value]]]:
    """Yield name and content of each event; spans list them in an attribute, too."""
    for event in sorted(raw.events, key=lambda event: event.time_ns or 0):
        yield event.name, _told(event)
    for key in _EVENT_LISTS:
        listed = decode(get(raw.attributes, key)).value if key in raw.attributes else None
        for item in listed if isinstance(listed, list) else []:
            if isinstance(item, dict):
                yield _name(item), item


def _told(event: RawEvent) -> Mapping[str, Value]:
    told: dict[str, Value] = dict(event.attributes)
    for key in _WHOLE_BODIES:
        whole = decode(told[key]).value if key in told else None
        if isinstance(whole, dict):
            told |= whole
    body = decode(event.body).value
    if isinstance(body, dict):
        return told | body
    return told if body is None else {"content": body, **told}


def _name(item: Attributes) -> str:
    """Return an event's name; listed events without one show it by their shape."""
    named = text_of(item.get("event.name")) or text_of(item.get("event_name"))
    if named:
        return named
    if "finish_reason" in item or isinstance(item.get("message"), dict):
        return _CHOICE
    return f"gen_ai.{item.get('role', 'user')}.message"


def _side(told: Mapping[str, Value], key: str, side: str, role: Role) -> Messages | None:
    found = decode_messages(told[key], role) if key in told else None
    body = told.get(side)
    listed = body.get("messages") if isinstance(body, dict) else None
    if found is None and isinstance(listed, list):
        return read_messages([_revived(m) for m in listed if isinstance(m, dict)], role)
    return found


def _choice(told: Mapping[str, Value]) -> Value:
    message = told.get("message", told.get("content"))
    inner = decode(message).value
    reason = told.get("finish_reason")
    if isinstance(inner, dict):
        return {"role": "assistant", "finish_reason": reason, **_revived(inner)}
    return {"role": "assistant", **_revived({**told, "content": message})}


def _revived(told: Mapping[str, Value]) -> dict[str, Value]:
    """Decode a content that is the JSON text of its parts."""
    content = told.get("content")
    if isinstance(content, dict):  # {"content": {"content": "[…]"}} and {"message": "[…]"}
        content = content.get("content", content.get("message", content))
    decoded = decode(content).value
    if isinstance(decoded, list) and decoded and all(map(_is_part, decoded)):
        content = decoded
    return {**told, "content": content}


def _is_part(item: Value) -> bool:
    return isinstance(item, dict) and bool(_PART_KEYS & item.keys())
