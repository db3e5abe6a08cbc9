"""Faults of retrieval: what answers is lost, missed, buried, or its source is down."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from bench.attribution.corpus import Corpus, phrase
from bench.attribution.edits import (
    abstaining,
    marker,
    remarked,
    rewritten,
    with_marker,
    without_paragraphs,
)
from bench.attribution.facts import Asked
from bench.attribution.moves import ASIDE, acts, answered_from_passages, looks_up, saying, searching
from bench.attribution.scenes import Scene, Search, cited
from bench.attribution.turns import Passage
from bench.attribution.variants import RETRIEVAL, table

_TIMED_OUT: Final = "TimeoutError: no reply within 10 s"
_DOWN: Final = "ConnectionError: 503 Service Unavailable"
_CUT_BEHIND: Final = 4
"""Passages that stand before a buried one."""


def one_collection(scene: Scene) -> bool:
    """Tell whether a good turn answers from one collection alone."""
    return answered_from_passages(scene) and len(scene.searches) == 1


def without_answers(scene: Scene, corpus: Corpus) -> Scene | None:
    """Return the scene with nothing found that answers, only neighbours of it."""
    if not one_collection(scene):
        return None
    # A relevant passage that stayed would make it part of the evidence, not none.
    relevant = {key for key, one in scene.facts.grades.items() if one.relevant}
    lost = scene.facts.answering() | relevant
    collection = scene.searches[0].collection
    kept = tuple(one for one in scene.retrieved() if one.passage_id not in lost)
    asked = " ".join(one.text for one in scene.facts.elements)
    seen = lost.union(one.passage_id for one in kept)
    more = corpus.near(asked, collection, seen, most=max(0, 3 - len(kept)))
    found = (*kept, *more)
    return searching(scene, collection, found, ASIDE) if found else None


def dropped_refused(scene: Scene, corpus: Corpus) -> Scene | None:
    """Miss what answers, and say so."""
    found, text = without_answers(scene, corpus), phrase(scene, "abstain")
    return None if found is None or text is None else abstaining(found, text)


def dropped_invented(scene: Scene, corpus: Corpus) -> Scene | None:
    """Miss what answers, and answer all the same, citing a neighbour."""
    found = without_answers(scene, corpus)
    return None if found is None else invented(scene, found)


def invented(scene: Scene, found: Scene) -> Scene | None:
    """Return the good answer over other evidence, its markers pointing at the first piece."""
    put = marker(found, found.shown[0]) if found.shown else ""
    texts = [remarked(scene, one.text, one.paragraph, put) for one in scene.paragraphs]
    return rewritten(found, texts, claims=scene.facts.claims, support={})


def replaced_answered(scene: Scene, corpus: Corpus) -> Scene | None:
    """Find a near miss in the place of what answers, and tell what that one says."""
    found = without_answers(scene, corpus)
    if found is None:
        return None
    near = found.searches[0].passages[0]
    text = with_marker(saying(near), marker(found, near.passage_id))
    elements = tuple(
        replace(one, status="silently_missing", paragraphs=()) for one in found.facts.elements
    )
    return rewritten(
        found,
        [text],
        claims={1: "fact"},
        support={1: {near.passage_id: "full"}},
        elements=elements,
        understanding=2,
    )


def part_dropped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Miss what answers one of two elements, and leave that one out."""
    parted = _parted(scene)
    if parted is None:
        return None
    del corpus
    lost, gone = parted
    return without_paragraphs(_without(scene, lost, gone), lost.paragraphs)


def part_declared(scene: Scene, corpus: Corpus) -> Scene | None:
    """Miss what answers one of two elements, and declare that one missing."""
    del corpus
    parted, text = _parted(scene), phrase(scene, "abstain_part")
    if parted is None or text is None:
        return None
    lost, gone = parted
    texts = [one.text for one in scene.paragraphs if one.paragraph not in lost.paragraphs]
    left = without_paragraphs(_without(scene, lost, gone), lost.paragraphs)
    if left is None:
        return None
    number = len(texts) + 1
    elements = tuple(
        replace(one, status="declared_missing", paragraphs=(number,))
        if one.text == lost.text
        else one
        for one in left.facts.elements
    )
    return rewritten(
        left,
        [*texts, text],
        claims=left.facts.claims,
        support=left.facts.support,
        elements=elements,
    )


def _parted(scene: Scene) -> tuple[Asked, frozenset[str]] | None:
    """Return an element that can be lost without the others, and what answers it alone."""
    if not one_collection(scene) or len(scene.facts.elements) < 2:
        return None
    for lost in reversed(scene.facts.elements):
        others = [one for one in scene.facts.elements if one is not lost]
        needed = {one for other in others for one in other.answered_by}
        said = {number for other in others for number in other.paragraphs}
        if (
            lost.answered_by
            and needed.isdisjoint(lost.answered_by)
            and said.isdisjoint(lost.paragraphs)
        ):
            return lost, frozenset(lost.answered_by)
    return None


def _without(scene: Scene, lost: Asked, gone: Iterable[str]) -> Scene:
    kept = tuple(one for one in scene.retrieved() if one.passage_id not in set(gone))
    elements = tuple(
        replace(one, status="silently_missing", paragraphs=()) if one is lost else one
        for one in scene.facts.elements
    )
    # Numbers of what stays must mean what they meant: the lost one leaves at the end.
    search = replace(scene.searches[0], passages=kept)
    changed = replace(
        scene,
        searches=(search,),
        facts=scene.changed(elements=elements, reply="partly"),
    )
    return _renumbered(scene, changed)


def _renumbered(before: Scene, after: Scene) -> Scene:
    """Point the markers of an answer at the places that its sources have now."""
    texts = []
    for one in before.paragraphs:
        sources = [source for source in cited(before)[one.paragraph] if source in after.shown]
        put = "".join(marker(after, source) for source in sources)
        texts.append(remarked(before, one.text, one.paragraph, put))
    return replace(after, answer="\n\n".join(texts))


def buried(scene: Scene, corpus: Corpus) -> Scene | None:
    """Retrieve what answers behind the cut, and find nothing."""
    text = phrase(scene, "abstain")
    if text is None or not one_collection(scene):
        return None
    search = scene.searches[0]
    low = scene.facts.answering()
    asked = " ".join(one.text for one in scene.facts.elements)
    near = corpus.near(asked, search.collection, low, most=_CUT_BEHIND)
    behind = tuple(one for one in search.passages if one.passage_id in low)
    if not near or not behind:
        return None
    moved = searching(scene, search.collection, (*near, *behind), ASIDE)
    cut = replace(moved.searches[0], cut=frozenset(one.passage_id for one in behind))
    return abstaining(replace(moved, searches=(cut,)), text)


def nothing_refused(scene: Scene, corpus: Corpus) -> Scene | None:
    """Search the right collection, get nothing, and say so."""
    del corpus
    text = phrase(scene, "abstain")
    emptied = _searched(scene, ())
    return None if text is None or emptied is None else abstaining(emptied, text)


def nothing_invented(scene: Scene, corpus: Corpus) -> Scene | None:
    """Search the right collection, get nothing, and answer all the same."""
    del corpus
    emptied = _searched(scene, ())
    return None if emptied is None else invented(scene, emptied)


def search_failed(scene: Scene, corpus: Corpus) -> Scene | None:
    """Let the retriever fail, and say honestly that it cannot be reached."""
    del corpus
    text = phrase(scene, "unavailable")
    failed = _searched(scene, (), error=_TIMED_OUT)
    return None if text is None or failed is None else abstaining(failed, text)


def _searched(
    scene: Scene, passages: tuple[Passage, ...], error: str | None = None
) -> Scene | None:
    if not one_collection(scene):
        return None
    search = Search(
        collection=scene.searches[0].collection,
        query=scene.searches[0].query,
        passages=passages,
        error=error,
    )
    return replace(scene, searches=(search,), numbered=())


# Tools


def tool_failing(scene: Scene) -> Scene | None:
    """Return the scene with its tool call ending in an error."""
    if not looks_up(scene):
        return None
    # A failed call answers nothing: it is another one than the call that would have.
    call = replace(scene.calls[0], call_id=f"{scene.calls[0].call_id}e", result="", error=_DOWN)
    return replace(scene, calls=(call,), numbered=())


def tool_failed(scene: Scene, corpus: Corpus) -> Scene | None:
    """Let the tool fail, and say honestly that it cannot be reached."""
    del corpus
    text, failed = phrase(scene, "unavailable"), tool_failing(scene)
    if text is None or failed is None:
        return None
    return abstaining(failed, text)


def tool_emptied(scene: Scene, corpus: Corpus) -> Scene | None:
    """Let the right call come back empty although the record is there."""
    del corpus
    text = phrase(scene, "no_record")
    if not looks_up(scene) or acts(scene) or text is None:
        return None
    call = replace(scene.calls[0], call_id=f"{scene.calls[0].call_id}e", result="")
    changed = replace(scene, calls=(call,), numbered=())
    elements = tuple(
        replace(one, status="answered", paragraphs=(1,)) for one in scene.facts.elements
    )
    return rewritten(
        changed,
        [text],
        claims={1: "absence"},
        support={1: {call.call_id: "full"}},
        elements=elements,
    )


FAULTS: Final = table(
    RETRIEVAL,
    {
        "dropped_refused": ("missed_chunk", dropped_refused),
        "dropped_invented": ("missed_chunk", dropped_invented),
        "replaced_answered": ("missed_chunk", replaced_answered),
        "part_dropped": ("partial_evidence", part_dropped),
        "part_declared": ("partial_evidence", part_declared),
        "buried": ("ranked_too_low", buried),
        "nothing_refused": ("nothing_retrieved", nothing_refused),
        "nothing_invented": ("nothing_retrieved", nothing_invented),
        "search_failed": ("tool_unavailable", search_failed),
        "tool_failed": ("tool_unavailable", tool_failed),
        "tool_emptied": ("tool_empty", tool_emptied),
    },
)
