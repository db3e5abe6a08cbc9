"""How much of one turn has room on a terminal, and the lines that all its sections are made of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.text import Text

from analysis.report.layout import WIDTH, cut, line, wrap
from analysis.report.marks import Mark
from analysis.report.turn_view import TurnView
from stages.records import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much of each section is shown."""

    finding_lines: int
    details: int
    chunks: int
    paragraphs: int
    elements: int
    cause_lines: int
    symptom_lines: int
    """For a block of the answer that failed, below its label; 0: what fits beside it."""
    contradictions: int
    """Of all blocks together."""
    quote_lines: int
    """For what a block says, and again for what its source says."""
    width: int = WIDTH
    """Cells of a line."""


WIDE: Final = Room(
    finding_lines=2,
    details=4,
    chunks=8,
    paragraphs=8,
    elements=3,
    cause_lines=2,
    symptom_lines=3,
    contradictions=3,
    quote_lines=3,
)
NARROW: Final = Room(
    finding_lines=1,
    details=2,
    chunks=4,
    paragraphs=4,
    elements=1,
    cause_lines=1,
    symptom_lines=0,
    contradictions=1,
    quote_lines=1,
)
"""For a turn that needs more than a screen with WIDE."""
NARROWEST: Final = replace(NARROW, details=1, chunks=2, paragraphs=2)
"""A turn that needs more than a screen with NARROW fits one with this, whatever it holds."""

_FINDINGS: Final = 2
LEAD: Final = 13
"""Cells before what a stage did."""
SIGNS: Final[dict[Mark, tuple[str, str]]] = {
    "root": ("✗", "bold red"),
    "contributing": ("✗", "yellow"),
    "downstream": ("✗", "red"),
    "latent": ("✓", "green"),
    "fine": ("✓", "green"),
    "not_judged": ("?", "dim"),
    "not_run": ("–", "dim"),
}
"""Sign and style; the words of `_WORDS` say the same."""
_WORDS: Final[dict[Mark, str]] = {
    "root": "← root",
    "contributing": "own fault beside the root",
    "downstream": "downstream of the root",
    "latent": "a fault that did no harm",
    "fine": "",
    "not_judged": "",
    "not_run": "did not run",
}


def stage_line(view: TurnView, stage: Stage, told: str, room: Room) -> Text:
    """Return the line of a stage: what it did, and the part that it played."""
    mark = view.mark(stage)
    sign, style = SIGNS[mark]
    lead = f"{sign} {stage}".ljust(LEAD)
    word = _WORDS[mark]
    shown = cut(told, room.width - len(lead) - len(word) - 2)
    return line((lead, style), shown, ("  " if shown and word else ""), (word, style))


def fault_lines(view: TurnView, stage: Stage, room: Room) -> Iterator[Text]:
    """Yield what a stage did wrong, the root first."""
    texts = [f"{row['kind']}: {row['explanation']}" for row in view.faults(stage)]
    for text in limited(texts, _FINDINGS):
        yield from paragraph_lines(text, "  ", room.finding_lines, room)


def detail(text: str, room: Room) -> Text:
    """Return a text below a stage, cut to one line."""
    return line("  ", cut(text, room.width - 2))


def paragraph_lines(text: str, lead: str, most: int, room: Room) -> Iterator[Text]:
    """Yield a text in at most *most* lines, all but the first indented below *lead*."""
    for number, part in enumerate(wrap(text, room.width - len(lead), most=most)):
        yield line((lead if not number else " " * len(lead), "bold"), part)


def limited(texts: Iterable[str], most: int) -> Sequence[str]:
    """Return at most that many texts, the last one telling how many are left out."""
    found = list(texts)
    hidden = len(found) - most
    return found if hidden <= 0 else [*found[: most - 1], f"(+{hidden}) {found[most - 1]}"]
