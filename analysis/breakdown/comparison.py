"""What changed since another run, and whether the two were measured alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

from analysis.attribution.kinds import RootStage
from analysis.breakdown.model import (
    SMALL_HITS,
    SMALL_TOTAL,
    Breakdown,
    ChangedCell,
    Comparison,
    Dimension,
    KindRow,
    Rate,
    StageRow,
)
from analysis.breakdown.rates import change
from analysis.intervals import benjamini_hochberg

FALSE_DISCOVERIES: Final = 0.05
"""Share of the cells reported as changed that may be chance."""

Cell = tuple[RootStage, str | None, Dimension | None, str | None]


def compared(
    now: Breakdown,
    before: Breakdown,
    run_id: str,
    differences: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> Breakdown:
    """Return *now* with its changes against *before*, cut by the same dimensions.

    Args:
        now: The breakdown that is reported.
        before: The one it is compared with.
        run_id: The run of *before*.
        differences: What `not_alike` found between the two runs.
        notes: What `not_same_turns` found.
    """
    cells = dict(_cells(now))
    earlier = dict(_cells(before))
    candidates = [
        (cell, rate, earlier.get(cell, _none_of(before, cell)))
        for cell, rate in {**{cell: _none_of(now, cell) for cell in earlier}, **cells}.items()
    ]
    tested = [
        (cell, rate, was)
        for cell, rate, was in candidates
        if _testable(rate, was) and not _repeats(cell, rate, was, now, before)
    ]
    return replace(
        now,
        stages=tuple(_stage(row, before) for row in now.stages),
        comparison=Comparison(
            run_id=run_id,
            failed=change(now.failed, before.failed),
            cells_compared=len(tested),
            changed=tuple(_changed(tested)),
            differences=differences,
            notes=(*notes, *_too_few(now, before, len(tested))),
            trend=before.trend,
        ),
    )


def _repeats(cell: Cell, rate: Rate, was: Rate, now: Breakdown, before: Breakdown) -> bool:
    """Tell whether a segment holds all turns of both runs: it says what the whole says."""
    by = cell[2]
    return by is not None and rate.n == now.judged and was.n == before.judged


def _too_few(now: Breakdown, before: Breakdown, tested: int) -> Iterator[str]:
    """Yield why no rate was compared, if none was."""
    if tested:
        return
    small = min(now.judged, before.judged)
    if small < SMALL_TOTAL:
        yield (
            f"No rate is tested for a change: that takes {SMALL_TOTAL} judged turns in both "
            f"runs, and there are {now.judged:,} here and {before.judged:,} there."
        )
    else:
        yield (
            f"No rate is tested for a change: none counts {SMALL_HITS} failing turns or more in "
            "either run."
        )


def not_same_turns(now: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return sentences on how the turns of two `run.json`, and their judging, hang together.

    Two runs are taken as independent draws; of the same files they are not.
    """
    notes = []
    files = [
        {source.get("sha256") for source in info.get("sources") or ()} for info in (now, before)
    ]
    shared = files[0] & files[1]
    if shared:
        some = "all" if files[0] == files[1] else f"{len(shared):,} of {len(files[0]):,}"
        notes.append(
            f"Both runs read the same files ({some}): differences come from what was selected "
            "and how it was judged. stagefault diff pairs the turns, which tells more."
        )
    chosen = [_chosen(info) for info in (now, before)]
    if chosen[0] != chosen[1]:
        notes.append(f"The runs looked at different turns: {chosen[0]} here, {chosen[1]} there.")
    if leans := leans_on_run(now, before):
        notes.append(leans)
    return tuple(notes)


def leans_on_run(now: Mapping[str, Any], before: Mapping[str, Any]) -> str | None:
    """Return a sentence where the judge may answer the same question otherwise in each run.

    The local judge weighs a word by how rare it is in the run, and looks for what is missing
    among the run's passages.
    """
    counted = [((info.get("judge") or {}).get("params") or {}).get("run") for info in (now, before)]
    if None in counted or counted[0] == counted[1]:
        return None
    return (
        "The local judge weighs words and passages by the run they stand in, and these runs hold "
        "different ones: a turn that did not change may be judged otherwise."
    )


def _chosen(info: Mapping[str, Any]) -> str:
    selection = info.get("selection") or {}
    filters = selection.get("filters") or {}
    words = [f"{name}={','.join(values)}" for name, values in filters.items()]
    if selection.get("sample"):
        words.append(f"sample={selection['sample']}")
    if selection.get("limit"):
        words.append(f"limit={selection['limit']}")
    return " ".join(words) or "all"


def not_alike(now: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what of judge, embeddings and profile differs between two `run.json`.

    Empty: the runs were measured alike and their numbers may stand side by side.
    """
    first, second = _measured_with(now), _measured_with(before)
    return tuple(name for name in first if first[name] != second[name])


def _measured_with(info: Mapping[str, Any]) -> dict[str, Any]:
    judge = info.get("judge") or {}
    params = judge.get("params") or {}
    return {
        "judge": judge.get("provider"),
        "judge model": judge.get("model"),
        "prompts": judge.get("prompts") or {},
        # what the local judge counted in the traces themselves differs between any two runs
        "judge parameters": {key: value for key, value in params.items() if key != "run"},
        "embeddings": info.get("embeddings"),
        "profile": info.get("profile"),
    }


def _stage(row: StageRow, before: Breakdown) -> StageRow:
    earlier = before.stage(row.stage)
    kinds = {kind.kind: kind.rate for kind in earlier.kinds}
    nothing = Rate.of(0, before.judged)
    return replace(
        row,
        change=change(row.rate, earlier.rate),
        kinds=tuple(_kind(kind, kinds.get(kind.kind, nothing)) for kind in row.kinds),
    )


def _kind(row: KindRow, before: Rate) -> KindRow:
    return replace(row, change=change(row.rate, before))


def _cells(breakdown: Breakdown) -> Iterator[tuple[Cell, Rate]]:
    for row in breakdown.stages:
        yield (row.stage, None, None, None), row.rate
        for kind in row.kinds:
            yield (row.stage, kind.kind, None, None), kind.rate
    for cut in breakdown.segmentations:
        if cut.by != "day":  # two windows have no day in common
            for segment in cut.segments:
                for (stage, name), rate in segment.cells.items():
                    yield (stage, name, cut.by, segment.name), rate


def _none_of(breakdown: Breakdown, cell: Cell) -> Rate:
    """Return 0 of the turns that a cell without hits is a share of."""
    _, _, by, name = cell
    if by is None:
        return Rate.of(0, breakdown.judged)
    for cut in breakdown.segmentations:
        if cut.by == by:
            for segment in cut.segments:
                if segment.name == name:
                    return Rate.of(0, segment.failed.n)
    return Rate.of(0, 0)


def _testable(now: Rate, before: Rate) -> bool:
    return min(now.n, before.n) >= SMALL_TOTAL and max(now.hits, before.hits) >= SMALL_HITS


def _changed(tested: Sequence[tuple[Cell, Rate, Rate]]) -> Iterator[ChangedCell]:
    """Yield the cells that stay after Benjamini and Hochberg (1995), smallest q first."""
    adjusted = benjamini_hochberg([_p_value(now, before) for _, now, before in tested])
    ranked = sorted(zip(adjusted, tested, strict=True), key=lambda item: (item[0], str(item[1][0])))
    for q, ((stage, kind, by, segment), now, before) in ranked:
        if q <= FALSE_DISCOVERIES:
            yield ChangedCell(
                stage=stage,
                kind=kind,
                by=by,
                segment=segment,
                rate=now,
                change=change(now, before),
                q=q,
            )


def _p_value(now: Rate, before: Rate) -> float:
    """Return the two-sided p-value of the pooled z-test on effective numbers of turns."""
    n, m = now.n / now.design_effect, before.n / before.design_effect
    p, r = now.hits / now.n, before.hits / before.n
    pooled = (p * n + r * m) / (n + m)
    spread = sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    return 2 * NormalDist().cdf(-abs(p - r) / spread) if spread else 1.0
