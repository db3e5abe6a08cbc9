"""Were tools called that fit, rightly filled, and none left out that was needed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from judge.local.arguments import check_arguments
from judge.local.asked_records import (
    asked_records,
    asking,
    best_of,
    carries,
    left_records,
    was_found_before,
)
from judge.local.asked_turns import AskedTurn, result_text
from judge.local.identifiers import identifiers
from judge.local.library import Library
from judge.local.needs import Need, leans
from judge.local.numbers import quantities
from judge.local.records import can_be_called, takers, written_for
from judge.local.routed_collections import Holdings, left_out, named_in
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
    able = {str(tool["name"]) for tool in turn.tools if can_be_called(tool, _known(turn))}
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


def _known(turn: AskedTurn) -> tuple[str, ...]:
    """Return what was said and found in a turn, and before it where it names no record itself."""
    now = (turn.question, *map(result_text, turn.calls))
    named = asked_records(turn.question)
    if any(carries(call, record) for call in turn.calls for record in named):
        return now
    return (*now, *(one.text for one in turn.said))


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


def missing_resources(
    turn: AskedTurn,
    needs: Sequence[Need],
    holdings: Sequence[Holdings],
    better: Collection[str | None],
    library: Library,
    limits: Thresholds,
) -> tuple[list[Mapping[str, Any]], bool]:
    """Name what would have held a part of the question and was not called.

    What a wrong call or collection should have been is that fault, and not a missing one.

    Returns:
        What is missing, and whether that could be told.
    """
    known = bool(turn.listed or turn.searched)
    nameless = any(search["collection"] is None for search in turn.searches)
    missing: dict[tuple[str, str], str] = {}
    for need, held in zip(needs, holdings, strict=True):
        neighbour = left_out(need.question, turn, library, limits) if len(needs) > 1 else None
        if neighbour is not None:
            missing["collection", neighbour[0]] = f"{neighbour[0]} holds \u201c{neighbour[1]}\u201d"
            continue
        own = max((held[name][0] for name in turn.searched), default=0.0)
        if own >= limits.relevant:
            continue
        scores = {name: held[name][0] for name in held if name not in turn.searched}
        best = max(scores, key=lambda name: (scores[name], name), default=None)
        served = nameless or turn.calls or not known
        if best is not None and scores[best] >= limits.answers and not served:
            if _is_known(best, held, turn, library, limits):
                continue
            missing["collection", best] = f"{best} holds \u201c{held[best][1]}\u201d"
            continue
        tool = _missing_tool(turn, need, limits)
        if tool is not None:
            missing["tool", tool] = f"{tool} fits the request and was not called"
    return [
        {"kind": kind, "name": name, "reason": reason}
        for (kind, name), reason in missing.items()
        if name not in better
    ], known or bool(turn.tools)


def _is_known(
    best: str, held: Holdings, turn: AskedTurn, library: Library, limits: Thresholds
) -> bool:
    """Tell whether an earlier turn found what a collection holds on a need.

    What it found in a neighbour counts too, unless this collection was named: near-copies
    say the same in the same words, and which of them fits best tells nothing.
    """
    if was_found_before(held[best][1], turn):
        return True
    subjects = library.subjects(turn.place)
    return any(
        held[name][0] >= limits.relevant
        and was_found_before(held[name][1], turn)
        and named_in(turn, name, best, subjects) != -1
        for name in subjects.neighbours(best)
        if name in held
    )


def _missing_tool(turn: AskedTurn, need: Need, limits: Thresholds) -> str | None:
    ranked = fits(need.question, turn.tools, need.before)
    if not ranked:
        return None
    used = {call["tool"] for call in turn.calls}
    for record, able in left_records(need.question, turn).items():
        best = best_of(able, ranked)
        if best is not None and not was_found_before(record, turn):
            return best.name  # nobody knows of a record without asking for it
    if need.record is not None and not turn.steps:
        able = takers(need.record, turn.tools, turn.taken)
        best = best_of(able, ranked)
        if best is not None and used.isdisjoint(able):
            return best.name
    if turn.steps:
        named = identifiers(asking(need.question)).values()
        if any(carries(call, record) for call in turn.calls for record in named):
            return None
        if leans(need.question):
            return None  # what was called goes on from before
        ranked = fits(asking(need.question), turn.tools)
    best = ranked[0]
    tried = max((fit.score for fit in ranked if fit.name in used), default=0.0)
    least = limits.tool_fits + limits.tool_margin
    tool = next(one for one in turn.tools if one["name"] == best.name)
    clear = best.score >= least and best.score - tried >= limits.tool_margin
    if not clear or not can_be_called(tool, _known(turn)) or _took_its_record(best.name, turn):
        return None
    return best.name


def _took_its_record(tool: str, turn: AskedTurn) -> bool:
    """Tell whether another tool was called with a record that *tool* would take."""
    sent = (identifiers(value_text(call["arguments"])).values() for call in turn.calls)
    return any(
        tool in written_for(record, turn.tools, turn.taken) for one in sent for record in one
    )
