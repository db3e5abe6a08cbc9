"""Claims that repeat a claim of an earlier turn of the conversation.

A claim *repeats* an earlier one when the paragraph is the same text, or when all its
numbers and names already stood together in that earlier paragraph and do not stand in
this turn's own evidence. A repeated failing claim takes the earlier one's stage and kind;
a repeated supported claim keeps its support.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from analysis.attribution.claims import Claim, claims_of
from analysis.attribution.kinds import Attribution, Cause
from analysis.attribution.marks import names_and_numbers, plain, words
from analysis.judged import JudgedTurn

SHARED_WORDS = 0.5
"""Besides its numbers and names, a repeating paragraph shares at least this share of its
words with the earlier one: the same number in another sentence repeats nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTurn:
    """A turn of the conversation that was attributed already."""

    judged: JudgedTurn
    attribution: Attribution
    kept: frozenset[int] = frozenset()
    """Paragraphs whose claims kept the support of a turn before it."""


def repeated_failure(
    judged: JudgedTurn, paragraphs: Iterable[int], earlier: Iterable[EarlierTurn]
) -> tuple[Cause, str] | None:
    """Return the earlier cause that a failing claim repeats, and the turn it comes from.

    Args:
        judged: The turn that makes the claim.
        paragraphs: The paragraphs that carry it.
        earlier: The earlier turns of the conversation, oldest first; the oldest wins.
    """
    texts = _texts(judged)
    for paragraph in paragraphs:
        for before in earlier:
            for cause in before.attribution.causes:
                if cause.fault is None or cause.symptom.kind not in _CLAIM_SYMPTOMS:
                    continue
                for number in cause.symptom.paragraphs:
                    known = _texts(before.judged).get(number)
                    if known and _repeats(texts.get(paragraph, ""), known, judged):
                        return cause, cause.inherited_from or before.judged.turn.turn_id
    return None


_CLAIM_SYMPTOMS = ("false", "misfounded", "unfounded")


def repeats_supported(judged: JudgedTurn, claim: Claim, earlier: Iterable[EarlierTurn]) -> bool:
    """Tell whether a claim repeats one that an earlier turn supported, or kept the support of."""
    text = _texts(judged).get(claim.paragraph, "")
    return any(
        _repeats(text, known, judged) for before in earlier for known in _supported_texts(before)
    )


def _supported_texts(before: EarlierTurn) -> Iterator[str]:
    failing = {
        number
        for cause in before.attribution.causes
        if cause.symptom.kind in _CLAIM_SYMPTOMS
        for number in cause.symptom.paragraphs
    }
    texts = _texts(before.judged)
    for claim in claims_of(before.judged):
        supported = claim.supported or claim.paragraph in before.kept
        if supported and claim.paragraph not in failing:
            yield texts.get(claim.paragraph, "")


def _texts(judged: JudgedTurn) -> Mapping[int, str]:
    generation = judged.turn.generation
    paragraphs = generation.paragraphs if generation else ()
    return {item.paragraph: item.text for item in paragraphs}


def _repeats(text: str, known: str, judged: JudgedTurn) -> bool:
    if not text or not known:
        return False
    said, earlier = plain(text), plain(known)
    if said == earlier:
        return bool(said)
    marks = names_and_numbers(said)
    if not marks or not marks <= names_and_numbers(earlier):
        return False
    evidence = set[str]()
    for item in judged.turn.evidence:
        if item.from_turn == judged.turn.turn:
            evidence |= words(item.text)
    if marks <= evidence:
        return False
    own = words(said)
    return len(own & words(earlier)) >= SHARED_WORDS * len(own)
