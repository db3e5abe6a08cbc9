"""Which tool or collection would have held a part of the question and was not called.

    part of the question ─┬─ held by no searched collection, but by another ─▶ collection
                          └─ no call for its record or its words, tool fits ─▶ tool

What an earlier turn found already is not missing.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from judge.local.asked_records import (
    asking,
    best_of,
    carries,
    known_to,
    left_records,
    was_found_before,
)
from judge.local.asked_turns import AskedTurn
from judge.local.identifiers import identifiers
from judge.local.library import Library
from judge.local.needs import Need, leans
from judge.local.records import can_be_called, takers, written_for
from judge.local.routed_collections import Holdings, left_out, named_in
from judge.local.thresholds import Thresholds
from judge.local.tools import fits
from judge.rendering import value_text


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
    if not clear or not can_be_called(tool, known_to(turn)) or _took_its_record(best.name, turn):
        return None
    return best.name


def _took_its_record(tool: str, turn: AskedTurn) -> bool:
    """Tell whether another tool was called with a record that *tool* would take."""
    sent = (identifiers(value_text(call["arguments"])).values() for call in turn.calls)
    return any(
        tool in written_for(record, turn.tools, turn.taken) for one in sent for record in one
    )
