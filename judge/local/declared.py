"""What an answer says that it does not know, held against what was found.

    "Whether the studio has drums, I could not find out."
        ─▶  studio, drums: a passage on the studio that has no drums in it answers nothing

An answer that names what it lacks tells more exactly what was asked than the question does
for words alone. One that names nothing ("I found nothing about that") says no more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.local.claims import Claim
from judge.local.coverage import Covered
from judge.local.expected import expected, gives
from judge.local.text import bag, term
from judge.local.topics import ALIKE
from judge.local.vectors import load, words


def held_against_words(covered: Covered, found: Sequence[Claim], least: float) -> Covered:
    """Take an element out of the evidence where what was declared missing is not in it.

    Args:
        covered: An element; only one that is declared missing is changed.
        found: All claims of the answer.
        least: Relevance from which a piece holds the answer.
    """
    element = covered.element
    if covered.status != "declared_missing" or not element.in_evidence:
        return covered
    named = tuple(named_words(element.text, declaration(covered, found)))
    kind = expected(element.need.head) if named else None
    sources = [piece for score, piece in element.sources if score >= least]
    holding = [
        piece
        for piece in sources
        if has_all(named, f"{piece.context}\n{piece.text}")
        and (kind is None or gives(piece.text, kind))
    ]
    if not sources or holding:
        return covered
    return replace(covered, element=replace(element, in_evidence=False))


def declaration(covered: Covered, found: Sequence[Claim]) -> str:
    """Return what an answer says of an element that it does not answer."""
    return " ".join(
        claim.text for claim in found if claim.paragraph in covered.paragraphs and not claim.asserts
    )


def sought_text(covered: Covered, found: Sequence[Claim]) -> str:
    """Return the element as evidence for it is to be sought.

    What was asked before stands behind a question that leans on it, and its words draw in
    what answers that. "Do I get a voucher as well?" – "I found nothing on vouchers": the
    answer names what is sought, and only model, place and year still hold from before.
    """
    need = covered.element.need
    if covered.status != "declared_missing" or not need.before:
        return covered.element.text
    named = any(True for _ in named_words(need.question, declaration(covered, found)))
    return need.head if named else covered.element.text


def named_words(question: str, declared: str) -> Iterator[str]:
    """Yield the words of a question that a declaration names, each once."""
    said = bag(declared)
    for word in dict.fromkeys(words(question)):
        if term(word) in said:
            yield word


def has_all(wanted: Sequence[str], text: str) -> bool:
    """Tell whether a text has each word, or another that says nearly the same."""
    if not wanted:
        return True
    offered = bag(text)
    alike = load().soft_matches(wanted, words(text), ALIKE)
    return all(
        term(word) in offered or likeness > 0 for word, likeness in zip(wanted, alike, strict=True)
    )
