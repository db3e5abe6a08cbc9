"""What kind of reply an answer is, and what of the question it covers.

    question ─▶ elements ──┐
    answer ──▶ claims ─────┼─▶ which claims address which element ─▶ reply, status, grades
    evidence ─▶ pieces ────┘   (by shared words, or through the evidence that both share)

An answer often shares no word with its question ("Can my mother be insured?" – "No, only up
to the age of 74."). So a claim also addresses an element when the evidence that matches the
element supports the claim.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from judge.answers import ClaimKind, ElementStatus, ReplyKind
from judge.local.claims import Claim, claims
from judge.local.coherence import coherence
from judge.local.elements import elements_of
from judge.local.evidence import Piece, pieces
from judge.local.expected import expected, holds
from judge.local.holding import hold
from judge.local.matching import Rarity, overlap
from judge.local.numbers import identifiers
from judge.local.patterns import pattern
from judge.local.relevance import Need, match, need_of
from judge.local.text import bag, collapse, language_by_words
from judge.local.thresholds import Thresholds
from judge.tokens import normalise

_BRIDGE: Final = 0.5
"""Part of the relevance threshold that evidence needs to carry a claim to its element."""
_TOOL_TERMS: Final = 0.25
"""Share of an element that a tool's result, name and arguments must hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Element:
    text: str
    need: Need
    own: Mapping[str, float]
    """The terms that no other element has; all where nothing would be left."""
    sources: tuple[tuple[float, Piece], ...]
    """Pieces that may hold its answer, best first, with their relevance."""
    in_evidence: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Covered:
    element: _Element
    status: ElementStatus
    paragraphs: tuple[int, ...]
    strength: float
    """How well the best claim addresses it."""


def judge_answer(
    content: Mapping[str, Any], rarity: Rarity, limits: Thresholds
) -> Mapping[str, Any]:
    """Answer an `answer` question."""
    question = content["question"]
    earlier = [one["text"] for one in content["earlier"] if one["role"] == "user"]
    evidence = pieces(content["evidence"])
    found = claims(content["paragraphs"])
    needs_evidence = _needs_evidence(question)
    texts = elements_of(question, earlier) if needs_evidence else (collapse(question),)
    elements = _elements(texts, evidence, rarity, limits)
    covered = tuple(
        _cover(element, found, rarity, limits, alone=len(elements) == 1) for element in elements
    )
    foreign = _foreign(content, question, found)
    on_topic = foreign or not needs_evidence or _on_topic(covered, found, question, earlier, limits)
    covered = _settled(covered, found, on_topic=on_topic, needs_evidence=needs_evidence)
    reply = _reply(found, covered)
    known = [one.element.in_evidence for one in covered]
    return {
        "reason": _reason(reply, covered, on_topic=on_topic),
        "needs_evidence": needs_evidence,
        "reply": reply,
        "elements": [
            {
                "text": one.element.text,
                "status": one.status,
                "paragraphs": list(one.paragraphs),
                "in_evidence": one.element.in_evidence,
            }
            for one in covered
        ],
        "paragraphs": [
            _paragraph(paragraph["paragraph"], found, needs_evidence=needs_evidence)
            for paragraph in content["paragraphs"]
        ],
        "understanding": 3 if on_topic and reply != "abstained" else 2 if on_topic else 1,
        "coherence": coherence(content["paragraphs"]),
        "completeness": _completeness(covered, reply, on_topic=on_topic),
        "question_language": content["question_language"] or language_by_words(question),
        "answer_language": content["answer_language"]
        or language_by_words("\n".join(claim.text for claim in found)),
        "evidence_sufficient": (False if False in known else None if None in known else True)
        if needs_evidence
        else None,
    }


def _needs_evidence(question: str) -> bool:
    said = normalise(question).replace("’", "'").strip()
    if not bag(said) and not any(char.isalpha() for char in said):
        return False
    return not any(pattern(name).search(said) for name in ("small_talk", "rewriting", "arithmetic"))


def _elements(
    texts: Sequence[str], evidence: Sequence[Piece], rarity: Rarity, limits: Thresholds
) -> tuple[_Element, ...]:
    needs = [need_of(text, (), rarity) for text in texts]
    found = []
    for text, need in zip(texts, needs, strict=True):
        others = {term for other in needs if other is not need for term in other.weights}
        own = {term: weight for term, weight in need.weights.items() if term not in others}
        if any(other is not need and set(other.weights) <= set(need.weights) for other in needs):
            own = dict(need.weights)  # it goes on from another element and is about the same
        found.append(_element(text, need, own or need.weights, evidence, rarity, limits))
    return tuple(found)


def _element(
    text: str,
    need: Need,
    own: Mapping[str, float],
    evidence: Sequence[Piece],
    rarity: Rarity,
    limits: Thresholds,
) -> _Element:
    scored = sorted(
        (
            (_relevance(need, piece, rarity, limits), piece)
            for piece in evidence
            # What the element shares with the others ("of the BX-200") answers none of them.
            if len(own) == len(need.weights) or overlap(own, piece.bag).found
        ),
        key=lambda pair: -pair[0],
    )
    best = scored[0][0] if scored else 0.0
    known: bool | None = best >= limits.relevant
    if abs(best - limits.relevant) < limits.relevance_margin:
        known = None
    sources = tuple(pair for pair in scored if pair[0] >= limits.relevant * _BRIDGE)
    return _Element(text=text, need=need, own=own, sources=sources, in_evidence=known)


def _relevance(need: Need, piece: Piece, rarity: Rarity, limits: Thresholds) -> float:
    """Score one piece for one need; a failed or empty call holds no answer."""
    if piece.failed:
        return 0.0
    found = match(need, piece.text, piece.title, rarity, limits)
    if piece.kind == "chunk":
        return min(found.score, limits.related) if found.conflict else found.score
    shared = overlap(need.weights, piece.bag).share
    named = set(identifiers(need.text)) & set(identifiers(f"{piece.text}\n{piece.arguments}"))
    if piece.empty:
        # An empty result answers "is there any", and nothing else about the thing.
        return limits.relevant + limits.relevance_margin if named else limits.related
    if found.conflict and not named:
        return limits.related
    # Results speak in keys and codes, so few shared words tell much.
    reached = limits.relevant + limits.relevance_margin
    return max(found.score, reached) if named or shared >= _TOOL_TERMS else found.score


def _cover(
    element: _Element, found: Sequence[Claim], rarity: Rarity, limits: Thresholds, *, alone: bool
) -> _Covered:
    """Find the claims that answer an element, or declare that its answer is not known."""
    asserted = [
        (_strength(element, claim, rarity, limits), claim) for claim in found if claim.asserts
    ]
    declared = [
        (_strength(element, claim, rarity, limits), claim)
        for claim in found
        if claim.act in ("unknown", "policy", "clarifying")
    ]
    needed = limits.addressed
    answering = [(strength, claim) for strength, claim in asserted if strength >= needed]
    if not answering and alone and not declared:
        # One question, one answer: judged as a whole by `_on_topic`.
        answering = asserted
    best = max((strength for strength, _ in answering), default=0.0)
    best_declared = max(
        (strength for strength, claim in declared if claim.act != "clarifying"), default=0.0
    )
    declares = [claim for strength, claim in declared if strength >= needed * 0.5 or alone]
    kind = expected(element.text)
    exact = kind is None or any(holds(claim.text, kind) for _, claim in answering)
    if answering and not (declares and best_declared > best and (alone or not exact)):
        numbers = sorted({claim.paragraph for _, claim in answering})
        return _Covered(
            element=element, status="answered", paragraphs=tuple(numbers), strength=best
        )
    if declares:
        numbers = sorted({claim.paragraph for claim in declares})
        return _Covered(
            element=element, status="declared_missing", paragraphs=tuple(numbers), strength=best
        )
    return _Covered(element=element, status="silently_missing", paragraphs=(), strength=best)


def _strength(element: _Element, claim: Claim, rarity: Rarity, limits: Thresholds) -> float:
    """Say how far a claim addresses an element, in [0, 1]."""
    shared = overlap(element.own, bag(claim.text)).share
    kind = expected(element.text)
    told = kind is not None and holds(claim.text, kind)
    if not claim.asserts:
        return shared
    if kind is not None and not told:
        shared *= _WRONG_KIND
    if shared >= limits.addressed:
        return shared
    for relevance, piece in element.sources[:3]:
        held = hold(claim.text, (piece,), element.text, rarity, limits)
        if held.label in ("full", "contradicted") or (
            held.label == "partial" and relevance >= limits.relevant
        ):
            reached = limits.addressed if kind is None or told else limits.addressed * _WRONG_KIND
            return max(shared, reached)
    return shared


_WRONG_KIND: Final = 0.6
"""What is left of a claim without the duration, price or date that the element asks for."""


def _on_topic(
    covered: Sequence[_Covered],
    found: Sequence[Claim],
    question: str,
    earlier: Sequence[str],
    limits: Thresholds,
) -> bool:
    """Tell whether the answer is about the question at all."""
    asserted = [claim for claim in found if claim.asserts]
    if not asserted or any(one.strength >= limits.addressed for one in covered):
        return True
    said = frozenset().union(*(bag(claim.text) for claim in asserted))
    asked = bag("\n".join((question, *earlier[-1:])))
    words = len(asked & said) / len(asked) if asked else 1.0
    return words >= limits.off_topic or len(said) < _FEW_WORDS


_FEW_WORDS: Final = 4
"""An answer with fewer terms ("Yes, 30 days.") tells nothing of its topic."""


def _settled(
    covered: Sequence[_Covered], found: Sequence[Claim], *, on_topic: bool, needs_evidence: bool
) -> tuple[_Covered, ...]:
    """Take the answer as a whole: off topic answers nothing; pure abstention declares all."""
    if not needs_evidence:
        everything = tuple(sorted({claim.paragraph for claim in found}))
        return tuple(replace(one, status="answered", paragraphs=everything) for one in covered)
    if not on_topic:
        return tuple(replace(one, status="silently_missing", paragraphs=()) for one in covered)
    asserted = [claim for claim in found if claim.asserts]
    declaring = sorted(
        {claim.paragraph for claim in found if claim.act in ("unknown", "policy", "clarifying")}
    )
    if not asserted and declaring:
        return tuple(
            replace(one, status="declared_missing", paragraphs=tuple(declaring)) for one in covered
        )
    return tuple(covered)


def _reply(found: Sequence[Claim], covered: Sequence[_Covered]) -> ReplyKind:
    acts = {claim.act for claim in found}
    asserted = any(claim.asserts for claim in found)
    statuses = {one.status for one in covered}
    if not asserted:
        if "policy" in acts:
            return "policy_refusal"
        if "unknown" in acts:
            return "abstained"
        if "clarifying" in acts and not _only_offers(found):
            return "clarifying"
        return "answered"
    if "answered" in statuses:
        return "answered" if statuses == {"answered"} else "partly"
    if "declared_missing" in statuses:
        declared = [
            claim.act for claim in found if claim.act in ("policy", "unknown", "clarifying")
        ]
        first = declared[0] if declared else "unknown"
        return {"policy": "policy_refusal", "unknown": "abstained", "clarifying": "clarifying"}[
            first
        ]  # type: ignore[return-value]
    return "answered"


def _only_offers(found: Sequence[Claim]) -> bool:
    return all(claim.act in ("filler", "heading") for claim in found)


def _paragraph(number: int, found: Sequence[Claim], *, needs_evidence: bool) -> Mapping[str, Any]:
    acts = {claim.act for claim in found if claim.paragraph == number}
    claim: ClaimKind = next((act for act in _STRONGEST if act in acts), "none")
    return {
        "paragraph": number,
        "needs_source": claim != "none" and (needs_evidence or claim == "success"),
        "claim": claim,
    }


_STRONGEST: Final[tuple[ClaimKind, ...]] = ("success", "absence", "fact")


def _completeness(covered: Sequence[_Covered], reply: ReplyKind, *, on_topic: bool) -> int:
    if reply in ("clarifying", "policy_refusal") or not on_topic:
        return 0
    answered = sum(one.status == "answered" for one in covered)
    return round(3 * answered / len(covered))


def _foreign(content: Mapping[str, Any], question: str, found: Sequence[Claim]) -> bool:
    """Tell whether question and answer are in different languages, so that words say little."""
    asked = content["question_language"] or language_by_words(question)
    said = content["answer_language"] or language_by_words("\n".join(one.text for one in found))
    return asked is not None and said is not None and asked != said


def _reason(reply: ReplyKind, covered: Sequence[_Covered], *, on_topic: bool) -> str:
    if not on_topic:
        return "the answer shares nothing with the question"
    return "; ".join(_lines(reply, covered))


def _lines(reply: ReplyKind, covered: Sequence[_Covered]) -> Iterator[str]:
    yield reply
    for number, one in enumerate(covered, start=1):
        held = {True: "in the evidence", False: "not in the evidence", None: "evidence unclear"}
        yield f"E{number} {one.status.replace('_', ' ')}, {held[one.element.in_evidence]}"
