"""Conversations: the turns of one conversation, put in order and joined to each other.

Turns come by the start of their root span. Clocks of different hosts disagree, so where a
turn's own messages carry the answer of the next one, the two change places.
"""

from collections.abc import Sequence
from dataclasses import replace

from ingest.span import Message
from stages.citations import citations_of, may_cite
from stages.drafts import TurnDraft
from stages.evidence import carried_evidence
from stages.paragraphs import blocks_of
from stages.records import Conversation, Generation, Turn
from stages.sources import Past, sources_of
from stages.told_turns import told_order
from stages.wording import squeezed


def assemble(conversation_id: str, drafts: Sequence[TurnDraft]) -> Conversation:
    """Order the drafts of one conversation, number them from 1, and join them.

    The order in which drafts come does not matter.
    """
    traces = {trace_id for draft in drafts for trace_id in draft.turn.trace_ids}
    turns: list[Turn] = []
    past = Past()
    for number, draft in enumerate(_in_order(drafts), start=1):
        generation = _cited(draft, past)
        past.add(draft.turn.retrievals, draft.turn.tool_calls)
        turns.append(_joined(conversation_id, number, draft, generation, turns, traces))
    return Conversation(conversation_id=conversation_id, turns=tuple(turns))


def _joined(
    conversation_id: str,
    number: int,
    draft: TurnDraft,
    generation: Generation | None,
    earlier: Sequence[Turn],
    traces: set[str],
) -> Turn:
    turn = draft.turn
    own = tuple(replace(item, from_turn=number) for item in turn.evidence)
    carried = carried_evidence(earlier, draft.prompt, own)
    flags = set(turn.flags)
    if traces.intersection(draft.links) - set(turn.trace_ids):
        flags.add("fragmented")
    return replace(
        turn,
        conversation_id=conversation_id,
        turn=number,
        history=_history(draft, earlier),
        evidence=(*own, *carried),
        generation=generation,
        flags=tuple(sorted(flags)),
    )


def _cited(draft: TurnDraft, past: Past) -> Generation | None:
    generation = draft.turn.generation
    if generation is None or generation.answer is None:
        return generation
    answer = generation.answer
    blocks = blocks_of(answer)
    generation = replace(generation, paragraphs=blocks.paragraphs)
    if not draft.native and not draft.listed and not may_cite(answer):
        return generation
    sources = sources_of(draft.turn.retrievals, draft.turn.tool_calls, draft.prompt, past)
    citations = citations_of(answer, blocks, sources, draft.native, draft.listed)
    return replace(generation, citations=citations)


def _history(draft: TurnDraft, earlier: Sequence[Turn]) -> tuple[Message, ...]:
    """Return the longer of what the earlier turns said and what the messages carried.

    Messages may be trimmed by the application; they may also reach back before the export.
    """
    said: list[Message] = []
    for turn in earlier:
        if turn.question is not None:
            said.append(Message(role="user", text=turn.question))
        if turn.generation is not None and turn.generation.answer is not None:
            said.append(Message(role="assistant", text=turn.generation.answer))
    return draft.history if len(draft.history) > len(said) else tuple(said)


def _in_order(drafts: Sequence[TurnDraft]) -> list[TurnDraft]:
    numbers = told_order([draft.told_turn for draft in drafts])
    if numbers is not None:
        numbered = sorted(zip(numbers, drafts, strict=True), key=lambda pair: pair[0])
        return [draft for _, draft in numbered]
    ordered = sorted(
        drafts,
        key=lambda draft: (
            draft.turn.start_ns is None,
            draft.turn.start_ns or 0,
            len(draft.history),
            draft.turn.trace_ids,
            draft.turn.spans[0].span_id if draft.turn.spans else "",
        ),
    )
    remembered = [_answers_before(draft) for draft in ordered]
    said = [_answer(draft) for draft in ordered]
    places = list(range(len(ordered)))
    for end in range(1, len(places)):
        for index in range(end, 0, -1):
            first, second = places[index - 1], places[index]
            knows_later = said[second] is not None and said[second] in remembered[first]
            knows_earlier = said[first] is not None and said[first] in remembered[second]
            if not knows_later or knows_earlier:
                break
            places[index - 1], places[index] = second, first
    return [ordered[place] for place in places]


def _answers_before(draft: TurnDraft) -> set[str]:
    return {squeezed(m.text) for m in draft.history if m.role == "assistant" and m.text}


def _answer(draft: TurnDraft) -> str | None:
    generation = draft.turn.generation
    if generation is None or generation.answer is None:
        return None
    return squeezed(generation.answer)
