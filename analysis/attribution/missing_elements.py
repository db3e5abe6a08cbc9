"""Elements of the question that were not answered: when that let the user down."""

from analysis.attribution.diagnosis import Found
from analysis.attribution.kinds import Symptom
from analysis.attribution.routing_faults import FAULTS_OF_CALLS, routing_faults
from analysis.judged import JudgedTurn
from judge.answers import AnswerJudgement, Element


def missing_symptom(
    judged: JudgedTurn, answer: AnswerJudgement, index: int, found: Found
) -> Symptom | None:
    """Return the symptom of the element at *index*, from 0, that the answer does not answer.

    None where the user was told the truth; what kept that from being known goes into *found*.
    """
    element = answer.elements[index]
    if found.exempt or not _lets_down(judged, index, element, found):
        return None
    refused = answer.reply in ("abstained", "policy_refusal")
    return Symptom(
        kind="missing",
        element=index,
        asked=element.text,
        paragraphs=element.paragraphs,
        detail="over_abstention" if refused else "incomplete",
        evidence=(f"E{index + 1}",),
    )


def _lets_down(judged: JudgedTurn, index: int, element: Element, found: Found) -> bool:
    """Tell whether an element that was not answered let the user down.

    One that the answer honestly declares missing did only if its evidence existed or was
    never properly looked for.
    """
    if element.status == "silently_missing" or element.in_evidence:
        return True
    probes = None if judged.probes is None else judged.probes.get(index)
    if any(hit.positive for hit in probes or ()):
        return True
    if judged.failed_sources() or judged.records_elsewhere or _left_uncalled(judged):
        return True
    if element.in_evidence is None:
        found.undecided.append("verdict_missing:answer")
    elif probes is None:
        found.notes.append("corpus_not_probed")
    elif any(hit.verdict.decided is None for hit in probes):
        found.undecided.append("verdict_missing:probe")
    return False


def _left_uncalled(judged: JudgedTurn) -> bool:
    """Tell whether a source that should have been asked was not, or was asked wrongly."""
    kinds = {fault.kind for fault in routing_faults(judged)}
    idle = not judged.turn.retrievals and not judged.turn.tool_calls
    return not kinds.isdisjoint(FAULTS_OF_CALLS) or (idle and "wrong_agent" in kinds)
