"""One turn of a trace as a good turn, and the services that the traces show.

What is known of a turn is its line of `answers.jsonl`: the recorded answers to the judge's
questions. Whatever markers its answer had, here they number its passages.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bench.attribution.desk import Agent, Desk
from bench.attribution.turns import ROLES, TOOL, GoodTurn, Passage
from ingest.span import ToolDefinition
from stages.catalogues import reachable_collections
from stages.records import Retrieval, Turn

_FRONT: Final = "Answers small talk itself and hands every other question over."


def good_turn(turn: Turn, known: Mapping[str, Any]) -> GoodTurn:
    """Return a turn of a trace, with the recorded answers about it, as a good turn.

    Args:
        turn: The turn; its evidence is its own.
        known: Its line of `answers.jsonl`.
    """
    passages = passages_of(turn)
    answer = known["answer"]
    answering = {one for element in answer["elements"] for one in element["answered_by"]}
    right = [one.collection for one in passages if one.passage_id in answering]
    return GoodTurn(
        conversation_id=turn.conversation_id,
        turn=turn.turn,
        history=tuple(
            (one.role, one.text) for one in turn.history if one.role in ROLES and one.text
        ),
        question=turn.question or "",
        collection=next(iter([*right, *(one.collection for one in passages)]), ""),
        passages=passages,
        answer=_numbered(turn, passages),
        answerable=answer["reply"] != "abstained",
        language=answer["question_language"],
        agent=turn.agent,
        known=_known(known, passages),
    )


def passages_of(turn: Turn) -> tuple[Passage, ...]:
    """Return what the turn fetched and showed to the model, in the order of the calls."""
    searches: dict[str | None, list[Retrieval]] = {}
    for search in turn.retrievals:
        searches.setdefault(search.call_id, []).append(search)
    found = [one for search in searches.pop(None, []) for one in _shown(search)]
    for call in turn.tool_calls:
        for search in searches.get(call.call_id, ()):
            found += _shown(search)
        if not call.is_retrieval:
            result = "" if call.status == "empty" else json.dumps(call.result, ensure_ascii=False)
            found.append(
                Passage(
                    passage_id=call.call_id,
                    text=result,
                    collection=f"{TOOL}{call.name}",
                    arguments=call.arguments,
                )
            )
    distinct: dict[str, Passage] = {}
    for one in found:
        distinct.setdefault(one.passage_id, one)
    return tuple(distinct.values())


def _shown(search: Retrieval) -> Iterator[Passage]:
    for chunk in search.chunks:
        if chunk.in_context is not False:
            yield Passage(
                passage_id=chunk.chunk_id,
                text=chunk.text or "",
                collection=chunk.collection or search.collection or "",
            )


def _numbered(turn: Turn, passages: Sequence[Passage]) -> str:
    """Return the answer with markers that number the passages, whatever its own ones were."""
    generation = turn.generation
    if generation is None or generation.answer is None:
        return ""
    numbers = {one.passage_id: number for number, one in enumerate(passages, start=1)}
    spans: dict[tuple[int, int], dict[int, None]] = {}
    for one in generation.citations:
        if one.marker and one.target is not None:
            spans.setdefault((one.start, one.end), {})[numbers[one.target]] = None
    text = generation.answer
    for (start, end), meant in sorted(spans.items(), reverse=True):
        text = f"{text[:start]}[{', '.join(map(str, meant))}]{text[end:]}"
    return text


def _known(known: Mapping[str, Any], passages: Sequence[Passage]) -> Mapping[str, Any]:
    """Return the recorded answers in the form of an author's notes (`facts`)."""
    answer, relevance = known["answer"], known["relevance"]
    unlisted = {"grade": 0, "target": False}
    return {
        "needs_evidence": answer["needs_evidence"],
        "reply": answer["reply"],
        "elements": answer["elements"],
        "claims": {
            str(one["paragraph"]): one["claim"]
            for one in answer["paragraphs"]
            if one["claim"] != "none"
        },
        "support": known["support"],
        "grades": {
            one.passage_id: {key: relevance.get(one.passage_id, unlisted)[key] for key in unlisted}
            for one in passages
            if one.tool is None
        },
        "understanding": answer["understanding"],
    }


# Who was there


def desks_of(turns: Iterable[Turn]) -> Iterator[Desk]:
    """Yield each service: its agents as its traces describe them, the one in front first."""
    services: dict[str, list[Turn]] = {}
    for turn in turns:
        services.setdefault(turn.service or "", []).append(turn)
    for service, found in services.items():
        routings = [turn.routing for turn in found if turn.routing is not None]
        told = {one.name: one for routing in routings for one in routing.candidates}
        reached: dict[str, dict[str, None]] = {}
        tools: dict[str, dict[str, ToolDefinition]] = {}
        for catalogue in (one for routing in routings for one in routing.catalogues):
            name = catalogue.agent or ""
            reached.setdefault(name, {}).update(dict.fromkeys(catalogue.collections))
            # Searches are played as searches, not as calls: their tools are no choice.
            calls = [one for one in catalogue.tools if not reachable_collections(one)]
            tools.setdefault(name, {}).update((one.name, one) for one in calls)
        answering = (turn.agent for turn in found if turn.agent)
        front = dict.fromkeys(name for name in (*reached, *answering) if name not in told)
        agents = (
            Agent(
                name=name,
                description=(told[name].description if name in told else None) or _FRONT,
                collections=tuple(reached.get(name, ())),
                tools=tuple(tools.get(name, {}).values()),
            )
            for name in (*front, *told)
        )
        yield Desk(service=service, agents=tuple(agents), unsupported={})
