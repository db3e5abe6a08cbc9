"""What a question asks for, element by element, and where the evidence has it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from judge.local.evidence import Piece
from judge.local.expected import expected, holds, states
from judge.local.identifiers import identifiers
from judge.local.library import Library
from judge.local.matching import overlap
from judge.local.needs import Need, leans
from judge.local.text import in_two_languages, is_exact
from judge.local.thresholds import Thresholds

_BRIDGE: Final = 0.5
"""Part of the relevance threshold that evidence needs to carry a claim to its element."""
_SHARED: Final = 0.3
"""Weight of what several elements ask about."""
_TOOL_TERMS: Final = 0.25
"""Share of an element that a tool's result, name and arguments must hold."""
_SOURCES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One thing that the question asks for, and where the evidence has it."""

    text: str
    need: Need
    own: Mapping[str, float]
    """The weights with which an answer is looked for; what other elements ask for as well
    ("of the BX-200") counts little."""
    leans: bool
    """It goes on from the element before, whose subject it shares."""
    sources: tuple[tuple[float, Piece], ...]
    """Pieces that may hold its answer, best first, with their relevance."""
    in_evidence: bool | None


def elements_with_sources(
    texts: Sequence[str], evidence: Sequence[Piece], library: Library, limits: Thresholds
) -> tuple[Element, ...]:
    """Look up each element of a question in the evidence."""
    needs = [library.need(text) for text in texts]
    found = []
    for number, (text, need) in enumerate(zip(texts, needs, strict=True)):
        others = {term for other in needs if other is not need for term in other.asked}
        own = {
            term: weight * (_SHARED if term in others else 1.0)
            for term, weight in need.weights.items()
        }
        follows = number > 0 and leans(need.head)
        found.append(_element(text, need, own, evidence, library, limits, leans=follows))
    return tuple(found)


def _element(
    text: str,
    need: Need,
    own: Mapping[str, float],
    evidence: Sequence[Piece],
    library: Library,
    limits: Thresholds,
    *,
    leans: bool,
) -> Element:
    scored = sorted(
        (
            (relevance(need, piece, library, limits), piece)
            for piece in evidence
            if leans or _has_own(text, need, own, piece)
        ),
        key=lambda pair: -pair[0],
    )
    best = scored[0][0] if scored else 0.0
    known: bool | None = best >= limits.relevant
    if abs(best - limits.relevant) < limits.relevance_margin:
        known = None
    sources = tuple(pair for pair in scored if pair[0] >= limits.relevant * _BRIDGE)
    return Element(
        text=text, need=need, own=own, leans=leans, sources=sources[:_SOURCES], in_evidence=known
    )


def _has_own(text: str, need: Need, own: Mapping[str, float], piece: Piece) -> bool:
    """Tell whether a piece has more of an element than what it shares with the others.

    Of a piece in another language its words cannot tell.
    """
    if in_two_languages(need.question, piece.text):
        return True
    wanted = {term: weight for term, weight in own.items() if weight == need.weights[term]}
    if not wanted or overlap(wanted, piece.bag).found:
        return True
    kind = expected(text)
    subject = {term: weight for term, weight in own.items() if not is_exact(term)}
    return kind is not None and holds(piece.text, kind) and bool(overlap(subject, piece.bag).found)


def relevance(need: Need, piece: Piece, library: Library, limits: Thresholds) -> float:
    """Score one piece of evidence for one need; a failed call holds no answer."""
    if piece.failed:
        return 0.0
    found = library.standing(need, piece.text, piece.title, limits)
    if piece.kind == "chunk":
        kind = expected(need.head)
        lacks = kind in ("duration", "money") and not states(piece.text, kind)
        return limits.related if found.conflict or lacks else found.score
    shared = overlap(need.weights, piece.bag).share
    named = set(identifiers(need.text)) & set(identifiers(f"{piece.text}\n{piece.arguments}"))
    reached = limits.relevant + limits.relevance_margin
    if piece.empty:
        # An empty result answers "is there any", and nothing else about the thing.
        return reached if named else limits.related
    if found.conflict and not named:
        return limits.related
    # Results speak in keys and codes, so few shared words tell much.
    return max(found.score, reached) if named or shared >= _TOOL_TERMS else found.score
