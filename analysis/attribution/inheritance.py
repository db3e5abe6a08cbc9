"""Claims that repeat a claim of an earlier turn of the conversation.

A claim *repeats* an earlier one when the paragraph is the same text, or when all its
numbers and names already stood together in that earlier paragraph and do not stand in
this turn's own evidence. A failing claim without any is also repeated by one that
answers nothing new and has most of its words. A repeated failing claim takes the earlier
one's stage and kind; a repeated supported claim keeps its support.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from analysis.attribution.claims import Claim, claims_of
from analysis.attribution.kinds import Attribution, Cause, Symptom
from analysis.attribution.marks import content_words, names_and_numbers, plain, words
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
    judged: JudgedTurn, symptom: Symptom, earlier: Iterable[EarlierTurn]
) -> tuple[Cause, str] | None:
    """Return the earlier cause that a failing claim repeats, and the turn it comes from.

    Args:
        judged: The turn that makes the claim.
        symptom: What the claim shows.
        earlier: The earlier turns of the conversation, oldest first; the oldest wins.
    """
    for paragraph in symptom.paragraphs:
        said = judged.said_in(paragraph)
        for before in earlier:
            for cause in before.attribution.causes:
                if cause.fault is None or cause.symptom.kind not in _CLAIM_SYMPTOMS:
                    continue
                for number in cause.symptom.paragraphs:
                    known = before.judged.said_in(number)
                    nothing_new = _asks_nothing_new(symptom, cause.symptom, known)
                    reworded = nothing_new and _is_reworded(said, known, judged)
                    if reworded or _repeats(said, known, judged):
                        return cause, cause.inherited_from or before.judged.turn.turn_id
    return None


_CLAIM_SYMPTOMS = ("false", "misfounded", "unfounded")


def repeats_supported(judged: JudgedTurn, claim: Claim, earlier: Iterable[EarlierTurn]) -> bool:
    """Tell whether a claim repeats one that an earlier turn supported, or kept the support of."""
    said = judged.said_in(claim.paragraph)
    return any(
        _repeats(said, known, judged) for before in earlier for known in _supported_texts(before)
    )


def _supported_texts(before: EarlierTurn) -> Iterator[str]:
    failing = {
        number
        for cause in before.attribution.causes
        if cause.symptom.kind in _CLAIM_SYMPTOMS
        for number in cause.symptom.paragraphs
    }
    for claim in claims_of(before.judged):
        supported = claim.supported or claim.paragraph in before.kept
        if supported and claim.paragraph not in failing:
            yield before.judged.said_in(claim.paragraph)


def _repeats(text: str, known: str, judged: JudgedTurn) -> bool:
    said, earlier = plain(text), plain(known)
    if said == earlier:
        return bool(said)
    marks = names_and_numbers(said)
    if not marks or not marks <= names_and_numbers(earlier):
        return False
    if marks <= {word for piece in _fetched_now(judged) for word in words(piece)}:
        return False
    own = words(said)
    return len(own & words(earlier)) >= SHARED_WORDS * len(own)


def _is_reworded(text: str, known: str, judged: JudgedTurn) -> bool:
    """Tell whether two claims without numbers and names have most of their words in common.

    Not where a piece that this turn fetched has most of them as well: then it speaks of that.
    """
    said, earlier = content_words(text), content_words(known)
    if names_and_numbers(plain(text)) or names_and_numbers(plain(known)):
        return False
    if not (_most(said, earlier) and _most(earlier, said)):
        return False
    return not any(_most(said, content_words(piece)) for piece in _fetched_now(judged))


def _asks_nothing_new(now: Symptom, before: Symptom, known: str) -> bool:
    """Tell whether an element has no word that was not asked for, or said, with the earlier claim.

    "May dogs enter the sauna?" is not answered by what was claimed of the pool.
    """
    asked = content_words(now.asked)
    return bool(asked) and asked <= content_words(before.asked) | content_words(known)


def _most(some: AbstractSet[str], others: AbstractSet[str]) -> bool:
    return 2 * len(some & others) > len(some)


def _fetched_now(judged: JudgedTurn) -> Iterator[str]:
    for item in judged.turn.evidence:
        if item.from_turn == judged.turn.turn:
            yield item.text
