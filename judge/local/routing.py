"""Was each turn of a conversation routed well: agent, collections, tools, arguments, query.

    question ─▶ need ─┬─ against every reachable collection of the run ─▶ collections, missing
                      ├─ against every tool of the catalogue ──────────▶ tools, missing
                      ├─ against every agent's description ────────────▶ agent
                      └─ its constraints against the searched query ───▶ refined query

Something is called wrong only when something else is shown to be right: another collection
holds the answer, another tool fits clearly better, another value was said. Else it is
undecided, and a turn of which nothing could be decided is `no_catalogue`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, TypeAlias

from judge.local.arguments import Said, check_arguments
from judge.local.constraints import conflict, constraints, places
from judge.local.elements import elements_of
from judge.local.evidence import spoken
from judge.local.library import Library, Place
from judge.local.matching import overlap
from judge.local.numbers import identifiers
from judge.local.patterns import pattern
from judge.local.relevance import Need, match, need_of
from judge.local.text import bag, collapse, language_by_words
from judge.local.thresholds import Thresholds
from judge.local.tools import Fit, fits
from judge.rendering import value_text

_DRIFTED: Final = 0.15
"""Share of the question's words below which a query is about something else."""
_FEWEST_TERMS: Final = 2
_LONGEST_REASON: Final = 600


_Holdings: TypeAlias = Mapping[str, tuple[float, str]]
"""Collection → the best score of a passage for one need, and that passage's title."""
_LONGEST_TITLE: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """One turn to be judged, with what was known before it."""

    shown: Mapping[str, Any]
    question: str
    earlier: tuple[str, ...]
    """The user's messages before it, oldest first."""
    said: tuple[Said, ...]
    """What was said and found before this turn, latest first."""
    tools: tuple[Mapping[str, Any], ...]
    agents: tuple[Mapping[str, Any], ...]
    """Agents that could have been chosen."""
    catalogues: Mapping[str, Mapping[str, Any]]
    """All of the conversation, by label."""
    reachable: tuple[str, ...]
    """Collections that this turn's agents can search: listed, else any seen in the run."""
    listed: bool
    """A catalogue names them."""
    place: Place

    @property
    def steps(self) -> Sequence[Mapping[str, Any]]:
        steps: Sequence[Mapping[str, Any]] = self.shown["steps"]
        return steps

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        return [step for step in self.steps if step["step"] == "call"]

    @property
    def searches(self) -> list[Mapping[str, Any]]:
        inner = chain.from_iterable(call["searches"] for call in self.calls)
        return [*(step for step in self.steps if step["step"] == "search"), *inner]

    @property
    def searched(self) -> tuple[str, ...]:
        """Collections, each once, in the order of use."""
        named = [search["collection"] for search in self.searches]
        return tuple(dict.fromkeys(name for name in (*self.shown["collections"], *named) if name))


def judge_routing(
    content: Mapping[str, Any], library: Library, limits: Thresholds
) -> Mapping[str, Any]:
    """Answer a `routing` question: one judgement per turn that is to be judged."""
    turns = [_judge_turn(turn, library, limits) for turn in _turns(content, library)]
    return {"reason": "each turn against what the run and the catalogues show", "turns": turns}


def _turns(content: Mapping[str, Any], library: Library) -> Iterator[_Turn]:
    place = (content["service"], content["tenant"])
    said = [Said(where="earlier message", text=message["text"]) for message in content["before"]]
    asked = [message["text"] for message in content["before"] if message["role"] == "user"]
    catalogues = content["catalogues"]
    for shown in content["transcript"]:
        if shown["judge"]:
            own = [catalogues[label] for label in _labels(shown)]
            tools = list(chain.from_iterable(one["tools"] for one in own))
            agents = chain(shown["candidates"], *(one["agents"] for one in own))
            reach = set(chain.from_iterable(one["collections"] for one in own))
            yield _Turn(
                shown=shown,
                question=shown["question"] or "",
                earlier=tuple(asked[-3:]),
                said=tuple(reversed(said)),
                tools=tuple({tool["name"]: tool for tool in tools}.values()),
                agents=tuple({agent["name"]: agent for agent in agents}.values()),
                catalogues=catalogues,
                reachable=tuple(sorted(reach)) or library.collections(place),
                listed=bool(reach),
                place=place,
            )
        number = shown["turn"]
        if shown["question"]:
            said.append(Said(where=f"turn {number}", text=shown["question"]))
            asked.append(shown["question"])
        said += [
            Said(where=f"result of call {call['position']} of turn {number}", text=_result(call))
            for call in shown["steps"]
            if call["step"] == "call"
        ]
        if shown["answer"]:
            said.append(Said(where=f"turn {number}", text=shown["answer"]))


def _labels(shown: Mapping[str, Any]) -> list[str]:
    labels = [*shown["catalogues"]]
    labels += [
        step["catalogue"] for step in shown["steps"] if step["step"] == "call" and step["catalogue"]
    ]
    return list(dict.fromkeys(labels))


def _result(step: Mapping[str, Any]) -> str:
    found = [
        f"{one['title'] or ''} {one['text'] or ''}"
        for search in step["searches"]
        for one in search["found"]
    ]
    return "\n".join([step["result"] or "", *found])


def _judge_turn(turn: _Turn, library: Library, limits: Thresholds) -> Mapping[str, Any]:
    need = need_of(turn.question, turn.earlier, library.rarity)
    parts = elements_of(turn.question, turn.earlier)
    needs = [need] if len(parts) == 1 else [need_of(one, (), library.rarity) for one in parts]
    holdings = [_holdings(turn, one, library, limits) for one in needs]
    collections = [_collection(name, need, holdings, limits) for name in turn.searched]
    ranked = fits(need.text, turn.tools)
    calls = [_call(call, turn, ranked, limits) for call in turn.calls]
    better = {one["fits"] for one in (*collections, *calls)}
    missing, missing_decided = _missing(turn, needs, holdings, better, limits)
    agent_ok, fitting, agent_reason = _agent(turn, needs, holdings, calls, library, limits)
    faithful, lost = _refined(turn, need)
    decided = (
        any(one["ok"] is not None for one in collections)
        or any(one["tool_ok"] is not None for one in calls)
        or agent_ok is not None
        or bool(missing or turn.tools or turn.agents)
    )
    idle = not (turn.searched or turn.calls or needs_resource(turn.question))
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


def needs_resource(question: str) -> bool:
    """Tell whether a message asks for anything that a tool or collection could hold."""
    return bool(bag(question)) and not any(
        pattern(name).search(question) for name in ("small_talk", "rewriting", "arithmetic")
    )


# Collections


def _holdings(turn: _Turn, need: Need, library: Library, limits: Thresholds) -> _Holdings:
    held: dict[str, tuple[float, str]] = {}
    for name in dict.fromkeys((*turn.reachable, *turn.searched)):
        score, passage = library.best(need, turn.place, name, limits)
        held[name] = (score, "" if passage is None else _shown(passage.title, passage.text))
    for search in turn.searches:
        name = search["collection"]
        for found in search["found"] if name else ():
            if not found["text"]:
                continue
            met = match(need, found["text"], found["title"], library.rarity, limits)
            score = 0.0 if met.conflict else met.score
            if score > held[name][0]:
                held[name] = (score, _shown(found["title"], found["text"]))
    return held


def _shown(title: str | None, text: str) -> str:
    return collapse(title or text)[:_LONGEST_TITLE]


def _collection(
    name: str, need: Need, holdings: Sequence[_Holdings], limits: Thresholds
) -> Mapping[str, Any]:
    """Judge one searched collection: it serves a part of the question, or another does."""
    own = max(held[name][0] for held in holdings)
    ok, instead, reason = None, None, f"nothing of {name} matches the question clearly"
    rivals = [
        (score - held[name][0], other, text)
        for held in holdings
        for other, (score, text) in held.items()
        if other != name and score >= limits.relevant
    ]
    gap, best, text = max(rivals, default=(0.0, None, ""))
    mismatch = conflict(need.text, _name_text(name))
    if own < limits.relevant and best is not None and gap >= limits.collection_margin:
        ok, instead = False, best
        reason = f"{best} holds \u201c{text}\u201d, {name} holds nothing like it"
    elif own < limits.relevant and mismatch is not None:
        named = places(need.text)
        right = [other for other in holdings[0] if places(_name_text(other)) & named]
        ok, instead, reason = False, right[0] if right else None, f"{name}: {mismatch}"
    elif own >= limits.relevant:
        ok = True
        reason = f"{name} holds \u201c{max(held[name] for held in holdings)[1]}\u201d"
    elif len(holdings[0]) == 1 or bag(spoken(name)) & set(need.weights):
        ok, reason = True, f"{name} is the only one, or is named like the question"
    return {"collection": name, "ok": ok, "reason": reason, "fits": instead}


def _name_text(name: str) -> str:
    """Return a name as words in which country codes are found: `policies-us` → POLICIES US."""
    return spoken(name).replace("-", " ").upper()


# Tools


def _call(
    call: Mapping[str, Any], turn: _Turn, ranked: Sequence[Fit], limits: Thresholds
) -> Mapping[str, Any]:
    by_name = {fit.name: fit.score for fit in ranked}
    used = {one["tool"] for one in turn.calls}
    own = by_name.get(call["tool"])
    best = ranked[0] if ranked else None
    tool_ok: bool | None = None
    better, reason = None, f"{call['tool']}: no catalogue to compare with"
    if own is not None and best is not None:
        unused = best.name not in used
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


def _arguments(
    call: Mapping[str, Any], definition: Mapping[str, Any] | None, turn: _Turn
) -> tuple[bool | None, list[Mapping[str, Any]]]:
    arguments = call["arguments"]
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return None, []
    results = [
        Said(where=f"result of call {other['position']}", text=_result(other))
        for other in turn.calls
        if other["position"] in call["knows"] or other["position"] < call["position"]
    ]
    found = [
        Said(where="search result", text=f"{one['title'] or ''} {one['text'] or ''}")
        for search in turn.searches
        for one in search["found"]
    ]
    schema = None if definition is None else definition["parameters"]
    checked = check_arguments(
        arguments, schema, turn.question, (*reversed(results), *found, *turn.said)
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


# Missing resources


def _missing(
    turn: _Turn,
    needs: Sequence[Need],
    holdings: Sequence[_Holdings],
    better: Collection[str | None],
    limits: Thresholds,
) -> tuple[list[Mapping[str, Any]], bool]:
    """Name what would have held a part of the question and was not called.

    What a wrong call or collection should have been is that fault, and not a missing one.

    Returns:
        What is missing, and whether that could be told.
    """
    if not needs_resource(turn.question):
        return [], True
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


def _missing_tool(turn: _Turn, need: Need, limits: Thresholds) -> str | None:
    ranked = fits(need.text, turn.tools)
    if not ranked:
        return None
    best, used = ranked[0], {call["tool"] for call in turn.calls}
    tried = max((fit.score for fit in ranked if fit.name in used), default=0.0)
    clear = best.score >= limits.tool_fits + limits.tool_margin
    return best.name if clear and best.score - tried >= limits.tool_margin else None


# Agents


def _agent(
    turn: _Turn,
    needs: Sequence[Need],
    holdings: Sequence[_Holdings],
    calls: Sequence[Mapping[str, Any]],
    library: Library,
    limits: Thresholds,
) -> tuple[bool | None, str | None, str]:
    agents = turn.shown["agents"]
    if not agents or not needs_resource(turn.question):
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
    turn: _Turn, needs: Sequence[Need], library: Library, limits: Thresholds
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


# The refined query


def _refined(turn: _Turn, need: Need) -> tuple[bool | None, tuple[str, ...]]:
    refined = turn.shown["refined_query"]
    queries = [search["query"] for search in turn.searches if search["query"]]
    if refined is not None:
        queries.append(refined["text"])
    if not queries:
        return None, ()
    arguments = [value_text(call["arguments"]) for call in turn.calls]
    carried = "\n".join((*queries, *arguments, *map(_name_text, turn.searched)))
    lost = tuple(
        written
        for known, written in constraints(need.text)
        if known not in dict(constraints(carried)) and not _carried(known, written, carried)
    )
    if not lost and _drifted(need, queries):
        lost = _rarest_words(need)
    return (None if refined is None else not lost), lost


def _carried(known: str, written: str, carried: str) -> bool:
    if known.startswith("place:"):
        return bool(places(carried) & {known.removeprefix("place:")})
    return written.casefold() in carried.casefold() or known in "".join(
        char for char in carried.casefold() if char.isalnum()
    )


def _drifted(need: Need, queries: Sequence[str]) -> bool:
    searched = "\n".join(queries)
    offered = frozenset().union(*map(bag, queries))
    if len(need.weights) < _FEWEST_TERMS or len(offered) < _FEWEST_TERMS:
        return False
    if language_by_words(need.text) != language_by_words(searched) and not identifiers(need.text):
        return False  # a translated query shares few words
    return overlap(need.weights, offered).share < _DRIFTED


def _rarest_words(need: Need) -> tuple[str, ...]:
    """Return the words, as written, of the heaviest terms."""
    heaviest = sorted(need.weights, key=lambda term: -need.weights[term])[:2]
    words = (word.strip(".,;:!?()\"'") for word in need.text.split())
    return tuple(dict.fromkeys(word for word in words if bag(word) & set(heaviest)))[:2]
