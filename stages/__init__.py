"""Agents: from spans to conversations, turns and what each stage did.

    Span ──build_drafts──▶ TurnDraft ──assemble──▶ Conversation ─▶ Turn ─┬─ Routing
           one trace                   one                               ├─ ToolCall
                                       conversation                      ├─ Retrieval
                                                                         ├─ Generation
                                                                         ├─ Evidence
                                                                         └─ Gap

A `Turn` is complete in itself: judging and analysis never go back to the spans. A stage
that did not run is None or empty; a stage that ran and was recorded badly is present, with
a `Gap` beside it. The two are never confused.

Reads no files, calls no model, and gives the same turns whatever the order of its input.
"""

from stages.conversations import assemble
from stages.drafts import TurnDraft, pack, unpack_draft, unpack_turn
from stages.records import Conversation, Turn
from stages.turns import build_drafts, conversation_id_of

__all__ = [
    "Conversation",
    "Turn",
    "TurnDraft",
    "assemble",
    "build_drafts",
    "conversation_id_of",
    "pack",
    "unpack_draft",
    "unpack_turn",
]
