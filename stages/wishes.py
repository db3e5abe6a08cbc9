"""Wishes: the tool calls and results that stand in the messages of model calls.

A wish is uttered in the output of one call and repeated in the input of the next, where
its result stands too. Only what follows the last user message is of this turn.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ingest.span import Message, ToolRequest, ToolResponse, Value
from stages.model_calls import ModelCall, since_question
from stages.wording import value_key

Wish: TypeAlias = "tuple[ToolRequest, ModelCall | None]"
"""A wish to call a tool, and the model call that uttered it where that is known."""


def wishes_of(calls: Sequence[ModelCall]) -> list[Wish]:
    """Return each wish to call a tool once, with the call that uttered it where that is known.

    Some recorders give a wish one id in the output and another in the next input; the one
    that its result bears counts.
    """
    read = [(call, _requests_in(since_question(call.read or ()))) for call in calls]
    shown = {_key(request) for _, requests in read for request in requests}
    uttered: dict[str, Wish] = {}
    for call in calls:
        for request in _requests_in(call.wrote):
            key = _key(request)
            # Without ids, the same wish twice in one message is two.
            uttered.setdefault(key if request.call_id else f"{key} {len(uttered)}", (request, call))
    answered = {response.call_id for response, _ in responses_of(calls)}
    known = {_key(request) for request, _ in uttered.values()}
    renamed: dict[tuple[str | None, str], deque[str]] = {}
    for key, (request, asker) in uttered.items():
        if asker is not None and request.call_id and _key(request) not in shown:
            wanted = (asker.agent, said(request.name, request.arguments))
            renamed.setdefault(wanted, deque()).append(key)
    last: dict[str | None, ModelCall] = {}
    for call, requests in read:
        for request in requests:
            key = _key(request)
            if key not in known:
                same = renamed.get((call.agent, said(request.name, request.arguments)))
                if not same:
                    uttered[key] = (request, last.get(call.agent))
                elif request.call_id in answered:
                    first = same.popleft()
                    uttered[first] = (request, uttered[first][1])
                else:
                    same.popleft()
            known.add(key)
        last[call.agent] = call
    return list(uttered.values())


def responses_of(calls: Iterable[ModelCall]) -> Iterator[tuple[ToolResponse, ModelCall]]:
    """Yield each tool result that the messages of this turn carry, once, with its first reader."""
    seen: set[str] = set()
    for call in calls:
        for message in (*since_question(call.read or ()), *call.wrote):
            for response in message.tool_responses:
                key = response.call_id or value_key([response.name, response.result])
                if key not in seen:
                    seen.add(key)
                    yield response, call


def said(name: str, arguments: Value) -> str:
    """Return a text that is equal for equal calls of one tool."""
    return f"{name} {value_key(arguments)}"


def _requests_in(messages: Iterable[Message]) -> list[ToolRequest]:
    return [request for message in messages for request in message.tool_requests]


def _key(request: ToolRequest) -> str:
    return request.call_id or said(request.name, request.arguments)
