"""Whether an answer is about the question at all.

Anything that speaks for it is enough: its words, its meaning, or a part of it in the evidence.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from judge.local.coverage import DECLARING, WRONG_KIND, Covered
from judge.local.encoder import closeness, closest, meaning
from judge.local.evidence import Piece
from judge.local.expected import Expected, expected, is_kind, states, tells
from judge.local.library import Library
from judge.local.needs import Need
from judge.local.numbers import quantities
from judge.local.patterns import pattern
from judge.local.resting import Rested
from judge.local.text import bag
from judge.local.thresholds import Thresholds

FEW_TERMS: Final = 4
"""An answer with fewer terms ("Yes, 30 days.") tells nothing of its topic."""
_TOUCHED: Final = 0.15
"""Share of a claim in the evidence from which the answer was made of it."""
_ABOUT: Final = 0.35
"""Cosine from which an answer is about what was asked, whatever its words."""
_NEARER: Final = 0.15
"""By how much closer to the question what was found must be than an answer off its topic."""


def is_on_topic(
    covered: Sequence[Covered],
    claimed: Sequence[Rested],
    asked: Sequence[str],
    evidence: Sequence[Piece],
    library: Library,
    limits: Thresholds,
) -> bool:
    """Tell whether the answer is about the question at all.

    It is not where nothing speaks for it: it has none of the words, is about something else
    in others as well, not even a part of it stands in the evidence, and something else there
    is plainly closer to the question. What does stand there is about the question or not as
    that is, which is asked of each passage; only a price in answer to a date, where a date was
    found, is about something else wherever it stands.
    """
    asserted = [one for one in claimed if one.claim.asserts]
    if any(one.claim.act in DECLARING for one in claimed):
        return True
    if asserted and len(covered) == 1 and _of_other_kind(covered[0], asserted, evidence):
        return False
    if not asserted or any(one.strength >= limits.addressed * WRONG_KIND for one in covered):
        return True
    if any(one.on or (one.held and one.held.score >= _TOUCHED) for one in asserted):
        return True
    told = " ".join(one.claim.text for one in asserted)
    topics, needs = library.rarity.topics, [one.element.need for one in covered]
    if any(topics.closeness(need.topic, told) >= _ABOUT for need in needs):
        return True
    if not _spoken_of(needs, told, evidence):
        return True
    said, wanted = bag(told), bag("\n".join(asked))
    shared = len(wanted & said) / len(wanted) if wanted else 1.0
    return shared >= limits.off_topic or len(said) < FEW_TERMS


def _of_other_kind(covered: Covered, asserted: Sequence[Rested], evidence: Sequence[Piece]) -> bool:
    """Tell whether an answer gives a quantity, and of another kind than was asked and found.

    "By when do I tell them?" – "The deposit is 3 €", beside "within two days".
    """
    asked = covered.element.need.question
    kind = expected(asked)
    plainly = kind != "date" or pattern("asks_when").search(asked)  # "when I tow it" asks nothing
    if (
        kind is None
        or kind == "number"
        or not plainly
        or not pattern("interrogative").search(asked)
    ):
        return False
    wanted = _APART[kind]
    told = [one.claim.text for one in asserted]
    if any(tells(text, one) for text in told for one in wanted):
        return False
    if any(pattern(name).search(text) for text in told for name in ("denies", "negation")):
        return False
    other = any(
        is_kind(one, another) and one.unit is not None
        for text in told
        for one in quantities(text)
        for another in _APART
        if another not in wanted
    )
    lines = (line for piece in evidence if not piece.failed for line in piece.lines)
    return other and any(states(line, one) for line in lines for one in wanted)


_APART: Final[Mapping[Expected, tuple[Expected, ...]]] = {
    "money": ("money",),
    "duration": ("duration", "date"),
    "date": ("duration", "date"),
}
"""Kinds of quantity that nobody takes for each other, each with those that answer for it."""


def _spoken_of(needs: Sequence[Need], told: str, evidence: Sequence[Piece]) -> bool:
    """Tell whether a line that was found is plainly closer to the question than the answer is."""
    lines = {line for piece in evidence if not piece.failed for line in piece.lines}
    found, answer = tuple(map(meaning, lines)), meaning(told)
    return any(
        closest(need.meaning, found) - closeness(need.meaning, answer) >= _NEARER for need in needs
    )
