"""What let the user down in one turn: the six symptoms.

    1 false        contradicted by the evidence, or absence or success claimed where the
                   source failed
    2 misfounded   its only support is off target or a wrong result
    3 unfounded    needs a source, and none in the evidence supports it
    4 missing      an element of the question is not answered
    5 citation     invalid, wrong, or missing where citing is expected
    6 form         off topic, incoherent, wrong language

An element of the question carries at most one of the first four, the strongest. A claim
that answers no element carries one of the first three on its own. Clarifying replies,
policy refusals and turns that need no evidence can have symptoms 1, 5 and 6 only.
"""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from analysis.attribution.claims import (
    Claim,
    claims_of,
    good_evidence,
    has_relevant_evidence,
    routing_of,
)
from analysis.attribution.kinds import ELEMENT_SYMPTOMS, Symptom
from analysis.attribution.routing_faults import FAULTS_OF_CALLS, routing_faults
from analysis.judged import JudgedTurn
from judge.answers import AnswerJudgement, Element
from stages.records import CitationStatus, Turn

LOWEST_FORM_GRADE = 2
"""Coherence or understanding below this grade is a form symptom (default profile)."""

_NO_FLAG = frozenset({"", "none", "null", "false", "0"})
_INVALID: frozenset[CitationStatus] = frozenset(
    {"out_of_range", "unknown_id", "quote_not_in_chunk"}
)

KeepsSupport = Callable[[Claim], bool]
"""Tells whether a claim repeats a supported claim of an earlier answer of the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The symptoms of one turn, and what kept others from being seen."""

    symptoms: tuple[Symptom, ...] = ()
    undecided: tuple[str, ...] = ()
    """Missing verdicts that could have shown a symptom: without any, a turn that has no
    symptom is not judged."""
    notes: tuple[str, ...] = ()
    """What could not be looked at without keeping the turn from passing."""


@dataclass(slots=True)
class _Found:
    exempt: bool = False
    symptoms: list[Symptom] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def diagnose(judged: JudgedTurn, keeps_support: KeepsSupport = lambda _: False) -> Diagnosis:
    """Return the symptoms of a turn.

    Args:
        judged: The turn with its stored verdicts.
        keeps_support: Tells whether a claim without support in this turn's evidence repeats
            one that an earlier turn supported.
    """
    answer = judged.answer.decided if judged.answer else None
    found = _Found(exempt=answer is not None and is_exempt(judged.turn, answer))
    if answer is None:
        found.undecided.append("verdict_missing:answer")
        found.symptoms += _citation_symptoms(judged, {})
    else:
        claims = {claim.paragraph: claim for claim in claims_of(judged)}
        shown = {
            number: symptom
            for number, claim in claims.items()
            if (symptom := _claim_symptom(judged, claim, keeps_support, found))
        }
        found.symptoms += _by_element(judged, answer, claims, shown, found)
        found.symptoms += _citation_symptoms(judged, claims)
        found.symptoms += _form_symptoms(judged.turn, answer)
        if not found.exempt and routing_of(judged) is None and judged.turn.routing is not None:
            found.notes.append("routing_not_judged")
    return Diagnosis(
        symptoms=tuple(found.symptoms),
        undecided=tuple(dict.fromkeys(found.undecided)),
        notes=tuple(dict.fromkeys(found.notes)),
    )


def is_exempt(turn: Turn, answer: AnswerJudgement) -> bool:
    """Tell whether the reply owes the user no evidence.

    A policy refusal counts as one where the trace recorded a flag for it; without a flag it
    is an abstention like any other.
    """
    flag = turn.generation.flag if turn.generation else None
    flagged = flag is not None and flag.strip().lower() not in _NO_FLAG
    return not answer.needs_evidence or answer.reply == "clarifying" or flagged


def _claim_symptom(
    judged: JudgedTurn, claim: Claim, keeps_support: KeepsSupport, found: _Found
) -> Symptom | None:
    """Return the strongest of *false*, *misfounded* and *unfounded* that a claim shows."""
    evidence = (f"P{claim.paragraph}",)
    detail = _falsehood(judged, claim)
    if detail is not None:
        return Symptom(
            kind="false", paragraphs=(claim.paragraph,), detail=detail, evidence=evidence
        )
    if found.exempt or not claim.needs_source:
        return None
    found.undecided.extend(claim.undecided)
    if claim.supported:
        return _misfounded(judged, claim, found)
    if claim.undecided or claim.best != "none" or keeps_support(claim):
        return None
    detail = "unsupported_claim" if has_relevant_evidence(judged) else "missing_abstention"
    return Symptom(
        kind="unfounded", paragraphs=(claim.paragraph,), detail=detail, evidence=evidence
    )


def _falsehood(judged: JudgedTurn, claim: Claim) -> str | None:
    """Return the generation fault of a false claim, None for a claim that is not false."""
    if claim.asserts in ("absence", "success"):
        failed = set(judged.failed_sources())
        good = [item for item in claim.supporting if item not in failed]
        others = [item for item in judged.evidence if item not in failed]
        open_question = bool(claim.undecided) and bool(others)
        if failed and not (claim.supported and good) and not open_question:
            return "absence_misreported" if claim.asserts == "absence" else "contradicts_source"
    return "contradicts_source" if claim.best == "contradicted" else None


def _misfounded(judged: JudgedTurn, claim: Claim, found: _Found) -> Symptom | None:
    goodness = {item: good_evidence(judged, item) for item in claim.supporting}
    if not goodness or True in goodness.values():
        return None
    if None in goodness.values():
        found.undecided.append("verdict_missing:relevance")
        return None
    kinds = {item: evidence.kind for item, evidence in judged.evidence.items()}
    calls = tuple(item for item in goodness if kinds.get(item) == "tool_result")
    chunks = tuple(item for item in goodness if item not in calls)
    detail = ""
    if chunks:  # a claim faithful to a wrong call's result is no fault of generation
        detail = "unsupported_claim" if has_relevant_evidence(judged) else "missing_abstention"
    return Symptom(
        kind="misfounded",
        paragraphs=(claim.paragraph,),
        detail=detail,
        wrong_calls=calls,
        off_target=chunks,
        evidence=(f"P{claim.paragraph}", *(f"call {item}" for item in calls)),
    )


def _by_element(
    judged: JudgedTurn,
    answer: AnswerJudgement,
    claims: Mapping[int, Claim],
    shown: Mapping[int, Symptom],
    found: _Found,
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
        elif missing and not found.exempt and _is_missing(judged, index, element, found):
            yield _missing(answer, index, element)
    yield from (symptom for number, symptom in shown.items() if number not in placed)


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


def _missing(answer: AnswerJudgement, index: int, element: Element) -> Symptom:
    refused = answer.reply in ("abstained", "policy_refusal")
    return Symptom(
        kind="missing",
        element=index,
        asked=element.text,
        paragraphs=element.paragraphs,
        detail="over_abstention" if refused else "incomplete",
        evidence=(f"E{index + 1}",),
    )


def _is_missing(judged: JudgedTurn, index: int, element: Element, found: _Found) -> bool:
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


def _citation_symptoms(judged: JudgedTurn, claims: Mapping[int, Claim]) -> Iterator[Symptom]:
    generation = judged.turn.generation
    citations = generation.citations if generation else ()
    invalid = [citation for citation in citations if citation.status in _INVALID]
    if invalid:
        numbers = dict.fromkeys(item.paragraph for item in invalid if item.paragraph is not None)
        yield Symptom(
            kind="citation",
            paragraphs=tuple(numbers),
            detail="invalid_citation",
            evidence=tuple(dict.fromkeys(item.marker for item in invalid)),
        )
    marked = {citation.paragraph for citation in citations}
    for number, claim in claims.items():
        supported_by_rest = claim.rest in ("full", "partial")
        if supported_by_rest and claim.cited == "none":
            yield _citation(number, "wrong_citation")
        owes = judged.citing_expected and claim.needs_source and number not in marked
        if supported_by_rest and owes:
            yield _citation(number, "missing_citation")


def _citation(paragraph: int, detail: str) -> Symptom:
    return Symptom(
        kind="citation", paragraphs=(paragraph,), detail=detail, evidence=(f"P{paragraph}",)
    )


def _form_symptoms(turn: Turn, answer: AnswerJudgement) -> Iterator[Symptom]:
    if answer.understanding < LOWEST_FORM_GRADE:
        yield Symptom(kind="form", detail="off_topic")
    if answer.coherence < LOWEST_FORM_GRADE:
        yield Symptom(kind="form", detail="incoherent")
    certain = turn.language is not None and turn.answer_language is not None
    if certain and turn.language != turn.answer_language and answer.needs_evidence:
        yield Symptom(
            kind="form",
            detail="wrong_language",
            evidence=(f"question {turn.language}", f"answer {turn.answer_language}"),
        )
