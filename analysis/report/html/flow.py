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

_TOP = 30
_BELOW = 14
_BLOCK = 14
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
class Shape:
    """Where the columns stand, in the units of a drawing."""

    name: str
    width: int
    height: int
    gap: int
    """Between two blocks of a column, so that their texts stand apart."""
    label: int
    """Room for the texts of the last column."""

    def x(self, place: int) -> float:
        """Return the left edge of a column."""
        return round(place * (self.width - self.label - _BLOCK) / (len(_STAGES) - 1), 1)


SHAPES: Final = (
    Shape(name="wide", width=760, height=300, gap=14, label=120),
    Shape(name="narrow", width=370, height=340, gap=18, label=104),
)


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

    shape: Shape
    turns: int
    columns: Sequence[tuple[str, float]]
    """Name and left edge of each stage."""
    blocks: Sequence[Block]
    ribbons: Sequence[Ribbon]
    block: int = _BLOCK

    @property
    def height(self) -> int:
        """Of the whole drawing, with room for the text of a thin last block."""
        return self.shape.height + _TOP + _BELOW


def flows_of(paths: Sequence[PathRow]) -> Sequence[Flow]:
    """Return the flow of the failing turns in every shape; empty when there is none."""
    total = sum(path.turns for path in paths)
    return [_flow(paths, total, shape) for shape in SHAPES] if total else []


def _flow(paths: Sequence[PathRow], total: int, shape: Shape) -> Flow:
    scale = (shape.height - shape.gap * (len(_PARTS) - 1)) / total
    blocks = {
        (place, block.part): block
        for place, stage in enumerate(_STAGES)
        for block in _column(paths, place, stage, scale, shape)
    }
    return Flow(
        shape=shape,
        turns=total,
        columns=[(stage, shape.x(place)) for place, stage in enumerate(_STAGES)],
        blocks=list(blocks.values()),
        ribbons=[
            ribbon
            for place in range(len(_STAGES) - 1)
            for ribbon in _ribbons(paths, place, blocks, scale, shape)
        ],
    )


def _parts(path: PathRow) -> tuple[Part, Part, Part]:
    return path.routing, path.retrieval, path.generation


def _column(
    paths: Sequence[PathRow], place: int, stage: str, scale: float, shape: Shape
) -> Iterator[Block]:
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
                x=shape.x(place),
                y=round(y, 1),
                height=round(max(height, 1), 1),
                link=view_link(kind=stage) if part == "root" else None,
            )
            y += height + shape.gap


def _ribbons(
    paths: Sequence[PathRow],
    place: int,
    blocks: Mapping[tuple[int, Part], Block],
    scale: float,
    shape: Shape,
) -> Iterator[Ribbon]:
    shared: Counter[tuple[Part, Part]] = Counter()
    for path in paths:
        parts = _parts(path)
        shared[parts[place], parts[place + 1]] += path.turns
    left = {part: blocks[place, part].y for part in _PARTS if (place, part) in blocks}
    right = {part: blocks[place + 1, part].y for part in _PARTS if (place + 1, part) in blocks}
    start, end = shape.x(place) + _BLOCK, shape.x(place + 1)
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
