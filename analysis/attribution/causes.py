"""One cause per symptom: the rules, in the order in which they are tried.

A symptom whose evidence stood before the model is generation's, whatever happened
upstream; so are falsehoods, citations and form. For the others the rules of `RULES` are
tried from upstream to downstream, and the first that explains *this* symptom wins. A rule
fires only on verdicts that exist. When none does and a deciding verdict is missing, the
cause is undetermined and says what is missing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analysis.attribution.claims import (
    call_judgements,
    claims_of,
    good_evidence,
    relevant_in_context,
    routing_of,
)
from analysis.attribution.kinds import Cause, Fault, Role, Symptom
from analysis.attribution.retrieval_faults import (
    irrelevant,
    missed,
    retrieval_faults,
    unavailable,
    wrongly_empty,
)
from analysis.attribution.routing_faults import (
    refined_query_ignored,
    right_collection_searched,
    routing_evidence,
    routing_faults,
)
from analysis.judged import JudgedTurn, ProbeHit
from judge.answers import Element
from stages.records import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One symptom and what the rules look at."""

    judged: JudgedTurn
    symptom: Symptom
    element: Element | None
    hits: tuple[ProbeHit, ...] | None
    """Probes of the element; None when it was not probed."""

    @property
    def positive(self) -> tuple[ProbeHit, ...]:
        """Hits that answer the element and could have been known in time."""
        return tuple(hit for hit in self.hits or () if hit.positive and hit.seen_before)

    @property
    def at_hand(self) -> tuple[ProbeHit, ...]:
        """Positive hits that a search of this turn should have brought before the model."""
        return tuple(hit for hit in self.positive if hit.retrieved or hit.searched)

    @property
    def asserted(self) -> bool:
        """The answer claims something, instead of leaving something out."""
        return self.symptom.kind in ("misfounded", "unfounded")


def cause_of(judged: JudgedTurn, symptom: Symptom) -> Cause:
    """Return the one cause of a symptom."""
    if symptom.kind in ("false", "citation", "form"):
        return _own_fault(judged, symptom)
    case = _case(judged, symptom)
    if _evidence_was_there(case):
        return Cause(symptom=symptom, fault=_generation(symptom, _with_evidence(case)))
    for rule in RULES:
        cause = rule(case)
        if cause is not None:
            return cause
    return _nothing_found(case)


def _evidence_was_there(case: Case) -> bool:
    """Tell whether the element's evidence stood before the model.

    A judge that reads a claim faithful to a wrong result finds it in the evidence. So under a
    misfounded claim its word counts only where something good stood there as well.
    """
    if case.element is None or not case.element.in_evidence:
        return False
    judged, symptom = case.judged, case.symptom
    if symptom.kind != "misfounded" or relevant_in_context(judged):
        return True
    return any(
        item.kind == "tool_result"
        and item.tool_status == "ok"
        and item.evidence_id not in symptom.wrong_calls
        and good_evidence(judged, item.evidence_id)
        for item in judged.turn.evidence
    )


def _case(judged: JudgedTurn, symptom: Symptom) -> Case:
    answer = judged.answer.decided if judged.answer else None
    element = hits = None
    if answer is not None and symptom.element is not None:
        element = answer.elements[symptom.element]
        hits = None if judged.probes is None else judged.probes.get(symptom.element)
    return Case(judged=judged, symptom=symptom, element=element, hits=hits)


def _own_fault(judged: JudgedTurn, symptom: Symptom) -> Cause:
    fault = _generation(symptom, symptom.detail)
    beside: list[tuple[Fault, Role]] = []
    if symptom.kind == "false" and _asserts_beyond_failure(judged, symptom):
        beside = [(failed, "contributing") for failed in unavailable(judged)]
    return Cause(symptom=symptom, fault=fault, beside=tuple(beside))


def _asserts_beyond_failure(judged: JudgedTurn, symptom: Symptom) -> bool:
    asserted = {claim.paragraph: claim.asserts for claim in claims_of(judged)}
    return any(asserted.get(number) in ("absence", "success") for number in symptom.paragraphs)


def _with_evidence(case: Case) -> str:
    """Return the generation fault for an element whose evidence stood before the model."""
    if case.symptom.kind == "missing":
        return case.symptom.detail
    paragraphs = case.element.paragraphs if case.element else ()
    supported = {claim.paragraph for claim in claims_of(case.judged) if claim.supported}
    founded = supported.intersection(paragraphs).difference(case.symptom.paragraphs)
    return "unsupported_claim" if founded else "ignored_evidence"


# 2a: routing


def _wrong_result(case: Case) -> Cause | None:
    """The claim rests on the result of a call that was judged wrong."""
    calls = {f"call {call_id}" for call_id in case.symptom.wrong_calls}
    faults = [fault for fault in routing_faults(case.judged) if calls.intersection(fault.evidence)]
    return _because(case, faults[0]) if faults else None


def _evidence_unknown(case: Case) -> Cause | None:
    """Whether the evidence stood before the model was not decided."""
    if case.element is None or case.element.in_evidence is not None:
        return None
    return _undetermined(case, "verdict_missing:answer")


def _lost_constraint(case: Case) -> Cause | None:
    """The searched query lost a constraint that the found evidence carries."""
    routing = routing_of(case.judged)
    if not case.positive:
        return None
    if routing is not None and routing.refined_faithful is False:
        lost = [word.casefold() for word in routing.lost_constraints]
        for hit in case.positive:
            text = _readable(hit).casefold()
            if not lost or any(word in text for word in lost):
                fault = _standing(case, "refined_query_drifted")
                return _because(case, fault, hit) if fault else None
    if case.at_hand and refined_query_ignored(case.judged):
        fault = _standing(case, "refined_query_ignored")
        return _because(case, fault, case.at_hand[0]) if fault else None
    return None


def _readable(hit: ProbeHit) -> str:
    titles = (value for value in hit.chunk.metadata.values() if isinstance(value, str))
    return " ".join([hit.chunk.text or "", *titles])


def _elsewhere(case: Case) -> Cause | None:
    """A probe found the evidence, but only in a reachable collection that was not searched."""
    if not case.positive or case.at_hand:
        return None
    hit = case.positive[0]
    turn = case.judged.turn
    routing = routing_of(case.judged)
    if hit.reachable_by:
        kind = "wrong_agent"
        what = f"agent {turn.agent or 'unknown'} cannot reach it; {', '.join(hit.reachable_by)} can"
    elif right_collection_searched(case.judged) or not (turn.retrievals or turn.tool_calls):
        kind = "missing_resource"
        what = "it was never searched"
    else:
        kind = "wrong_collection"
        wrong = [item.collection for item in routing.collections] if routing else []
        searched = dict.fromkeys(wrong or [s.collection for s in turn.retrievals if s.collection])
        what = f"searched was {', '.join(searched) or 'another source'}"
    fault = Fault(
        stage="routing",
        kind=kind,
        explanation=f"the chunk that answers is in {hit.collection or 'another source'}; {what}",
        evidence=(
            f"chunk {hit.chunk.chunk_id}",
            f"verdict {hit.verdict.key}",
            *routing_evidence(case.judged),
        ),
    )
    return _because(case, fault, hit)


def _wrong_call(case: Case) -> Cause | None:
    """The call that would have held the evidence was wrong, wrongly filled or not made."""
    if case.at_hand:
        return None
    kinds = ("wrong_arguments", "wrong_tool", "missing_resource")
    faults = [fault for fault in routing_faults(case.judged) if fault.kind in kinds]
    turn = case.judged.turn
    if not faults and not turn.retrievals and not turn.tool_calls:
        faults = [f for f in routing_faults(case.judged) if f.kind == "wrong_agent"]
    return _because(case, faults[0]) if faults else None


# 2b: retrieval


def _source_failed(case: Case) -> Cause | None:
    """A source of the turn ended in an error, and nothing else explains the symptom."""
    failed = tuple(unavailable(case.judged))
    broken = {s.collection for s in case.judged.turn.retrievals if s.status == "error"}
    if not failed or any(hit.collection not in broken for hit in case.at_hand):
        return None
    return _because(case, failed[0])


def _wrongly_empty(case: Case) -> Cause | None:
    """A call found nothing although the run shows that the record exists."""
    found = tuple(wrongly_empty(case.judged))
    return _because(case, found[0]) if found and not case.at_hand else None


def _at_hand(case: Case) -> Cause | None:
    """The evidence was retrieved and cut, or missed by the search of its own collection."""
    if not case.at_hand:
        return None
    hit = min(case.at_hand, key=lambda hit: not hit.retrieved)
    return _because(case, missed(case.judged, hit), hit)


def _cut_from_prompt(case: Case) -> Cause | None:
    """Without probes: a chunk relevant to the question was retrieved and cut."""
    if case.hits is not None or case.element is None:
        return None
    low = [fault for fault in retrieval_faults(case.judged) if fault.kind == "ranked_too_low"]
    return _because(case, low[0]) if low else None


# 2d: what decides is missing


def _not_decided(case: Case) -> Cause | None:
    """A probe or verdict that decides between the stages is missing."""
    if case.element is None:
        return None
    if case.hits is None:
        return _undetermined(case, "corpus_not_probed")
    if any(hit.verdict.decided is None for hit in case.hits):
        return _undetermined(case, "verdict_missing:probe")
    later = [hit for hit in case.hits if hit.positive and not hit.seen_before]
    if later:
        chunk = f"chunk {later[0].chunk.chunk_id}"
        return _undetermined(case, "evidence_seen_only_later", (chunk,))
    calls = [call for call in case.judged.turn.tool_calls if not call.is_retrieval]
    judgements = call_judgements(case.judged)
    if case.asserted and any(call.position not in judgements for call in calls):
        return _undetermined(case, "verdict_missing:routing")
    return None


RULES: tuple[Callable[[Case], Cause | None], ...] = (
    _wrong_result,
    _evidence_unknown,
    _lost_constraint,
    _elsewhere,
    _wrong_call,
    _source_failed,
    _wrongly_empty,
    _at_hand,
    _cut_from_prompt,
    _not_decided,
)
"""In reading order; docs/attribution.md explains each with an example."""


# 2c: looked for and not found


def _nothing_found(case: Case) -> Cause:
    """Return the cause where nothing of the run answers the element.

    Asserting it all the same is generation's fault; leaving it out may have been right.
    """
    if case.asserted:
        kind = case.symptom.detail or "unsupported_claim"
        return Cause(symptom=case.symptom, fault=_generation(case.symptom, kind))
    return _undetermined(case, "not_in_observed_corpus")


def _undetermined(case: Case, missing: str, evidence: tuple[str, ...] = ()) -> Cause:
    stages: list[Stage] = ["retrieval"]
    routing = routing_of(case.judged)
    if routing is None or not routing.missing_decided or _open_collections(case):
        stages.insert(0, "routing")
    unknown = case.element is not None and case.element.in_evidence is None
    if case.asserted or unknown:
        stages.append("generation")
    symptom = case.symptom
    if evidence:
        symptom = Symptom(
            kind=symptom.kind,
            element=symptom.element,
            paragraphs=symptom.paragraphs,
            detail=symptom.detail,
            wrong_calls=symptom.wrong_calls,
            off_target=symptom.off_target,
            evidence=(*symptom.evidence, *evidence),
        )
    return Cause(symptom=symptom, fault=None, possible=tuple(stages), missing=missing)


def _open_collections(case: Case) -> bool:
    routing = routing_of(case.judged)
    return routing is not None and any(item.ok is None for item in routing.collections)


def _because(case: Case, fault: Fault, hit: ProbeHit | None = None) -> Cause:
    """Return a cause upstream of generation, with what stands beside it."""
    return Cause(symptom=case.symptom, fault=fault, beside=tuple(_beside(case, fault)), found=hit)


def _beside(case: Case, fault: Fault) -> Iterator[tuple[Fault, Role]]:
    if fault.stage == "routing":
        yield from ((other, "downstream") for other in irrelevant(case.judged))
        for other in routing_faults(case.judged):
            if other.kind != fault.kind:
                yield other, "contributing"
    if case.asserted and case.symptom.detail:
        yield _generation(case.symptom, case.symptom.detail), "contributing"
    elif case.element is not None and case.element.status == "silently_missing":
        yield _generation(case.symptom, "incomplete"), "downstream"


def _standing(case: Case, kind: str) -> Fault | None:
    return next((fault for fault in routing_faults(case.judged) if fault.kind == kind), None)


_EXPLAINED = {
    "absence_misreported": "says that there is none although the source failed",
    "contradicts_source": "contradicts what stood before the model",
    "off_topic": "does not answer what was asked",
    "missing_abstention": "was asserted although nothing relevant stood before the model",
    "unsupported_claim": "is not supported by the evidence",
    "over_abstention": "was refused although its evidence stood before the model",
    "incomplete": "was left out",
    "ignored_evidence": "was answered with something else than its evidence",
    "invalid_citation": "cites a source that does not exist",
    "wrong_citation": "cites a source that does not say it; another one does",
    "missing_citation": "cites nothing although a source says it",
    "incoherent": "cannot be followed",
    "wrong_language": "is in another language than the question",
}


def _generation(symptom: Symptom, kind: str) -> Fault:
    return Fault(
        stage="generation",
        kind=kind,
        explanation=f"{_place(symptom)} {_EXPLAINED[kind]}",
        evidence=symptom.evidence,
    )


def _place(symptom: Symptom) -> str:
    if symptom.kind == "missing" and symptom.element is not None:
        return f"element {symptom.element + 1}"
    if symptom.paragraphs:
        return ", ".join(f"P{number}" for number in symptom.paragraphs)
    return "the answer"
