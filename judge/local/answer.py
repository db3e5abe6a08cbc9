"""What kind of reply an answer is, and what of the question it covers.

question ─▶ elements ──┐
answer ──▶ claims ─────┼─▶ coverage ─▶ reply kind, status of each element, grades
evidence ─▶ pieces ────┘
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from judge.answers import ClaimKind, ReplyKind
from judge.local.absences import with_absences
from judge.local.claims import Act, Claim, claims
from judge.local.coherence import coherence
from judge.local.courtesies import is_courtesy
from judge.local.coverage import DECLARING, Covered, cover
from judge.local.declared import by_declarations, held_against_words, sought_text
from judge.local.elements import elements_of
from judge.local.evidence import Piece, pieces
from judge.local.left_out import by_meaning, reconsidered, without_quantity
from judge.local.library import Library
from judge.local.on_topic import FEW_TERMS, is_on_topic
from judge.local.passed_over import passed_over
from judge.local.patterns import pattern
from judge.local.resting import Rested, reports_on_failure, rested
from judge.local.sought import elements_with_sources
from judge.local.text import bag, collapse, language_by_words
from judge.local.thresholds import Thresholds
from judge.tokens import normalise

_LONGEST_SMALL_TALK: Final = 160
_STRONGEST: Final[tuple[ClaimKind, ...]] = ("success", "absence", "fact")


def judge_answer(
    content: Mapping[str, Any], library: Library, limits: Thresholds
) -> Mapping[str, Any]:
    """Answer an `answer` question."""
    question = content["question"]
    earlier = [one["text"] for one in content["earlier"] if one["role"] == "user"]
    needs_evidence = needs_sources(question)
    *earlier, question = library.models.all_in_full([*earlier, question])
    doubted = bool(earlier) and pattern("doubts").search(question) is not None
    asked_for = (earlier[-1], earlier[:-1]) if doubted else (question, earlier)
    texts = (
        elements_of(*asked_for, library.rarity.objects) if needs_evidence else (collapse(question),)
    )
    evidence = pieces(content["evidence"])
    found = tuple(with_absences(claims(content["paragraphs"]), evidence))
    elements = elements_with_sources(texts, evidence, library, limits)
    claimed = tuple(without_asides(rested(found, evidence, question, library, limits), evidence))
    found = tuple(one.claim for one in claimed)
    covered = tuple(
        without_quantity(
            reconsidered(one, claimed, evidence, library, limits),
            (*elements[:place], *elements[place + 1 :]),
            claimed,
            limits,
        )
        for place, one in enumerate(cover(elements, claimed, library, limits))
    )
    covered = by_declarations(by_meaning(covered, claimed, limits), claimed)
    covered = passed_over(covered, claimed, evidence, library, limits)
    asked, said = _languages(content, question, found)
    foreign = asked is not None and said is not None and asked != said
    on_topic = (
        foreign
        or doubted
        or not needs_evidence
        or is_on_topic(covered, claimed, (question, *earlier[-1:]), evidence, library, limits)
    )
    covered = tuple(
        held_against_words(one, found, limits.relevant)
        for one in _settled(covered, found, on_topic=on_topic, needs_evidence=needs_evidence)
    )
    if doubted:
        covered = _said_again(covered, found)
    if not any(one.status == "answered" for one in covered):
        # "All set." answers whatever was to be done.
        covered = _said_again(covered, [claim for claim in found if claim.act == "success"])
    reply = _reply(found, covered)
    return {
        "reason": "; ".join(_reasons(reply, covered, on_topic=on_topic)),
        "needs_evidence": needs_evidence,
        "reply": reply,
        "elements": [
            {
                "text": sought_text(one, found),
                "status": one.status,
                "paragraphs": list(one.paragraphs),
                "in_evidence": one.element.in_evidence if needs_evidence else None,
            }
            for one in covered
        ],
        "paragraphs": [
            _paragraph(paragraph["paragraph"], claimed, evidence, needs_evidence=needs_evidence)
            for paragraph in content["paragraphs"]
        ],
        "understanding": (3 if reply == "answered" else 2) if on_topic else 1,
        "coherence": _coherence(content["paragraphs"], found, library),
        "completeness": _completeness(covered, reply, on_topic=on_topic),
        "question_language": asked,
        "answer_language": said,
        "evidence_sufficient": _sufficient(covered) if needs_evidence else None,
    }


def needs_sources(question: str) -> bool:
    """Tell whether a message asks for anything that must come from evidence."""
    said = normalise(question).replace("’", "'").strip()
    if not any(char.isalpha() for char in said):
        return False
    if len(said) <= _LONGEST_SMALL_TALK and _is_small_talk(said):
        return False
    return not any(pattern(name).search(said) for name in ("rewriting", "arithmetic"))


def _is_small_talk(said: str) -> bool:
    return pattern("small_talk").search(said) is not None or is_courtesy(said)


def without_asides(claimed: Sequence[Rested], evidence: Sequence[Piece]) -> Iterator[Rested]:
    """Yield the claims of an answer without what it only says around a declaration.

    "It is not in the policy. Better ask our team": what names nothing exact and rests on
    nothing, beside what the answer says that it does not know, is part of it; so is "The
    assistance line can." And "the two differ" is why it asks back, as is all that names
    nothing exact where nothing was looked up yet.
    """
    declaring = {one.claim.paragraph for one in claimed if one.claim.act in ("unknown", "policy")}
    asking = {one.claim.paragraph for one in claimed if one.claim.act == "clarifying"}
    for one in claimed:
        why = one.claim.paragraph in asking and (
            pattern("depends").search(one.claim.text) or not (evidence or one.exact)
        )
        aside = (
            one.claim.act == "fact"
            and (why or (one.claim.paragraph in declaring and not one.exact))
            and (one.on is None or len(bag(one.claim.text)) < FEW_TERMS)
        )
        yield replace(one, claim=replace(one.claim, act="filler")) if aside else one


def _languages(
    content: Mapping[str, Any], question: str, found: Sequence[Claim]
) -> tuple[str | None, str | None]:
    answer = "\n".join(claim.text for claim in found)
    return (
        content["question_language"] or language_by_words(question),
        content["answer_language"] or language_by_words(answer),
    )


def _coherence(
    paragraphs: Sequence[Mapping[str, Any]], found: Sequence[Claim], library: Library
) -> int:
    """Grade the form; what an answer declares or offers is in no style of the run's passages."""
    prose = {one["paragraph"] for one in paragraphs if one["kind"] == "prose"}
    other = {claim.verbatim for claim in found if not claim.asserts}
    told = "\n".join(
        claim.text
        for claim in found
        if claim.paragraph in prose and claim.verbatim not in other  # half a sentence breaks off
    )
    return 0 if library.order.is_lost(told) else coherence(paragraphs)


def _settled(
    covered: Sequence[Covered], found: Sequence[Claim], *, on_topic: bool, needs_evidence: bool
) -> tuple[Covered, ...]:
    """Take the answer as a whole: off topic answers nothing; pure abstention declares all."""
    if not needs_evidence:
        everything = tuple(sorted({claim.paragraph for claim in found}))
        return tuple(replace(one, status="answered", paragraphs=everything) for one in covered)
    if not on_topic:
        return tuple(replace(one, status="silently_missing", paragraphs=()) for one in covered)
    declaring = tuple(sorted({claim.paragraph for claim in found if claim.act in DECLARING}))
    if declaring and not any(claim.asserts for claim in found):
        return tuple(
            replace(one, status="declared_missing", paragraphs=declaring) for one in covered
        )
    return tuple(covered)


def _said_again(covered: Sequence[Covered], found: Sequence[Claim]) -> tuple[Covered, ...]:
    """Take what is asserted for the answer to a doubt: whatever is said again was doubted."""
    asserted = tuple(sorted({claim.paragraph for claim in found if claim.asserts}))
    if not asserted:
        return tuple(covered)
    return tuple(
        replace(one, status="answered", paragraphs=asserted)
        if one.status == "silently_missing"
        else one
        for one in covered
    )


def _reply(found: Sequence[Claim], covered: Sequence[Covered]) -> ReplyKind:
    statuses = {one.status for one in covered}
    if "answered" in statuses and any(claim.asserts for claim in found):
        return "answered" if statuses == {"answered"} else "partly"
    if "answered" in statuses or not any(claim.act in DECLARING for claim in found):
        return "answered"
    return _declares(found)


def _declares(found: Sequence[Claim]) -> ReplyKind:
    """Say what a reply that answers nothing is: the strongest of what it declares."""
    acts = {claim.act for claim in found}
    kinds: Mapping[Act, ReplyKind] = {
        "policy": "policy_refusal",
        "unknown": "abstained",
        "clarifying": "clarifying",
    }
    return next(kind for act, kind in kinds.items() if act in acts)


def _paragraph(
    number: int, claimed: Sequence[Rested], evidence: Sequence[Piece], *, needs_evidence: bool
) -> Mapping[str, Any]:
    here = [one for one in claimed if one.claim.paragraph == number]
    acts = {one.claim.act for one in here}
    claim: ClaimKind = next((act for act in _STRONGEST if act in acts), "none")
    if claim == "fact" and any(reports_on_failure(one, evidence) for one in here):
        claim = "success"
    if claim == "fact" and _only_weighs_up(here, claimed):
        claim = "none"
    return {
        "paragraph": number,
        "needs_source": claim != "none" and (needs_evidence or claim == "success"),
        "claim": claim,
    }


def _only_weighs_up(here: Sequence[Rested], claimed: Sequence[Rested]) -> bool:
    """Tell whether a paragraph only weighs up others before it that rest on evidence.

    "If your plans may change, the second fits better" needs no source of its own.
    """
    before = [one for one in claimed if one.claim.paragraph < here[0].claim.paragraph]
    return any(one.on for one in before) and all(
        pattern("weighs_up").search(one.claim.text) for one in here if one.claim.asserts
    )


def _completeness(covered: Sequence[Covered], reply: ReplyKind, *, on_topic: bool) -> int:
    if reply in ("clarifying", "policy_refusal") or not on_topic:
        return 0
    answered = sum(one.status == "answered" for one in covered)
    return round(3 * answered / len(covered))


def _sufficient(covered: Sequence[Covered]) -> bool | None:
    known = [one.element.in_evidence for one in covered]
    if False in known:
        return False
    return None if None in known else True


def _reasons(reply: ReplyKind, covered: Sequence[Covered], *, on_topic: bool) -> Iterator[str]:
    yield reply if on_topic else "the answer shares nothing with the question"
    held = {True: "in the evidence", False: "not in the evidence", None: "evidence unclear"}
    for number, one in enumerate(covered, start=1):
        yield f"E{number} {one.status.replace('_', ' ')}, {held[one.element.in_evidence]}"
