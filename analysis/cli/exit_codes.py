"""What the exit code of a command says, and which one wins where several apply."""

from collections.abc import Iterable
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

EXIT_CODES_HELP: Final = (
    "Exit codes: 0 done, 1 a gate failed, 2 wrong usage, 3 no turn in the input or the selection, "
    "4 the judge failed on more than 2 % of the questions, 5 stopped at --max-cost, 6 records were "
    "rejected (--allow-losses makes it 0), 7 the store could not be written or was salvaged, or "
    "a receiver gives no answer, 130 interrupted, 141 the reader of the output went away."
)


def first_of(applying: Iterable[Exit]) -> Exit:
    """Return the exit code of a command to which all of these apply."""
    found = set(applying)
    return next((code for code in PRECEDENCE if code in found), Exit.DONE)
