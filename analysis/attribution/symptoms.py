"""What let the user down in one turn: the six symptoms, put together.

    1 false, 2 misfounded, 3 unfounded    `claim_symptoms`
    4 missing                             `missing_elements`
    5 citation, 6 form                    `surface_symptoms`

An element of the question carries at most one of the first four, the strongest. A claim
that answers no element carries one of the first three on its own. Clarifying replies,
policy refusals and turns that need no evidence can have symptoms 1, 5 and 6 only.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from analysis.attribution.claim_symptoms import KeepsSupport, claim_symptom
from analysis.attribution.claims import Claim, claims_of
from analysis.attribution.diagnosis import Diagnosis, Found
from analysis.attribution.evidence import routing_of
from analysis.attribution.exemption import is_closed_book, is_exempt
from analysis.attribution.kinds import ELEMENT_SYMPTOMS, Symptom
from analysis.attribution.missing_elements import missing_symptom
from analysis.attribution.surface_symptoms import citation_symptoms, form_symptoms, is_off_topic
from analysis.judged import JudgedTurn
from judge.answers import AnswerJudgement, Element


def diagnose(judged: JudgedTurn, keeps_support: KeepsSupport = lambda _: False) -> Diagnosis:
    """Return the symptoms of a turn.

    Args:
        judged: The turn with its stored verdicts.
        keeps_support: Tells whether a claim without support in this turn's evidence repeats
            one that an earlier turn supported.
    """
    answer = judged.answer.decided if judged.answer else None
    found = Found(exempt=answer is not None and is_exempt(judged, answer))
    if answer is None:
        found.undecided.append("verdict_missing:answer")
        found.symptoms += citation_symptoms(judged, {})
    else:
        claims = {claim.paragraph: claim for claim in claims_of(judged)}
        shown = {
            number: symptom
            for number, claim in claims.items()
            if (symptom := claim_symptom(judged, claim, keeps_support, found))
        }
        found.symptoms += _by_element(judged, answer, claims, shown, found)
        found.symptoms += citation_symptoms(judged, claims)
        found.symptoms += form_symptoms(judged.turn, answer)
        if answer.needs_evidence and is_closed_book(judged, answer):
            found.notes.append("no_source_known")
        if not found.exempt and routing_of(judged) is None and judged.turn.routing is not None:
            found.notes.append("routing_not_judged")
    return found.diagnosis()


def _by_element(
    judged: JudgedTurn,
    answer: AnswerJudgement,
    claims: Mapping[int, Claim],
    shown: Mapping[int, Symptom],
    found: Found,
) -> Iterator[Symptom]:
    """Yield the strongest symptom of each element, then those of claims that answer none."""
    answered = {
        number
        for element in answer.elements
        if element.status == "answered"
        for number in element.paragraphs
    }
    placed: set[int] = set()
    for index, element in enumerate(answer.elements):
        placed.update(element.paragraphs)
        own = [shown[number] for number in element.paragraphs if number in shown]
        missing = element.status != "answered"
        if missing:
            own = [symptom for symptom in own if _counts_beside_missing(symptom, claims, answered)]
        if own:
            yield _strongest(index, element, own)
        elif missing and (symptom := missing_symptom(judged, answer, index, found)):
            yield symptom
    for number, symptom in shown.items():
        if number not in placed and not _says_what_form_says(symptom, answer):
            yield symptom


def _says_what_form_says(symptom: Symptom, answer: AnswerJudgement) -> bool:
    """Tell whether a claim lets down by its subject only, in an answer that is off topic.

    It is faithful to its source: that this is about something else is told once.
    """
    return is_off_topic(answer) and bool(symptom.off_target) and not symptom.wrong_calls


def _counts_beside_missing(
    symptom: Symptom, claims: Mapping[int, Claim], answered: AbstractSet[int]
) -> bool:
    """Tell whether what a paragraph claims counts for the element that it declares missing.

    That nothing is known may be said beside a guess, which then is the element's symptom. An
    absence is how it is said, and what answers another element is that element's symptom.
    """
    (number,) = symptom.paragraphs
    guess = claims[number].asserts != "absence" and number not in answered
    return symptom.kind == "false" or guess


def _strongest(index: int, element: Element, shown: list[Symptom]) -> Symptom:
    kind = min((symptom.kind for symptom in shown), key=ELEMENT_SYMPTOMS.index)
    same = [symptom for symptom in shown if symptom.kind == kind]
    return Symptom(
        kind=kind,
        element=index,
        asked=element.text,
        paragraphs=tuple(number for symptom in same for number in symptom.paragraphs),
        detail=same[0].detail,
        wrong_calls=tuple(dict.fromkeys(call for s in same for call in s.wrong_calls)),
        off_target=tuple(dict.fromkeys(chunk for s in same for chunk in s.off_target)),
        evidence=(f"E{index + 1}", *dict.fromkeys(item for s in same for item in s.evidence)),
    )
