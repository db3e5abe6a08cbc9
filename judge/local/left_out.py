"""Whether an element that no claim seems to answer was left out, or answered in other words.

An element is called left out only where a passage is known that answers it, and no claim
rests on what that passage says of it. Words alone cannot tell, and an answer is not called
incomplete while it may have said it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from judge.local.coverage import Covered
from judge.local.encoder import closeness_of
from judge.local.evidence import Piece
from judge.local.expected import expected, gives, holds, states, tells
from judge.local.library import Library
from judge.local.matching import overlap
from judge.local.meant import lead
from judge.local.patterns import pattern
from judge.local.resting import Rested, apt
from judge.local.sought import Element, relevance
from judge.local.text import bag
from judge.local.thresholds import Thresholds

_MEANT: Final = 0.02
"""By how much closer a claim must be to an element that nothing else seems to answer."""
_CLEARLY: Final = -0.12
"""Lead of an element at which a claim is meant for another one."""
_NOT_AHEAD: Final = 0.05
_NO_WORD: Final = 0.1
_UNRELATED: Final = 0.15
"""Lead, share of words and closeness below which a claim says nothing of an element."""
_PLAINLY: Final = -0.22
"""The same of a claim with the price, duration or date that the element asks for."""


def reconsidered(
    covered: Covered,
    claims: Sequence[Rested],
    evidence: Sequence[Piece],
    library: Library,
    limits: Thresholds,
) -> Covered:
    """Take an element for answered where nothing shows that it was left out."""
    if covered.status != "silently_missing":
        return covered
    if pattern("interrogative").search(covered.element.need.question) is None:
        # "Could I borrow one?" – "Yes:" and a list.
        said = {
            one.claim.paragraph
            for one in claims
            if not one.claim.asserts and pattern("yes_or_no").search(one.claim.text)
        }
        if said:
            return replace(covered, status="answered", paragraphs=tuple(sorted(said)))
    asserted = [one for one in claims if one.claim.asserts]
    telling = list(_telling(covered.element, asserted, limits))
    if not telling and not covered.element.in_evidence:
        answers = library.answers(covered.element.need, [piece.text for piece in evidence], limits)
        telling = [
            one
            for one in asserted
            if not answers
            and (
                one.on is None
                or (
                    apt(covered.element.need, one.on, library, limits)
                    and relevance(covered.element.need, one.on, library, limits) >= limits.related
                )
            )
        ]
    if not telling:
        return covered
    paragraphs = tuple(sorted({one.claim.paragraph for one in telling}))
    return replace(covered, status="answered", paragraphs=paragraphs)


def without_quantity(
    covered: Covered, others: Sequence[Element], claims: Sequence[Rested], limits: Thresholds
) -> Covered:
    """Take an element for left out whose price, duration or date no claim of the answer gives.

    A date may be told in many ways ("after the rain"), and so may anything where it is all
    that is asked: then a passage must have given it, and what is all that is asked must have
    been answered without any number.

    Args:
        covered: An element.
        others: The other elements; what is meant for one of them by its words tells nothing.
        claims: All claims of the answer.
        limits: The tuned numbers.
    """
    element = covered.element
    kind = expected(element.need.head)
    asserted = [one for one in claims if one.claim.asserts]
    if covered.status != "answered" or kind in (None, "number") or not asserted:
        return covered
    sources = [piece.text for score, piece in element.sources if score >= limits.relevant]
    if kind == "date":
        settled = bool(others) and any(holds(text, kind) for text in sources)
    else:
        settled = bool(others) or any(states(text, kind) for text in sources)
    alone = not others and any(one.exact for one in asserted)
    asked = element.need.head
    open_asked = pattern("interrogative").search(asked) and not pattern("asks_how_high").search(
        asked
    )
    if not settled or alone or not open_asked:
        return covered
    if any(pattern("denies").search(one.claim.text) for one in claims):
        return covered
    rivals = [other for other in others if expected(other.need.head) == kind]
    for one in asserted:
        said = states(one.claim.text, kind) or (kind == "date" and one.exact)
        if said and not _is_for(one, element, rivals, limits):
            return covered
        told = tells(one.claim.text, kind) or _denies(one, element)
        if told and not _is_for(one, element, others, limits):
            return covered
    return replace(covered, status="silently_missing", paragraphs=())


def by_meaning(
    covered: Sequence[Covered], claims: Sequence[Rested], limits: Thresholds
) -> tuple[Covered, ...]:
    """Tell whether an element was left out by what the claims mean, where there are several.

    It was where every claim is plainly meant for another element and gives nothing of its
    own. It was not where a claim is closer to it than to those that were answered.
    """
    if len(covered) == 1:
        return tuple(covered)
    asserted = [one for one in claims if one.claim.asserts]
    elements = [one.element for one in covered]
    leads = [
        [lead(one, (*elements[:place], *elements[place + 1 :]), told) for told in asserted]
        for place, one in enumerate(elements)
    ]
    return tuple(
        _by_meaning(one, asserted, row, limits)
        if any(other.status == "answered" for other in covered if other is not one)
        else one
        for one, row in zip(covered, leads, strict=True)
    )


def _by_meaning(
    covered: Covered, claims: Sequence[Rested], leads: Sequence[float], limits: Thresholds
) -> Covered:
    if covered.status == "answered" and (
        _is_for_others(covered, claims, leads, limits) or _is_passed_over(covered, claims, leads)
    ):
        # What the answer's own word brought into the evidence leaves it again.
        held = any(score >= limits.relevant for score, _ in covered.element.sources)
        element = replace(covered.element, in_evidence=held)
        return replace(covered, element=element, status="silently_missing", paragraphs=())
    own = {
        told.claim.paragraph
        for told, ahead in zip(claims, leads, strict=True)
        if ahead >= _MEANT and told.on is not None
    }
    if covered.status == "silently_missing" and own:
        return replace(covered, status="answered", paragraphs=tuple(sorted(own)))
    return covered


def _is_for_others(
    covered: Covered, claims: Sequence[Rested], leads: Sequence[float], limits: Thresholds
) -> bool:
    if not {told.claim.paragraph for told in claims}.issuperset(covered.paragraphs):
        return False  # "Yes:" answers it
    kind = expected(covered.element.need.head)
    for told, ahead in zip(claims, leads, strict=True):
        given = kind is not None and gives(told.claim.text, kind)
        named = overlap(covered.element.own, bag(told.claim.text)).share >= limits.addressed
        if named or ahead > (_PLAINLY if given else _CLEARLY):
            return False
    return True


def _is_passed_over(covered: Covered, claims: Sequence[Rested], leads: Sequence[float]) -> bool:
    """Tell whether a question for yes or no has neither, and nothing said is about it.

    Such a question names what it is about, and its answer says yes, no, or that name.
    """
    asked = covered.element.need.question
    if pattern("interrogative").search(asked) or pattern("requests").search(asked):
        return False
    if not {told.claim.paragraph for told in claims}.issuperset(covered.paragraphs):
        return False  # "Yes:" answers it
    return all(
        ahead < _NOT_AHEAD
        and not pattern("yes_or_no").search(told.claim.text)
        and overlap(covered.element.own, bag(told.claim.text)).share < _NO_WORD
        and closeness_of(asked, told.claim.text) < _UNRELATED
        for told, ahead in zip(claims, leads, strict=True)
    )


def _is_for(told: Rested, element: Element, others: Sequence[Element], limits: Thresholds) -> bool:
    """Tell whether a claim has the words of another element, and none of this one."""
    said = bag(told.claim.text)
    return not overlap(element.own, said).found and any(
        overlap(other.own, said).share >= limits.addressed for other in others
    )


def _denies(told: Rested, element: Element) -> bool:
    """Tell whether a claim says of an element that it is not so: there may be no price then."""
    about = overlap(element.own, bag(told.claim.text)).found or any(
        told.on == piece for _, piece in element.sources
    )
    return bool(about) and pattern("negation").search(told.claim.text) is not None


def _telling(element: Element, claims: Sequence[Rested], limits: Thresholds) -> Iterator[Rested]:
    """Yield the claims that rest on the line that says most about an element."""
    for score, piece in element.sources:
        if score < limits.relevant:
            continue
        asked = expected(element.need.head)
        # "When is the first check?" – "After 300 km.": other kinds are told in many ways.
        kind = asked if asked in ("money", "duration") else None
        shares = {
            line: overlap(element.own, bag(line)).share
            + (1.0 if kind is not None and states(line, kind) else 0.0)
            for line in piece.lines
        }
        best = max(shares.values(), default=0.0)
        lines = {line for line, share in shares.items() if share == best}
        for one in claims:
            told = kind is None or states(one.claim.text, kind)
            if told and one.held is not None and one.on == piece and one.held.line in lines:
                yield one
