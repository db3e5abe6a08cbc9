"""Evidence of a turn: what stood before the model when it wrote.

Chunks that entered the prompt, and results of tools, empty ones and errors included; of
this turn, and of earlier turns while the messages still carry them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from stages.context import Prompt
from stages.records import Evidence, Retrieval, ToolCall, Turn
from stages.wording import squeezed, value_text

NO_RESULT = "(no result)"
_TELLING = 30
"""A tool result shorter than this stands in a prompt by chance: `ok`, `7`, `true`."""
_CHUNK_START = 60


def evidence_of(
    retrievals: Iterable[Retrieval],
    calls: Iterable[ToolCall],
    first_seen_ns: Mapping[str, int],
    *,
    turn: int,
) -> tuple[Evidence, ...]:
    """Return what a turn fetched and showed to the model, each id once.

    Texts that share an id (passages known only by their document) are joined.
    """
    found: dict[str, Evidence] = {}
    for item in _fetched(retrievals, calls, first_seen_ns, turn):
        known = found.get(item.evidence_id)
        if known is None:
            found[item.evidence_id] = item
        elif squeezed(item.text) not in squeezed(known.text):
            found[item.evidence_id] = replace(known, text=f"{known.text}\n\n{item.text}")
    return tuple(found.values())


def carried_evidence(
    earlier: Sequence[Turn], prompt: Prompt | None, own: Sequence[Evidence]
) -> Iterator[Evidence]:
    """Yield the evidence of earlier turns that the prompt still carries, latest turn first.

    Args:
        earlier: The earlier turns, oldest first.
        prompt: What the model read in this turn; without it nothing is known to be carried.
        own: Evidence of this turn; what it fetched again is not carried along.
    """
    if prompt is None:
        return
    seen = {item.evidence_id for item in own}
    texts = {squeezed(item.text) for item in own}
    read = set(prompt.call_ids)
    for turn in reversed(earlier):
        by_call = {
            chunk.chunk_id
            for retrieval in turn.retrievals
            if retrieval.call_id in read
            for chunk in retrieval.chunks
        }
        for item in turn.evidence:
            if item.from_turn != turn.turn or item.evidence_id in seen:
                continue
            carried = item.evidence_id in read or item.evidence_id in by_call
            if carried or (squeezed(item.text) not in texts and _stands_in(item, prompt)):
                seen.add(item.evidence_id)
                yield item


def text_of(call: ToolCall) -> str:
    """Return what the model read as the result of a tool call."""
    if call.status == "error":
        return call.error or value_text(call.result)
    if call.result in (None, "", [], {}):
        return NO_RESULT
    return value_text(call.result)


def _stands_in(item: Evidence, prompt: Prompt) -> bool:
    if item.kind == "chunk":
        return prompt.holds(item.text, least=_CHUNK_START)
    return len(item.text) >= _TELLING and prompt.holds(item.text)


def _fetched(
    retrievals: Iterable[Retrieval],
    calls: Iterable[ToolCall],
    first_seen_ns: Mapping[str, int],
    turn: int,
) -> Iterator[Evidence]:
    shown: set[str | None] = set()
    for retrieval in retrievals:
        for chunk in retrieval.chunks:
            if chunk.text is not None and chunk.in_context is not False:
                yield Evidence(
                    evidence_id=chunk.chunk_id,
                    kind="chunk",
                    text=chunk.text,
                    from_turn=turn,
                    collection=chunk.collection or retrieval.collection,
                    first_seen_ns=first_seen_ns.get(chunk.chunk_id),
                )
        if retrieval.chunks:
            shown.add(retrieval.call_id)
    for call in calls:
        if call.status == "unknown" or (call.is_retrieval and call.call_id in shown):
            continue
        yield Evidence(
            evidence_id=call.call_id,
            kind="tool_result",
            text=text_of(call),
            from_turn=turn,
            tool=call.name,
            tool_status=call.status,
        )
