"""From two runs on disk to their difference."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from analysis.breakdown.admission import admitted
from analysis.breakdown.comparison import leans_on_run, not_alike
from analysis.breakdown.facts import TURN_COLUMNS
from analysis.breakdown.roots import ROOT_STAGES, Root, ordered_kinds, roots_of
from analysis.breakdown.selection import EVERYTHING, Selection
from analysis.difference.model import Difference, Moved, Row
from analysis.difference.pairing import PAIRING_COLUMNS, Pairs, paired
from analysis.difference.significance import detectable, sign_flip
from analysis.intervals import benjamini_hochberg, bootstrap_mean
from analysis.run import Run
from ingest.errors import UsageError

_COLUMNS: Final = tuple(dict.fromkeys((*TURN_COLUMNS, *PAIRING_COLUMNS)))
_METRIC_COLUMNS: Final = ("turn_id", "stage", "metric", "value")

Numbers = NDArray[np.float64]


def difference_of(
    before: Run, after: Run, *, selected: Selection = EVERYTHING, across_judges: bool = False
) -> Difference:
    """Return what changed between two runs, turn by turn.

    Args:
        before: The earlier run.
        after: The later run.
        selected: Which turns of each run count.
        across_judges: Compare although the runs were not measured alike; the result names
            what differs.

    Raises:
        UsageError: The runs were not measured alike, or are one.
        StoreError: A table cannot be read.
    """
    if before.run_id == after.run_id:
        raise UsageError(f"run {after.run_id}", "cannot be compared with itself", "Name two runs.")
    differences = not_alike(after.info, before.info)
    if differences and not across_judges:
        raise UsageError(
            f"run {before.run_id}",
            f"was not measured like run {after.run_id}: {', '.join(differences)} differ",
            "Replay both alike, or compare with --across-judges.",
        )
    turns = [_turns(run, selected) for run in (before, after)]
    pairs = paired(*turns)
    sides = [table.take(pa.array(where, pa.int64())) for table, where in _sides(turns, pairs)]
    judged = [place for place in range(len(pairs)) if _both_judged(sides, place)]
    sides = [side.take(pa.array(judged, pa.int64())) for side in sides]
    clusters = _codes(sides[1].column("conversation_id"))
    roots = [roots_of(side) for side in sides]
    failed = [_mask(root is not None for root in one) for one in roots]
    rows = [*_root_rows(roots, failed, clusters), *_metric_rows((before, after), sides, clusters)]
    changed = failed[1] - failed[0]
    return Difference(
        before=before.run_id,
        after=after.run_id,
        pairs=len(pairs),
        judged=len(judged),
        conversations=len(set(clusters.tolist())),
        only_before=len(turns[0]) - len(pairs),
        only_after=len(turns[1]) - len(pairs),
        rows=_adjusted(rows),
        newly_failing=tuple(_moved(after, sides[1], roots[1], np.flatnonzero(changed > 0))),
        fixed=tuple(_moved(before, sides[0], roots[0], np.flatnonzero(changed < 0))),
        moved=sum(
            one is not None and other is not None and one != other
            for one, other in zip(*roots, strict=True)
        ),
        detectable=detectable(*_by_cluster(changed, clusters)),
        differences=differences,
        notes=tuple(filter(None, [leans_on_run(after.info, before.info)])),
    )


def _turns(run: Run, selected: Selection) -> pa.Table:
    table = run.table("turns", _COLUMNS)
    return table.filter(pa.array(admitted(table, selected))) if selected else table


def _sides(turns: Sequence[pa.Table], pairs: Pairs) -> Iterator[tuple[pa.Table, tuple[int, ...]]]:
    yield turns[0], pairs.before
    yield turns[1], pairs.after


def _both_judged(sides: Sequence[pa.Table], place: int) -> bool:
    return all(side.column("outcome")[place].as_py() != "not_judged" for side in sides)


def _codes(values: pa.ChunkedArray) -> NDArray[np.int64]:
    names: dict[str, int] = {}
    codes = [names.setdefault(value, len(names)) for value in values.to_pylist()]
    return np.array(codes, np.int64)


def _mask(hits: Iterable[bool]) -> Numbers:
    return np.array(list(hits), np.float64)


def _root_rows(
    roots: Sequence[Sequence[Root | None]], failed: Sequence[Numbers], clusters: NDArray[np.int64]
) -> Iterator[Row]:
    """Yield a row for all failures, and for every root stage and kind that occurs."""
    if not clusters.size:
        return
    yield _row("failed", failed[0], failed[1], clusters)
    for name in _names({root for side in roots for root in side if root is not None}):
        before, after = (
            _mask(root is not None and name in (root[0], ".".join(root)) for root in side)
            for side in roots
        )
        yield replace(_row(name, before, after, clusters), kind="root")


def _names(roots: Collection[Root]) -> Iterator[str]:
    """Yield every root stage and kind that occurs, in order of precedence."""
    for stage in ROOT_STAGES:
        kinds = {kind for one, kind in roots if one == stage}
        if kinds:
            yield stage
            yield from (f"{stage}.{kind}" for kind in ordered_kinds(stage, kinds))


def _row(name: str, before: Numbers, after: Numbers, clusters: NDArray[np.int64]) -> Row:
    change = after - before
    sums, sizes = _by_cluster(change, clusters)
    bounds = bootstrap_mean(sums, sizes)
    return Row(
        kind="outcome",
        name=name,
        pairs=len(change),
        before=float(before.mean()),
        after=float(after.mean()),
        low=None if bounds is None else bounds.low,
        high=None if bounds is None else bounds.high,
        p=sign_flip(sums),
        appeared=int((change > 0).sum()),
        vanished=int((change < 0).sum()),
    )


def _by_cluster(values: Numbers, clusters: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Return the sum of the values, and their number, by conversation."""
    if not clusters.size:
        return np.zeros(0), np.zeros(0)
    _, codes = np.unique(clusters, return_inverse=True)
    sums = np.bincount(codes, weights=values).astype(np.float64)
    return sums, np.bincount(codes).astype(np.float64)


def _metric_rows(
    runs: tuple[Run, Run], sides: Sequence[pa.Table], clusters: NDArray[np.int64]
) -> Iterator[Row]:
    """Yield a row per metric, over the pairs in which both turns have a value."""
    values = [_values(run, side) for run, side in zip(runs, sides, strict=True)]
    for name in (name for name in values[0] if name in values[1]):
        here = sorted(values[0][name].keys() & values[1][name].keys())
        if here:
            before, after = (
                np.array([side[name][place] for place in here], np.float64) for side in values
            )
            yield replace(_row(name, before, after, clusters[here]), kind="metric")


def _values(run: Run, side: pa.Table) -> dict[str, dict[int, float]]:
    """Return the values of each metric by place of the turn."""
    places = {name: place for place, name in enumerate(side.column("turn_id").to_pylist())}
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for batch in run.batches("metrics", _METRIC_COLUMNS):
        valued = batch.filter(pc.is_valid(batch.column("value")))
        columns = (valued.column(name).to_pylist() for name in _METRIC_COLUMNS)
        for turn_id, stage, metric, value in zip(*columns, strict=True):
            place = places.get(turn_id)
            if place is not None:
                found[f"{stage}.{metric}"][place] = value
    return found


def _adjusted(rows: Sequence[Row]) -> tuple[Row, ...]:
    adjusted = benjamini_hochberg([row.p for row in rows])
    return tuple(replace(row, q=q) for row, q in zip(rows, adjusted, strict=True))


def _moved(
    run: Run, side: pa.Table, roots: Sequence[Root | None], places: Iterable[int]
) -> Iterator[Moved]:
    ids = side.column("turn_id")
    wanted = {str(ids[int(place)]): roots[int(place)] for place in places}
    rows = run.rows("turns", ("turn_id", "sentence"), {"turn_id": wanted})
    sentences = {row["turn_id"]: row["sentence"] or "" for row in rows}
    for turn_id, root in wanted.items():
        name = ".".join(root) if root is not None else ""
        yield Moved(turn_id=turn_id, root=name, sentence=sentences[turn_id])
