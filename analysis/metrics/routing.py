"""Whether the right agent, collections, tools and arguments were chosen.

Each rate counts what the judge decided; what it left open is in neither count. The metrics
are those of M. Robbana, Berger-Levrault Research, on evaluating an agent without ground
truth, section 4.3 ("Robbana" below).
"""

from collections.abc import Collection, Iterable

from analysis.attribution.queries import was_searched
from analysis.judged import JudgedTurn
from analysis.metrics.measured import Measured, share, undefined
from analysis.metrics.ratio import NOTHING, Ratio
from judge.answers import (
    CallJudgement,
    CollectionJudgement,
    MissingResource,
    TurnRouting,
    Unjudged,
)


def collection_ok_rate(judgements: Iterable[CollectionJudgement]) -> Ratio:
    """Right collections among the distinct ones that were judged.

    A collection that is judged twice counts once, and is right if it is so both times.

    Source:
        Robbana, collection OK rate.
    """
    verdicts: dict[str, bool] = {}
    for judgement in judgements:
        if judgement.ok is not None:
            name = judgement.collection
            verdicts[name] = verdicts.get(name, True) and judgement.ok
    return _share_of(verdicts.values())


def tool_ok_rate(calls: Iterable[CallJudgement]) -> Ratio:
    """Calls of a right tool among the calls whose tool was judged.

    Source:
        Robbana, tool OK rate.
    """
    return _share_of(call.tool_ok for call in calls)


def args_ok_rate(calls: Iterable[CallJudgement]) -> Ratio:
    """Calls with all arguments right among the calls of a right tool.

    Calls of a wrong tool say nothing about arguments, whatever the judge says of them.

    Source:
        Robbana, args OK rate.
    """
    return _share_of(call.args_ok for call in calls if call.tool_ok)


def missing_resource_rate(missing: Collection[MissingResource]) -> Ratio:
    """Whether a turn left a relevant resource uncalled: 1 of 1 or 0 of 1, however many.

    Source:
        Robbana, missing resource rate.
    """
    return Ratio(int(len(missing) > 0), 1)


def refined_query_used_rate(refined: str, queries: Iterable[str | None]) -> Ratio:
    """Whether a recorded refined query was searched: 1 of 1 or 0 of 1.

    Args:
        refined: The refined query. It was searched where the searches of the turn together
            have its words, as the fault `refined_query_ignored` has it.
        queries: What each search of the turn looked for, None where the trace does not
            tell. Without any search the refined query was not used.

    Returns:
        Undefined when only a search with an unknown query can have used it.

    Source:
        Robbana, refined query used rate.
    """
    given = list(queries)
    known = [query for query in given if query is not None]
    if known and was_searched(refined, known):
        return Ratio(1, 1)
    return NOTHING if None in given else Ratio(0, 1)


def agent_ok_rate(*, ok: bool | None) -> Ratio:
    """Whether the right agent handled the turn: 1 of 1 or 0 of 1, undefined when undecided.

    Source:
        Robbana, section 2, where the choice of the agent is the first of routing.
    """
    return _share_of([ok])


def _share_of(verdicts: Iterable[bool | None]) -> Ratio:
    decided = [verdict for verdict in verdicts if verdict is not None]
    return Ratio(sum(decided), len(decided))


# From a turn


def measure_collections(judged: JudgedTurn) -> Measured:
    """Measure `collection_ok_rate`."""
    routing = _routing(judged)
    if isinstance(routing, Measured):
        return routing
    otherwise = "uncertain" if routing.collections else "no_collection_searched"
    return share(collection_ok_rate(routing.collections), otherwise)


def measure_tools(judged: JudgedTurn) -> Measured:
    """Measure `tool_ok_rate`."""
    routing = _routing(judged)
    if isinstance(routing, Measured):
        return routing
    otherwise = "uncertain" if routing.calls else "no_tool_called"
    return share(tool_ok_rate(routing.calls), otherwise)


def measure_arguments(judged: JudgedTurn) -> Measured:
    """Measure `args_ok_rate`."""
    routing = _routing(judged)
    if isinstance(routing, Measured):
        return routing
    verdicts = [call.tool_ok for call in routing.calls]
    if not verdicts:
        return undefined("no_tool_called")
    otherwise = "no_right_tool" if set(verdicts) == {False} else "uncertain"
    return share(args_ok_rate(routing.calls), otherwise)


def measure_missing(judged: JudgedTurn) -> Measured:
    """Measure `missing_resource_rate`."""
    routing = _routing(judged)
    if isinstance(routing, Measured):
        return routing
    if not routing.missing_decided:
        return undefined("uncertain")
    return share(missing_resource_rate(routing.missing), "uncertain")


def measure_agent(judged: JudgedTurn) -> Measured:
    """Measure `agent_ok_rate`."""
    routing = _routing(judged)
    if isinstance(routing, Measured):
        return routing
    return share(agent_ok_rate(ok=routing.agent_ok), "uncertain")


def measure_refined_query(judged: JudgedTurn) -> Measured:
    """Measure `refined_query_used_rate`, which needs no judge.

    A refined query that is only known from the search itself was searched by definition and
    says nothing.
    """
    routing = judged.turn.routing
    refined = None if routing is None else routing.refined_query
    if refined is None:
        return undefined("no_refined_query")
    if not refined.recorded:
        return undefined("refined_query_inferred")
    queries = (search.query for search in judged.turn.retrievals)
    return share(refined_query_used_rate(refined.name, queries), "query_not_captured")


def _routing(judged: JudgedTurn) -> TurnRouting | Measured:
    """Return the routing verdict, or why there is none."""
    routing = judged.routing
    if routing is None:
        unrouted = "no_routing" if judged.turn.routing is None else "not_asked"
        return undefined(judged.not_judged or unrouted)
    if isinstance(routing, Unjudged):
        return undefined(routing.reason)
    return routing if routing.unjudged is None else undefined(routing.unjudged)
