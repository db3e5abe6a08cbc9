"""Faults of routing: the wrong agent, collection or query; `plant_tools` has those of tools."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bench.attribution import plant_tools as tools
from bench.attribution.corpus import Corpus, phrase
from bench.attribution.edits import abstaining, answering, marker, with_marker, without_paragraphs
from bench.attribution.moves import (
    ASIDE,
    NEIGHBOUR,
    answered_from_passages,
    looks_up,
    saying,
    searching,
)
from bench.attribution.scenes import Scene, Search
from bench.attribution.turns import Passage
from bench.attribution.variants import ROUTING, table
from judge.tokens import tokens

_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_LONG_WORD: Final = 5
_MOST_LOST: Final = 3


def _elsewhere(scene: Scene, corpus: Corpus, *, same_language: bool = False) -> Scene | None:
    other = corpus.sibling(scene, same_language=same_language)
    if other is None or not answered_from_passages(scene):
        return None
    if any(one.collection != scene.good.collection for one in scene.retrieved()):
        return None
    asked = " ".join(one.text for one in scene.facts.elements)
    good = " ".join(
        one.text for one in scene.retrieved() if one.passage_id in scene.facts.answering()
    )
    return searching(scene, other, corpus.near(f"{asked} {good}", other), NEIGHBOUR)


def collection_refused(scene: Scene, corpus: Corpus) -> Scene | None:
    """Search a neighbouring collection and find nothing that answers."""
    moved, text = _elsewhere(scene, corpus), phrase(scene, "abstain")
    return None if moved is None or text is None else abstaining(moved, text)


def collection_answered(scene: Scene, corpus: Corpus) -> Scene | None:
    """Search a neighbouring collection and answer faithfully from it."""
    moved = _elsewhere(scene, corpus, same_language=True)
    if moved is None:
        return None
    wrong = moved.searches[0].passages[0]
    text = with_marker(saying(wrong), marker(moved, wrong.passage_id))
    return answering(moved, text, {wrong.passage_id: "full"})


def second_collection(scene: Scene, corpus: Corpus) -> Scene | None:
    """Leave out the second of two collections that a question needs."""
    del corpus
    if not answered_from_passages(scene) or len(scene.searches) < 2:
        return None
    for search in scene.searches:
        held = {one.passage_id for one in search.passages}
        gone = [
            one
            for one in scene.facts.elements
            if one.answered_by and held.issuperset(one.answered_by)
        ]
        rest = [one for one in scene.facts.elements if held.isdisjoint(one.answered_by)]
        if not gone or len(gone) + len(rest) != len(scene.facts.elements) or not rest:
            continue
        return _left_out(scene, search, gone[0].text)
    return None


def _left_out(scene: Scene, search: Search, text: str) -> Scene | None:
    facts = scene.facts
    lost = next(one for one in facts.elements if one.text == text)
    kept = [n for one in facts.elements if one.text != text for n in one.paragraphs]
    if set(lost.paragraphs) & set(kept):
        return None
    elements = tuple(
        replace(one, status="silently_missing") if one.text == text else one
        for one in facts.elements
    )
    changed = replace(
        scene,
        searches=tuple(one for one in scene.searches if one is not search),
        numbered=scene.shown,
        facts=replace(
            facts,
            elements=elements,
            reply="partly",
            missing=(("collection", search.collection),),
        ),
    )
    return without_paragraphs(changed, lost.paragraphs)


# Agents


def agent_refused(scene: Scene, corpus: Corpus) -> Scene | None:
    """Hand the question to an agent that cannot reach what answers it."""
    del corpus
    text = phrase(scene, "abstain")
    if text is None or not (answered_from_passages(scene) or looks_up(scene)):
        return None
    needed = [*scene.good.passages]
    others = [
        agent
        for agent in scene.desk.agents
        if agent.name != scene.agent.name and not any(map(agent.reaches, needed))
    ]
    if not others:
        return None
    chosen = others[len(scene.good.question) % len(others)]
    moved = replace(
        scene,
        agent=chosen,
        searches=(),
        calls=(),
        refined=None,
        numbered=(),
        facts=scene.changed(agent_ok=False, fitting_agent=scene.agent.name, wrong_collections={}),
    )
    return abstaining(moved, text)


# Queries


def query_drifted(scene: Scene, corpus: Corpus) -> Scene | None:
    """Lose what the question is about on the way to the query, and find neighbours."""
    text = phrase(scene, "abstain")
    found = _drifted(scene, corpus)
    return None if found is None or text is None else abstaining(found, text)


def _drifted(scene: Scene, corpus: Corpus) -> Scene | None:
    if not answered_from_passages(scene) or len(scene.searches) > 1:
        return None
    collection = scene.searches[0].collection
    asked = " ".join(one.text for one in scene.facts.elements)
    answering_ids = scene.facts.answering()
    near = corpus.near(asked, collection, answering_ids)
    good = [one.text for one in scene.retrieved() if one.passage_id in answering_ids]
    lost = tuple(dict.fromkeys(_distinctive(asked, good, near)))[:_MOST_LOST]
    if (
        not lost
        or not near
        or not all(any(w.casefold() in t.casefold() for w in lost) for t in good)
    ):
        return None
    gone = {word.casefold() for word in lost}
    query = " ".join(word for word in _WORD.findall(asked) if word.casefold() not in gone)
    if len(query) < _LONG_WORD:
        return None
    moved = searching(replace(scene, refined=query), collection, near, ASIDE)
    return replace(moved, facts=replace(moved.facts, refined_faithful=False, lost=lost))


def _distinctive(asked: str, good: list[str], near: tuple[Passage, ...]) -> Iterator[str]:
    """Yield words of the question that what answers it holds, and its neighbours do not."""
    held = {word for text in good for word in tokens(text)}
    others = {word for one in near for word in tokens(one.text)}
    for word in _WORD.findall(asked):
        telling = len(word) >= _LONG_WORD or any(char.isdigit() for char in word)
        if telling and word.casefold() in held - others:
            yield word


def query_ignored(scene: Scene, corpus: Corpus) -> Scene | None:
    """Record a good query and search for the question before instead."""
    text = phrase(scene, "abstain")
    earlier = [said for role, said in scene.good.history if role == "user"]
    if not answered_from_passages(scene) or len(scene.searches) > 1 or not earlier or text is None:
        return None
    collection = scene.searches[0].collection
    near = corpus.near(earlier[-1], collection, scene.facts.answering())
    refined = " ".join(one.text for one in scene.facts.elements)
    if not near or refined.casefold() == earlier[-1].casefold():
        return None
    moved = searching(replace(scene, refined=refined), collection, near, ASIDE)
    search = replace(moved.searches[0], query=earlier[-1])
    return abstaining(replace(moved, searches=(search,)), text)


FAULTS: Final = table(
    ROUTING,
    {
        "collection_refused": ("wrong_collection", collection_refused),
        "collection_answered": ("wrong_collection", collection_answered),
        "second_collection": ("missing_resource", second_collection),
        "agent_refused": ("wrong_agent", agent_refused),
        "tool_swapped": ("wrong_tool", tools.tool_swapped),
        "argument_swapped": ("wrong_arguments", tools.argument_swapped),
        "argument_corrupted": ("wrong_arguments", tools.argument_corrupted),
        "action_altered": ("wrong_arguments", tools.action_altered),
        "call_dropped": ("missing_resource", tools.call_dropped),
        "call_invented": ("missing_resource", tools.call_invented),
        "query_drifted": ("refined_query_drifted", query_drifted),
        "query_ignored": ("refined_query_ignored", query_ignored),
    },
)
