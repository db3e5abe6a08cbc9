"""Faults of routing: the wrong agent, collection, tool, argument or query, or none."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bench.attribution.corpus import Corpus, phrase, told
from bench.attribution.edits import abstaining, answering, marker, with_marker, without_paragraphs
from bench.attribution.facts import Called, Grade, WrongValue
from bench.attribution.scenes import Call, Scene, Search
from bench.attribution.turns import Passage
from bench.attribution.variants import ROUTING, table
from ingest.span import Value
from judge.tokens import tokens

_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_SENTENCE: Final = re.compile(r".+?[.!?。！？؟](?=\s|$)|.+$", re.DOTALL)
_LONG_WORD: Final = 5
_MOST_LOST: Final = 3
NEIGHBOUR: Final = Grade(grade=1, target=False)
ASIDE: Final = Grade(grade=1, target=True)


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


# Tools


def tool_swapped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Call another tool of the agent and answer from its result."""
    if not looks_up(scene) or acts(scene):
        return None
    right = scene.calls[0]
    other = corpus.other_tool(scene, right.tool)
    if other is None:
        return None
    called = Called(tool_ok=False, fits=right.tool)
    return _called(scene, other, called)


def argument_swapped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Look up another record and answer from that."""
    if not looks_up(scene) or acts(scene):
        return None
    right = scene.calls[0]
    other = corpus.other_call(right)
    if other is None:
        return None
    wrong = _differing(scene, right.arguments, other.arguments)
    return _called(scene, other, Called(wrong=wrong)) if wrong else None


def argument_corrupted(scene: Scene, corpus: Corpus) -> Scene | None:
    """Mistype an identifier, find nothing and say that there is nothing."""
    if not looks_up(scene) or acts(scene):
        return None
    right, text = scene.calls[0], phrase(scene, "no_record")
    name = next((key for key, value in right.arguments.items() if _mistyped(value)), None)
    if name is None or text is None:
        return None
    arguments = {**right.arguments, name: _mistyped(right.arguments[name])}
    if any(dict(one.arguments) == arguments for one in corpus.calls[right.tool].values()):
        return None
    call = Call(call_id=f"{right.call_id}x", tool=right.tool, arguments=arguments)
    called = Called(wrong=_differing(scene, right.arguments, arguments))
    changed = replace(scene, calls=(call,), numbered=(), facts=scene.changed(calls={1: called}))
    return answering(changed, text, {call.call_id: "full"}, "absence")


def action_altered(scene: Scene, corpus: Corpus) -> Scene | None:
    """Do what was asked with another value, and report faithfully what was done."""
    del corpus
    if not looks_up(scene) or not acts(scene):
        return None
    right = scene.calls[0]
    for name, value in right.arguments.items():
        sent = _mistyped(value)
        if sent is None or not isinstance(value, str):
            continue
        arguments = {**right.arguments, name: sent}
        result = right.result.replace(value, str(sent))
        call = Call(
            call_id=f"{right.call_id}x", tool=right.tool, arguments=arguments, result=result
        )
        text = told(scene, result)
        if result == right.result or text is None:
            continue
        called = Called(wrong=_differing(scene, right.arguments, arguments))
        changed = replace(scene, calls=(call,), numbered=(), facts=scene.changed(calls={1: called}))
        return answering(changed, text, {call.call_id: "full"}, "success")
    return None


def _called(scene: Scene, other: Call, called: Called) -> Scene | None:
    text = told(scene, other.result)
    if text is None:
        return None
    changed = replace(scene, calls=(other,), numbered=(), facts=scene.changed(calls={1: called}))
    return answering(changed, text, {other.call_id: "full"})


def _differing(
    scene: Scene, right: Mapping[str, Value], sent: Mapping[str, Value]
) -> tuple[WrongValue, ...]:
    return tuple(
        WrongValue(
            argument=name,
            value=None if name not in sent else str(sent[name]),
            expected=str(value),
            known_from=_known_from(scene, str(value)),
        )
        for name, value in right.items()
        if sent.get(name) != value
    )


def _known_from(scene: Scene, value: str) -> str:
    if value.casefold() in scene.good.question.casefold():
        return "question"
    asked = [text for role, text in scene.good.history if role == "user"]
    for turn, text in enumerate(asked, start=1):
        if value.casefold() in text.casefold():
            return f"turn {turn}"
    return "question"


def _mistyped(value: Value) -> Value:
    """Return an identifier with its last two different digits in the wrong order."""
    if not isinstance(value, str):
        return None
    found = [*re.finditer(r"(\d)(?!\1)(\d)", value)]
    if not found:
        return None
    begin, end = found[-1].span()
    return value[:begin] + value[begin:end][::-1] + value[end:]


def call_dropped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Do not call the tool, and say that nothing is known."""
    del corpus
    text = phrase(scene, "abstain")
    if not looks_up(scene) or text is None:
        return None
    return abstaining(_uncalled(scene), text)


def call_invented(scene: Scene, corpus: Corpus) -> Scene | None:
    """Do not call the tool, and answer as if it had been called."""
    del corpus
    if not looks_up(scene):
        return None
    changed = _uncalled(scene)
    return replace(changed, facts=replace(changed.facts, support={}))


def _uncalled(scene: Scene) -> Scene:
    missing = (("tool", scene.calls[0].tool),)
    return replace(scene, calls=(), numbered=(), facts=scene.changed(missing=missing))


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
        "tool_swapped": ("wrong_tool", tool_swapped),
        "argument_swapped": ("wrong_arguments", argument_swapped),
        "argument_corrupted": ("wrong_arguments", argument_corrupted),
        "action_altered": ("wrong_arguments", action_altered),
        "call_dropped": ("missing_resource", call_dropped),
        "call_invented": ("missing_resource", call_invented),
        "query_drifted": ("refined_query_drifted", query_drifted),
        "query_ignored": ("refined_query_ignored", query_ignored),
    },
)
