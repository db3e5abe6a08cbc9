"""What an answer says that it does not know, held against what was found.

    "Whether the studio has drums, I could not find out."
        ─▶  studio, drums: a passage on the studio that has no drums in it answers nothing

An answer that names what it lacks tells more exactly what was asked than the question does
for words alone. One that names nothing ("I found nothing about that") says no more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from judge.local.claims import Claim
from judge.local.coverage import Covered
from judge.local.encoder import closeness_of, closest, meaning
from judge.local.expected import expected, gives
from judge.local.resting import Rested
from judge.local.text import bag, in_two_languages, term
from judge.local.topics import ALIKE
from judge.local.vectors import load, words

_NEARLY: Final = 0.9
"""Part of the relevance from which a piece may hold what was plainly declared of it."""
_ABOUT: Final = 0.2
"""Closeness in meaning from which a declaration is about a question, or a line about it."""
_TOLD: Final = 0.3
"""Closeness from which a line is about the very thing that was declared missing."""
_ANSWERED: Final = 0.4
"""Closeness from which something asserted answers an element, whatever is not known beside."""
_AHEAD: Final = 0.05
"""By how much closer a declaration is to the element that it is for than to the others."""


def held_against_words(covered: Covered, found: Sequence[Claim], least: float) -> Covered:
    """Hold an element that was declared missing against the evidence, by what was declared.

    It is taken out of the evidence where no relevant piece has what the answer names, and
    into it where a nearly relevant piece in another language plainly has it.

    Args:
        covered: An element; only one that is declared missing is changed.
        found: All claims of the answer.
        least: Relevance from which a piece holds the answer.
    """
    element = covered.element
    if covered.status != "declared_missing":
        return covered
    sources = [piece for score, piece in element.sources if score >= least * _NEARLY]
    if not sources:
        return covered
    said = declaration(covered, found)
    named = tuple(named_words(element.text, said))
    kind = expected(element.need.head) if named else None
    about = named or closeness_of(element.need.question, said) >= _ABOUT
    near = {piece: closest(meaning(said), map(meaning, piece.lines)) for piece in sources}
    if not element.in_evidence:
        holding = any(
            about
            and close >= _TOLD
            and piece.kind == "chunk"
            and in_two_languages(said, piece.text)
            for piece, close in near.items()
        )
    else:
        holding = not about or any(
            (close >= _TOLD and (not named or in_two_languages(said, piece.text)))
            or (
                (close >= _ABOUT or piece.kind != "chunk")
                and has_all(named, f"{piece.context}\n{piece.text}")
                and (kind is None or gives(piece.text, kind))
            )
            for piece, close in near.items()
        )
    if holding == element.in_evidence:
        return covered
    return replace(covered, element=replace(element, in_evidence=holding))


def by_declarations(covered: Sequence[Covered], claims: Sequence[Rested]) -> tuple[Covered, ...]:
    """Tell which of several elements each declaration is for, where something is answered too.

    "The single is 3.70 €. I found nothing on a charge at night." It is for the element that is
    plainly closer to it in meaning than the others; what is asserted then answers the others.
    """
    asserted = [one.claim for one in claims if one.claim.asserts]
    declaring = [one.claim for one in claims if one.claim.act in ("unknown", "policy")]
    if len(covered) == 1 or not asserted or not declaring:
        return tuple(covered)
    meant: dict[int, list[Claim]] = {}
    for claim in declaring:
        near = [_close(one, claim) for one in covered]
        best, second = sorted(near, reverse=True)[:2]
        if best < _ABOUT or best - second < _AHEAD:
            return tuple(covered)
        place = near.index(best)
        told_of_it = max(_close(covered[place], one) for one in asserted)
        if told_of_it + _AHEAD <= best and told_of_it < _ANSWERED:
            meant.setdefault(place, []).append(claim)
    if not meant:
        return tuple(covered)
    told = tuple(sorted({claim.paragraph for claim in asserted}))
    only = len(meant) == len(covered) - 1
    return tuple(
        replace(
            one,
            status="declared_missing",
            paragraphs=tuple(sorted({claim.paragraph for claim in meant[place]})),
        )
        if place in meant
        else replace(one, status="answered", paragraphs=told)
        if one.status == "declared_missing" or (only and one.status == "silently_missing")
        else one
        for place, one in enumerate(covered)
    )


def _close(covered: Covered, claim: Claim) -> float:
    return closeness_of(covered.element.need.question, claim.text)


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
