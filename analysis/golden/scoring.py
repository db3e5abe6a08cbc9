"""What a run made of a golden set."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from analysis.golden.item import Item
from analysis.golden.item_scores import SCORES, ItemScore, Retrieved, scores_of
from analysis.golden.matching import matched_turns
from analysis.intervals import Interval, bootstrap_mean
from analysis.run import Run
from analysis.tables.turn_rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One item with its turn."""

    item: Item
    turn_id: str
    flag: str | None
    """Refusal flag that the turn recorded."""
    scores: Mapping[str, ItemScore]
    """By name of `SCORES`."""
    first_output_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """One score over some items."""

    value: float | None
    interval: Interval | None
    """95 %, conversations drawn as a whole; None for fewer than two."""
    items: int
    """With a score."""
    unscored: Mapping[str, int]
    """Items without a score, by reason; they are in no mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenScores:
    """A golden set, held against a run."""

    scored: tuple[Scored, ...]
    missing: tuple[Item, ...]
    """Items without a turn in the run."""
    ambiguous: tuple[Item, ...]
    """Items whose question others ask too, in turns that do not name their item."""
    overall: Mapping[str, Mean]
    by_type: Mapping[str, Mapping[str, Mean]]
    by_program: Mapping[str, Mapping[str, Mean]]
    by_flag: Mapping[str, Mean]
    """Flag accuracy by expected flag; `none` where no flag is expected."""
    flagged: Mean
    """Flag accuracy without items that expect no flag and got none."""
    median_first_output_ms: float | None


def score_run(run: Run, items: Sequence[Item]) -> GoldenScores:
    """Return what a run made of golden items; an item's last turn counts.

    Raises:
        StoreError: A table cannot be read.
    """
    turns, ambiguous = matched_turns(run, items)
    retrieved = _retrieved(run, sorted({row["turn_id"] for row in turns.values()}))
    scored = tuple(
        Scored(
            item=item,
            turn_id=turn["turn_id"],
            flag=turn["answer_flag"],
            scores=scores_of(item, turn, retrieved[turn["turn_id"]]),
            first_output_ms=turn["first_output_ms"],
        )
        for item, turn in ((item, turns.get(item.id)) for item in items)
        if turn is not None
    )
    outputs = [one.first_output_ms for one in scored if one.first_output_ms is not None]
    return GoldenScores(
        scored=scored,
        missing=tuple(item for item in items if item.id not in turns.keys() | ambiguous),
        ambiguous=tuple(item for item in items if item.id in ambiguous),
        overall=_means(scored),
        by_type=_cut(scored, {one.item.id: one.item.type for one in scored}),
        by_program=_cut(scored, {one.item.id: one.item.program or "none" for one in scored}),
        by_flag={
            flag: means["flag_accuracy"]
            for flag, means in _cut(
                scored, {one.item.id: one.item.expected_flag or "none" for one in scored}
            ).items()
        },
        flagged=_means([one for one in scored if one.item.expected_flag or one.flag])[
            "flag_accuracy"
        ],
        median_first_output_ms=median(outputs) if outputs else None,
    )


def _retrieved(run: Run, ids: list[str]) -> dict[str, Retrieved]:
    where = {"turn_id": ids}
    searches = _grouped(run.rows("retrievals", ("turn_id", "collection", "status"), where))
    chunks = _grouped(run.rows("chunks", ("turn_id", "chunk_id", "metadata"), where))
    cited = _grouped(run.rows("citations", ("turn_id", "chunk_id", "status"), where))
    names = ["faithfulness", "groundedness[evidence]"]
    columns = ("turn_id", "metric", "value", "reason")
    metrics = _grouped(run.rows("metrics", columns, where | {"metric": names}))
    return {
        one: Retrieved(
            searches=searches[one], chunks=chunks[one], citations=cited[one], metrics=metrics[one]
        )
        for one in ids
    }


def _grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["turn_id"]].append(row)
    return found


def _cut(scored: Iterable[Scored], names: Mapping[str, str]) -> dict[str, Mapping[str, Mean]]:
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in scored:
        groups[names[one.item.id]].append(one)
    return {name: _means(groups[name]) for name in sorted(groups)}


def _means(scored: Sequence[Scored]) -> dict[str, Mean]:
    return {name: _mean(scored, name) for name in SCORES}


def _mean(scored: Iterable[Scored], name: str) -> Mean:
    sums: dict[str, float] = defaultdict(float)
    sizes: dict[str, int] = defaultdict(int)
    unscored: Counter[str] = Counter()
    for one in scored:
        value, reason = one.scores[name].value, one.scores[name].reason
        if value is None:
            unscored[reason or "not_measured"] += 1
        else:
            conversation = one.turn_id.rpartition("/")[0]
            sums[conversation] += value
            sizes[conversation] += 1
    items = sum(sizes.values())
    return Mean(
        value=sum(sums.values()) / items if items else None,
        interval=bootstrap_mean(list(sums.values()), list(sizes.values()), share=True),
        items=items,
        unscored=dict(sorted(unscored.items())),
    )
