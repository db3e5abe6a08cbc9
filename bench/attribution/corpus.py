"""What the turns of one file hold together: near misses, other records, other answers.

Everything here was visible in a good turn, so that whatever a fault hides or puts in the
place of something else is known to the run.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

from bench.attribution.desk import Desk
from bench.attribution.scenes import Call, Scene
from bench.attribution.turns import Passage
from judge.tokens import tokens
from stages.language import detect

_PHRASES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = json.loads(
    files("bench.attribution").joinpath("phrases.json").read_text("utf-8")
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The good scenes of one file and all that was fetched in them."""

    desk: Desk
    scenes: tuple[Scene, ...]
    passages: Mapping[str, Mapping[str, Passage]] = field(init=False)
    """By collection and id."""
    calls: Mapping[str, Mapping[str, Call]] = field(init=False)
    """By tool and call id."""
    _rarity: Mapping[str, float] = field(init=False)
    _terms: Mapping[str, frozenset[str]] = field(init=False)
    _languages: Mapping[str, str | None] = field(init=False)

    def __post_init__(self) -> None:
        passages: dict[str, dict[str, Passage]] = {}
        calls: dict[str, dict[str, Call]] = {}
        for scene in self.scenes:
            for one in scene.retrieved():
                passages.setdefault(one.collection, {}).setdefault(one.passage_id, one)
            for call in scene.calls:
                calls.setdefault(call.tool, {}).setdefault(call.call_id, call)
        object.__setattr__(self, "passages", passages)
        object.__setattr__(self, "calls", calls)
        texts = {key: one.text for held in passages.values() for key, one in held.items()}
        terms = {key: frozenset(tokens(text)) for key, text in texts.items()}
        object.__setattr__(self, "_terms", terms)
        languages = {
            name: detect(" ".join(one.text for one in held.values()))
            for name, held in passages.items()
        }
        object.__setattr__(self, "_languages", languages)
        object.__setattr__(self, "_rarity", _rarity(terms.values()))

    def near(
        self, text: str, collection: str, without: Collection[str] = (), most: int = 3
    ) -> tuple[Passage, ...]:
        """Return the passages of a collection that are nearest to a text, best first.

        Args:
            text: What to be near to.
            collection: Only its passages.
            without: Ids that are not wanted.
            most: Number of passages.
        """
        wanted = set(tokens(text))
        found = self.passages.get(collection, {})
        scored = sorted(
            # Rounded once: the order of a set must not decide between two that are equally near.
            (-math.fsum(self._rarity[word] for word in wanted & self._terms[key]), key)
            for key in found
            if key not in without
        )
        return tuple(found[key] for _, key in scored[:most])

    def sibling(self, scene: Scene, *, same_language: bool = False) -> str | None:
        """Return the collection of the same agent that is most like the right one.

        One in the language of the question goes first. None where the agent reaches no
        other that holds anything.
        """
        right = {one.collection for one in scene.retrieved()}
        others = [
            name
            for name in scene.agent.collections
            if name not in right and self.passages.get(name)
        ]
        wanted = frozenset(self._words(one.passage_id for one in scene.retrieved()))
        ranked = sorted(
            (
                self._languages[name] != scene.language,
                -len(wanted.intersection(self._words(self.passages[name]))),
                name,
            )
            for name in others
        )
        if not ranked or (same_language and ranked[0][0]):
            return None
        return ranked[0][2]

    def other_call(self, call: Call) -> Call | None:
        """Return a call of the same tool about another record that found something."""
        others = (
            one
            for one in self.calls[call.tool].values()
            if one.result and dict(one.arguments) != dict(call.arguments)
        )
        return next(others, None)

    def other_tool(self, scene: Scene, tool: str) -> Call | None:
        """Return a call of another tool of the agent that found something."""
        names = [one.name for one in scene.agent.tools if one.name != tool]
        found = (call for name in names for call in self.calls.get(name, {}).values())
        return next((call for call in found if call.result), None)

    def other_answer(self, scene: Scene) -> Scene | None:
        """Return a turn in the same language that is about something else entirely."""
        answering = scene.facts.answering()
        others = [
            other
            for other in self.scenes
            if other.language == scene.language
            and other.facts.reply == "answered"
            and other.facts.needs_evidence
            and other.searches
            and answering.isdisjoint(one.passage_id for one in other.retrieved())
            and other.good.conversation_id != scene.good.conversation_id
        ]
        return others[_number(scene) % len(others)] if others else None

    def _words(self, ids: Iterable[str]) -> Iterator[str]:
        for key in ids:
            yield from self._terms[key]


def phrase(scene: Scene, kind: str) -> str | None:
    """Return a sentence of a kind in the language of the question.

    Always the same one for the same question. None where the language has none.
    """
    own = scene.desk.unsupported if kind == "unsupported" else {}
    known = own.get(scene.language) or phrases(kind, scene.language)
    return known[_number(scene) % len(known)] if known else None


def phrases(kind: str, language: str) -> Sequence[str]:
    """Return the sentences of a kind in one language, none where it has none."""
    return _PHRASES[kind].get(language, ())


def told(scene: Scene, result: str) -> str | None:
    """Return an answer that tells faithfully what a tool returned."""
    frame = phrase(scene, "result")
    if frame is None:
        return None
    return frame.format(facts=", ".join(_told(json.loads(result))))


def _told(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, held in value.items():
            yield from _told(held, key.replace("_", " "))
    elif isinstance(value, list):
        for held in value:
            yield from _told(held, name)
    elif value is not None:
        yield f"{name}: {value}" if name else str(value)


def _number(scene: Scene) -> int:
    digest = hashlib.sha256(f"{scene.good.conversation_id}/{scene.good.turn}".encode())
    return int(digest.hexdigest()[:8], 16)


def _rarity(texts: Collection[frozenset[str]]) -> dict[str, float]:
    counts = Counter(word for terms in texts for word in terms)
    return {word: math.log(1 + len(texts) / count) for word, count in counts.items()}
