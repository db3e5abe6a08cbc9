"""How far the judge agrees with people, on items that were drawn with a known probability."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import SEED, Interval, bootstrap_mean
from analysis.labels.label import CHOICES, ORDERED, Label
from analysis.run import Run

RESAMPLES: Final = 1_000

Item: TypeAlias = tuple[str, str, str]
Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """People and judge on one question. Shares are weighted by the inverse probability."""

    question: str
    judge: str
    """Who judged, with the prompt version; empty for an outcome."""
    labels: int
    """Labels that stand against a verdict."""
    items: int
    annotators: int
    undecided: int
    """Labels of items that the judge left open or this run does not hold; in no number."""
    exact: float
    kappa: float | None
    """Quadratically weighted for ordered labels; None where both sides know one label only."""
    kappa_interval: Interval | None
    """Conversations drawn as a whole; None for a single one."""
    confusion: Mapping[str, Mapping[str, int]]
    """Labels of people by what the judge said, in counts."""
    prevalence: Mapping[str, float]
    """Share of each label according to people."""
    people: float | None
    """κ between people, of items with several labels: a judge can hardly do better."""
    judged_rate: float | None = None
    """Of an outcome: failed share according to the judge, over all judged turns."""
    corrected_rate: float | None = None
    """The same, corrected by what people said of the drawn turns."""
    corrected_interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class _Pair:
    conversation: str
    people: str
    judge: str
    weight: float


def agreement_of(run: Run, labels: Iterable[Label]) -> tuple[Agreement, ...]:
    """Return the agreement of a run's judge with labels, by question.

    Args:
        run: Any run that holds the labelled items; the same labels rank several.
        labels: Those without a probability are left out: they were chosen, not drawn.
    """
    by_question: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        if label.probability is not None:
            by_question[label.question].append(label)
    return tuple(
        _agreement(run, question, by_question[question])
        for question in CHOICES
        if question in by_question
    )


def _agreement(run: Run, question: str, labels: Sequence[Label]) -> Agreement:
    said, judge = _said(run, question, {label.turn_id for label in labels})
    several = Counter(label.item for label in labels)
    pairs = [
        _Pair(
            label.turn_id.rpartition("/")[0],
            label.label,
            said[label.item],
            1 / ((label.probability or 1) * several[label.item]),
        )
        for label in labels
        if label.item in said
    ]
    names = CHOICES[question]
    weights = _matrix(pairs, names)
    total = float(weights.sum())
    shares = weights.sum(axis=1) / total if total else np.zeros(len(names))
    judged, corrected, bounds = _rates(run, pairs) if question == "outcome" else (None, None, None)
    return Agreement(
        question=question,
        judge=judge,
        labels=len(pairs),
        items=len({label.item for label in labels if label.item in said}),
        annotators=len({label.annotator for label in labels}),
        undecided=len(labels) - len(pairs),
        exact=float(np.trace(weights)) / total if total else 0.0,
        kappa=kappa(weights, ordered=question in ORDERED),
        kappa_interval=_kappa_interval(pairs, question),
        confusion=_confusion(pairs, names),
        prevalence={name: float(share) for name, share in zip(names, shares, strict=True) if share},
        people=_between_people(labels, question),
        judged_rate=judged,
        corrected_rate=corrected,
        corrected_interval=bounds,
    )


def _said(run: Run, question: str, turn_ids: Iterable[str]) -> tuple[dict[Item, str], str]:
    """Return what the judge said by item, and who it was."""
    where = {"turn_id": sorted(turn_ids)}
    if question == "outcome":
        rows = run.rows("turns", ("turn_id", "outcome", "root_stage"), where)
        return {
            (question, row["turn_id"], "turn"): row["root_stage"] or row["outcome"]
            for row in rows
            if row["outcome"] != "not_judged"
        }, ""
    columns = ("turn_id", "subject", "label", "grade", "judge", "prompt_version")
    rows = run.rows("verdicts", columns, {**where, "question": [question], "status": ["judged"]})
    judges = sorted({f"{row['judge']}, {row['prompt_version']}" for row in rows})
    return {
        (question, row["turn_id"], row["subject"]): (
            row["label"] if row["grade"] is None else str(row["grade"])
        )
        for row in rows
    }, "; ".join(judges)


def _matrix(pairs: Iterable[_Pair], names: Sequence[str]) -> Matrix:
    place = {name: number for number, name in enumerate(names)}
    weights = np.zeros((len(names), len(names)))
    for pair in pairs:
        weights[place[pair.people], place[pair.judge]] += pair.weight
    return weights


def kappa(weights: Matrix, *, ordered: bool) -> float | None:
    """Return Cohen's κ of a table of weights; None where chance alone explains all.

    Args:
        weights: By label of one side and of the other, in the order of the labels.
        ordered: Weigh a disagreement by the square of its distance.

    Source:
        J. Cohen, A coefficient of agreement for nominal scales, Educational and
        Psychological Measurement 20 (1960); Weighted kappa, Psychological Bulletin 70 (1968).
    """
    total = weights.sum()
    if not total:
        return None
    places = np.arange(len(weights))
    apart = places[:, None] - places[None, :]
    cost = apart.astype(np.float64) ** 2 if ordered else (apart != 0).astype(np.float64)
    expected = np.outer(weights.sum(axis=1), weights.sum(axis=0)) / total
    by_chance = float((cost * expected).sum())
    return None if by_chance == 0 else 1 - float((cost * weights).sum()) / by_chance


def _kappa_interval(pairs: Sequence[_Pair], question: str) -> Interval | None:
    """Return the percentile interval over conversations drawn with replacement."""
    names = CHOICES[question]
    groups: dict[str, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.conversation].append(pair)
    if len(groups) < 2:  # noqa: PLR2004 - two can differ
        return None
    tables = np.stack([_matrix(groups[name], names) for name in sorted(groups)])
    generator = np.random.RandomState(SEED)
    found = []
    for _ in range(RESAMPLES):
        drawn = generator.randint(0, len(tables), size=len(tables))
        value = kappa(tables[drawn].sum(axis=0), ordered=question in ORDERED)
        if value is not None:
            found.append(value)
    if not found:
        return None
    low, high = np.quantile(found, [0.025, 0.975])
    return Interval(float(low), float(high))


def _confusion(pairs: Iterable[_Pair], names: Sequence[str]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        counts[pair.people][pair.judge] += 1
    return {name: dict(counts[name].most_common()) for name in names if name in counts}


def _between_people(labels: Iterable[Label], question: str) -> float | None:
    """Return κ over every two labels of one item, in either order."""
    by_item: dict[Item, list[str]] = defaultdict(list)
    for label in labels:
        by_item[label.item].append(label.label)
    pairs = [
        _Pair("", one, other, 1.0)
        for given in by_item.values()
        for first, one in enumerate(given)
        for second, other in enumerate(given)
        if first != second
    ]
    return kappa(_matrix(pairs, CHOICES[question]), ordered=question in ORDERED)


def _rates(run: Run, pairs: Sequence[_Pair]) -> tuple[float | None, float | None, Interval | None]:
    """Return the failed share by the judge, corrected by people, with its interval.

    Source:
        A. Angelopoulos and others, Prediction-powered inference, Science 382 (2023);
        weighted by inverse probability, clustered by conversation, cut to [0, 1].
    """
    outcomes = run.info.get("outcomes")
    judged = (outcomes["passed"] + outcomes["failed"]) if outcomes else 0
    if not outcomes or not judged or not pairs:
        return None, None, None
    rate = outcomes["failed"] / judged
    sums: dict[str, float] = defaultdict(float)
    sizes: dict[str, float] = defaultdict(float)
    for pair in pairs:
        off = (pair.people != "passed") - (pair.judge != "passed")
        sums[pair.conversation] += pair.weight * off
        sizes[pair.conversation] += pair.weight
    names = sorted(sizes)
    shift = sum(sums.values()) / sum(sizes.values())
    bounds = bootstrap_mean([sums[name] for name in names], [sizes[name] for name in names])
    interval = None if bounds is None else Interval(*_cut(rate + bounds.low, rate + bounds.high))
    return rate, next(_cut(rate + shift)), interval


def _cut(*shares: float) -> Iterator[float]:
    return (min(max(share, 0.0), 1.0) for share in shares)
