"""Was each turn of a conversation routed well: agent, collections, tools, arguments, query.

    question ─▶ need ─┬─ against every reachable collection of the run ─▶ collections, missing
                      ├─ against every tool of the catalogue ──────────▶ tools, missing
                      ├─ against every agent's description ────────────▶ agent
                      └─ its constraints against the searched query ───▶ refined query

Something is called wrong only when something else is shown to be right: another collection
holds the answer, another tool fits clearly better, another value was said. Else it is
undecided, and a turn of which nothing could be decided is `no_catalogue`.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from judge.local.answer import needs_sources
from judge.local.asked_records import asked_records
from judge.local.asked_turns import AskedTurn, asked_turns
from judge.local.elements import elements_of
from judge.local.library import Library
from judge.local.missing_resources import missing_resources
from judge.local.needs import with_context
from judge.local.refined_queries import judge_refined_query
from judge.local.routed_agents import judge_agent, puts_off
from judge.local.routed_calls import judge_call
from judge.local.routed_collections import holdings_of, judge_collection
from judge.local.text import bag
from judge.local.thresholds import Thresholds
from judge.local.tools import fits

_LONGEST_REASON: Final = 600


def judge_routing(
    content: Mapping[str, Any], library: Library, limits: Thresholds
) -> Mapping[str, Any]:
    """Answer a `routing` question: one judgement per turn that is to be judged."""
    turns = [_judge_turn(turn, library, limits) for turn in asked_turns(content, library)]
    return {"reason": "each turn against what the run and the catalogues show", "turns": turns}


def _judge_turn(turn: AskedTurn, library: Library, limits: Thresholds) -> Mapping[str, Any]:
    need = library.need(with_context(turn.question, turn.earlier, library.rarity.objects))
    parts = elements_of(turn.question, turn.earlier, library.rarity.objects)
    needs = [library.need(one) for one in parts]
    holdings = [holdings_of(turn, one, library, limits) for one in needs]
    subjects = library.subjects(turn.place)
    queries = {
        query: holdings_of(turn, library.need(query), library, limits, any_subject=True)
        for query in dict.fromkeys(one["query"] for one in turn.searches if one["query"])
    }
    collections = [
        judge_collection(
            name,
            turn,
            need,
            holdings,
            [
                queries[one["query"]]
                for one in turn.searches
                if one["query"] and one["collection"] == name
            ],
            subjects,
            limits,
        )
        for name in turn.searched
    ]
    ranked = fits(need.question, turn.tools, need.before)
    told = {one["collection"] for one in collections if one["ok"] is not None}
    calls = [
        judge_call(
            call,
            turn,
            needs,
            ranked,
            limits,
            searches=_searches(call, turn, told),
        )
        for call in turn.calls
    ]
    better = {one["fits"] for one in (*collections, *calls)}
    asks = bool(bag(turn.question)) and needs_sources(turn.question)
    missing: list[Mapping[str, Any]] = []
    missing_decided = True
    agent: tuple[bool | None, str | None, str] = (None, None, "")
    if asks and not _asks_back(turn):
        missing, missing_decided = missing_resources(turn, needs, holdings, better, library, limits)
    if asks or turn.steps:
        agent = judge_agent(turn, needs, collections, calls, library, limits)
    agent_ok, fitting, agent_reason = agent
    faithful, lost = judge_refined_query(turn, needs, library, limits)
    decided = (
        any(one["ok"] is not None for one in collections)
        or any(one["tool_ok"] is not None for one in calls)
        or agent_ok is not None
        or bool(missing or turn.tools or turn.agents)
    )
    idle = not (turn.searched or turn.calls or asks)
    reasons = [agent_reason, *(one["reason"] for one in (*collections, *calls, *missing))]
    said = "; ".join(dict.fromkeys(filter(None, reasons)))
    return {
        "turn": turn.shown["turn"],
        "reason": said[:_LONGEST_REASON] or "nothing speaks against it",
        "agent_ok": agent_ok,
        "fitting_agent": fitting,
        "collections": collections,
        "calls": calls,
        "missing": missing,
        "missing_decided": missing_decided,
        "refined_faithful": faithful,
        "lost_constraints": list(lost),
        "unjudged": None if decided or idle else "no_catalogue",
    }


def _asks_back(turn: AskedTurn) -> bool:
    """Tell whether an answer asks for what a look-up would need, where no record was named."""
    return puts_off(turn, {"clarifying"}) and not asked_records(turn.question)


def _searches(call: Mapping[str, Any], turn: AskedTurn, names: AbstractSet[str]) -> bool:
    """Tell whether the tool of a call searched one of the collections in this turn."""
    return any(
        search["collection"] in names
        for other in turn.calls
        if other["tool"] == call["tool"]
        for search in other["searches"]
    )
