"""Whether an element that no claim seems to answer was left out, or answered in other words.

An element is called left out only where a passage is known that answers it, and no claim
rests on what that passage says of it. Words alone cannot tell, and an answer is not called
incomplete while it may have said it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.local.coverage import Covered
from judge.local.evidence import Piece
from judge.local.expected import expected, states
from judge.local.library import Library
from judge.local.matching import overlap
from judge.local.resting import Rested, apt
from judge.local.sought import Element
from judge.local.text import bag
from judge.local.thresholds import Thresholds


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
    asserted = [one for one in claims if one.claim.asserts]
    telling = list(_telling(covered.element, asserted, limits))
    if not telling and not covered.element.in_evidence:
        answers = library.answers(covered.element.need, [piece.text for piece in evidence], limits)
        telling = [
            one
            for one in asserted
            if not answers
            and (one.on is None or apt(covered.element.need, one.on, library, limits))
        ]
    if not telling:
        return covered
    paragraphs = tuple(sorted({one.claim.paragraph for one in telling}))
    return replace(covered, status="answered", paragraphs=paragraphs)


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
