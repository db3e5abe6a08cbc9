"""Cases: one symptom of one element, and whether its evidence stood before the model."""

from dataclasses import dataclass

from analysis.attribution.claims import claims_of
from analysis.attribution.evidence import good_evidence, relevant_in_context
from analysis.attribution.kinds import Symptom
from analysis.judged import JudgedTurn, ProbeHit
from judge.answers import Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One symptom of one element, and what the rules look at."""

    judged: JudgedTurn
    symptom: Symptom
    element: Element
    hits: tuple[ProbeHit, ...] | None
    """Probes of the element; None when it was not probed."""

    @property
    def positive(self) -> tuple[ProbeHit, ...]:
        """Hits that answer the element and could have been known in time."""
        return tuple(hit for hit in self.hits or () if hit.positive and hit.seen_before)

    @property
    def later(self) -> tuple[ProbeHit, ...]:
        """Hits that answer the element and were first seen after the turn: they decide nothing."""
        return tuple(hit for hit in self.hits or () if hit.positive and not hit.seen_before)

    @property
    def at_hand(self) -> tuple[ProbeHit, ...]:
        """Positive hits that a search of this turn should have brought before the model."""
        return tuple(hit for hit in self.positive if hit.retrieved or hit.searched)


def case_of(judged: JudgedTurn, symptom: Symptom, index: int) -> Case:
    """Return the case of a symptom of the element at *index*, from 0."""
    hits = None if judged.probes is None else judged.probes.get(index)
    return Case(judged=judged, symptom=symptom, element=judged.elements[index], hits=hits)


def asserts(symptom: Symptom) -> bool:
    """Tell whether the answer claims something, instead of leaving something out."""
    return symptom.kind != "missing"


def evidence_was_there(case: Case) -> bool:
    """Tell whether the element's evidence stood before the model.

    A judge that reads a claim faithful to a wrong result finds it in the evidence. So under a
    misfounded claim its word counts only where something good stood there as well: a relevant
    chunk, or a right result of the tool that was called wrongly.
    """
    judged, symptom = case.judged, case.symptom
    if not case.element.in_evidence:
        return False
    if symptom.kind != "misfounded" or relevant_in_context(judged):
        return True
    evidence = judged.evidence
    made = {call.call_id: call.name for call in judged.turn.tool_calls}
    tools = {
        evidence[call_id].tool if call_id in evidence else made.get(call_id)
        for call_id in symptom.wrong_calls
    }
    return any(
        item.tool_status == "ok"
        and item.from_turn == judged.turn.turn
        and (not tools or item.tool in tools)
        and good_evidence(judged, item.evidence_id)
        for item in judged.turn.evidence
    )


def kind_beside_evidence(case: Case) -> str:
    """Return the generation fault for an element whose evidence stood before the model."""
    if not asserts(case.symptom):
        return case.symptom.detail
    supported = {claim.paragraph for claim in claims_of(case.judged) if claim.supported}
    founded = supported.intersection(case.element.paragraphs).difference(case.symptom.paragraphs)
    return "unsupported_claim" if founded else "ignored_evidence"
