"""A scene as the turn that its trace would give.

Paragraphs, citations, evidence and languages are found by the project's own code.
"""

from collections.abc import Iterable
from typing import Final

from bench.attribution.scenes import Scene, blocks, retrievals_of, sources_for, tool_calls_of
from ingest.span import Message, ToolDefinition
from stages.citations import citations_of
from stages.evidence import evidence_of
from stages.language import detect
from stages.records import (
    Choice,
    Generation,
    Routing,
    Turn,
)

LASTS_NS: Final = 5_000_000_000


def build(scene: Scene, conversation_id: str, start_ns: int) -> Turn:
    """Return the turn that a trace of the scene would give."""
    retrievals, calls = retrievals_of(scene), tool_calls_of(scene)
    cut = blocks(scene.answer)
    sources = sources_for(scene, retrievals, calls)
    good = scene.good
    return Turn(
        conversation_id=conversation_id,
        turn=good.turn,
        trace_ids=(f"{conversation_id}-{good.turn}",),
        start_ns=start_ns,
        end_ns=start_ns + LASTS_NS,
        question=good.question,
        history=tuple(_message(role, text) for role, text in good.history),
        language=detect(good.question),
        answer_language=detect(scene.answer),
        agent=scene.agent.name,
        service=scene.desk.service,
        routing=_routing(scene),
        retrievals=retrievals,
        tool_calls=calls,
        generation=Generation(
            answer=scene.answer,
            paragraphs=cut.paragraphs,
            citations=citations_of(scene.answer, cut, sources),
            source="generated",
        ),
        evidence=evidence_of(retrievals, calls, {}, turn=good.turn),
    )


def _message(role: str, text: str) -> Message:
    return Message(role="user" if role == "user" else "assistant", text=text)


def _routing(scene: Scene) -> Routing:
    return Routing(
        agents=(_chosen(scene.agent.name),),
        candidates=tuple(
            ToolDefinition(name=agent.name, description=agent.description)
            for agent in scene.desk.agents
        ),
        collections=_choices(search.collection for search in scene.searches),
        tools=_choices(call.tool for call in scene.calls),
        refined_query=None if scene.refined is None else _chosen(scene.refined),
        catalogues=(scene.agent.catalogue,),
    )


def _chosen(name: str) -> Choice:
    return Choice(name=name, span_id=None, recorded=True)


def _choices(names: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(map(_chosen, dict.fromkeys(names)))
