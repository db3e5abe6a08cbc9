"""One cause per symptom: the rules, in the order in which they are tried.

A symptom whose evidence stood before the model is generation's, whatever happened
upstream; so are falsehoods, citations and form, and what nobody asked for. For the others
the rules of `RULES` are tried from upstream to downstream, and the first that explains
*this* symptom wins. A rule fires only on verdicts that exist. When none does and a deciding
verdict is missing, the cause is undetermined and says what is missing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from analysis.attribution.cases import (
    Case,
    asserts,
    case_of,
    evidence_was_there,
    kind_beside_evidence,
)
from analysis.attribution.claims import claims_of
from analysis.attribution.evidence import in_wrong_collection
from analysis.attribution.generation_faults import generation_fault
from analysis.attribution.kinds import Cause, Fault, Role, Symptom
from analysis.attribution.open_causes import evidence_unknown, not_decided, undetermined
from analysis.attribution.queries import carries
from analysis.attribution.retrieval_faults import (
    irrelevant,
    missed,
    retrieval_faults,
    right_call_failed,
    unavailable,
    wrongly_empty,
)
from analysis.attribution.routing_faults import (
    FAULTS_OF_CALLS,
    lost_constraints,
    misplaced,
    routing_faults,
)
from analysis.attribution.wording import short
from analysis.judged import JudgedTurn, ProbeHit


def cause_of(judged: JudgedTurn, symptom: Symptom) -> Cause:
    """Return the one cause of a symptom."""
    if symptom.kind in ("false", "citation", "form"):
        return _own_fault(judged, symptom)
    if symptom.element is None:  # nobody asked: no search or call had to bring its evidence
        return (
            _rests_on_wrong_call(judged, symptom)
            or _rests_on_empty_call(judged, symptom)
            or _asserted(symptom)
        )
    case = case_of(judged, symptom, symptom.element)
    if evidence_was_there(case):
        return Cause(symptom=symptom, fault=generation_fault(symptom, kind_beside_evidence(case)))
    for rule in RULES:
        cause = rule(case)
        if cause is not None:
            return cause
    if asserts(symptom):
        return _asserted(symptom)
    return undetermined(case, "not_in_observed_corpus")


# generation, whatever happened upstream


def _own_fault(judged: JudgedTurn, symptom: Symptom) -> Cause:
    fault = generation_fault(symptom, symptom.detail)
    beside: list[tuple[Fault, Role]] = []
    if symptom.kind == "false" and _asserts_beyond_failure(judged, symptom):
        beside = [(failed, "contributing") for failed in unavailable(judged)]
    return Cause(symptom=symptom, fault=fault, beside=tuple(beside))


def _asserts_beyond_failure(judged: JudgedTurn, symptom: Symptom) -> bool:
    asserted = {claim.paragraph: claim.asserts for claim in claims_of(judged)}
    return any(asserted[number] in ("absence", "success") for number in symptom.paragraphs)


def _asserted(symptom: Symptom) -> Cause:
    """Return the cause of a claim that nothing can have told the model."""
    kind = symptom.detail or "unsupported_claim"
    return Cause(symptom=symptom, fault=generation_fault(symptom, kind))


# 2a: routing


def _wrong_result(case: Case) -> Cause | None:
    """The claim rests on the result of a call that was judged wrong."""
    return _rests_on_wrong_call(case.judged, case.symptom)


def _rests_on_wrong_call(judged: JudgedTurn, symptom: Symptom) -> Cause | None:
    faults = _of_calls(judged, symptom, routing_faults)
    return _because(judged, symptom, faults[0]) if faults else None


def _rests_on_empty_call(judged: JudgedTurn, symptom: Symptom) -> Cause | None:
    """The claim says what a call told that found nothing although the record exists."""
    faults = _of_calls(judged, symptom, wrongly_empty)
    return _because(judged, symptom, faults[0]) if faults else None


def _of_calls(
    judged: JudgedTurn, symptom: Symptom, faults_of: Callable[[JudgedTurn], Iterable[Fault]]
) -> list[Fault]:
    """Return the faults of the calls on whose results the claim rests, by precedence.

    Those of an earlier turn, whose results were carried over, are told with that turn.
    """
    faults = [
        fault if made_in is judged else _told_of(made_in, fault)
        for call_id in symptom.wrong_calls
        for made_in in [judged.fetched_by(call_id)]
        for fault in faults_of(made_in)
        if f"call {call_id}" in fault.evidence
    ]
    return sorted(faults, key=lambda fault: fault.precedence)


def _told_of(earlier: JudgedTurn, fault: Fault) -> Fault:
    return replace(fault, explanation=f"in {short(earlier.turn.turn_id)}, {fault.explanation}")


def _lost_constraint(case: Case) -> Cause | None:
    """The searched query lost a constraint that the found evidence carries."""
    standing = {fault.kind: fault for fault in routing_faults(case.judged)}
    lost = lost_constraints(case.judged)
    if "refined_query_drifted" in standing:
        for hit in case.positive:
            if not lost or any(carries(_readable(hit), one) for one in lost):
                return _upstream(case, standing["refined_query_drifted"], hit)
    if "refined_query_ignored" in standing and case.at_hand:
        return _upstream(case, standing["refined_query_ignored"], case.at_hand[0])
    return None


def _readable(hit: ProbeHit) -> str:
    titles = (value for value in hit.chunk.metadata.values() if isinstance(value, str))
    return " ".join([hit.chunk.text or "", *titles])


def _elsewhere(case: Case) -> Cause | None:
    """A probe found the evidence, but only in a reachable collection that was not searched."""
    if not case.positive or case.at_hand:
        return None
    faults = routing_faults(case.judged)
    wrong_collection = any(fault.kind == "wrong_collection" for fault in faults)
    if right_call_failed(case.judged) and not wrong_collection:
        return None
    hit = min(case.positive, key=lambda hit: bool(hit.reachable_by))
    swapped = [fault for fault in faults if fault.kind == "wrong_tool"]
    if swapped and not case.judged.turn.retrievals:
        return _upstream(case, swapped[0], hit)
    return _upstream(case, misplaced(case.judged, hit), hit)


def _about_another(case: Case) -> Cause | None:
    """What the claim rests on stands only in collections that are about something else."""
    judged, off_target = case.judged, case.symptom.off_target
    faults = [one for one in routing_faults(judged) if one.kind == "wrong_collection"]
    if not faults or not off_target or case.at_hand:
        return None
    if not all(in_wrong_collection(judged, one) for one in off_target):
        return None
    return _upstream(case, faults[0])


def _wrong_call(case: Case) -> Cause | None:
    """The call that would have held the evidence was wrong, wrongly filled or not made."""
    faults = routing_faults(case.judged)
    turn = case.judged.turn
    of_calls = [fault for fault in faults if fault.kind in FAULTS_OF_CALLS]
    if case.at_hand:
        return _wrongly_filled(case, of_calls)
    if not turn.retrievals and not turn.tool_calls:
        of_calls += [fault for fault in faults if fault.kind == "wrong_agent"]
    return _upstream(case, of_calls[0]) if of_calls else None


def _wrongly_filled(case: Case, faults: list[Fault]) -> Cause | None:
    """Every search of the evidence's collection was wrong in more than its query."""
    collections = {hit.collection for hit in case.at_hand}
    calls = [
        f"call {search.call_id}"
        for search in case.judged.turn.retrievals
        if search.collection in collections
    ]
    wrong = [fault for fault in faults for call in calls if call in fault.evidence]
    found = any(hit.retrieved for hit in case.at_hand)
    if found or not wrong or len(wrong) < len(calls):
        return None
    return _upstream(case, wrong[0], case.at_hand[0])


# 2b: retrieval


def _source_failed(case: Case) -> Cause | None:
    """A source of the turn ended in an error, and nothing else explains the symptom."""
    ids = case.judged.failed_sources()
    broken = {
        search.collection
        for search in case.judged.turn.retrievals
        if search.retrieval_id in ids or search.call_id in ids
    }
    failed = tuple(unavailable(case.judged))
    if not failed or any(hit.collection not in broken for hit in case.at_hand):
        return None
    return _upstream(case, failed[0])


def _wrongly_empty(case: Case) -> Cause | None:
    """A call found nothing although the run shows that the record exists."""
    of_claim = _of_calls(case.judged, case.symptom, wrongly_empty)
    found = (*of_claim, *wrongly_empty(case.judged))
    return _upstream(case, found[0]) if found and not case.at_hand else None


def _at_hand(case: Case) -> Cause | None:
    """The evidence was retrieved and cut, or missed by the search of its own collection."""
    if not case.at_hand:
        return None
    hit = min(case.at_hand, key=lambda hit: not hit.retrieved)
    return _upstream(case, missed(case.judged, hit), hit)


def _cut_from_prompt(case: Case) -> Cause | None:
    """Without probes: a chunk relevant to the question was retrieved and cut."""
    low = [fault for fault in retrieval_faults(case.judged) if fault.kind == "ranked_too_low"]
    return _upstream(case, low[0]) if low and case.hits is None else None


RULES: tuple[Callable[[Case], Cause | None], ...] = (
    _wrong_result,
    evidence_unknown,
    _lost_constraint,
    _elsewhere,
    _about_another,
    _wrong_call,
    _source_failed,
    _wrongly_empty,
    _at_hand,
    _cut_from_prompt,
    not_decided,
)
"""In reading order; docs/attribution.md explains each with an example."""


# a cause upstream, and what stands beside it


def _upstream(case: Case, fault: Fault, hit: ProbeHit | None = None) -> Cause:
    cause = _because(case.judged, case.symptom, fault)
    beside = cause.beside
    if not asserts(case.symptom) and case.element.status == "silently_missing":
        beside += ((generation_fault(case.symptom, "incomplete"), "downstream"),)
    return replace(cause, found=hit, beside=beside)


def _because(judged: JudgedTurn, symptom: Symptom, fault: Fault) -> Cause:
    beside = tuple(_beside(judged, symptom, fault))
    return Cause(symptom=symptom, fault=fault, beside=beside)


def _beside(judged: JudgedTurn, symptom: Symptom, fault: Fault) -> Iterator[tuple[Fault, Role]]:
    if fault.stage == "routing":
        for other in (*irrelevant(judged), *unavailable(judged), *wrongly_empty(judged)):
            yield other, "downstream"
        for other in routing_faults(judged):
            if other.kind != fault.kind:
                yield other, "contributing"
    if asserts(symptom) and symptom.detail:
        yield generation_fault(symptom, symptom.detail), "contributing"
