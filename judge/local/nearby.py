"""Which line of the evidence is closest to a claim in meaning, whatever its words.

"Bring the order slip along."  ~  "Herausgegeben wird nur gegen Vorlage des Auftragsscheins."
"""

from collections.abc import Iterable
from dataclasses import dataclass

from judge.local.encoder import closeness, meaning
from judge.local.evidence import Piece


@dataclass(frozen=True, slots=True)
class Near:
    """A line, and how close a claim is to it."""

    closeness: float
    """From 0, not closer than anything, to 1."""
    line: str
    piece: Piece


def nearest_line(claim: str, evidence: Iterable[Piece]) -> Near | None:
    """Return the line closest to a claim, the first of equals; None without lines."""
    wanted = meaning(claim)
    lines = (
        Near(max(closeness(wanted, meaning(line)), 0.0), line, piece)
        for piece in evidence
        for line in piece.lines
    )
    return max(lines, key=lambda near: near.closeness, default=None)
