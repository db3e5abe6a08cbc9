"""The failing turns as a flow through the three stages, as shapes to be drawn.

Each stage is a column; a block of it is a part that the stage played, as tall as the
turns in which it did. A ribbon between two columns holds the turns that share both parts.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.breakdown.model import Part, PathRow
from analysis.report.html.links import view_link

WIDTH: Final = 760
HEIGHT: Final = 300
_TOP = 30
_BLOCK = 14
_GAP = 14
_LABEL = 120
_STAGES: Final = ("routing", "retrieval", "generation")
_PARTS: Final[tuple[Part, ...]] = (
    "root",
    "contributing",
    "downstream",
    "none",
    "undetermined",
)
WORDS: Final[Mapping[Part, str]] = {
    "root": "root",
    "contributing": "contributing",
    "downstream": "downstream",
    "none": "no fault",
    "undetermined": "undetermined",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part that one stage played."""

    stage: str
    part: Part
    turns: int
    x: float
    y: float
    height: float
    link: str | None

    @property
    def word(self) -> str:
        """The part in words."""
        return WORDS[self.part]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ribbon:
    """Turns that share a part of one stage and a part of the next."""

    title: str
    part: Part
    """Of the earlier stage; it gives the colour."""
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What is drawn."""

    turns: int
    columns: Sequence[tuple[str, float]]
    """Name and left edge of each stage."""
    blocks: Sequence[Block]
    ribbons: Sequence[Ribbon]
    width: int = WIDTH
    height: int = HEIGHT + _TOP
    block: int = _BLOCK


def flow_of(paths: Sequence[PathRow]) -> Flow | None:
    """Return the flow of the failing turns, None when there is none."""
    total = sum(path.turns for path in paths)
    if not total:
        return None
    scale = (HEIGHT - _GAP * (len(_PARTS) - 1)) / total
    blocks = {
        (place, block.part): block
        for place, stage in enumerate(_STAGES)
        for block in _column(paths, place, stage, scale)
    }
    return Flow(
        turns=total,
        columns=[(stage, _x(place)) for place, stage in enumerate(_STAGES)],
        blocks=list(blocks.values()),
        ribbons=[
            ribbon
            for place in range(len(_STAGES) - 1)
            for ribbon in _ribbons(paths, place, blocks, scale)
        ],
    )


def _parts(path: PathRow) -> tuple[Part, Part, Part]:
    return path.routing, path.retrieval, path.generation


def _x(place: int) -> float:
    return round(place * (WIDTH - _LABEL - _BLOCK) / (len(_STAGES) - 1), 1)


def _column(paths: Sequence[PathRow], place: int, stage: str, scale: float) -> Iterator[Block]:
    turns: Counter[Part] = Counter()
    for path in paths:
        turns[_parts(path)[place]] += path.turns
    y = float(_TOP)
    for part in _PARTS:
        if turns[part]:
            height = turns[part] * scale
            yield Block(
                stage=stage,
                part=part,
                turns=turns[part],
                x=_x(place),
                y=round(y, 1),
                height=round(max(height, 1), 1),
                link=view_link(kind=stage) if part == "root" else None,
            )
            y += height + _GAP


def _ribbons(
    paths: Sequence[PathRow],
    place: int,
    blocks: Mapping[tuple[int, Part], Block],
    scale: float,
) -> Iterator[Ribbon]:
    shared: Counter[tuple[Part, Part]] = Counter()
    for path in paths:
        parts = _parts(path)
        shared[parts[place], parts[place + 1]] += path.turns
    left = {part: blocks[place, part].y for part in _PARTS if (place, part) in blocks}
    right = {part: blocks[place + 1, part].y for part in _PARTS if (place + 1, part) in blocks}
    start, end = _x(place) + _BLOCK, _x(place + 1)
    for one in _PARTS:
        for other in _PARTS:
            turns = shared[one, other]
            if turns:
                height = turns * scale
                yield Ribbon(
                    title=f"{turns:,}: {_STAGES[place]} {WORDS[one]}, "
                    f"{_STAGES[place + 1]} {WORDS[other]}",
                    part=one,
                    path=_band(start, left[one], end, right[other], height),
                )
                left[one] += height
                right[other] += height


def _band(x: float, y: float, to_x: float, to_y: float, height: float) -> str:
    """Return the outline of a ribbon of constant height as an SVG path."""
    bend = round((x + to_x) / 2, 1)
    y, to_y, end, to_end = (round(one, 1) for one in (y, to_y, y + height, to_y + height))
    return (
        f"M{x} {y}C{bend} {y} {bend} {to_y} {to_x} {to_y}"
        f"V{to_end}C{bend} {to_end} {bend} {end} {x} {end}Z"
    )
