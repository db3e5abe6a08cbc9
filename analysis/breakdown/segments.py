"""Cuts of a run: by agent, collection, tool, model, language, service or day."""

from collections import defaultdict
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from analysis.attribution.kinds import RootStage
from analysis.breakdown.facts import Facts
from analysis.breakdown.model import Dimension, Rate, Segment, Segmentation
from analysis.breakdown.rates import Base

DIMENSIONS: Final[tuple[Dimension, ...]] = get_args(Dimension)
MOST_SEGMENTS: Final = 200
"""Segments kept per dimension; days are all kept."""

Cells = dict[tuple[RootStage, str | None], Rate]


def segmentation(facts: Facts, by: Dimension) -> Segmentation:
    """Return the turns cut by one dimension."""
    places: dict[str | None, list[int]] = defaultdict(list)
    for place, values in enumerate(facts.values(by)):
        for value in values:
            places[value].append(place)
    names: list[str | None]
    if by == "day":
        names = sorted(places, key=lambda name: (name is None, name or ""))
    else:
        names = sorted(places, key=lambda name: (-len(places[name]), name is None, name or ""))
    kept = names if by == "day" else names[:MOST_SEGMENTS]
    return Segmentation(
        by=by,
        segments=tuple(_segment(facts, name, np.array(places[name])) for name in kept),
        left_out=len(names) - len(kept),
    )


def _segment(facts: Facts, name: str | None, places: NDArray[np.int64]) -> Segment:
    judged = places[facts.judged[places]]
    base = Base(facts.conversation[judged])
    return Segment(
        name=name,
        turns=len(places),
        failed=base.rate(facts.failed[judged]),
        cells=_cells(facts, judged, base),
    )


def _cells(facts: Facts, judged: NDArray[np.int64], base: Base) -> Cells:
    """Return the rate of every root stage and root kind that occurs among these turns."""
    hits: dict[tuple[RootStage, str | None], list[int]] = defaultdict(list)
    for position, place in enumerate(judged):
        root = facts.roots[place]
        if root is not None:
            hits[root].append(position)
            hits[root[0], None].append(position)
    cells: Cells = {}
    for key, positions in hits.items():
        hit = np.zeros(len(judged), np.bool_)
        hit[positions] = True
        cells[key] = base.rate(hit)
    return cells
