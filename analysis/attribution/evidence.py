"""What stood before the model: which of it is relevant, and which may carry a claim.

Read off the stored `routing` and `relevance` verdicts; nothing is asked here.
"""

from collections.abc import Iterator

from analysis.judged import JudgedTurn
from judge.answers import CallJudgement, TurnRouting, Unjudged
from judge.tokens import tokens
from stages.records import Chunk, Retrieval, Turn


def good_evidence(judged: JudgedTurn, evidence_id: str) -> bool | None:
    """Tell whether one piece of evidence may carry a claim about what was asked.

    Returns:
        False for a chunk about another object and for the result of a call that was judged
        wrong or came back wrongly empty, in this turn or an earlier one; None when that was
        not decided; True otherwise. A chunk of an earlier turn was good for that turn's
        question and stays good.
    """
    item = judged.evidence.get(evidence_id)
    if item is not None and item.kind == "tool_result":
        return _good_call(judged, evidence_id)
    verdict = judged.relevance.get(evidence_id)
    decided = None if verdict is None else verdict.decided
    if decided is not None and decided.relevant:
        return True
    if in_wrong_collection(judged, evidence_id):
        return False
    if verdict is None:
        return True
    return None if decided is None else decided.target


def _good_call(judged: JudgedTurn, call_id: str) -> bool:
    """Tell whether the result of a call, of this turn or an earlier one, is known to be wrong.

    What was wrong for an earlier question is right for one that names the record it brought.
    """
    made_in = judged.fetched_by(call_id)
    if call_id in made_in.records_elsewhere:
        return False
    call = next((call for call in made_in.turn.tool_calls if call.call_id == call_id), None)
    judgement = call_judgements(made_in).get(call.position) if call else None
    if judgement is None:
        return True
    if made_in is not judged and judgement.tool_ok and _asked_for(judged.turn, judgement):
        return True
    return not (judgement.tool_ok is False or judgement.args_ok is False)


def _asked_for(turn: Turn, judgement: CallJudgement) -> bool:
    """Tell whether a question names the values of a wrong call, and not those it should have."""
    asked = set(tokens(turn.question or ""))

    def named(value: str | None) -> bool:
        return value is not None and asked.issuperset(tokens(value))

    wrong = judgement.wrong_arguments
    return bool(wrong) and all(named(one.value) and not named(one.expected) for one in wrong)


def misled_searches(judged: JudgedTurn, chunk_id: str) -> tuple[str, ...]:
    """Return the calls that brought a chunk which no search should have been asked for.

    Empty for a chunk that is relevant, off target or not judged, and where a search of the
    turn that found it was of the right tool, or wrong for its collection.
    """
    verdict = judged.relevance.get(chunk_id)
    decided = verdict.decided if verdict else None
    routing = routing_of(judged)
    if decided is None or decided.relevant or not decided.target or routing is None:
        return ()
    astray = {item.collection for item in routing.collections if item.ok is False}
    finders = {
        None if search.collection in astray else search.call_id
        for search in _searches_with(judged, chunk_id)
    }
    judgements = call_judgements(judged)
    wrong = tuple(
        call.call_id
        for call in judged.turn.tool_calls
        if call.call_id in finders
        and call.position in judgements
        and judgements[call.position].tool_ok is False
    )
    return wrong if finders == set(wrong) else ()


def in_wrong_collection(judged: JudgedTurn, chunk_id: str) -> bool:
    """Tell whether a chunk of the turn was found in collections only that are about another."""
    routing = routing_of(judged)
    if routing is None:
        return False
    wrong = {item.collection for item in routing.collections if item.ok is False and item.fits}
    finders = {search.collection for search in _searches_with(judged, chunk_id)}
    return bool(finders) and finders <= wrong


def _searches_with(judged: JudgedTurn, chunk_id: str) -> Iterator[Retrieval]:
    """Yield the searches of the turn that brought a chunk."""
    for search in judged.turn.retrievals:
        if any(chunk.chunk_id == chunk_id for chunk in search.chunks):
            yield search


def call_judgements(judged: JudgedTurn) -> dict[int, CallJudgement]:
    """Return the judgements of the turn's calls, by position."""
    routing = routing_of(judged)
    return {} if routing is None else {call.position: call for call in routing.calls}


def routing_of(judged: JudgedTurn) -> TurnRouting | None:
    """Return the routing verdict of the turn, None when it is missing or undecided."""
    routing = judged.routing
    if routing is None or isinstance(routing, Unjudged) or routing.unjudged is not None:
        return None
    return routing


def relevant_in_context(judged: JudgedTurn) -> tuple[Chunk, ...]:
    """Return the turn's chunks judged relevant to its question that the model saw."""
    return tuple(
        chunk
        for chunk in judged.chunks()
        if chunk.in_context is not False and is_relevant(judged, chunk)
    )


def has_relevant_evidence(judged: JudgedTurn) -> bool:
    """Tell whether anything of the turn that the model saw bears on the question.

    That is a chunk judged relevant, or what a call returned that was not judged wrong: a
    right call was made for this question.
    """
    return bool(relevant_in_context(judged)) or any(
        item.tool_status == "ok"
        and item.from_turn == judged.turn.turn
        and good_evidence(judged, item.evidence_id)
        for item in judged.turn.evidence
    )


def is_relevant(judged: JudgedTurn, chunk: Chunk) -> bool:
    """Tell whether a chunk was judged relevant to the turn's question."""
    verdict = judged.relevance.get(chunk.chunk_id)
    return verdict is not None and verdict.decided is not None and verdict.decided.relevant
