"""What retrieval did wrong in one turn, read off statuses, verdicts and probes.

As with routing, these faults stand on their own; `causes` decides which of them explains
a symptom.
"""

from collections.abc import Iterator

from analysis.attribution.evidence import call_judgements, is_relevant, relevant_in_context
from analysis.attribution.kinds import Fault
from analysis.attribution.wording import QUOTE_LENGTH, place, short
from analysis.judged import JudgedTurn, ProbeHit


def retrieval_faults(judged: JudgedTurn) -> tuple[Fault, ...]:
    """Return the retrieval faults that need no probe, in order of precedence."""
    faults = [
        *unavailable(judged),
        *_ranked_too_low(judged),
        *wrongly_empty(judged),
        *irrelevant(judged),
    ]
    return tuple(sorted(faults, key=lambda fault: fault.precedence))


def unavailable(judged: JudgedTurn) -> Iterator[Fault]:
    """Yield `tool_unavailable` for every source that failed and was not made good."""
    failed = judged.failed_sources()
    for call in judged.turn.tool_calls:
        if call.call_id in failed:
            why = f": {short(call.error, QUOTE_LENGTH)}" if call.error else ""
            yield Fault(
                stage="retrieval",
                kind="tool_unavailable",
                explanation=f"{short(call.name)} failed{why}",
                evidence=(f"call {call.call_id}",),
            )
    for search in judged.turn.retrievals:
        if search.retrieval_id in failed and search.call_id is None:
            why = f": {short(search.error, QUOTE_LENGTH)}" if search.error else ""
            yield Fault(
                stage="retrieval",
                kind="tool_unavailable",
                explanation=f"the search of {place(search.collection)} failed{why}",
                evidence=(f"search {search.retrieval_id}",),
            )


def right_call_failed(judged: JudgedTurn) -> bool:
    """Tell whether a call that nobody called wrong ended in an error.

    What it would have brought is not known, so a passage found elsewhere does not show that
    the evidence lies *only* there.
    """
    judgements = call_judgements(judged)
    failed = judged.failed_sources()
    for call in judged.turn.tool_calls:
        judgement = judgements.get(call.position)
        wrong = judgement is not None and False in (judgement.tool_ok, judgement.args_ok)
        if call.call_id in failed and not call.is_retrieval and not wrong:
            return True
    return False


def wrongly_empty(judged: JudgedTurn) -> Iterator[Fault]:
    """Yield `tool_empty` for calls that found nothing although the run shows the record."""
    for call in judged.turn.tool_calls:
        where = judged.records_elsewhere.get(call.call_id)
        if where is not None and call.status == "empty":
            shown = short(where, QUOTE_LENGTH)
            yield Fault(
                stage="retrieval",
                kind="tool_empty",
                explanation=f"{short(call.name)} returned nothing although {shown}",
                evidence=(f"call {call.call_id}",),
            )


def irrelevant(judged: JudgedTurn) -> Iterator[Fault]:
    """Yield `irrelevant_chunks` when chunks came back, all were judged, and none is relevant."""
    verdicts = [judged.relevance.get(chunk.chunk_id) for chunk in judged.chunks()]
    decided = [verdict.decided if verdict else None for verdict in verdicts]
    if verdicts and all(item is not None and not item.relevant for item in decided):
        several = f"none of the {len(verdicts)} chunks is"
        told = "the one chunk is not" if len(verdicts) == 1 else several
        yield Fault(
            stage="retrieval",
            kind="irrelevant_chunks",
            explanation=f"{told} relevant to the question",
            evidence=tuple(f"chunk {chunk.chunk_id}" for chunk in judged.chunks()),
        )


def _ranked_too_low(judged: JudgedTurn) -> Iterator[Fault]:
    for chunk in judged.chunks():
        if chunk.in_context is False and is_relevant(judged, chunk):
            yield _low(chunk.chunk_id, chunk.rank)


def _low(chunk_id: str, rank: int) -> Fault:
    name = short(chunk_id)
    return Fault(
        stage="retrieval",
        kind="ranked_too_low",
        explanation=f"chunk {name} was retrieved at rank {rank} and cut before the prompt",
        evidence=(f"chunk {chunk_id}",),
    )


def missed(judged: JudgedTurn, hit: ProbeHit) -> Fault:
    """Return the fault of a chunk that a search of its collection should have brought.

    Args:
        judged: The turn.
        hit: A positive probe in a searched collection, or of a chunk that was retrieved and
            did not reach the prompt.
    """
    if hit.retrieved:
        return _low(hit.chunk.chunk_id, hit.chunk.rank)
    searches = [s for s in judged.turn.retrievals if s.collection == hit.collection]
    if searches and not any(search.chunks for search in searches):
        kind, what = "nothing_retrieved", "the search returned nothing"
    elif relevant_in_context(judged):
        kind, what = "partial_evidence", "the search returned only part of the evidence"
    else:
        kind, what = "missed_chunk", "the search did not return it"
    return Fault(
        stage="retrieval",
        kind=kind,
        explanation=f"chunk {short(hit.chunk.chunk_id)} in {place(hit.collection)} answers; {what}",
        evidence=(f"chunk {hit.chunk.chunk_id}", f"verdict {hit.verdict.key}"),
    )
