"""Records of a turn as the plain values that a judge gets to see.

What is made here enters the content of a question and so its key: no ids, no times, and
a bounded size. A text that is cut says so in its last line, so that a judge knows that
it has not seen the rest. Texts are copies for the judge: what no reader would see (bidi
controls, tag characters, zero-width marks) is gone, because it serves only to hide words
from people; quotes are checked against these copies.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ingest.span import Message, Value
from stages.records import Chunk, Evidence, Paragraph, ToolCall, Turn

QUESTION_CHARACTERS: Final = 4_000
EVIDENCE_CHARACTERS: Final = 20_000
"""Of one piece of evidence."""
EVIDENCE_TOTAL: Final = 120_000
"""Of all evidence in one question, about 30,000 tokens of English."""
ARGUMENT_CHARACTERS: Final = 4_000
"""Of a call's arguments as JSON text."""
TITLE_CHARACTERS: Final = 200

_TITLE_KEYS = ("title", "heading", "section", "name")
# Zero-width joiner and non-joiner stay: Persian, Sinhala and emoji are written with them.
_HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def legible(text: str) -> str:
    """Return the judge's copy of *text*: what a reader of the text would see."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATE.sub("\ufffd", _HIDDEN.sub("", text))
    return _CONTROL.sub(" ", text)


def hidden_characters(text: str) -> int:
    """Count the characters of *text* that no reader sees and no judge gets."""
    return 0 if text.isascii() else sum(map(len, _HIDDEN.findall(text)))


def shortened(text: str, limit: int) -> str:
    """Return the judge's copy of *text*, cut after *limit* characters with a note."""
    text = legible(text)
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[… {len(text) - limit} more characters]"


def value_text(value: Value) -> str:
    """Return a value as text: a string as it is, anything else as sorted JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def bounded_value(value: Value, limit: int = ARGUMENT_CHARACTERS) -> Value:
    """Return a legible copy of *value*, or its shortened text where it is too long."""
    text = value_text(value)
    return shortened(text, limit) if len(text) > limit else _legible_value(value)


def title_of(metadata: Mapping[str, Value]) -> str | None:
    """Return the title, heading, section or name of a chunk, the first that is there.

    Nothing else of the metadata reaches a judge: it holds paths, ids and times.
    """
    by_name = {key.casefold(): value for key, value in metadata.items()}
    for key in _TITLE_KEYS:
        title = by_name.get(key)
        if isinstance(title, str) and title.strip():
            return shortened(title.strip(), TITLE_CHARACTERS)
    return None


def chunk_value(chunk: Chunk) -> dict[str, Value]:
    """Return title and text of a chunk that has a text."""
    return {
        "title": title_of(chunk.metadata),
        "text": shortened(chunk.text or "", EVIDENCE_CHARACTERS),
    }


def distinct_chunks(turn: Turn) -> dict[str, Chunk]:
    """Return the retrieved chunks with a text by id, each at its best rank."""
    best: dict[str, Chunk] = {}
    for retrieval in turn.retrievals:
        for chunk in retrieval.chunks:
            if chunk.text is None or not chunk.text.strip():
                continue
            known = best.get(chunk.chunk_id)
            if known is None or chunk.rank < known.rank:
                best[chunk.chunk_id] = chunk
    return best


def citable(turn: Turn) -> dict[str, Evidence]:
    """Return everything of the turn that a citation can point to and that has a text.

    In the turn's order: its evidence, then chunks that were retrieved and not shown to
    the model.
    """
    found: dict[str, Evidence] = {}
    for evidence in turn.evidence:
        found.setdefault(evidence.evidence_id, evidence)
    for chunk in distinct_chunks(turn).values():
        hidden = Evidence(
            evidence_id=chunk.chunk_id,
            kind="chunk",
            text=chunk.text or "",
            from_turn=turn.turn,
            collection=chunk.collection,
        )
        found.setdefault(chunk.chunk_id, hidden)
    return found


def evidence_values(
    turn: Turn, pieces: Sequence[Evidence], total: int = EVIDENCE_TOTAL
) -> tuple[list[dict[str, Value]], int]:
    """Return evidence as a judge sees it, and how many pieces found no room.

    Args:
        turn: Tells titles of chunks and arguments of calls.
        pieces: In the order in which they get their labels `evidence 1`, `evidence 2`, …
        total: Characters that all texts together may have.
    """
    chunks = distinct_chunks(turn)
    calls = {call.call_id: call for call in turn.tool_calls}
    shown: list[dict[str, Value]] = []
    for piece in pieces:
        room = min(total, EVIDENCE_CHARACTERS)
        if room <= 0:
            break
        text = shortened(piece.text, room)
        total -= len(text)
        chunk = chunks.get(piece.evidence_id)
        shown.append(
            {
                "label": f"evidence {len(shown) + 1}",
                "kind": piece.kind,
                "title": None if chunk is None else title_of(chunk.metadata),
                "tool": piece.tool,
                "arguments": _arguments(calls.get(piece.evidence_id), piece),
                "status": piece.tool_status,
                "text": text,
            }
        )
    return shown, len(pieces) - len(shown)


def paragraph_value(turn: Turn, paragraph: Paragraph) -> dict[str, Value]:
    """Return a block of the answer with the citation markers that stand in it."""
    citations = () if turn.generation is None else turn.generation.citations
    markers = dict.fromkeys(
        citation.marker
        for citation in citations
        if citation.paragraph == paragraph.paragraph and citation.marker
    )
    return {
        "kind": paragraph.kind,
        "text": shortened(paragraph.text, EVIDENCE_CHARACTERS),
        "markers": [legible(marker) for marker in markers],
    }


def numbered_paragraphs(turn: Turn) -> list[Value]:
    """Return all blocks of the answer with their numbers."""
    paragraphs = () if turn.generation is None else turn.generation.paragraphs
    return [
        {"paragraph": paragraph.paragraph, **paragraph_value(turn, paragraph)}
        for paragraph in paragraphs
    ]


def message_values(messages: Iterable[Message], most: int, characters: int) -> list[Value]:
    """Return the last messages that have a text, oldest first.

    Args:
        messages: Oldest first.
        most: Number of messages to keep.
        characters: Room for all their texts; the oldest one kept is cut to fit.
    """
    kept: list[Value] = []
    for message in reversed([m for m in messages if m.text and m.text.strip()]):
        if len(kept) == most or characters <= 0:
            break
        text = legible(message.text or "")[:characters]
        characters -= len(text)
        kept.append({"role": message.role, "text": text})
    return kept[::-1]


def items(value: Value) -> list[dict[str, Value]]:
    """Return the objects in a list of a question's content."""
    found = value if isinstance(value, list) else []
    return [item for item in found if isinstance(item, dict)]


def _arguments(call: ToolCall | None, piece: Evidence) -> Value:
    if call is None or piece.kind != "tool_result":
        return None
    return bounded_value(call.arguments)


def _legible_value(value: Value) -> Value:
    match value:
        case str():
            return legible(value)
        case list():
            return [_legible_value(item) for item in value]
        case dict():
            return {legible(key): _legible_value(item) for key, item in value.items()}
        case _:
            return value
