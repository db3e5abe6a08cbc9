"""Were tools called that fit, and rightly filled."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from judge.local.arguments import check_arguments
from judge.local.asked_records import (
    asked_records,
    best_of,
    carries,
    known_to,
    left_records,
)
from judge.local.asked_turns import AskedTurn, result_text
from judge.local.identifiers import identifiers
from judge.local.needs import Need
from judge.local.numbers import quantities
from judge.local.records import can_be_called, written_for
from judge.local.said import Said, fields_of
from judge.local.text import sentences
from judge.local.thresholds import Thresholds
from judge.local.tools import Fit, fits
from judge.rendering import value_text

_SEVERAL: Final = 2


def judge_call(
    call: Mapping[str, Any],
    turn: AskedTurn,
    needs: Sequence[Need],
    ranked: Sequence[Fit],
    limits: Thresholds,
    *,
    searches: bool = False,
) -> Mapping[str, Any]:
    """Judge one call: another tool that nothing called must fit clearly better to refute it.

    Args:
        call: As the transcript shows it.
        turn: Its turn.
        needs: The parts of the question.
        ranked: The tools of the catalogue with their fit for the request, best first.
        limits: Cut-offs.
        searches: Its tool searched a collection that was judged, so that a search was wanted.
    """
    own = next((fit for fit in ranked if fit.name == call["tool"]), None)
    tool_ok: bool | None = None
    better, reason = None, f"{call['tool']}: no catalogue to compare with"
    if own is not None:
        found = _of_another_record(call, turn, needs, ranked, own)
        if found is None and not searches:
            found = _fits_better(call, turn, ranked, own, limits)
        tool_ok, better = found is None, found
        reason = f"{call['tool']} fits the request"
        if found is not None:
            reason = f"{found} fits the request better than {call['tool']}"
    definition = next((tool for tool in turn.tools if tool["name"] == call["tool"]), None)
    args_ok, mistakes = _arguments(call, definition, turn) if tool_ok is not False else (None, [])
    if mistakes:
        first = mistakes[0]
        reason = (
            f"{first['argument']} is {first['value']}, {first['expected']} in {first['known_from']}"
        )
    return {
        "position": call["position"],
        "tool_ok": tool_ok,
        "args_ok": args_ok,
        "wrong_arguments": mistakes,
        "fits": better,
        "reason": reason,
    }


def _of_another_record(
    call: Mapping[str, Any],
    turn: AskedTurn,
    needs: Sequence[Need],
    ranked: Sequence[Fit],
    own: Fit,
) -> str | None:
    """Return the tool for a record that was asked about, where this call is about none of them.

    In a question of one part a call may be about another of its records ("invoice R-7 of
    contract K-2"): then the tools are told apart by their words.
    """
    left = left_records(turn.question, turn)
    best = best_of([name for able in left.values() for name in able], ranked)
    if best is None:
        return None
    if any(carries(call, record) for record in asked_records(turn.question)):
        return best.name if len(needs) == 1 and best.score > own.score else None
    return best.name


def _fits_better(
    call: Mapping[str, Any],
    turn: AskedTurn,
    ranked: Sequence[Fit],
    own: Fit,
    limits: Thresholds,
) -> str | None:
    """Return the tool whose words fit the request clearly better, by what is asked now too."""
    if _is_filled_from(call, turn.question):
        return None
    used = {one["tool"] for one in turn.calls}
    able = {str(tool["name"]) for tool in turn.tools if can_be_called(tool, known_to(turn))}
    for record in asked_records(turn.question):
        takes = written_for(record, turn.tools, turn.taken)
        if carries(call, record) and call["tool"] in takes:
            able &= {*takes}
    best = next((fit for fit in ranked if fit.name in able), None)
    if best is None or best.name in used or best.score < limits.tool_fits:
        return None
    if best.score - own.score < limits.tool_margin:
        return None
    now = {fit.name: fit.score for fit in fits(turn.question, turn.tools)}
    if now[own.name] > now[best.name]:
        return None  # the other fits what was asked before
    if now[best.name] < limits.tool_fits and _goes_on(call, turn):
        return None
    for sentence in sentences(turn.question):
        first = fits(sentence, turn.tools)[0]
        if first.name == own.name and first.score >= limits.tool_fits:
            return None
    return best.name


def _goes_on(call: Mapping[str, Any], turn: AskedTurn) -> bool:
    """Tell whether a call is about a record of the conversation."""
    sent = identifiers(value_text(call["arguments"]))
    return any(not identifiers(one.text).keys().isdisjoint(sent) for one in turn.said)


def _is_filled_from(call: Mapping[str, Any], question: str) -> bool:
    """Tell whether several values of a call stand in the question: who asks so wants that tool."""
    arguments = call["arguments"] if isinstance(call["arguments"], dict) else {}
    said, asked = question.casefold(), quantities(question)
    values = [value for value in arguments.values() if isinstance(value, str) and value.strip()]
    found = [
        value
        for value in values
        if value.casefold() in said
        or any(one.date and one.agrees(other) for one in quantities(value) for other in asked)
    ]
    return len(found) >= _SEVERAL


def _arguments(
    call: Mapping[str, Any], definition: Mapping[str, Any] | None, turn: AskedTurn
) -> tuple[bool | None, list[Mapping[str, Any]]]:
    arguments = call["arguments"]
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return None, []
    results = [
        Said(
            where=f"result of call {other['position']}",
            text=result_text(other),
            of_this_turn=True,
            fields=fields_of(other["result"], other["arguments"]),
        )
        for other in turn.calls
        if other["position"] in call["knows"] or other["position"] < call["position"]
    ]
    found = [
        Said(
            where="search result",
            text=f"{one['title'] or ''} {one['text'] or ''}",
            of_this_turn=True,
        )
        for search in turn.searches
        for one in search["found"]
    ]
    schema = None if definition is None else definition["parameters"]
    checked = check_arguments(
        arguments,
        schema,
        turn.question,
        (*reversed(results), *found, *turn.said),
        turn.sent,
        frozenset(search["collection"] for search in call["searches"]),
    )
    mistakes: list[Mapping[str, Any]] = [
        {
            "argument": one.argument,
            "value": one.value,
            "expected": one.expected,
            "known_from": one.known_from,
        }
        for one in checked.mistakes
    ]
    if mistakes:
        return False, mistakes
    return None if checked.unknown else True, []
