"""Scripts: what the server does with a request, and what becomes of a batch.

A script is asked once per request, also per item of a batch. It sees the request's body
and how many times the same prompt was asked before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

Outcome: TypeAlias = Literal["succeeded", "errored", "expired", "canceled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happens to one request."""

    reply: str | None = None
    """Text of the reply; None: a valid answer to the question is made up."""
    stop: str = "end_turn"
    status: int = 200
    error: str = ""
    """Message of an error; for a batch item as well."""
    error_type: str | None = None
    """None: the type that belongs to the status."""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    reset: Literal["before", "after"] | None = None
    """The connection is reset, without working, or after the work was done and charged."""
    overload_in_stream: bool = False
    """Status 200, then an event stream that breaks off with an error; nothing is charged."""
    body: bytes | None = None
    """Sent in place of the message; charged as one."""
    usage: Mapping[str, Any] | None = None
    """Said in place of the true usage, which stands on the bill."""
    model: str | None = None
    """Named in place of the model that was asked for."""
    outcome: Outcome = "succeeded"
    """Of an item of a batch."""


OK: Final = Step()
Script: TypeAlias = Callable[[Mapping[str, Any], int], Step]
"""Takes the parameters of a message and how often this prompt came before."""


@dataclass(slots=True, kw_only=True)
class BatchScript:
    """What becomes of batches as a whole."""

    polls: int = 0
    """A batch is in progress for so many looks at it."""
    create: Sequence[Step] = ()
    """For the first requests to create a batch, in turn; then all goes well. `reset` after:
    the batch is made, and nobody is told."""
    looks: Sequence[Step] = ()
    """For the first requests to list or look at batches, in turn."""
    downloads: Sequence[Callable[[list[bytes]], bytes]] = ()
    """For the first downloads of results, in turn: makes the body from the whole lines."""
    counts: Mapping[str, int] | None = None
    """Said in place of the true counts of a batch that has ended."""
    shuffled: bool = True
    """Results come in another order than the requests."""


def in_turn(*steps: Step) -> Script:
    """Return a script that does the steps with each prompt, one after another, then the last."""
    return lambda _, before: steps[min(before, len(steps) - 1)]


def failing(times: int, step: Step) -> Script:
    """Return a script that fails the first requests for each prompt, then answers."""
    return lambda _, before: step if before < times else OK


def cut_mid_line(lines: list[bytes]) -> bytes:
    """Return results of which the last line, or more, got lost on the way."""
    *whole, last = islice(lines, max(1, len(lines) - 1))
    return b"".join(line + b"\n" for line in whole) + last[: len(last) // 2]
