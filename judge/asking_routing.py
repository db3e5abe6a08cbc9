"""The `routing` question: the transcript of a conversation, in time order.

The content, every field always present:

    service, tenant   str | None   of the turns to be judged
    before       [{role, text}]    messages older than the transcript, oldest first
    catalogues   {"catalogue 1": {agent: str | None,
                                  tools: [{name, description, parameters}],
                                  collections: [str],
                                  agents: [{name, description, parameters}]}, …}
    transcript   [turn]            earlier turns as context, then the turns to be judged

turn
    turn         int    its number in the conversation
    judge        bool   False: context only
    question     str | None
    candidates   [{name, description, parameters}]  what a router could have chosen
    agents       [str]  that handled it, in order; the last one answered
    catalogues   [str]  labels of what those agents could choose from; empty: not recorded
    collections  [str]  searched or routed to, to be judged one by one
    refined_query   {text, recorded: bool} | None
    steps        [search | call]   in time order
    answer       str | None        cut short; not there to be judged

search
    step "search", agent, collection, inferred: bool (the collection's name was), query,
    status: ok empty error not_captured, found: [{title, text}] (the first five chunks,
    their texts cut short), error

call
    step "call", position (from 1, to be judged one by one), tool, agent, arguments (any
    JSON value), status: ok error empty unknown, result: str | None (cut short), error,
    catalogue: label | None (what the calling agent could choose from), knows: [int]
    (positions of the calls whose results were known), searches: [search] (when the tool
    did a search)

A window has at most 12 turns to be judged and the 12 turns before it as context. Turns of
another tenant are in no transcript but their own.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

from ingest.span import ToolDefinition, Value
from judge.asking import not_judgeable
from judge.question import Question, Subject
from judge.rendering import (
    QUESTION_CHARACTERS,
    bounded_value,
    legible,
    message_values,
    shortened,
    title_of,
    value_text,
)
from stages.records import Catalogue, Choice, Conversation, Retrieval, ToolCall, Turn

WINDOW: Final = 12
"""Turns that one question judges, and at most so many again before them as context."""
RESULT_CHARACTERS: Final = 4_000
FOUND_CHUNKS: Final = 5
FOUND_CHARACTERS: Final = 500
ANSWER_CHARACTERS: Final = 1_000

_DESCRIPTION_CHARACTERS = 1_000
_SCHEMA_CHARACTERS = 8_000
_BEFORE_MESSAGES = 6
_BEFORE_CHARACTERS = 4_000
_SCHEMA_KEYS = ("type", "enum", "const", "format", "pattern", "minimum", "maximum")


def routing_questions(conversation: Conversation, *, templates: bool = False) -> Iterator[Question]:
    """Ask about the routing of every turn that can be judged, in windows.

    Windows are cut from the start, so that new turns leave all but the last as they were.
    Turns that `judge.asking.not_judgeable` names are context.
    """
    for place, turns in _by_place(conversation.turns).items():
        _, tenant = place
        known = [turn for turn in conversation.turns if turn.tenant == tenant]
        for start in range(0, len(turns), WINDOW):
            window = turns[start : start + WINDOW]
            judged = [turn for turn in window if not_judgeable(turn, templates=templates) is None]
            if judged:
                yield _question(conversation.conversation_id, known, window, judged)


def _by_place(
    turns: Iterable[Turn],
) -> Mapping[tuple[str | None, str | None], list[Turn]]:
    places: dict[tuple[str | None, str | None], list[Turn]] = {}
    for turn in turns:
        places.setdefault((turn.service, turn.tenant), []).append(turn)
    return places


def _question(
    conversation_id: str,
    known: Sequence[Turn],
    window: Sequence[Turn],
    judged: Sequence[Turn],
) -> Question:
    first, last = window[0].turn, window[-1].turn
    before = [turn for turn in known if turn.turn < first][-WINDOW:]
    # A turn of another service between two turns of the window is context as well.
    shown = before + [turn for turn in known if first <= turn.turn <= last]
    numbers = {turn.turn for turn in judged}
    labels = _Labels()
    transcript: list[Value] = [
        _turn_value(turn, labels, judge=turn.turn in numbers) for turn in shown
    ]
    history = message_values(shown[0].history, _BEFORE_MESSAGES, _BEFORE_CHARACTERS)
    return Question(
        kind="routing",
        conversation_id=conversation_id,
        turn_id=None,
        subject=Subject(turns=tuple(turn.turn for turn in judged)),
        content={
            "service": window[0].service,
            "tenant": window[0].tenant,
            "before": history,
            "catalogues": labels.catalogues,
            "transcript": transcript,
        },
    )


class _Labels:
    """Gives equal catalogues one label, so that each is shown once."""

    def __init__(self) -> None:
        self.catalogues: dict[str, Value] = {}
        self._labels: dict[str, str] = {}

    def label(self, catalogue: Catalogue) -> str:
        value: dict[str, Value] = {
            "agent": catalogue.agent,
            "tools": _definitions(catalogue.tools),
            "collections": [legible(name) for name in catalogue.collections],
            "agents": _definitions(catalogue.agents),
        }
        text = json.dumps(value, sort_keys=True)
        label = self._labels.setdefault(text, f"catalogue {len(self._labels) + 1}")
        self.catalogues[label] = value
        return label

    def of_call(self, call: ToolCall, turn: Turn) -> str | None:
        """Return the label of what the caller could choose from.

        It is the catalogue of the calling agent, which also tells collections, where that
        has the tools recorded with the call.
        """
        catalogues = () if turn.routing is None else turn.routing.catalogues
        for catalogue in catalogues:
            same = call.catalogue is None or call.catalogue == catalogue.tools
            if same and catalogue.agent == call.agent:
                return self.label(catalogue)
        if call.catalogue is None:
            return None
        return self.label(Catalogue(agent=call.agent, tools=call.catalogue))


def _turn_value(turn: Turn, labels: _Labels, *, judge: bool) -> dict[str, Value]:
    routing = turn.routing
    answer = None if turn.generation is None else turn.generation.answer
    catalogues = () if routing is None else routing.catalogues
    return {
        "turn": turn.turn,
        "judge": judge,
        "question": _text(turn.question, QUESTION_CHARACTERS),
        "candidates": [] if routing is None else _definitions(routing.candidates),
        "agents": [] if routing is None else _names(routing.agents),
        "catalogues": [labels.label(catalogue) for catalogue in catalogues],
        "collections": [] if routing is None else _names(routing.collections),
        "refined_query": None if routing is None else _refined(routing.refined_query),
        "steps": _steps(turn, labels),
        "answer": _text(answer, ANSWER_CHARACTERS),
    }


def _steps(turn: Turn, labels: _Labels) -> list[Value]:
    positions = {call.call_id: call.position for call in turn.tool_calls}
    by_call: dict[str, list[Retrieval]] = {}
    alone: list[Retrieval] = []
    for search in turn.retrievals:
        if search.call_id is not None and search.call_id in positions:
            by_call.setdefault(search.call_id, []).append(search)
        else:
            alone.append(search)
    started = {row.span_id: row.start_ns for row in turn.spans}
    times = _start_times(started, (search.span_id for search in alone))
    steps: list[tuple[int, Value]] = [
        (time, _search_value(search)) for time, search in zip(times, alone, strict=True)
    ]
    times = _start_times(started, (call.span_id for call in turn.tool_calls))
    for time, call in zip(times, turn.tool_calls, strict=True):
        value = _call_value(call, by_call.get(call.call_id, ()), positions)
        value["catalogue"] = labels.of_call(call, turn)
        steps.append((time, value))
    return [value for _, value in sorted(steps, key=itemgetter(0))]


def _start_times(started: Mapping[str, int | None], span_ids: Iterable[str | None]) -> list[int]:
    """Return when steps that are in order began; one without a time follows the last."""
    times: list[int] = []
    latest = 0
    for span_id in span_ids:
        latest = started.get(span_id or "") or latest
        times.append(latest)
    return times


def _search_value(search: Retrieval) -> dict[str, Value]:
    return {
        "step": "search",
        "agent": search.agent,
        "collection": search.collection,
        "inferred": search.collection_inferred,
        "query": _text(search.query, QUESTION_CHARACTERS),
        "status": search.status,
        "found": [
            {
                "title": title_of(chunk.metadata),
                "text": _text(chunk.text, FOUND_CHARACTERS),
            }
            for chunk in search.chunks[:FOUND_CHUNKS]
        ],
        "error": _text(search.error, RESULT_CHARACTERS),
    }


def _call_value(
    call: ToolCall, searches: Sequence[Retrieval], positions: Mapping[str, int]
) -> dict[str, Value]:
    # What a search found is shown as such, not once more as the tool's result.
    unread = call.result is None or call.status == "unknown" or searches
    knows = sorted(positions[prior] for prior in call.prior if prior in positions)
    return {
        "step": "call",
        "position": call.position,
        "tool": legible(call.name),
        "agent": call.agent,
        "arguments": bounded_value(call.arguments),
        "status": call.status,
        "result": None if unread else shortened(value_text(call.result), RESULT_CHARACTERS),
        "error": _text(call.error, RESULT_CHARACTERS),
        "knows": [*knows],
        "searches": [_search_value(search) for search in searches],
    }


def _definitions(definitions: Iterable[ToolDefinition]) -> list[Value]:
    return [
        {
            "name": legible(definition.name),
            "description": _text(definition.description, _DESCRIPTION_CHARACTERS),
            "parameters": _schema(definition.parameters),
        }
        for definition in definitions
    ]


def _schema(parameters: Value) -> Value:
    """Return a schema whole, or only what arguments are checked by where it is long."""
    if parameters is None or len(value_text(parameters)) <= _SCHEMA_CHARACTERS:
        return bounded_value(parameters, _SCHEMA_CHARACTERS)
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    if not isinstance(parameters, dict) or not isinstance(properties, dict):
        return None
    brief: dict[str, Value] = {
        name: {key: schema[key] for key in _SCHEMA_KEYS if key in schema}
        for name, schema in properties.items()
        if isinstance(schema, dict)
    }
    short: Value = {
        "type": "object",
        "properties": brief,
        "required": parameters.get("required"),
    }
    return short if len(value_text(short)) <= _SCHEMA_CHARACTERS else None


def _refined(refined: Choice | None) -> Value:
    if refined is None:
        return None
    return {
        "text": shortened(refined.name, QUESTION_CHARACTERS),
        "recorded": refined.recorded,
    }


def _names(choices: Iterable[Choice]) -> list[Value]:
    return [legible(choice.name) for choice in choices]


def _text(text: str | None, limit: int) -> str | None:
    return None if text is None else shortened(text, limit)
