"""What went into and came out of OpenInference spans.

    llm.input_messages.0.message.role = "user"
    llm.output_messages.0.message.contents.1.message_content.text = "Hello"
    llm.output_messages.0.message.tool_calls.0.tool_call.function.name = "stock"
    input.value, output.value = the call's raw request and response, or a step's own texts
    metadata = {"citations": {"1": [...]}}     Anthropic: keyed by position in `contents`

On steps other than model calls, `llm.input_messages` may be the oldest message of a
conversation; there, only `input.value` and `output.value` count.

Source: OpenInference specification, semantic conventions; Anthropic instrumentor 3.1.
"""

from dataclasses import replace

from ingest.conventions.identity import metadata_of
from ingest.conventions.lookup import Attributes, first_text, get, positions, tree
from ingest.conventions.messages import Messages, read_messages
from ingest.conventions.payload_facts import Payload, with_texts
from ingest.span import Span, Value
from ingest.values import Decoded, decode, text_of

INPUT = "input"
OUTPUT = "output"
_JSON_MIME = "application/json"
_IN_MESSAGES = "llm.input_messages"
_OUT_MESSAGES = "llm.output_messages"
_WHOLE = Payload(decoded=Decoded(value=None), text=None)
"""Stands for a raw request or response that messages told already, cut or not."""
_CONTENTS = f"{_OUT_MESSAGES}.0.message.contents"


def payload(attributes: Attributes, side: str) -> Decoded:
    """Return `input.value` or `output.value`, decoded; a quoted text keeps its quotes."""
    value = get(attributes, f"{side}.value")
    quoted = isinstance(value, str) and value.startswith('"')
    if quoted and get(attributes, f"{side}.mime_type") != _JSON_MIME:
        return Decoded(value=value)
    return decode(value)


def side_of(attributes: Attributes, side: str) -> Payload:
    """Return `input.value` or `output.value` with the text that it was recorded as."""
    return Payload.read(payload(attributes, side), get(attributes, f"{side}.value"))


def with_call(span: Span) -> Span:
    """Add the two sides of a model call."""
    attributes = span.raw.attributes
    sent, received = side_of(attributes, INPUT), side_of(attributes, OUTPUT)
    inputs = read_messages(tree(attributes, _IN_MESSAGES), "user")
    outputs = read_messages(_cited(tree(attributes, _OUT_MESSAGES), attributes), "assistant")
    if inputs is None or not inputs.told:
        inputs = sent.messages("user") or inputs
    else:
        sent = _WHOLE
    answered = received.messages("assistant")
    if outputs is None or not outputs.told:
        outputs = answered or outputs
    else:
        received = _WHOLE
    citations = outputs.citations if outputs else ()
    told = replace(
        span,
        input_messages=None if inputs is None else inputs.messages,
        output_messages=None if outputs is None else outputs.messages,
        citations=citations or (answered.citations if answered else ()),
        finish_reason=_finish_reason(attributes, outputs, answered),
    )
    told = with_texts(told, sent, received, is_envelope=outputs is not None)
    prompts = _prompts(attributes)
    cut = any(side.truncated for side in (inputs, outputs) if side)
    return replace(
        told,
        input_text=prompts or told.input_text,
        content="truncated" if cut else told.content,
    )


def with_step(span: Span) -> Span:
    """Add what a step of any other kind took and gave."""
    attributes = span.raw.attributes
    sent, received = side_of(attributes, INPUT), side_of(attributes, OUTPUT)
    inputs, outputs = sent.messages("user"), received.messages("assistant")
    is_envelope = outputs is not None
    if outputs is None and _is_bare(attributes):  # an agent that speaks for itself
        outputs = read_messages(tree(attributes, _OUT_MESSAGES), "assistant")
    told = replace(
        span,
        input_messages=None if inputs is None else inputs.messages,
        output_messages=None if outputs is None else outputs.messages,
        citations=outputs.citations if outputs else (),
    )
    return with_texts(told, sent, received, is_envelope=is_envelope)


def _prompts(attributes: Attributes) -> str | None:
    """Return the prompts of a completion, which has no messages."""
    recorded = decode(tree(attributes, "llm.prompts")).value
    prompts = recorded if isinstance(recorded, list) else [recorded]
    texts = [text for prompt in prompts if (text := _prompt(prompt)) is not None]
    return "\n\n".join(texts) or None


def _prompt(prompt: Value) -> str | None:
    if isinstance(prompt, dict):
        inner = prompt.get("prompt")
        prompt = inner.get("text") if isinstance(inner, dict) else prompt.get("text")
    return text_of(prompt)


def _cited(messages: Value, attributes: Attributes) -> Value:
    """Put Anthropic's citations, recorded apart, back on the parts of the answer."""
    by_position = metadata_of(attributes).get("citations")
    if not isinstance(by_position, dict) or not isinstance(messages, list) or not messages:
        return messages
    message = messages[0].get("message") if isinstance(messages[0], dict) else None
    contents = message.get("contents") if isinstance(message, dict) else None
    if not isinstance(message, dict):
        return messages
    if not isinstance(contents, list):
        contents = [{"type": "text", "text": message.get("content")}]
    at = positions(attributes, _CONTENTS)
    parts: list[Value] = []
    for place, part in enumerate(contents):
        position = at[place] if place < len(at) else place
        parts.append({**_part(part), "citations": by_position.get(str(position))})
    return [{"message": {**message, "contents": parts}}, *messages[1:]]


def _part(part: Value) -> dict[str, Value]:
    if not isinstance(part, dict):
        return {}
    inner = part.get("message_content")
    return inner if isinstance(inner, dict) else part


def _finish_reason(attributes: Attributes, *sides: Messages | None) -> str | None:
    recorded = first_text(attributes, "llm.finish_reason")
    if recorded:
        return recorded
    for side in sides:
        for message in reversed(side.messages if side else ()):
            if message.finish_reason:
                return message.finish_reason
    return None


def _is_bare(attributes: Attributes) -> bool:
    return get(attributes, "output.value") is None
