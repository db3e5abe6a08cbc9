"""What the exit code of a command says, and which one wins where several apply."""

from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum
from typing import Final

from analysis import closed_pipe


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    GATE_FAILED = 1
    USAGE = 2
    """Wrong usage or configuration."""
    NO_TURN = 3
    """No turn in the input, or in what was selected of a run; what was read is still written."""
    JUDGE_FAILED = 4
    """More than 2 % of the questions failed technically."""
    OVER_BUDGET = 5
    """Stopped at --max-cost."""
    LOSSES = 6
    """Done, but records were rejected or a stream was cut."""
    STORE = 7
    """A file or the store could not be written, or had to be salvaged; a receiver is silent."""
    INTERRUPTED = 130
    CLOSED_PIPE = closed_pipe.CLOSED_PIPE
    """Who read the output went away before its end, as after `| head`."""


PRECEDENCE: Final = (
    Exit.USAGE,
    Exit.INTERRUPTED,
    Exit.STORE,
    Exit.OVER_BUDGET,
    Exit.NO_TURN,
    Exit.JUDGE_FAILED,
    Exit.LOSSES,
    Exit.GATE_FAILED,
)
"""The first of these that applies is the exit code."""

_TEXTS: Final[Mapping[Exit, str]] = {
    Exit.DONE: "done",
    Exit.GATE_FAILED: "a gate failed",
    Exit.USAGE: "wrong usage",
    Exit.NO_TURN: "no turn in the input or the selection",
    Exit.JUDGE_FAILED: "the judge failed on more than 2 % of the questions",
    Exit.OVER_BUDGET: "stopped at --max-cost",
    Exit.LOSSES: "records were rejected (--allow-losses makes it 0)",
    Exit.STORE: "the store could not be written or was salvaged, or a receiver gives no answer",
    Exit.INTERRUPTED: "interrupted",
    Exit.CLOSED_PIPE: "the reader of the output went away",
}
READING: Final = (
    Exit.DONE,
    Exit.USAGE,
    Exit.NO_TURN,
    Exit.STORE,
    Exit.INTERRUPTED,
    Exit.CLOSED_PIPE,
)
"""How a command can end that reads a finished run, and judges nothing."""


def exit_codes_text(codes: Collection[Exit] = tuple(Exit)) -> str:
    """Return what these exit codes mean, as a sentence."""
    return f"Exit codes: {', '.join(f'{code.value} {_TEXTS[code]}' for code in sorted(codes))}."


def first_of(applying: Iterable[Exit]) -> Exit:
    """Return the exit code of a command to which all of these apply."""
    found = set(applying)
    return next((code for code in PRECEDENCE if code in found), Exit.DONE)
