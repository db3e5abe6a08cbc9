"""What happened in a turn, as far as the answers to the judge's questions need it."""

from dataclasses import dataclass

from sample_traces.agent.script import Turn
from sample_traces.agent.sources import Cited


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One tool call that was made."""

    call_id: str
    position: int
    """From 1, in order of start within the turn."""
    status: str
    """`ok`, `empty` or `error`."""
    collection: str | None
    """Set for a search."""
    found: tuple[str, ...] = ()
    """Ids of the passages a search returned, in final order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """One turn after it was run."""

    conversation_id: str
    turn: int
    started_ns: int
    service: str
    language: str
    script: Turn
    answer: str
    cited: tuple[Cited, ...]
    calls: tuple[CallRecord, ...]
    in_prompt: tuple[str, ...]
    """Passages of this turn that the last prompt held."""
    carried: tuple[str, ...]
    """Passages and calls of earlier turns that the messages still held."""
