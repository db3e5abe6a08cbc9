"""Drafts: turns that do not know their conversation yet.

A trace is read alone, so that traces can be spread over processes and spilled to disk. What
a turn owes to the turns before it (number, history, evidence carried along, citations of
earlier sources) is added when its conversation is assembled.
"""

from dataclasses import dataclass

import msgspec

from ingest.span import Message, NativeCitation
from stages.context import Prompt
from stages.records import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDraft:
    """A turn without what only its conversation tells."""

    turn: Turn
    """Numbered 0; without history, paragraphs, citations and earlier evidence."""
    history: tuple[Message, ...] = ()
    """User and assistant messages that its own messages carried before the question."""
    prompt: Prompt | None = None
    """What the model read when it wrote the answer, None when not captured."""
    native: tuple[NativeCitation, ...] = ()
    """Citations that the model's API returned beside the text."""
    listed: tuple[NativeCitation, ...] = ()
    """Sources that the model itself listed in a structured answer."""
    links: tuple[str, ...] = ()
    """Traces that spans of the turn are linked to."""
    told_turn: str | None = None
    """What the spans themselves say that the turn is, where a house maps it."""

    @property
    def conversation_id(self) -> str:
        """Conversation the turn belongs to."""
        return self.turn.conversation_id


_encoder = msgspec.msgpack.Encoder()
_draft_decoder = msgspec.msgpack.Decoder(TurnDraft)
_turn_decoder = msgspec.msgpack.Decoder(Turn)


def pack(record: TurnDraft | Turn) -> bytes:
    """Return a draft or a turn as bytes, to be spilled between two steps."""
    return _encoder.encode(record)


def unpack_draft(packed: bytes) -> TurnDraft:
    """Return the draft that `pack` was given."""
    return _draft_decoder.decode(packed)


def unpack_turn(packed: bytes) -> Turn:
    """Return the turn that `pack` was given."""
    return _turn_decoder.decode(packed)
