"""What every fault starts from: kinds of good turns, and moves that several faults make."""

import re
from dataclasses import replace
from typing import Final

from bench.attribution.facts import Grade
from bench.attribution.scenes import Scene, Search
from bench.attribution.turns import Passage

_SENTENCE: Final = re.compile(r".+?[.!?。！？؟](?=\s|$)|.+$", re.DOTALL)

NEIGHBOUR: Final = Grade(grade=1, target=False)
"""Says the same of another object."""
ASIDE: Final = Grade(grade=1, target=True)
"""Says something else of the same object."""


def answered_from_passages(scene: Scene) -> bool:
    """Tell whether a good turn answers from passages alone."""
    facts = scene.facts
    return (
        facts.needs_evidence
        and facts.reply == "answered"
        and bool(scene.searches)
        and not scene.calls
        and bool(facts.answering())
    )


def looks_up(scene: Scene) -> bool:
    """Tell whether a good turn answers from one tool call that found something."""
    return len(scene.calls) == 1 and not scene.searches and bool(scene.calls[0].result)


def acts(scene: Scene) -> bool:
    """Tell whether a good turn reports something as done."""
    return "success" in scene.facts.claims.values()


def searching(scene: Scene, collection: str, passages: tuple[Passage, ...], grade: Grade) -> Scene:
    """Return the scene with one search in the place of all its own."""
    query = scene.refined or scene.good.question
    search = Search(collection=collection, query=query, passages=passages)
    facts = scene.facts.graded({one.passage_id: grade for one in passages})
    wrong = {} if collection == scene.good.collection else {collection: scene.good.collection}
    return replace(
        scene,
        searches=(search,),
        numbered=(),
        facts=replace(facts, wrong_collections=wrong),
    )


def saying(passage: Passage) -> str:
    """Return the first two sentences of a passage, its title left out."""
    sentences = [one.strip() for one in _SENTENCE.findall(passage.text)]
    body = sentences[1:] if len(sentences) > 1 else sentences
    return " ".join(body[:2])
