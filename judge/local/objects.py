"""Which of two neighbouring collections a text is about: the one whose object it names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from judge.local.constraints import constraints
from judge.local.distinctions import Distinction, distinctions_of, terms_of
from judge.local.patterns import pattern
from judge.local.text import language_by_words
from judge.local.vectors import load, words

_SAME_WORD: Final = 0.85
"""Cosine from which a word names the same (*north*, *northern*)."""
_SAME_ABROAD: Final = 0.62
"""The same where text and name are in two languages."""

_REMEMBERED: Final = 50_000

Sides: TypeAlias = tuple[bool, bool]
Named: TypeAlias = Mapping[int, Sides]
"""Numbers of distinctions → which of the two sides are named."""


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """What tells the collections of a run apart."""

    distinctions: tuple[Distinction, ...] = ()
    marks: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict, repr=False)
    """Distinctions and their sides by the terms that mark them."""
    constrained: frozenset[str] | None = None
    """The models, places and years that passages name; None where no run is known."""
    known: dict[tuple[str, bool], Named] = field(default_factory=dict, repr=False)
    """What texts name, by text and whether only exact words count."""

    @classmethod
    def of(cls, places: Iterable[Mapping[str, Sequence[str]]]) -> "Objects":
        """Find the neighbouring collections of each place.

        Args:
            places: For each place the texts of every collection, by its name.
        """
        found: dict[Distinction, None] = {}
        constrained: set[str] = set()
        for collections in places:
            constrained.update(
                known
                for texts in collections.values()
                for text in texts
                for known, _ in constraints(text)
            )
            found.update(dict.fromkeys(distinctions_of(collections)))
        marks: dict[str, list[tuple[int, int]]] = {}
        for number, one in enumerate(found):
            for side in (0, 1):
                for mark in one.marks[side]:
                    marks.setdefault(mark, []).append((number, side))
        return cls(tuple(found), marks, frozenset(constrained))

    def other(self, wanted: str, offered: str) -> str | None:
        """Say what *offered* is about instead of what *wanted* names, None where it may be.

        A plain name may be short for the one with an addition.
        """
        if not self.distinctions or pattern("compares").search(wanted):
            return None
        asked, there = self.named(wanted), self.named(offered, exactly=True)
        for number in sorted(asked.keys() & there.keys()):
            one = self.distinctions[number]
            for side in (0, 1):
                alone = asked[number][side] and not asked[number][1 - side]
                if alone and one.marks[side] and there[number] == (side == 1, side == 0):
                    return f"it is about {one.called[1 - side]}, not {one.called[side]}"
        return None

    def named(self, text: str, *, exactly: bool = False) -> Named:
        """Tell which sides of which distinctions a text names; remembered."""
        if not self.distinctions:
            return {}
        found = self.known.get((text, exactly))
        if found is None:
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            found = self.known[text, exactly] = self._named(text, exactly=exactly)
        return found

    def _named(self, text: str, *, exactly: bool) -> Named:
        terms = terms_of(text)
        sides = {place for mark in terms & self.marks.keys() for place in self.marks[mark]}
        if not exactly:
            # Who names one of the two exactly does not mean the other by a word like it.
            told = {number for number, _ in sides}
            sides.update(one for one in self._alike(text) if one[0] not in told)
        found: dict[int, Sides] = {}
        for number, side in sides:
            if self.distinctions[number].plain is None or self.distinctions[number].shared <= terms:
                first, second = found.get(number, (False, False))
                found[number] = (first or side == 0, second or side == 1)
        for number, one in enumerate(self.distinctions):
            # The plain name is meant where nothing is added to it.
            if one.plain is not None and number not in found and one.shared <= terms:
                found[number] = (one.plain == 0, one.plain == 1)
        return found

    def _alike(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield what a text calls by another word, or by one of another language."""
        spoken = tuple(dict.fromkeys(words(text)))
        called = [
            (one.called[side], number, side)
            for number, one in enumerate(self.distinctions)
            for side in (0, 1)
            if one.plain is None and one.called[side].isalpha()
        ]
        if not spoken or not called:
            return
        language = language_by_words(text)
        likest = load().soft_matches([name for name, _, _ in called], spoken, _SAME_ABROAD)
        for (_, number, side), likeness in zip(called, likest, strict=True):
            abroad = language is not None and language != self.distinctions[number].language
            if likeness >= (_SAME_ABROAD if abroad else _SAME_WORD):
                yield number, side

    def has(self, name: str) -> bool:
        """Tell whether a name is a mark of some collection."""
        return bool(self.named(name, exactly=True))

    def tells(self, constraint: str) -> bool:
        """Tell whether passages may be told apart by a model, place or year."""
        return self.constrained is None or constraint in self.constrained

    def without_replaced(self, said: str, question: str) -> str:
        """Return an earlier message without the marks of what a question names another for."""
        asked, there = self.named(question), self.named(said)
        replaced = frozenset[str]().union(
            *(
                self.distinctions[number].marks[side]
                for number in asked.keys() & there.keys()
                for side in (0, 1)
                if asked[number] == (side == 1, side == 0)
            )
        )
        if not replaced:
            return said
        return " ".join(word for word in said.split() if replaced.isdisjoint(terms_of(word)))

    def carried(self, question: str, before: Sequence[str], *, loosely: bool) -> Iterator[str]:
        """Yield what earlier messages name and the question leaves to them.

        Args:
            question: What is asked now.
            before: The messages before it, oldest first.
            loosely: The question does not go on from them: only what none of them contradicts
                holds still.
        """
        asked = self.named(question)
        told = [self.named(said) for said in before]
        for number in sorted({number for named in told for number in named} - asked.keys()):
            one = self.distinctions[number]
            said = [*_in_turn(number, told, before)]
            held = (any(first for first, _ in said), any(second for _, second in said))
            first, second = held if loosely else said[-1]
            if pattern("the_other").search(question):
                first, second = second, first
            side = 0 if first else 1
            if first != second and not self._hints(one, 1 - side, question):
                yield one.called[side]

    def _hints(self, one: Distinction, side: int, question: str) -> bool:
        """Tell whether a question has a word that only one of two collections has."""
        return not one.hints[side].isdisjoint(terms_of(question))


def _in_turn(number: int, told: Sequence[Named], before: Sequence[str]) -> Iterator[Sides]:
    """Yield which sides of a distinction messages are about: "the other one" changes them."""
    held: Sides | None = None
    for named, said in zip(told, before, strict=True):
        if number in named:
            held = named[number]
        elif held is None or not pattern("the_other").search(said):
            continue
        else:
            held = (held[1], held[0])
        yield held
