"""Were tools called that fit, rightly filled, and none left out that was needed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from judge.local.arguments import check_arguments
from judge.local.asked_turns import AskedTurn, result_text
from judge.local.identifiers import identifiers
from judge.local.needs import Need
from judge.local.numbers import quantities
from judge.local.records import can_be_called, takers
from judge.local.routed_collections import Holdings
from judge.local.said import Said, fields_of
from judge.local.thresholds import Thresholds
from judge.local.tools import Fit, fits

_SEVERAL: Final = 2


def judge_call(
    call: Mapping[str, Any], turn: AskedTurn, ranked: Sequence[Fit], limits: Thresholds
) -> Mapping[str, Any]:
    """Judge one call: another tool that nothing called must fit clearly better to refute it.

    Args:
        call: As the transcript shows it.
        turn: Its turn.
        ranked: The tools of the catalogue with their fit for the request, best first.
        limits: Cut-offs.
    """
    by_name = {fit.name: fit.score for fit in ranked}
    used = {one["tool"] for one in turn.calls}
    own = by_name.get(call["tool"])
    best = ranked[0] if ranked else None
    tool_ok: bool | None = None
    better, reason = None, f"{call['tool']}: no catalogue to compare with"
    if own is not None and best is not None:
        unused = best.name not in used and not _is_filled_from(call, turn.question)
        if unused and best.score >= limits.tool_fits and best.score - own >= limits.tool_margin:
            tool_ok, better = False, best.name
            reason = f"{best.name} fits the request better than {call['tool']}"
        else:
            tool_ok, reason = True, f"{call['tool']} fits the request"
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
        own = max((held[name][0] for name in turn.searched), default=0.0)
        if own >= limits.relevant:
            continue
        scores = {name: held[name][0] for name in held if name not in turn.searched}
        best = max(scores, key=lambda name: (scores[name], name), default=None)
        served = nameless or turn.calls or not known
        if best is not None and scores[best] >= limits.answers and not served:
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


def _missing_tool(turn: AskedTurn, need: Need, limits: Thresholds) -> str | None:
    ranked = fits(need.question, turn.tools, need.before)
    if not ranked:
        return None
    used = {call["tool"] for call in turn.calls}
    if need.record is not None and (not turn.steps or _names(need.question, need.record)):
        able = takers(need.record, turn.tools, turn.taken)
        name = next((fit.name for fit in ranked if fit.name in able), None)
        if name is not None and used.isdisjoint(able):
            return name  # nobody knows of a record without asking for it
    best = ranked[0]
    tried = max((fit.score for fit in ranked if fit.name in used), default=0.0)
    least = limits.tool_fits + limits.tool_margin
    known = (need.text, *(one.text for one in turn.said))
    tool = next(one for one in turn.tools if one["name"] == best.name)
    clear = best.score >= least and can_be_called(tool, known)
    return best.name if clear and best.score - tried >= limits.tool_margin else None


def _names(text: str, record: str) -> bool:
    return not identifiers(text).keys().isdisjoint(identifiers(record))
