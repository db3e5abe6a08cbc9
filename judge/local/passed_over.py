"""An element that was left out although a line of the evidence is close to it.

    "…, and how much slack may the belt have?"  left out, no passage is about it as a whole
    "The belt may give 15 mm under the thumb."  one line of the passage the answer rests on

A passage on many things is about none of its lines in particular. A line that no claim
rests on, and that means what was asked, was there to be told.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from judge.local.coverage import Covered
from judge.local.encoder import closeness, meaning
from judge.local.evidence import Piece
from judge.local.library import Library
from judge.local.resting import Rested, apt
from judge.local.thresholds import Thresholds

_CLOSE: Final = 0.33
"""Closeness from which a line is taken to answer what was left out."""
_LONG: Final = 5
"""Words from which a line says something: headings have fewer."""


def passed_over(
    covered: Sequence[Covered],
    claims: Sequence[Rested],
    evidence: Sequence[Piece],
    library: Library,
    limits: Thresholds,
) -> tuple[Covered, ...]:
    """Take elements that were left out beside others for in the evidence, where a line is close."""
    told = {one.held.line for one in claims if one.held is not None}
    return tuple(
        replace(one, element=replace(one.element, in_evidence=True))
        if len(covered) > 1
        and one.status == "silently_missing"
        and not one.element.in_evidence
        and any(
            len(line.split()) >= _LONG
            and line not in told
            and closeness(one.element.need.meaning, meaning(line)) >= _CLOSE
            and apt(one.element.need, piece, library, limits)
            for piece in evidence
            if piece.kind == "chunk"
            for line in piece.lines
        )
        else one
        for one in covered
    )
