"""Spans in, turns out: the whole package on spans that a test has built."""

from collections.abc import Sequence

from ingest.span import Span
from stages import assemble, build_drafts
from stages.records import Conversation, Turn


def turns_of(*spans: Span) -> tuple[Turn, ...]:
    """Return the turns of one trace."""
    drafts = build_drafts(spans[0].trace_id, spans)
    return assemble(drafts[0].conversation_id, drafts).turns if drafts else ()


def turn_of(*spans: Span) -> Turn:
    """Return the only turn of one trace."""
    (turn,) = turns_of(*spans)
    return turn


def conversation_of(*traces: Sequence[Span]) -> Conversation:
    """Return the one conversation that traces belong to."""
    drafts = [d for spans in traces for d in build_drafts(spans[0].trace_id, spans)]
    assert len({draft.conversation_id for draft in drafts}) == 1
    return assemble(drafts[0].conversation_id, drafts)
