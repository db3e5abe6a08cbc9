"""Did the right agent handle a turn: by what it searched, its description, what it can reach."""

from collections.abc import Mapping, Sequence
from typing import Any

from judge.local.asked_turns import AskedTurn
from judge.local.library import Library
from judge.local.needs import Need
from judge.local.records import takers, written_for
from judge.local.routed_collections import Holdings
from judge.local.thresholds import Thresholds
from judge.local.tools import fits


def judge_agent(
    turn: AskedTurn,
    needs: Sequence[Need],
    holdings: Sequence[Holdings],
    calls: Sequence[Mapping[str, Any]],
    library: Library,
    limits: Thresholds,
) -> tuple[bool | None, str | None, str]:
    """Return whether the last agent was right, the one that fits instead, and why."""
    agents = turn.shown["agents"]
    if not agents:
        return None, None, ""
    chosen = agents[-1]
    served = max((held[name][0] for held in holdings for name in turn.searched), default=0.0)
    if served >= limits.relevant:
        return True, None, f"{chosen} searched a collection that holds the answer"
    looked_up = _has_the_tool(turn, needs)
    if looked_up is not None:
        return looked_up
    other = (
        None
        if any(call["tool_ok"] for call in calls)
        else _other_agent(turn, needs, library, limits)
    )
    if other is not None:
        return False, other[0], f"only {other[0]} reaches {other[1]}, which holds the answer"
    asked = "\n".join(need.question for need in needs)
    before = dict.fromkeys(said for need in needs for said in need.before)
    ranked = fits(asked, turn.agents, tuple(before))
    scores = {fit.name: fit.score for fit in ranked}
    if chosen in scores and len(scores) > 1:
        best = ranked[0]
        clear = best.score >= limits.tool_fits and best.score - scores[chosen] >= limits.tool_margin
        if best.name not in agents and clear:
            return False, best.name, f"{best.name} is described for this, {chosen} is not"
        if scores[chosen] >= limits.tool_fits:
            return True, None, f"{chosen} is described for this"
    if any(call["tool_ok"] for call in calls):
        return True, None, f"{chosen} has the tool that fits"
    return None, None, ""


def _has_the_tool(turn: AskedTurn, needs: Sequence[Need]) -> tuple[bool, str, str] | None:
    """Refute an agent whose tools cannot look up the record that is asked about.

    Another agent of the conversation has a tool that is written for such a number.
    """
    asked = [need.record for need in needs if need.record is not None]
    for record in asked:
        if turn.calls or takers(record, turn.tools, turn.taken):
            continue
        for one in turn.catalogues.values():
            able = written_for(record, one["tools"], turn.taken)
            if able and one["agent"] and one["agent"] not in turn.shown["agents"]:
                why = f"only {one['agent']} has {able[0]}, which looks {record} up"
                return False, one["agent"], why
    return None


def _other_agent(
    turn: AskedTurn, needs: Sequence[Need], library: Library, limits: Thresholds
) -> tuple[str, str] | None:
    """Return the agent that alone reaches a collection with the answer, and that collection."""
    reach = library.reach(turn.place)
    own = set(turn.searched).union(turn.reachable if turn.listed else ())
    own = own.union(*(reach.get(agent, frozenset()) for agent in turn.shown["agents"]))
    best: dict[str, float] = {}
    for name in library.collections(turn.place):
        best[name] = max(library.best(need, turn.place, name, limits)[0] for need in needs)
    if (
        not best
        or max((best[name] for name in own if name in best), default=0.0) >= limits.relevant
    ):
        return None
    for name in sorted(best, key=lambda one: (-best[one], one)):
        able = [agent for agent, names in reach.items() if name in names]
        if name not in own and best[name] >= limits.relevant and able:
            return able[0], name
    return None
