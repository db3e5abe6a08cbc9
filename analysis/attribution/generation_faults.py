"""What generation did wrong: the fault that a symptom is, or would be, on its own."""

from analysis.attribution.kinds import Fault, Symptom

_EXPLAINED = {
    "absence_misreported": "says that there is none although the source failed",
    "contradicts_source": "contradicts what stood before the model",
    "off_topic": "does not answer what was asked",
    "missing_abstention": "was asserted although nothing relevant stood before the model",
    "unsupported_claim": "is not supported by the evidence",
    "over_abstention": "was refused although its evidence stood before the model",
    "incomplete": "was left out",
    "ignored_evidence": "answers with something else than the evidence before the model",
    "invalid_citation": "cites a source that does not exist",
    "wrong_citation": "cites a source that does not say it; another one does",
    "missing_citation": "cites nothing although a source says it",
    "incoherent": "cannot be followed",
    "wrong_language": "is in another language than the question",
}
_PLURAL = {
    "answers": "answer",
    "cites": "cite",
    "contradicts": "contradict",
    "does": "do",
    "is": "are",
    "says": "say",
    "was": "were",
}
"""The verbs that `_EXPLAINED` begins with, said of several paragraphs."""


def generation_fault(symptom: Symptom, kind: str) -> Fault:
    """Return a fault of generation that shows in a symptom.

    Args:
        symptom: Tells where in the answer, and what shows it.
        kind: A generation kind of `KINDS`.
    """
    return Fault(
        stage="generation",
        kind=kind,
        explanation=_explanation(symptom, kind),
        evidence=symptom.evidence,
    )


def _explanation(symptom: Symptom, kind: str) -> str:
    place, told = _place(symptom), _EXPLAINED[kind]
    if "," in place:
        verb, _, rest = told.partition(" ")
        told = f"{_PLURAL.get(verb, verb)} {rest.replace('its evidence', 'their evidence')}"
    return f"{place} {told}"


def _place(symptom: Symptom) -> str:
    if symptom.kind == "missing" and symptom.element is not None:
        return f"element {symptom.element + 1}"
    if symptom.paragraphs:
        return ", ".join(f"P{number}" for number in symptom.paragraphs)
    return "the answer"
