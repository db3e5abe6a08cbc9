"""What was said or found before a call, by which its arguments are checked."""

from dataclasses import dataclass

from judge.tokens import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing that was said or found before the call."""

    where: str
    """`question`, `turn 2`, `result of call 1`."""
    text: str
    of_this_turn: bool = False
    """A result of the turn that is judged, before the call."""


def squeezed(text: str) -> str:
    """Return the letters and digits of *text*: "RX-200" stands in "manual rx 200"."""
    return "".join(char for char in normalise(text).casefold() if char.isalnum())
