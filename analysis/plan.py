"""What a run is to do, and what it came to."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from analysis.breakdown.selection import EVERYTHING, Selection
from analysis.breakdown.vocabulary import Unknown
from analysis.judges import JudgeChoice
from analysis.judging import Settings
from analysis.run_folders import DEFAULT_STORE
from analysis.selecting import Sampling
from analysis.tables.run_info import ConfigInfo
from analysis.window import Window
from ingest import Limits
from ingest.conventions.mapping import NO_MAPPING, HouseMapping
from judge import Counts
from judge.question import Judge

Notify = Callable[[str, int, int | None], None]
"""Told the step, how much is done, and how much there is (None: not known)."""


def silent(step: str, done: int, of: int | None) -> None:
    """Tell nobody."""
    del step, done, of


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run is to do."""

    sources: tuple[str, ...]
    store: Path = Path(DEFAULT_STORE)
    window: Window = field(default_factory=Window)
    judge: JudgeChoice = field(default_factory=JudgeChoice)
    settings: Settings = field(default_factory=Settings)
    selected: Selection = EVERYTHING
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    mapping: HouseMapping = NO_MAPPING
    """What the house says of its own names."""
    config: ConfigInfo | None = None
    """The file that the plan was made by, as run.json keeps it."""
    k: int = 5
    """Cutoff of `precision_at_k`."""
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a run came to, counted while it runs."""

    traces: int = 0
    spans: int = 0
    starts: list[int] = field(default_factory=list)
    """When the first and the last turn of the input starts, wanted or not; empty without any."""
    found: int = 0
    """Conversations with a turn that is wanted, before any sample and limit."""
    conversations: int = 0
    questions: Counts = field(default_factory=Counts)
    fates: list[tuple[int, str, str | None]] = field(default_factory=list)
    """Per turn: number of its conversation, outcome, root stage."""
    flagged: int = 0
    """Verdicts whose texts address their judge."""
    versions: dict[str, set[str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    judge: Judge | None = None
    salvages: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What the judge found that a user should know."""
    unknown: tuple[Unknown, ...] = ()
    """Values of filters that no turn of the input carries."""

    @property
    def turns(self) -> int:
        """Turns of the run."""
        return len(self.fates)

    @property
    def outcomes(self) -> Counter[str]:
        """Turns by outcome."""
        return Counter(outcome for _, outcome, _ in self.fates)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add the time spent inside to a step."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] = self.seconds.get(step, 0.0) + time.perf_counter() - start
