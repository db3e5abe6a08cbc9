"""What the run retrieved, by place and collection: where could a question be answered.

A place is a service and a tenant; nothing crosses from one to another. Looking a need up
goes through an index of terms, so it costs the postings of its terms and not the run.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from judge.local.constraints import numbered_names, places
from judge.local.expected import expected, holds
from judge.local.fingerprints import fingerprint
from judge.local.matching import Rarity
from judge.local.models import Models
from judge.local.needs import Need, need_of
from judge.local.objects import Objects
from judge.local.relevance import Match, chance, log_odds, match
from judge.local.shelves import Passage, Place, Reach, Shelf
from judge.local.subjects import Subjects
from judge.local.tables import Table, Tables
from judge.local.text import language_by_words
from judge.local.thresholds import Thresholds
from judge.local.word_order import WordOrder

_Lead: TypeAlias = tuple[tuple[str, float], ...]
"""The two best texts with their log-odds, best first."""

_REMEMBERED: Final = 50_000
WIDEST: Final = 3.0
"""Distance in log-odds beyond which it makes no difference."""
LEAST_ODDS: Final = 6.0
FAR: Final = -4.0
"""Log-odds, alone, up to which a text has next to nothing of a need."""
FARTHEST: Final = -5.0
"""The same where the other passage is no more than relevant."""
ABOUT_THAT: Final = 0.45
"""Score of another passage from which such a text is about something else."""


class Library:
    """The passages of a run, and how rare their words are."""

    def __init__(
        self,
        passages: Iterable[Passage] = (),
        reach: Iterable[Reach] = (),
        tables: Iterable[Table] = (),
    ) -> None:
        """Index *passages*, of which equal ones count once, what agents reach and tools tell."""
        self._reach: dict[Place, dict[str, set[str]]] = {}
        for one in reach:
            agents = self._reach.setdefault((one.service, one.tenant), {})
            agents.setdefault(one.agent, set()).add(one.collection)
        distinct = sorted(
            set(passages),
            key=lambda one: (
                one.service or "",
                one.tenant or "",
                one.collection or "",
                one.title or "",
                one.text,
            ),
        )
        named = (places(f"{one.whole}\n{one.collection or ''}") for one in distinct)
        self.rarity = replace(
            Rarity.of(passage.whole for passage in distinct),
            places=frozenset[str]().union(*named),
            objects=Objects.of(_by_collection(distinct)),
        )
        self._names = frozenset[str]().union(
            *(
                (f"name:{word} {number}" for word, number in numbered_names(one.whole))
                for one in distinct
            )
        )
        self.models = Models(passage.whole for passage in distinct)
        """The models that passages name, some of which users call by their number."""
        self.order = WordOrder(passage.text for passage in distinct)
        """How the languages of the run go on from word to word."""
        self.tables = Tables.of(tables)
        self.fingerprint = fingerprint(distinct, self._reach, self.tables)
        """16 hex digits over all passages and agents; equal runs have equal ones."""
        self._shelves: dict[Place, dict[str, Shelf]] = {}
        self._everything: dict[Place, Shelf] = {}
        self._homes: dict[str, set[Place]] = {}
        self._needs: dict[str, Need] = {}
        self._leads: dict[tuple[Place, str], _Lead] = {}
        self._subjects: dict[Place, Subjects] = {}
        self._subject_conflicts: dict[tuple[str, str], str | None] = {}
        self._shelved: dict[str, dict[Place, list[str]]] = {}
        for passage in distinct:
            at = (passage.service, passage.tenant)
            self._homes.setdefault(passage.text, set()).add(at)
            self._everything.setdefault(at, Shelf()).add(passage)
            if passage.collection is not None:
                self._shelved.setdefault(passage.text, {}).setdefault(at, []).append(
                    passage.collection
                )
                shelves = self._shelves.setdefault(at, {})
                shelves.setdefault(passage.collection, Shelf()).add(passage)

    def collections(self, place: Place) -> tuple[str, ...]:
        """Return the names of the collections seen at a place, sorted."""
        return tuple(sorted(self._shelves.get(place, ())))

    def tells(self, constraint: str) -> bool:
        """Tell whether any passage of the run is told apart by a constraint.

        Args:
            constraint: The canonical form, as `constraints` yields it.
        """
        kind, colon, rest = constraint.partition(":")
        if kind == "name":
            return constraint in self._names
        if kind == "place":
            return self.rarity.places is None or rest in self.rarity.places
        return (rest if colon else constraint) in self.rarity.frequency

    def subjects(self, place: Place) -> Subjects:
        """Return what the collections of a place are about; read once."""
        known = self._subjects.get(place)
        if known is None:
            shelves = self._shelves.get(place, {})
            known = self._subjects[place] = Subjects(
                {name: [one.whole for one in shelf.passages] for name, shelf in shelves.items()}
            )
        return known

    def reach(self, place: Place) -> Mapping[str, frozenset[str]]:
        """Return what each agent's catalogues name, by agent in alphabetical order."""
        known = self._reach.get(place, {})
        return {agent: frozenset(known[agent]) for agent in sorted(known)}

    def need(self, text: str) -> Need:
        """Return a need, weighed against the words of the run; remembered."""
        known = self._needs.get(text)
        if known is None:
            if len(self._needs) >= _REMEMBERED:
                self._needs.clear()
            bare = need_of(text, (), self.rarity)
            field = self.tables.asked(bare.question, self.rarity.frequency) is not None
            known = self._needs[text] = replace(bare, of_record=field)
        return known

    def best(
        self,
        need: Need,
        place: Place,
        collection: str,
        limits: Thresholds,
        *,
        any_subject: bool = False,
    ) -> tuple[float, Passage | None]:
        """Return the passage of a collection that meets a need best, and how well.

        Its score is the one it has beside all other passages of the place. Of *any_subject*:
        also where the need names a neighbour of the collection.
        """
        shelf = self._shelves.get(place, {}).get(collection)
        if shelf is None:
            return 0.0, None
        ranked = self._ranked(need, shelf, limits, any_subject=any_subject)
        if not ranked:
            return 0.0, None
        odds, passage = ranked[0]
        return _standing(odds, self._lead(need, place, limits), passage.text, limits), passage

    def standing(self, need: Need, text: str, title: str | None, limits: Thresholds) -> Match:
        """Match a chunk, seen beside the others that the run holds at its place.

        Questions and passages often share few words. What tells more than their number is
        whether another passage of the same service and tenant shares more of them.
        """
        found = match(need, text, title, self.rarity, limits)
        if found.conflict is None:
            found = replace(found, conflict=self.other_subject(need, text))
        if found.conflict is not None:
            return found
        leads = [
            self._lead(need, home, limits) for home in sorted(self._homes.get(text, ()), key=str)
        ]
        scores = [_standing(found.odds, lead, text, limits) for lead in leads]
        score = min(scores, default=_standing(found.odds, (), text, limits))
        return replace(found, score=score, alone=found.score)

    def other_subject(self, need: Need, text: str) -> str | None:
        """Say which neighbour a text is about instead of the one that a need names, or None."""
        found = self._subject_conflicts.get((need.text, text), "")
        if found == "":
            conflicts = [
                self.subjects(home).other_subject(need.question, names)
                for home, names in self._shelved.get(text, {}).items()
            ]
            found = conflicts[0] if conflicts and None not in conflicts else None
            if len(self._subject_conflicts) >= _REMEMBERED:
                self._subject_conflicts.clear()
            self._subject_conflicts[need.text, text] = found
        return found

    def answered_elsewhere(
        self, need: Need, text: str, title: str | None, limits: Thresholds
    ) -> bool:
        """Tell whether another passage of its place answers a need, and this text does not.

        One that lacks the price or date that is asked for, which this text has, does not.
        """
        found = self.standing(need, text, title, limits)
        if found.score >= limits.relevant:
            return False
        alone = log_odds(found.score if found.alone is None else found.alone)
        kind = expected(need.head)
        told = kind is not None and holds(text, kind)
        for home in self._homes.get(text, ()):
            lead = self._lead(need, home, limits)
            if lead and lead[0][0] != text:
                top, odds = lead[0]
                if told and kind is not None and not holds(top, kind):
                    continue
                if _is_foreign(top, text, need.head):
                    continue
                standing = _standing(odds, lead, top, limits)
                if standing >= limits.elsewhere or any(
                    alone <= far and standing >= least
                    for far, least in ((FAR, ABOUT_THAT), (FARTHEST, limits.relevant))
                ):
                    return True
        return False

    def answers(self, need: Need, beside: Iterable[str], limits: Thresholds) -> bool:
        """Tell whether a passage at the place of the texts *beside* answers a need."""
        homes = {home for text in beside for home in self._homes.get(text, ())}
        for home in homes:
            lead = self._lead(need, home, limits)
            if lead and _standing(lead[0][1], lead, lead[0][0], limits) >= limits.answers:
                return True
        return False

    def _lead(self, need: Need, place: Place, limits: Thresholds) -> _Lead:
        """Return the best passages of a place with different texts, remembered by need."""
        known = self._leads.get((place, need.text))
        if known is None:
            if len(self._leads) >= _REMEMBERED:
                self._leads.clear()
            ranked = self._ranked(need, self._everything[place], limits)
            texts: dict[str, float] = {}
            for odds, passage in ranked:
                texts.setdefault(passage.text, odds)
            known = self._leads[place, need.text] = tuple(texts.items())[:2]
        return known

    def _ranked(
        self, need: Need, shelf: Shelf, limits: Thresholds, *, any_subject: bool = False
    ) -> list[tuple[float, Passage]]:
        """Return the log-odds of the passages that may meet a need, best first."""
        scored = []
        for number in shelf.candidates(need, self.rarity.topics):
            passage = shelf.passages[number]
            found = match(need, passage.text, passage.title, self.rarity, limits)
            if found.conflict is None and (
                any_subject or self.other_subject(need, passage.text) is None
            ):
                scored.append((found.odds, passage))
        return sorted(scored, key=lambda pair: -pair[0])


def _by_collection(passages: Iterable[Passage]) -> Iterable[Mapping[str, list[str]]]:
    """Return the texts of every collection, place by place."""
    found: dict[Place, dict[str, list[str]]] = {}
    for one in passages:
        if one.collection is not None:
            shelves = found.setdefault((one.service, one.tenant), {})
            shelves.setdefault(one.collection, []).append(one.whole)
    return found.values()


def _is_foreign(other: str, text: str, asked: str) -> bool:
    """Tell whether a text speaks the language of a question, and another text does not."""
    language = language_by_words(asked)
    return language is not None and language == language_by_words(text) != language_by_words(other)


def _standing(odds: float, lead: _Lead, text: str, limits: Thresholds) -> float:
    """Return the chance that a text with these log-odds is useful, beside the best others."""
    odds = max(odds, -LEAST_ODDS)
    rival = next((other for known, other in lead if known != text), None)
    gap = 0.0 if rival is None else max(-WIDEST, min(WIDEST, odds - max(rival, -LEAST_ODDS)))
    model = limits.standing
    own, beside = model.weights
    return chance(model.intercept + own * odds + beside * gap)
