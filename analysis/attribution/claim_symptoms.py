"""What a claim of the answer shows: the first three symptoms.

1 false        contradicted by the evidence, or absence or success claimed where the
source failed
2 misfounded   its only support is off target or a wrong result
3 unfounded    needs a source, and none in the evidence supports it
"""

from collections.abc import Callable, Mapping

from analysis.attribution.claims import Claim
from analysis.attribution.diagnosis import Found
from analysis.attribution.evidence import good_evidence, has_relevant_evidence, misled_searches
from analysis.attribution.kinds import Symptom
from analysis.judged import JudgedTurn

KeepsSupport = Callable[[Claim], bool]
"""Tells whether a claim repeats a supported claim of an earlier answer of the conversation."""


def claim_symptom(
    judged: JudgedTurn, claim: Claim, keeps_support: KeepsSupport, found: Found
) -> Symptom | None:
    """Return the strongest of *false*, *misfounded* and *unfounded* that a claim shows.

    What kept it from being seen, and that it keeps an earlier support, goes into *found*.
    """
    evidence = (f"P{claim.paragraph}",)
    detail = _falsehood(judged, claim)
    if detail is not None:
        return Symptom(
            kind="false", paragraphs=(claim.paragraph,), detail=detail, evidence=evidence
        )
    if not claim.needs_source:
        return None
    if not found.exempt:
        found.undecided.extend(claim.undecided)
    if claim.supported:
        return None if found.exempt else _misfounded(judged, claim, found)
    if keeps_support(claim):
        found.kept.add(claim.paragraph)
        return None
    if found.exempt or claim.undecided:
        return None
    return Symptom(
        kind="unfounded",
        paragraphs=(claim.paragraph,),
        detail=_asserted_beside(judged),
        evidence=evidence,
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


def _misfounded(judged: JudgedTurn, claim: Claim, found: Found) -> Symptom | None:
    misled = _misled(judged, claim)
    goodness = {item: not misled[item] and good_evidence(judged, item) for item in claim.supporting}
    if not goodness or True in goodness.values():
        return None
    if None in goodness.values():
        found.undecided.append("verdict_missing:relevance")
        return None
    kinds = {item: evidence.kind for item, evidence in judged.evidence.items()}
    results = [item for item in goodness if kinds.get(item) == "tool_result"]
    chunks = tuple(item for item in goodness if item not in results and not misled[item])
    searches = [call for found_by in misled.values() for call in found_by]
    calls = tuple(dict.fromkeys([*results, *searches]))
    return Symptom(
        kind="misfounded",
        paragraphs=(claim.paragraph,),
        # a claim faithful to a wrong call's result is no fault of generation
        detail=_asserted_beside(judged) if chunks else "",
        wrong_calls=calls,
        off_target=chunks,
        evidence=(f"P{claim.paragraph}", *(f"call {item}" for item in calls)),
    )


def _misled(judged: JudgedTurn, claim: Claim) -> Mapping[str, tuple[str, ...]]:
    """Return the calls of a wrong tool by the chunk that they brought in place of an answer.

    Only what passes for the answer to an element is one: what is said beside it may rest on
    whatever is on target. That the answer stood there counts where something relevant did: a
    judge that reads a claim faithful to such a passage takes that for the answer.
    """
    held = {one.in_evidence for one in judged.elements if claim.paragraph in one.paragraphs}
    known = bool(held) and None not in held
    replaced = known and (True not in held or not has_relevant_evidence(judged))
    return {item: misled_searches(judged, item) if replaced else () for item in claim.supporting}


def _asserted_beside(judged: JudgedTurn) -> str:
    """Return the generation fault that asserting without good support is, on its own."""
    return "unsupported_claim" if has_relevant_evidence(judged) else "missing_abstention"
