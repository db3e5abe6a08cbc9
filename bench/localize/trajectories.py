"""Trajectories as traces: a list of chat messages becomes the spans that would record it.

    system  ─▶ instructions of the agent       assistant ─▶ a model call
    user    ─▶ a turn: the run of an agent     tool      ─▶ a tool call

The id of a span is the number of its message, and a message takes a second. Tools are known
by their calls only: no catalogue is made up.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

Message = Mapping[str, Any]

_START_NS: Final = 1_767_225_600_000_000_000
_STEP_NS: Final = 1_000_000_000
_TURN: Final = 1 << 32
"""Above every number of a message: spans of turns, which are no messages of the agent."""


def span_of(step: int) -> str:
    """Return the span id of a message.

    Args:
        step: Its number in the trajectory, from 1, the system message included.
    """
    return f"{step:016x}"


def otlp_line(conversation: str, messages: Sequence[Message]) -> str:
    """Return one line of OTLP JSON with the spans of a trajectory."""
    scopes = [{"scope": {"name": "trajectory"}, "spans": list(_spans(conversation, messages))}]
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": scopes}]})


def _spans(conversation: str, messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    told = [_told(message) for message in messages]
    asked = [place for place, message in enumerate(messages) if message["role"] == "user"]
    for turn, (start, end) in enumerate(zip(asked, [*asked[1:], len(messages)], strict=True)):
        if end == start + 1:  # the person said goodbye: nobody had to answer
            continue
        trace = hashlib.sha256(f"{conversation}/{turn}".encode()).hexdigest()[:32]
        root = f"{_TURN + turn:016x}"
        frame = {"traceId": trace, "conversation": conversation}
        last = messages[end - 1]
        answer = [told[end - 1]] if last["role"] == "assistant" and last.get("content") else None
        yield _span(
            frame,
            root,
            (start, end),
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "assistant",
                "gen_ai.input.messages": [told[start]],
                "gen_ai.output.messages": answer,
            },
        )
        named: dict[str, Mapping[str, Any]] = {}
        for place in range(start + 1, end):
            message = messages[place]
            facts: dict[str, Any]
            if message["role"] == "tool":
                called = named.get(message["tool_call_id"], {})
                facts = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": message["name"],
                    "gen_ai.tool.call.id": message["tool_call_id"],
                    "gen_ai.tool.call.arguments": called.get("arguments"),
                    "gen_ai.tool.call.result": message["content"],
                }
            else:
                calls = message.get("tool_calls") or ()
                named |= {call["id"]: call["function"] for call in calls}
                facts = {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.input.messages": told[:place],
                    "gen_ai.output.messages": [told[place]],
                }
            yield _span(frame, span_of(place + 1), (place, place + 1), facts, root)


def _span(
    frame: Mapping[str, str],
    span_id: str,
    seconds: tuple[int, int],
    facts: Mapping[str, Any],
    parent: str | None = None,
) -> dict[str, Any]:
    told = {"gen_ai.conversation.id": frame["conversation"], **facts}
    start, end = (str(_START_NS + second * _STEP_NS) for second in seconds)
    return {
        "traceId": frame["traceId"],
        "spanId": span_id,
        **({"parentSpanId": parent} if parent else {}),
        "name": str(facts["gen_ai.operation.name"]),
        "startTimeUnixNano": start,
        "endTimeUnixNano": end,
        "attributes": [
            {
                "key": key,
                "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)},
            }
            for key, value in told.items()
            if value is not None
        ],
    }


def _told(message: Message) -> dict[str, Any]:
    """Return a message in the form of the GenAI conventions."""
    parts: list[dict[str, Any]] = []
    if message["role"] == "tool":
        answer = {"id": message["tool_call_id"], "response": message["content"]}
        return {"role": "tool", "parts": [{"type": "tool_call_response", **answer}]}
    if message.get("content"):
        parts.append({"type": "text", "content": message["content"]})
    parts += [
        {
            "type": "tool_call",
            "id": call["id"],
            "name": call["function"]["name"],
            "arguments": call["function"]["arguments"],
        }
        for call in message.get("tool_calls") or ()
    ]
    return {"role": message["role"], "parts": parts}
