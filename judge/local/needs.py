"""An information need: what is asked now, and what it takes over from before.

    "And in boost mode?"  after  "What range does the Kolibri 7 have in eco mode?"
        ─▶  And in boost mode? (What range does the Kolibri 7 have in eco mode?)

What stands in brackets at the end was asked before, oldest first: the messages without which
the question cannot be understood (`follow_ups`), and the model, place or year that was named
before them where nothing since names another of its kind. Their words count less the further
back they stand.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from judge.local.constraints import constraints, kind_of
from judge.local.encoder import Meaning, meaning, together
from judge.local.follow_ups import FollowUp, follow_up, gone_on_from
from judge.local.grams import GramNeed, gram_need
from judge.local.identifiers import identifiers
from judge.local.matching import Rarity, weigh
from judge.local.objects import Objects
from judge.local.patterns import pattern
from judge.local.text import bag, collapse, terms
from judge.local.topics import TopicNeed

NO_OBJECTS: Final = Objects()
MOST_MESSAGES: Final = 3
_LONGEST_MESSAGE: Final = 300
_BETWEEN: Final = " / "
_UNBRACKETED: Final = str.maketrans("()", "  ")
_WEIGHTS: Final[Mapping[FollowUp, float]] = {"elliptic": 0.9, "leaning": 0.5, "complete": 0.2}
"""Of the last message before a question, by how the question goes on from it."""
_RECORD_DIGITS: Final = 4
_FADING: Final = 0.5
"""What is left of that weight with every further message back."""


@dataclass(frozen=True, slots=True)
class Need:
    """An information need, weighed against the rarity of its words in the run."""

    text: str
    """The question, with what was asked before it in brackets."""
    question: str
    """What is asked now."""
    before: tuple[str, ...]
    """What it takes over, oldest first."""
    head: str
    """What is asked now, with the model, place or year that holds from before."""
    weights: Mapping[str, float]
    asked: frozenset[str]
    """The terms of what is asked now."""
    grams: GramNeed
    topic: TopicNeed
    record: str | None
    """The order, claim or card that is asked about, which no passage of the run names."""
    asked_anew: str
    """What was asked before, without what the question replaces, and the question."""
    of_record: bool = False
    """It asks for what only a look-up of a record tells (`tables`)."""

    @property
    def meaning(self) -> Meaning:
        """What is asked, as much by itself as with what was asked before."""
        return _meaning(self.question, self.asked_anew)


def with_context(question: str, earlier: Sequence[str], objects: Objects = NO_OBJECTS) -> str:
    """Return *question* with what it leaves to the user's earlier messages, in brackets."""
    kept = gone_on_from(question, earlier, MOST_MESSAGES)
    known = "\n".join((question, *kept))
    before = earlier[: len(earlier) - len(kept)]
    held = list(carried(known, before, objects, loosely=True, told=not leans(question)))
    said = [", ".join(reversed(held))] if held else []
    said += [collapse(one)[:_LONGEST_MESSAGE] for one in kept]
    # Brackets of their own would close those around them.
    bare = (collapse(one.translate(_UNBRACKETED).replace(_BETWEEN, " ")) for one in said)
    behind = [one for one in bare if bag(one)]
    return f"{question} ({_BETWEEN.join(behind)})" if behind else question


def need_of(text: str, earlier: Sequence[str], rarity: Rarity) -> Need:
    """Weigh a need.

    Args:
        text: The question, or one that `with_context` has put together.
        earlier: The user's messages before it, oldest first.
        rarity: How rare words are in the run.
    """
    whole = with_context(text, earlier, rarity.objects) if earlier else text
    question, before = _parts(whole)
    meant = _meant(question)
    weights = weigh(terms(meant), rarity)
    fading = _WEIGHTS[follow_up(question)]
    held = [*carried(meant, before, rarity.objects)]
    spelled = [(meant, 1.0)]
    kept = [_without_replaced(_meant(said), meant, rarity.objects) for said in before]
    for said in reversed(kept):
        spelled.append((said, fading))
        for term, weight in weigh(terms(said), rarity).items():
            weights.setdefault(term, weight * fading)
        fading *= _FADING
    about = "\n".join((question, *held)) if leans(question) else question
    head = f"{meant} ({', '.join(held)})" if held else meant
    return Need(
        whole,
        question,
        before,
        head,
        weights,
        bag(question),
        gram_need(spelled, rarity.grams),
        rarity.topics.need(spelled),
        _record(about, rarity),
        " ".join((*kept, meant)),
    )


@lru_cache(maxsize=16_384)
def _meaning(question: str, whole: str) -> Meaning:
    return together(meaning(question), meaning(whole))


def has_context(text: str) -> bool:
    """Tell whether what was asked before stands in brackets behind a question."""
    return bool(_parts(text)[1])


def leans(question: str) -> bool:
    """Tell whether a question cannot be understood without what was said before."""
    return follow_up(question) != "complete"


def carried(
    question: str,
    before: Sequence[str],
    objects: Objects = NO_OBJECTS,
    *,
    loosely: bool = False,
    told: bool = False,
) -> Iterator[str]:
    """Yield what earlier messages name and the question leaves to them, the latest first.

    Args:
        question: What is asked now.
        before: Messages before it, oldest first.
        objects: What tells the neighbouring collections of the run apart.
        loosely: The question does not go on from these messages.
        told: Only what passages of the run are told apart by.
    """
    question, before = _meant(question), [*map(_meant, before)]
    kinds = {kind_of(known) for known, _ in constraints(question)}
    for said in reversed(before):
        found = [one for one in constraints(said) if _is_named(one[0], said)]
        yield from (
            written
            for known, written in found
            if kind_of(known) not in kinds
            and not objects.has(written)
            and not (told and not objects.tells(known))
        )
        kinds |= {kind_of(known) for known, _ in found}
    yield from objects.carried(question, before, loosely=loosely)


def _meant(said: str) -> str:
    """Return a message without what it says is not meant: "It's the 40, not the 60!"."""
    return collapse(pattern("rejected").sub(" ", said))


def _without_replaced(said: str, question: str, objects: Objects) -> str:
    """Return an earlier message without the model, place or year that the question replaces.

    "And on the BX-300?" asks of it what was asked of the BX-200, and nothing of that.
    """
    kinds = {kind_of(known) for known, _ in constraints(question)}
    for known, written in constraints(said):
        if kind_of(known) in kinds:
            said = re.sub(rf"(?<!\w){re.escape(written)}(?!\w)", " ", said, flags=re.IGNORECASE)
    return collapse(objects.without_replaced(said, question))


def _is_named(known: str, said: str) -> bool:
    """Tell whether a constraint names something: "Lumo 4" does, "it reads 50" does not."""
    kind, _, rest = known.partition(":")
    return kind != "name" or rest.title() in said or rest.upper() in said


def _record(text: str, rarity: Rarity) -> str | None:
    """Return what names a record: a long number or code that stands in no passage."""
    for known, written in identifiers(text).items():
        digits = sum(char.isdigit() for char in known)
        if digits >= _RECORD_DIGITS and not rarity.frequency.get(known):
            return written
    return None


def _parts(text: str) -> tuple[str, tuple[str, ...]]:
    """Split a need into the question and the messages in the brackets that close it."""
    whole = text.rstrip()
    if not whole.endswith(")"):
        return text, ()
    depth = 0
    for start in range(len(whole) - 1, 0, -1):
        depth += (whole[start] == ")") - (whole[start] == "(")
        if depth == 0:
            return whole[:start].rstrip(), tuple(whole[start + 1 : -1].split(_BETWEEN))
    return text, ()
