"""What routing did wrong in one turn, read off its stored verdict.

These faults stand on their own, whatever came of them: `causes` decides whether one of
them explains a symptom; those that explain none are latent.
"""

from collections.abc import Iterator

from analysis.attribution.evidence import relevant_in_context, routing_of
from analysis.attribution.kinds import Fault
from analysis.attribution.queries import was_searched
from analysis.attribution.wording import QUOTE_LENGTH, UNNAMED, listed, place, short
from analysis.judged import JudgedTurn, ProbeHit
from judge.answers import CallJudgement, TurnRouting, WrongArgument
from stages.records import ToolCall

FAULTS_OF_CALLS = frozenset({"wrong_arguments", "wrong_tool", "missing_resource"})
"""Kinds that say that a source was asked wrongly, or not at all."""

_QUERY_ARGUMENTS = frozenset(
    {"query", "q", "question", "search_query", "queries", "query_text", "text", "input"}
)
_COLLECTION_ARGUMENTS = frozenset(
    {"collection", "collections", "index", "index_name", "namespace", "source", "data_source"}
    | {"knowledge_base", "kb", "corpus", "dataset", "region", "country", "library"}
)


def routing_faults(judged: JudgedTurn) -> tuple[Fault, ...]:
    """Return every routing fault that the verdict and the trace show, by precedence.

    That a recorded refined query was not searched, the trace tells without a judge.
    """
    routing = routing_of(judged)
    faults = [*_ignored_query(judged)]
    if routing is not None:
        faults += [
            *_call_faults(judged, routing),
            *_agent_fault(judged, routing),
            *_collection_faults(judged, routing),
            *_missing_faults(judged, routing),
            *_drifted_query(judged, routing),
        ]
    return tuple(sorted(faults, key=lambda fault: fault.precedence))


def routing_evidence(judged: JudgedTurn) -> tuple[str, ...]:
    """Return the reference to the routing verdict."""
    return (f"verdict {judged.routing_key}",) if judged.routing_key else ()


def _call_faults(judged: JudgedTurn, routing: TurnRouting) -> Iterator[Fault]:
    calls = {call.position: call for call in judged.turn.tool_calls}
    elsewhere = _searches_of_wrong_collections(judged, routing)
    for judgement in routing.calls:
        call = calls.get(judgement.position)
        if call is None:
            continue
        evidence = (f"call {call.call_id}", *routing_evidence(judged))
        if judgement.tool_ok is False and call.call_id not in elsewhere:
            yield Fault(
                stage="routing",
                kind="wrong_tool",
                explanation=_wrong_tool(call, judgement),
                evidence=evidence,
            )
        elif judgement.args_ok is False:
            wrong = [item for item in judgement.wrong_arguments if _is_own_fault(call, item)]
            if wrong or not judgement.wrong_arguments:
                yield Fault(
                    stage="routing",
                    kind="wrong_arguments",
                    explanation=_wrong_arguments(call, wrong, judgement.reason),
                    evidence=evidence,
                )


def _searches_of_wrong_collections(judged: JudgedTurn, routing: TurnRouting) -> frozenset[str]:
    """Return the calls whose fault is the collection that they search, not the tool."""
    wrong = {item.collection for item in routing.collections if item.ok is False}
    return frozenset(
        search.call_id
        for search in judged.turn.retrievals
        if search.call_id is not None and search.collection in wrong
    )


def _is_own_fault(call: ToolCall, wrong: WrongArgument) -> bool:
    """Tell whether a wrong argument is `wrong_arguments`.

    The query and the collection of a search have fault kinds of their own.
    """
    name = wrong.argument.rpartition(".")[2].lower()
    return not (call.is_retrieval and name in _QUERY_ARGUMENTS | _COLLECTION_ARGUMENTS)


def _wrong_tool(call: ToolCall, judgement: CallJudgement) -> str:
    fits = f" where {short(judgement.fits)} fits" if judgement.fits else ""
    return f"called {short(call.name)}{fits}"


def _wrong_arguments(call: ToolCall, wrong: list[WrongArgument], reason: str) -> str:
    parts = []
    for item in wrong:
        was = "left out" if item.value is None else f"= {short(item.value)}"
        right = "" if item.expected is None else f", should be {short(item.expected)}"
        known = f" ({short(item.known_from)})" if item.known_from else ""
        parts.append(f"{short(item.argument)} {was}{right}{known}")
    why = f": {short(reason, QUOTE_LENGTH)}" if reason else ""
    what = "; ".join(parts) or f"wrong arguments{why}"
    return f"{short(call.name)} was called with {what}"


def _agent_fault(judged: JudgedTurn, routing: TurnRouting) -> Iterator[Fault]:
    if routing.agent_ok is False:
        fits = f"; {short(routing.fitting_agent)} fits" if routing.fitting_agent else ""
        yield Fault(
            stage="routing",
            kind="wrong_agent",
            explanation=f"agent {short(judged.turn.agent or 'unknown')} took the question{fits}",
            evidence=routing_evidence(judged),
        )


def _collection_faults(judged: JudgedTurn, routing: TurnRouting) -> Iterator[Fault]:
    """Yield the fault of a turn that searched no right collection."""
    wrong = [item for item in routing.collections if item.ok is False]
    if wrong and not any(item.ok for item in routing.collections):
        searched = listed((item.collection for item in wrong), UNNAMED)
        fits = next((item.fits for item in wrong if item.fits), None)
        yield Fault(
            stage="routing",
            kind="wrong_collection",
            explanation=f"searched {searched}" + (f" instead of {short(fits)}" if fits else ""),
            evidence=routing_evidence(judged),
        )


def _missing_faults(judged: JudgedTurn, routing: TurnRouting) -> Iterator[Fault]:
    for item in routing.missing:
        yield Fault(
            stage="routing",
            kind="missing_resource",
            explanation=f"{item.kind} {short(item.name)} was never called",
            evidence=routing_evidence(judged),
        )


def _drifted_query(judged: JudgedTurn, routing: TurnRouting) -> Iterator[Fault]:
    if routing.refined_faithful is False:
        lost = listed(routing.lost_constraints, "a constraint of the question")
        yield Fault(
            stage="routing",
            kind="refined_query_drifted",
            explanation=f"the refined query lost {lost}",
            evidence=routing_evidence(judged),
        )


def lost_constraints(judged: JudgedTurn) -> tuple[str, ...]:
    """Return the words of the question that the refined query lost, as far as they are known."""
    routing = routing_of(judged)
    return () if routing is None else routing.lost_constraints


def _ignored_query(judged: JudgedTurn) -> Iterator[Fault]:
    """Yield the fault of a recorded refined query that no search of the turn looked for.

    A search whose query the trace does not tell may have been the one.
    """
    refined = judged.turn.routing.refined_query if judged.turn.routing else None
    searches = judged.turn.retrievals
    queries = [search.query for search in searches if search.query is not None]
    if refined is None or not refined.recorded or not queries or len(queries) < len(searches):
        return
    if not was_searched(refined.name, queries):
        yield Fault(
            stage="routing",
            kind="refined_query_ignored",
            explanation="the refined query was recorded and not searched",
            evidence=(f"span {refined.span_id}",) if refined.span_id else (),
        )


def misplaced(judged: JudgedTurn, hit: ProbeHit) -> Fault:
    """Return the fault of evidence that lies where no search of the turn went.

    Args:
        judged: The turn.
        hit: A positive probe of a collection that was not searched.
    """
    turn = judged.turn
    if hit.reachable_by:
        kind = "wrong_agent"
        agent = short(turn.agent or "unknown")
        what = f"agent {agent} cannot reach it; {listed(hit.reachable_by, 'another')} can"
    elif not turn.retrievals or _right_collection_searched(judged):
        kind = "missing_resource"
        what = "it was never searched"
    else:
        kind = "wrong_collection"
        searched = listed((search.collection for search in turn.retrievals), UNNAMED)
        what = f"searched was {searched}"
    return Fault(
        stage="routing",
        kind=kind,
        explanation=f"the chunk that answers is in {place(hit.collection)}; {what}",
        evidence=(
            f"chunk {hit.chunk.chunk_id}",
            f"verdict {hit.verdict.key}",
            *routing_evidence(judged),
        ),
    )


def _right_collection_searched(judged: JudgedTurn) -> bool:
    """Tell whether a search of the turn went where something of the answer is."""
    routing = routing_of(judged)
    return bool(relevant_in_context(judged)) or (
        routing is not None and any(item.ok for item in routing.collections)
    )
