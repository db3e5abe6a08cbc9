"""Probes: what of the run would have answered, had it stood before the model.

For every element without evidence in context, of failed, partly answered and abstaining
turns, the chunks of the run are searched: of the same service and tenant, in collections
that this agent can reach, or that the fitting agent can where this one was judged wrong.
The judge is then asked about the best few. A chunk first seen after the turn is named as
such and decides nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.attribution import Attribution
from analysis.attribution.evidence import routing_of
from analysis.attribution.exemption import is_exempt
from analysis.judged import Candidate, JudgedTurn
from judge import probe_questions
from judge.pool import ChunkPool, PooledChunk
from judge.question import Question
from judge.run_knowledge import RunKnowledge
from stages.records import Turn


def elements_to_probe(judged: JudgedTurn, attribution: Attribution) -> tuple[int, ...]:
    """Return the indexes of the elements whose evidence is to be looked for, from 0.

    Args:
        judged: The turn.
        attribution: What the verdicts so far, without probes, make of it.
    """
    answer = judged.answer.decided if judged.answer else None
    if answer is None or is_exempt(judged, answer):
        return ()
    incomplete = answer.reply in ("partly", "abstained", "policy_refusal")
    if attribution.outcome != "failed" and not incomplete:
        return ()
    # A judge that reads a claim faithful to what was searched wrongly finds it in the evidence.
    misled = {
        cause.symptom.element
        for cause in attribution.causes
        if cause.missing == "corpus_not_probed"
    }
    return tuple(
        index
        for index, element in enumerate(answer.elements)
        if element.in_evidence is False or index in misled
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prober:
    """Looks things up in what the run has seen."""

    pool: ChunkPool
    knowledge: RunKnowledge

    def records_elsewhere(self, turn: Turn) -> Mapping[str, str]:
        """Return where the run shows the records that empty calls of a turn did not find.

        By call id. A record first seen after the turn may not have existed before.
        """
        found: dict[str, str] = {}
        for call in turn.tool_calls:
            if call.status != "empty" or call.is_retrieval:
                continue
            record = self.knowledge.records_known(
                call.name, call.arguments, service=turn.service, tenant=turn.tenant
            )
            if record is not None and _before(record.first_seen_ns, turn):
                found[call.call_id] = str(record)
        return found

    def candidates(
        self, judged: JudgedTurn, element: int, limit: int
    ) -> Iterator[tuple[Question, Candidate]]:
        """Yield the chunks of the run that fit an element best and were not before the model.

        Each with the question to ask about it.

        Args:
            judged: A turn whose `answer` was decided.
            element: Index of the element, from 0.
            limit: Most candidates.
        """
        turn = judged.turn
        answer = judged.answer.decided if judged.answer else None
        if answer is None:
            return
        text = answer.elements[element].text
        searched = searched_collections(turn)
        own = self.knowledge.reachable(turn) | searched
        others = self._fitting(judged)
        hits = self.pool.search(
            f"{text}\n{turn.question or ''}",
            service=turn.service,
            tenant=turn.tenant,
            collections=own.union(*others.values()) if others else own,
            exclude=_in_context(judged),
            k=limit,
        )
        cut = {chunk.chunk_id: chunk for chunk in judged.chunks() if chunk.in_context is False}
        for hit in hits:
            found = hit.found
            retrieved = found.chunk.chunk_id in cut
            chunk = cut.get(found.chunk.chunk_id, found.chunk)
            reaching = (name for name, reach in others.items() if found.collection in reach)
            candidate = Candidate(
                element=element,
                chunk=chunk,
                collection=found.collection,
                first_seen_ns=found.first_seen_ns,
                seen_before=retrieved or _seen_before(found, turn),
                retrieved=retrieved,
                searched=found.collection in searched,
                reachable_by=() if found.collection in own else tuple(reaching),
            )
            for question in probe_questions(turn, element, text, [chunk]):
                yield question, candidate

    def _fitting(self, judged: JudgedTurn) -> dict[str, frozenset[str | None]]:
        """Return what the agent that fits can reach, where this turn's was judged wrong."""
        routing = routing_of(judged)
        if routing is None or routing.agent_ok is not False or routing.fitting_agent is None:
            return {}
        agents = self.knowledge.agents(judged.turn.service, judged.turn.tenant)
        facts = agents.get(routing.fitting_agent)
        return {} if facts is None else {routing.fitting_agent: facts.reachable}


def searched_collections(turn: Turn) -> frozenset[str | None]:
    """Return the collections that a turn searched; None stands for one without a name."""
    found: set[str | None] = set()
    for search in turn.retrievals:
        named = {chunk.collection or search.collection for chunk in search.chunks}
        found |= named or {search.collection}
        if search.collection is not None:
            found.add(search.collection)
    return frozenset(found)


def _in_context(judged: JudgedTurn) -> list[str]:
    seen = [chunk.chunk_id for chunk in judged.chunks() if chunk.in_context is not False]
    return [*seen, *judged.evidence]


def _seen_before(found: PooledChunk, turn: Turn) -> bool:
    return found.first_turn_id == turn.turn_id or _before(found.first_seen_ns, turn)


def _before(first_seen_ns: int | None, turn: Turn) -> bool:
    """Tell whether something was known when a turn began; without times it is not known."""
    return first_seen_ns is not None and turn.start_ns is not None and first_seen_ns < turn.start_ns
