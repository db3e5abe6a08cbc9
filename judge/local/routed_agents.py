"""Did the right agent handle a turn: by what it searched, its description, what it can reach."""

from collections.abc import Mapping, Sequence
from typing import Any

from judge.local.asked_turns import AskedTurn
from judge.local.library import Library
from judge.local.needs import Need
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
    ranked = fits("\n".join(need.text for need in needs), turn.agents)
    scores = {fit.name: fit.score for fit in ranked}
    if chosen in scores and len(scores) > 1:
        best = ranked[0]
        clear = best.score >= limits.tool_fits and best.score - scores[chosen] >= limits.tool_margin
        if best.name not in agents and clear:
            return False, best.name, f"{best.name} is described for this, {chosen} is not"
        if scores[chosen] >= limits.tool_fits:
            return True, None, f"{chosen} is described for this"
    other = _other_agent(turn, needs, library, limits)
    if other is not None:
        return False, other[0], f"only {other[0]} reaches {other[1]}, which holds the answer"
    if any(call["tool_ok"] for call in calls):
        return True, None, f"{chosen} has the tool that fits"
    return None, None, ""


def _other_agent(
    turn: AskedTurn, needs: Sequence[Need], library: Library, limits: Thresholds
) -> tuple[str, str] | None:
    """Return the agent that alone reaches a collection with the answer, and that collection."""
    own = set(turn.reachable) | set(turn.searched)
    for catalogue in turn.catalogues.values():
        agent = catalogue["agent"]
        if agent is None or agent in turn.shown["agents"]:
            continue
        for name in catalogue["collections"]:
            scores = (library.best(need, turn.place, name, limits)[0] for need in needs)
            if name not in own and max(scores) >= limits.answers:
                return agent, name
    return None
