"""Precision, recall and F1 of places, categories and both, with their counts."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from analysis.intervals import Interval, bootstrap_mean
from bench.localize.labels import Label, LabelledSet

TOP: Final = 3
"""Categories that the floor names at every model call."""

Key: TypeAlias = tuple[str, Hashable]
"""A trace, and what is named in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What was named, held against what people labelled; everything counts once a trace.

    Intervals are bootstraps over traces; None below two traces.
    """

    hits: int
    named: int
    labelled: int
    precision_ci: Interval | None
    recall_ci: Interval | None

    @property
    def precision(self) -> float | None:
        """Share of what was named that people labelled; None where nothing was named."""
        return self.hits / self.named if self.named else None

    @property
    def recall(self) -> float | None:
        """Share of what people labelled that was named; None where nothing is labelled."""
        return self.hits / self.labelled if self.labelled else None

    @property
    def f1(self) -> float | None:
        """2 hits / (named + labelled), the harmonic mean; None for 0 of 0."""
        total = self.named + self.labelled
        return 2 * self.hits / total if total else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The three ways of being right."""

    location: Hits
    category: Hits
    joint: Hits


def score(named: Iterable[Label], labels: Iterable[Label]) -> Score:
    """Hold what was named against the labels.

    A category of "" is none: such a name counts for its place only. So does a span of ""
    for its category.
    """
    said, true = list(named), list(labels)
    return Score(
        location=_hits(
            {(one.trace, one.span) for one in said if one.span},
            {(one.trace, one.span) for one in true},
        ),
        category=_hits(
            {(one.trace, one.category) for one in said if one.category},
            {(one.trace, one.category) for one in true},
        ),
        joint=_hits(
            {(one.trace, (one.span, one.category)) for one in said if one.span and one.category},
            {(one.trace, (one.span, one.category)) for one in true},
        ),
    )


def floor(given: LabelledSet) -> Score:
    """Return what naming the most frequent categories at every model call reaches.

    It has seen the labels to know which categories those are; a method that has not must
    do better all the same.
    """
    counts = Counter(label.category for label in given.labels)
    top = sorted(counts, key=lambda category: (-counts[category], category))[:TOP]
    named = (
        Label(trace, span, category)
        for trace, spans in given.calls.items()
        for span in spans
        for category in top
    )
    return score(named, given.labels)


def _hits(named: Collection[Key], labelled: Collection[Key]) -> Hits:
    both = set(named) & set(labelled)
    right, said, true = (Counter(trace for trace, _ in one) for one in (both, named, labelled))
    return Hits(
        hits=len(both),
        named=len(named),
        labelled=len(labelled),
        precision_ci=_interval(right, said),
        recall_ci=_interval(right, true),
    )


def _interval(hits: Mapping[str, int], sizes: Mapping[str, int]) -> Interval | None:
    traces = sorted(sizes)
    found = [hits.get(one, 0) for one in traces]
    return bootstrap_mean(found, [sizes[one] for one in traces], share=True)
