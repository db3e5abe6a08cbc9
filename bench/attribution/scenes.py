"""Scenes: one turn as it is played, with what was fetched, what was said, what is known.

GoodTurn ──opening_scene──▶ Scene ──plant (routing, retrieval, generation)──▶ Scene
                              │
                              └──build──▶ Turn     paragraphs, citations, evidence and
                                                   language by the project's own code
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from bench.attribution.desk import Agent, Desk, arguments_of
from bench.attribution.facts import Facts, known_facts, read_off
from bench.attribution.turns import GoodTurn, Passage
from ingest.errors import UsageError
from ingest.span import Value
from stages.citations import citations_of
from stages.paragraphs import Blocks, blocks_of
from stages.records import (
    Chunk,
    Citation,
    Paragraph,
    Retrieval,
    RetrievalStatus,
    ToolCall,
)
from stages.sources import Source, Sources, sources_of
from stages.wording import parsed


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One search of a collection."""

    collection: str
    query: str
    passages: tuple[Passage, ...] = ()
    """In order of rank."""
    cut: frozenset[str] = frozenset()
    """Passages that were retrieved and did not enter the prompt."""
    error: str | None = None

    @property
    def status(self) -> RetrievalStatus:
        """What a trace says of it."""
        if self.error is not None:
            return "error"
        return "ok" if self.passages else "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call."""

    call_id: str
    tool: str
    arguments: Mapping[str, Value]
    result: str = ""
    """As JSON; empty: it found nothing."""
    error: str | None = None

    @property
    def status(self) -> Literal["ok", "empty", "error"]:
        """What a trace says of it."""
        if self.error is not None:
            return "error"
        return "ok" if self.result else "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One turn as it is played."""

    good: GoodTurn
    desk: Desk
    agent: Agent
    answer: str
    facts: Facts
    searches: tuple[Search, ...] = ()
    calls: tuple[Call, ...] = ()
    refined: str | None = None
    """A recorded reformulation of the question."""
    style: str | None = None
    """How the good answer cites: `[` or `【` with numbers, `id`; None: not at all."""
    follows: "Scene | None" = None
    """The turn before it, where that one is not the good one."""
    numbered: tuple[str, ...] = ()
    """What `[1]`, `[2]`, … mean; without it, passages in order, then calls."""

    @property
    def language(self) -> str:
        """ISO 639-1 code of the question."""
        return self.good.language[:2]

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The blocks of the answer."""
        return blocks(self.answer).paragraphs

    @property
    def shown(self) -> tuple[str, ...]:
        """What stands before the model, in the order in which numbers mean it."""
        found = [
            one.passage_id
            for search in self.searches
            for one in search.passages
            if one.passage_id not in search.cut
        ]
        there = dict.fromkeys([*found, *(call.call_id for call in self.calls)])
        return (*(one for one in self.numbered if one in there),) or tuple(there)

    def retrieved(self) -> tuple[Passage, ...]:
        """Return all passages that were found, each once."""
        found = (one for search in self.searches for one in search.passages)
        return tuple({one.passage_id: one for one in found}.values())

    @property
    def chain(self) -> "tuple[Scene, ...]":
        """The scene after those that it follows."""
        return (self,) if self.follows is None else (*self.follows.chain, self)

    def changed(self, **facts: object) -> Facts:
        """Return its facts with some of them changed."""
        return replace(self.facts, **facts)  # type: ignore[arg-type]  # names are checked there


@lru_cache(maxsize=4096)
def blocks(answer: str) -> Blocks:
    """Cut an answer into blocks; the same one is cut once."""
    return blocks_of(answer)


def opening_scene(good: GoodTurn, desk: Desk) -> Scene:
    """Return a good turn as a scene.

    Raises:
        UsageError: What its author knows is not in the format.
    """
    by_collection: dict[str, list[Passage]] = {}
    for passage in good.passages:
        if passage.tool is None:
            by_collection.setdefault(passage.collection, []).append(passage)
    calls = tuple(
        Call(
            call_id=one.passage_id,
            tool=one.tool,
            arguments=arguments_of(one, good),
            result=one.text,
        )
        for one in good.passages
        if one.tool is not None
    )
    bare = Scene(
        good=good,
        desk=desk,
        agent=desk.agent_of(good),
        answer=good.answer,
        facts=Facts(),
        searches=tuple(
            Search(collection=name, query=good.question, passages=tuple(found))
            for name, found in by_collection.items()
        ),
        calls=calls,
        numbered=tuple(one.passage_id for one in good.passages),
    )
    facts = _facts(bare)
    wanted = " ".join(one.text for one in facts.elements)
    refined = wanted if bare.searches and wanted != good.question else None
    searches = tuple(replace(one, query=refined or one.query) for one in bare.searches)
    needless = {
        search.collection: good.collection
        for search in searches
        if search.collection != good.collection
        and not any(one.passage_id in facts.answering() for one in search.passages)
        and not any(
            one.passage_id in ids for ids in cited(bare).values() for one in search.passages
        )
    }
    return replace(
        bare,
        facts=replace(facts, wrong_collections=needless),
        refined=refined,
        searches=searches,
        style=_style(bare),
    )


def _style(scene: Scene) -> str | None:
    marker = next((one.marker for one in citations(scene) if one.marker), None)
    if marker is None:
        return None
    inner = marker[1:-1].replace(",", "").replace(" ", "")
    return marker[0] if inner.isdigit() else "id"


def _facts(scene: Scene) -> Facts:
    if scene.good.known is None:
        return read_off(scene.good, scene.paragraphs, cited(scene))
    try:
        return known_facts(scene.good)
    except (KeyError, TypeError, ValueError) as error:
        place = f"turn {scene.good.turn} of {scene.good.conversation_id}"
        raise UsageError(place, f"known is not in the format ({error!r})") from None


def citations(scene: Scene) -> tuple[Citation, ...]:
    """Return the citations of the answer."""
    retrievals, calls = retrievals_of(scene), tool_calls_of(scene)
    return citations_of(scene.answer, blocks(scene.answer), sources_for(scene, retrievals, calls))


def cited(scene: Scene) -> dict[int, tuple[str, ...]]:
    """Return what each paragraph cites, in reading order."""
    found: dict[int, dict[str, None]] = {one.paragraph: {} for one in scene.paragraphs}
    for citation in citations(scene):
        if citation.resolved and citation.target and citation.paragraph:
            found[citation.paragraph][citation.target] = None
    return {number: tuple(targets) for number, targets in found.items()}


def retrievals_of(scene: Scene) -> tuple[Retrieval, ...]:
    """Return the searches as a trace records them."""
    return tuple(
        Retrieval(
            retrieval_id=f"search-{position}",
            position=position,
            query=search.query,
            status=search.status,
            collection=search.collection,
            chunks=tuple(
                Chunk(
                    chunk_id=one.passage_id,
                    rank=rank,
                    first_rank=rank,
                    score=None,
                    text=one.text,
                    collection=search.collection,
                    in_context=one.passage_id not in search.cut,
                )
                for rank, one in enumerate(search.passages, start=1)
            ),
            agent=scene.agent.name,
            error=search.error,
        )
        for position, search in enumerate(scene.searches, start=1)
    )


def tool_calls_of(scene: Scene) -> tuple[ToolCall, ...]:
    """Return the tool calls as a trace records them."""
    return tuple(
        ToolCall(
            position=position,
            call_id=call.call_id,
            name=call.tool,
            agent=scene.agent.name,
            arguments=dict(call.arguments),
            result=(parsed(call.result) or call.result) if call.result else None,
            status=call.status,
            error=call.error,
            catalogue=scene.agent.tools,
        )
        for position, call in enumerate(scene.calls, start=1)
    )


def sources_for(
    scene: Scene, retrievals: tuple[Retrieval, ...], calls: tuple[ToolCall, ...]
) -> Sources:
    """Return what the answer may cite; numbers mean what the prompt numbered so."""
    texts = {one.passage_id: one.text for one in scene.retrieved()}
    numbers = {
        number: (Source(target=target, text=texts.get(target)),)
        for number, target in enumerate(scene.shown, start=1)
    }
    return replace(sources_of(retrievals, calls, None), numbers=numbers)
