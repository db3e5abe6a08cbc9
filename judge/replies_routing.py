"""Checks of a `routing` reply against the transcript that it judges.

A reply about several turns is one verdict, so a turn left out or invented spoils it
whole. Within a turn, a call or a tool that the transcript does not have spoils only that
turn: it becomes unjudged with `out_of_range`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ingest.span import Value
from judge.answers import RoutingJudgement, TurnRouting, Unjudged
from judge.question import Question
from judge.rendering import items


def checked_routing(answer: RoutingJudgement, question: Question) -> RoutingJudgement | Unjudged:
    """Return the judgement with its turns in order, or why none of it can be used."""
    turns = sorted(answer.turns, key=lambda turn: turn.turn)
    if [turn.turn for turn in turns] != sorted(question.subject.turns):
        return Unjudged(reason="out_of_range", detail="not the turns that were asked")
    shown = {item["turn"]: item for item in items(question.content["transcript"])}
    catalogues = question.content["catalogues"]
    tools = _tool_names(catalogues if isinstance(catalogues, dict) else {})
    return replace(
        answer,
        turns=tuple(_checked_turn(turn, shown[turn.turn], tools) for turn in turns),
    )


def _checked_turn(
    turn: TurnRouting, shown: Mapping[str, Value], tools: Mapping[str, set[str]]
) -> TurnRouting:
    calls = {step["position"]: step for step in items(shown["steps"]) if step["step"] == "call"}
    positions = [call.position for call in turn.calls]
    known = len(set(positions)) == len(positions) and set(positions) <= set(calls)
    choosable = _choosable(shown, calls.values(), tools)
    named = {call.fits for call in turn.calls if call.fits is not None}
    named |= {missing.name for missing in turn.missing if missing.kind == "tool"}
    if known and (not choosable or named <= choosable):
        return turn
    return TurnRouting(
        turn=turn.turn,
        reason="names a call or a tool that is not there",
        missing_decided=False,
        unjudged="out_of_range",
    )


def _choosable(
    shown: Mapping[str, Value],
    calls: Iterable[Mapping[str, Value]],
    tools: Mapping[str, set[str]],
) -> set[str]:
    """Return the tools that the turn's agents could choose from, as far as recorded."""
    labels = shown["catalogues"]
    used = list(labels) if isinstance(labels, list) else []
    used += [call["catalogue"] for call in calls]
    return {name for label in used if isinstance(label, str) for name in tools[label]}


def _tool_names(catalogues: Mapping[str, Value]) -> dict[str, set[str]]:
    return {
        label: {str(tool["name"]) for tool in items(catalogue["tools"])}
        for label, catalogue in catalogues.items()
        if isinstance(catalogue, dict)
    }
