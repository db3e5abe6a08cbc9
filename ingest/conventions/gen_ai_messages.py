"""Messages of GenAI spans, in every generation of their encoding.

    (a) gen_ai.input.messages = [{"role": "user", "parts": [...]}], JSON text or structure
    (b) events, see `gen_ai_events`
    (c) gen_ai.content.prompt and gen_ai.content.completion events
    (d) gen_ai.prompt.0.role, gen_ai.completion.0.tool_calls.0.name, one leaf per attribute
    (e) gen_ai.prompt and gen_ai.completion, whole

A span of one day may have the newest names for its input and old ones for its output, so
each side takes the newest generation that tells it anything.

Source: OpenTelemetry GenAI semantic conventions; OpenLLMetry and LangSmith for (d), (e).
"""

from collections.abc import Iterator

from ingest.conventions import gen_ai_events
from ingest.conventions.gen_ai_events import Sides
from ingest.conventions.lookup import get, tree
from ingest.conventions.messages import Messages, Role, decode_messages, read_messages
from ingest.conventions.parts import read_content
from ingest.span import RawSpan, Value
from ingest.values import decode

_INPUT = "gen_ai.input.messages"
_OUTPUT = "gen_ai.output.messages"
_PROMPT = "gen_ai.prompt"
_COMPLETION = "gen_ai.completion"
_INSTRUCTIONS = "gen_ai.system_instructions"
REFERENCES = (
    f"{_INPUT}_ref",
    f"{_OUTPUT}_ref",
    f"{_INSTRUCTIONS}_ref",
    "gen_ai.tool.definitions_ref",
)
"""Names under which a span says where its content was stored instead."""


def read_sides(raw: RawSpan) -> Sides:
    """Return what went into a call and what came out.

    None for a side that is not recorded; no messages for one recorded as empty.
    """
    inputs: Messages | None = None
    outputs: Messages | None = None
    for newer_input, newer_output in _generations(raw):
        inputs = _better(inputs, newer_input)
        outputs = _better(outputs, newer_output)
        if inputs and outputs and inputs.told and outputs.told:
            break
    return inputs, outputs


def instructions(raw: RawSpan) -> str | None:
    """Return the system prompt that is recorded beside the messages."""
    recorded = get(raw.attributes, _INSTRUCTIONS)
    return None if recorded is None else read_content(decode(recorded).value).text


def _generations(raw: RawSpan) -> Iterator[Sides]:
    attributes = raw.attributes
    yield _decoded(get(attributes, _INPUT), "user"), _decoded(get(attributes, _OUTPUT), "assistant")
    yield gen_ai_events.details(raw)
    yield gen_ai_events.single_messages(raw)
    yield gen_ai_events.contents(raw)
    yield _leaves(raw, _PROMPT, "user"), _leaves(raw, _COMPLETION, "assistant")


def _leaves(raw: RawSpan, name: str, role: Role) -> Messages | None:
    found = tree(raw.attributes, name)
    return read_messages(found, role) if isinstance(found, list) else _decoded(found, role)


def _decoded(value: Value, role: Role) -> Messages | None:
    return None if value is None else decode_messages(value, role)


def _better(older: Messages | None, newer: Messages | None) -> Messages | None:
    """Prefer what was met first, unless it tells nothing."""
    if older is None or (not older.told and newer is not None and newer.told):
        return newer
    return older
