"""Which claims of an answer address which element of the question.

    elements × claims ─▶ strength ─▶ each claim goes to the elements it addresses best

A claim addresses an element when it shares its words, when it gives the duration or price
that the element asks for, or when the evidence that matches the element supports the claim:
an answer often shares no word with its question ("Can my mother be insured?" – "No, only up
to the age of 74.").
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from judge.answers import ElementStatus
from judge.local.claims import Claim
from judge.local.expected import expected, gives
from judge.local.grounds import by_grounds
from judge.local.library import Library
from judge.local.matching import overlap
from judge.local.relevance import ASKING
from judge.local.resting import Rested, apt
from judge.local.sought import Element
from judge.local.text import bag, is_exact
from judge.local.thresholds import Thresholds

WRONG_KIND: Final = 0.6
"""What is left of a claim without the duration, price or date that the element asks for."""
_PLAIN: Final = 0.6
"""Share of an element's words that a claim must have to answer it from a passage that is
about something else."""
_RIVAL: Final = 0.8
"""Part of its best strength with which a claim must address a further element."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What the answer does about one element."""

    element: Element
    status: ElementStatus
    paragraphs: tuple[int, ...]
    strength: float
    """How well the best claim addresses it, in [0, 1]."""


def cover(
    elements: Sequence[Element], claims: Sequence[Rested], library: Library, limits: Thresholds
) -> tuple[Covered, ...]:
    """Find for each element the claims that answer it, or say that its answer is not known."""
    strengths = [
        [_strength(element, claim, library, limits, alone=len(elements) == 1) for claim in claims]
        for element in elements
    ]
    strengths = by_grounds(elements, claims, strengths, limits)
    found = [one.claim for one in claims]
    strongest = [max(column, default=0.0) for column in zip(*strengths, strict=True)]
    covered = tuple(
        _covered(element, claims, row, strongest, library, limits, alone=len(elements) == 1)
        for element, row in zip(elements, strengths, strict=True)
    )
    spare = [
        told
        for told, strength in zip(claims, strongest, strict=True)
        if told.claim.asserts and strength < limits.addressed
    ]
    shared = {
        claim.paragraph
        for claim, strength in zip(found, strongest, strict=True)
        if claim.act in ("unknown", "policy") and strength < limits.addressed / 2
    }
    return tuple(
        _with_declared(_with_spare(one, spare, library, limits, declared=bool(shared)), shared)
        for one in covered
    )


def _with_declared(covered: Covered, shared: AbstractSet[int]) -> Covered:
    """Take "I found nothing on the rest" to speak of what nothing else speaks of."""
    if covered.status != "silently_missing" or not shared:
        return covered
    return replace(covered, status="declared_missing", paragraphs=tuple(sorted(shared)))


def _with_spare(
    covered: Covered,
    spare: Sequence[Rested],
    library: Library,
    limits: Thresholds,
    *,
    declared: bool,
) -> Covered:
    """Give what addresses no element to one that nothing else addresses.

    Words cannot tell that it does not answer it, and an answer is not called incomplete
    while it says something that nobody asked for, unless that rests on something else, or
    on nothing beside a declaration ("I have nothing on that. By the way, …").
    """
    if covered.status != "silently_missing":
        return covered
    given = {
        told.claim.paragraph
        for told in spare
        if (apt(covered.element.need, told.on, library, limits) if told.on else not declared)
    }
    if not given:
        return covered
    return replace(covered, status="answered", paragraphs=tuple(sorted(given)))


def _covered(
    element: Element,
    claims: Sequence[Rested],
    strengths: Sequence[float],
    strongest: Sequence[float],
    library: Library,
    limits: Thresholds,
    *,
    alone: bool,
) -> Covered:
    found = [one.claim for one in claims]
    asserted: dict[int, float] = {}
    declared: dict[int, float] = {}
    # "For a suitcase we pay 1,500. Shall I tell you how to report it?" asks for nothing.
    declaring = DECLARING - {"clarifying"} if any(claim.asserts for claim in found) else DECLARING
    for claim, strength, most in zip(found, strengths, strongest, strict=True):
        group = asserted if claim.asserts else declared
        if claim.asserts and (strength < limits.addressed or strength < _RIVAL * most):
            continue
        if not claim.asserts and (
            claim.act not in declaring or not (alone or strength >= limits.addressed / 2)
        ):
            continue
        group[claim.paragraph] = max(strength, group.get(claim.paragraph, 0.0))
    best = max(asserted.values(), default=0.0)
    if not asserted and alone and not declared:
        # One question, one answer: whether it is off topic is seen as a whole.
        asserted = {claim.paragraph: 0.0 for claim in found if claim.asserts}
    told_exactly = any(
        one.exact and one.on is not None and one.claim.paragraph in asserted for one in claims
    )
    named = max(declared.values(), default=0.0)
    if alone:
        doubted = named > best and not (told_exactly and best >= limits.addressed)
    else:
        # "A loan runs for six weeks. On the warranty I found nothing": by its own words.
        words = max(
            (
                overlap(element.own, bag(claim.text)).share
                for claim in found
                if claim.asserts and claim.paragraph in asserted
            ),
            default=0.0,
        )
        doubted = named > best or (named >= limits.addressed and named > words)
    if asserted and not doubted:
        told = [one for one in claims if one.claim.asserts and one.claim.paragraph in asserted]
        return Covered(
            element=_confirmed(element, told, library, limits),
            status="answered",
            paragraphs=tuple(sorted(asserted)),
            strength=best,
        )
    status: ElementStatus = "declared_missing" if declared else "silently_missing"
    return Covered(
        element=element, status=status, paragraphs=tuple(sorted(declared)), strength=best
    )


def _confirmed(
    element: Element, told: Sequence[Rested], library: Library, limits: Thresholds
) -> Element:
    """Take the answer's word for it where it rests on what may be about the element.

    "Only up to the age of 74" answers a question about a mother of 80, which no word tells.
    """
    if element.in_evidence or not told:
        return element
    if any(one.on and apt(element.need, one.on, library, limits) for one in told):
        return replace(element, in_evidence=True)
    return element


DECLARING: Final = frozenset({"unknown", "policy", "clarifying"})
"""Acts by which an answer says that it does not answer."""


def _strength(
    element: Element, told: Rested, library: Library, limits: Thresholds, *, alone: bool
) -> float:
    """Say how far a claim addresses an element, in [0, 1]."""
    claim = told.claim
    shared = overlap(element.own, bag(claim.text)).share
    if not claim.asserts:
        return shared
    if alone and claim.act in ("absence", "success"):
        return max(shared, limits.addressed)  # "there is none" and "done" answer anything
    about = told.on is None or apt(element.need, told.on, library, limits)
    if not about:
        # It says what another passage says, of which something else is asked.
        return shared if shared >= _PLAIN else shared * WRONG_KIND
    kind = expected(element.need.head)
    given = kind is not None and gives(claim.text, kind)
    if given and _topical(element, claim):
        # "…, and how much do you pay?" asks for the amount about the same thing.
        return 1.0 if element.leans else max(shared, limits.addressed)
    given = given or kind is None or alone
    if not given:
        shared *= WRONG_KIND
    if shared >= limits.addressed or told.on is None:
        return shared
    reached = limits.addressed if given else limits.addressed * WRONG_KIND
    return max(shared, reached)


def _topical(element: Element, claim: Claim) -> bool:
    """Tell whether a claim shares a word with an element, identifiers and numbers aside."""
    offered = bag(claim.text)
    return any(
        not is_exact(term) and term not in ASKING and overlap({term: 1.0}, offered).found
        for term in element.own
    )
