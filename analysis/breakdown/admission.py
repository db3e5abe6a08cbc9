"""Which rows of `turns` a selection admits."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from analysis.breakdown.roots import roots_of
from analysis.breakdown.selection import FILTERS, TURN_FILTERS, Selection

Values = tuple[str | None, ...]


def admitted(turns: pa.Table, selected: Selection, *, roots: bool = False) -> NDArray[np.bool_]:
    """Return which turns pass the filters.

    Args:
        turns: The `turns` table with at least `facts.TURN_COLUMNS`.
        selected: The filters.
        roots: Those on root stage and root kind count too.
    """
    keep = np.ones(len(turns), np.bool_)
    for name in FILTERS if roots else TURN_FILTERS:
        choice = selected[name]
        if choice:
            values = values_of(turns, name)
            keep &= np.fromiter(map(choice.admits, values), np.bool_, len(turns))
    if selected.bounds:
        starts = turns.column("started_at").cast(pa.int64()).to_pylist()
        keep &= np.fromiter((start in selected.window for start in starts), np.bool_, len(turns))
    return keep


def values_of(turns: pa.Table, name: str) -> Iterable[Values]:
    """Return what each turn carries of one field: several collections or tools, else one.

    A turn carries every collection that it searched or should have searched.
    """
    match name:
        case "collection":
            searched, found = _lists(turns, "collections"), _lists(turns, "found_collections")
            return [tuple(dict.fromkeys(a + b)) for a, b in zip(searched, found, strict=True)]
        case "tool":
            return _lists(turns, "tools")
        case "stage":
            return [(None if root is None else root[0],) for root in roots_of(turns)]
        case "kind":
            return [() if root is None else (root[1], ".".join(root)) for root in roots_of(turns)]
        case _:
            return [(value,) for value in turns.column(name).to_pylist()]


def _lists(turns: pa.Table, column: str) -> Sequence[Values]:
    return [tuple(values or ()) for values in turns.column(column).to_pylist()]
