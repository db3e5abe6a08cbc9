"""Pairs of an element and a passage from `bench/worlds`, for fitting the local judge.

Every part of a question is held against every passage that its world ever showed. Its author
said which of them answer it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.attribution.planting import Planted, PlantedRun
from bench.attribution.worlds import HELD_OUT, names, run_of_world
from judge.local import Library, Passage
from judge.local.elements import elements_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldPair:
    """One part of a question, one passage."""

    question: int
    """Number of the part, over all worlds."""
    element: str
    """The part as the local judge has it, with what was asked before in brackets."""
    text: str
    answers: bool
    library: Library
    """The passages of the world."""


def world_pairs() -> Iterator[WorldPair]:
    """Yield the pairs of all worlds but those that are held out.

    What a passage adds beside the answer is neither right nor wrong, so pairs whose passage
    helps without being named as an answer are left out.
    """
    number = 0
    for name in names():
        if name not in HELD_OUT:
            run = run_of_world(name)
            texts = _texts(run)
            library = Library(
                Passage(collection=collection, title=None, text=text)
                for collection, text in texts.values()
            )
            for one in run.planted:
                for element, known in _elements(one, library):
                    right = [key for key in known.get("answered_by", ()) if key in texts]
                    if not right:
                        continue
                    helping = _helping(one.known)
                    for key, (_, text) in texts.items():
                        if key in right or key not in helping:
                            yield WorldPair(
                                question=number,
                                element=element,
                                text=text,
                                answers=key in right,
                                library=library,
                            )
                    number += 1


def _texts(run: PlantedRun) -> dict[str, tuple[str | None, str]]:
    """Return collection and text of every passage that a turn retrieved, by its id."""
    return {
        chunk.chunk_id: (search.collection, chunk.text)
        for conversation in run.conversations
        for turn in conversation.turns
        for search in turn.retrievals
        for chunk in search.chunks
        if chunk.chunk_id is not None and chunk.text
    }


def _elements(one: Planted, library: Library) -> Sequence[tuple[str, dict[str, Any]]]:
    """Return the parts of a question beside what is known of them, where they pair off."""
    earlier = [message.text or "" for message in one.turn.history if message.role == "user"]
    *said, asked = library.models.all_in_full([*earlier, one.turn.question or ""])
    parts = elements_of(asked, said, library.rarity.objects)
    known = one.known["answer"]["elements"]
    return list(zip(parts, known, strict=True)) if len(parts) == len(known) else []


def _helping(known: Mapping[str, Any]) -> frozenset[str]:
    """Return the passages that help with a turn in any way."""
    grades = known.get("relevance", {})
    return frozenset(key for key, grade in grades.items() if grade["grade"] > 1)
