"""Did the right agent handle a turn: by what it searched, its description, what it can reach."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeAlias

from judge.local.asked_records import was_found_before
from judge.local.asked_turns import AskedTurn
from judge.local.claims import ASSERTING, Act, claims_of
from judge.local.encoder import closest, meaning
from judge.local.library import Library
from judge.local.needs import Need
from judge.local.records import takers, written_for
from judge.local.thresholds import Thresholds
from judge.local.tools import fits

_Judged: TypeAlias = tuple[bool | None, str | None, str]
"""Whether the agent was right, the one that fits instead, and why."""
_NOTHING: Final[_Judged] = (None, None, "")
_ABOUT: Final = 0.3
"""Closeness from which an agent is described for what is asked."""
_CLEARLY: Final = 0.2
"""By how much closer it must be than the one that took the question."""
_ASIDE: Final[frozenset[Act]] = frozenset({"clarifying", "policy"})
"""Acts by which an answer puts a question off that another agent need not have taken."""


def judge_agent(
    turn: AskedTurn,
    needs: Sequence[Need],
    collections: Sequence[Mapping[str, Any]],
    calls: Sequence[Mapping[str, Any]],
    library: Library,
    limits: Thresholds,
) -> _Judged:
    """Return whether the last agent was right, the one that fits instead, and why."""
    agents = turn.shown["agents"]
    if not agents:
        return _NOTHING
    chosen = agents[-1]
    meant = _meant_instead(turn, needs)
    if meant is not None:
        return False, meant, f"{meant} is described for this, {chosen} knows nothing of it"
    searched = any(one["ok"] for one in collections)
    if searched or puts_off(turn, _ASIDE):
        why = "searched a collection that holds the answer" if searched else "asks back, or refuses"
        return True, None, f"{chosen} {why}"
    acts = _acts(turn)
    asserting = sum(act in ASSERTING for act in acts)
    looked_up = _has_the_tool(turn, needs)
    if looked_up is not None:
        return looked_up
    fitting = _looks_up(turn, calls)
    # Who states what was looked up, now or in the turn before, was not the wrong one.
    kept = asserting and (fitting or (not turn.steps and chosen in turn.before))
    other = None if kept else _other_agent(turn, needs, library, limits)
    if other is not None:
        return False, other[0], f"only {other[0]} reaches {other[1]}, which holds the answer"
    if kept or fitting:
        return True, None, f"{chosen} has the tool that fits, or goes on from before"
    told = _described(turn, needs, limits)
    if told is None and any(call["tool_ok"] for call in calls):
        return True, None, f"{chosen} has the tool that fits"
    return told or _NOTHING


def puts_off(turn: AskedTurn, acts: AbstractSet[Act]) -> bool:
    """Tell whether nothing was called, and the answer does such acts as much as it asserts."""
    done = _acts(turn)
    aside = sum(act in acts for act in done)
    return not turn.steps and aside > 0 and sum(act in ASSERTING for act in done) <= aside


def _meant_instead(turn: AskedTurn, needs: Sequence[Need]) -> str | None:
    """Return the agent that is clearly described for a request of which this one knows nothing.

    It found nothing and says so: what it has is about something else.
    """
    acts = _acts(turn)
    found = any(one["found"] for one in turn.searches)
    looked_up = any(not call["searches"] for call in turn.calls)
    if "unknown" not in acts or any(act in ASSERTING for act in acts) or found or looked_up:
        return None
    told = {agent["name"]: _closeness(agent, needs) for agent in turn.agents}
    own = max((told[name] for name in turn.shown["agents"] if name in told), default=None)
    best = max(told, key=lambda name: told[name], default=None)
    if own is None or best is None or told[best] < _ABOUT or told[best] - own < _CLEARLY:
        return None
    return str(best)


def _closeness(agent: Mapping[str, Any], needs: Sequence[Need]) -> float:
    """Return how close what is asked is to what an agent is described for."""
    described = meaning(str(agent["description"] or ""))
    return closest(described, (meaning(need.question) for need in needs))


def _described(turn: AskedTurn, needs: Sequence[Need], limits: Thresholds) -> _Judged | None:
    """Hold the request against what the agents that could have been chosen are described for."""
    agents = turn.shown["agents"]
    chosen = agents[-1]
    asked = "\n".join(need.question for need in needs)
    before = dict.fromkeys(said for need in needs for said in need.before)
    ranked = fits(asked, turn.agents, tuple(before))
    scores = {fit.name: fit.score for fit in ranked}
    if chosen not in scores or len(scores) == 1:
        return None
    best = ranked[0]
    clear = best.score >= limits.tool_fits and best.score - scores[chosen] >= limits.tool_margin
    if best.name not in agents and clear:
        return False, best.name, f"{best.name} is described for this, {chosen} is not"
    if scores[chosen] >= limits.tool_fits:
        return True, None, f"{chosen} is described for this"
    return None


def _acts(turn: AskedTurn) -> tuple[Act, ...]:
    """Return what the sentences of an answer do."""
    shown = {"kind": "text", "text": turn.shown["answer"] or "", "markers": ()}
    return tuple(claim.act for claim in claims_of(shown))


def _looks_up(turn: AskedTurn, calls: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a call that is no search fits."""
    searching = {call["position"] for call in turn.calls if call["searches"]}
    return any(call["tool_ok"] for call in calls if call["position"] not in searching)


def _has_the_tool(turn: AskedTurn, needs: Sequence[Need]) -> tuple[bool, str, str] | None:
    """Refute an agent whose tools cannot look up the record that is asked about.

    Another agent of the conversation has a tool that is written for such a number.
    """
    asked = [need.record for need in needs if need.record is not None]
    for record in asked:
        if turn.calls or takers(record, turn.tools, turn.taken) or was_found_before(record, turn):
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
