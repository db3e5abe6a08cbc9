"""`replay`: a run as one call, from sources on disk to a finished run in the store.

from analysis import replay
run = replay(["traces/"], store=".stagefault").run
run.turns()
"""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import numpy as np

from analysis.breakdown.rates import Base
from analysis.estimating import Estimator
from analysis.judges import AGREEMENT
from analysis.judging import Ask
from analysis.pipeline import preview_plan, run_plan
from analysis.plan import Notify, Plan, Tally, silent
from analysis.reading import Read
from analysis.run import Run, load_run
from analysis.run_folders import DEFAULT_STORE, RUNS_FOLDER
from analysis.stamping import stamped
from analysis.tables import SCHEMA_VERSION, RunInfo, RunWriter
from analysis.tables.run_info import JudgeInfo, RateInfo, records_info
from analysis.window import iso
from ingest.errors import StoreError
from judge.ledger import Ledger
from judge.question import Judge, QuestionKind

TECHNICAL_SHARE: Final = 0.02
"""More technical failures than this, and the judge counts as failed."""

_ROOTS = ("routing", "retrieval", "generation", "undetermined")
_KINDS: tuple[QuestionKind, ...] = (
    "routing",
    "relevance",
    "support",
    "answer",
    "statements",
    "probe",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A finished run and what went wrong on the way."""

    run: Run
    read: Read
    tally: Tally = field(repr=False)

    @property
    def no_turn(self) -> bool:
        """The input held no turn of the window."""
        return self.tally.turns == 0

    @property
    def lost_records(self) -> bool:
        """Records were rejected, or a stream was cut."""
        return self.read.counts.rejected > 0

    @property
    def judge_failed(self) -> bool:
        """More than 2 % of the questions failed technically."""
        questions = self.tally.questions
        return questions.technical > TECHNICAL_SHARE * questions.total

    @property
    def over_budget(self) -> bool:
        """The run stopped asking at the most it may cost."""
        return self.tally.questions.unjudged["over_budget"] > 0

    @property
    def salvaged(self) -> bool:
        """The store was damaged and repaired."""
        return bool(self.tally.salvages)


def replay(
    sources: Iterable[str | Path],
    *,
    store: str | Path = DEFAULT_STORE,
    plan: Plan | None = None,
    now: datetime | None = None,
    notify: Notify = silent,
) -> Replayed:
    """Read traces, judge every turn once, and write a run.

    Args:
        sources: Files, folders, globs, or `-`.
        store: Folder of verdicts and runs; made when it is not there.
        plan: Window, filters, judge and profile; its sources and store are ignored.
        now: Time the run is stamped with; None: that of `SOURCE_DATE_EPOCH`, else the clock.
        notify: Told how far each step is.

    Raises:
        StagefaultError: A source, the store or the judge cannot be used; what was judged so
            far is stored, and a second call goes on from there.
    """
    folder = Path(store)
    full = dataclasses.replace(
        plan or Plan(sources=()), sources=tuple(map(str, sources)), store=folder
    )
    created, run_id = stamped(folder / RUNS_FOLDER, now)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            str(folder), f"cannot be made ({error.strerror})", "Choose another --store."
        ) from None
    tally = Tally()
    with RunWriter(folder / RUNS_FOLDER / run_id) as writer:
        read = run_plan(full, writer, tally, notify)
        path = writer.close(_info(full, run_id, created, read, tally))
    return Replayed(run=load_run(str(path), folder), read=read, tally=tally)


def preview(
    sources: Iterable[str | Path],
    *,
    store: str | Path = DEFAULT_STORE,
    plan: Plan,
    show: int = 0,
    notify: Notify = silent,
) -> Estimator:
    """Find out what a run would ask, cost and send; ask and write nothing but an empty store.

    Args:
        sources: Files, folders, globs, or `-`.
        store: Folder of verdicts.
        plan: As for `replay`; its judge is offline.
        show: Requests to keep for a look.
        notify: Told how far each step is.
    """
    folder = Path(store)
    full = dataclasses.replace(plan, sources=tuple(map(str, sources)), store=folder)
    made: list[Estimator] = []

    def ask_of(judge: Judge, ledger: Ledger) -> Ask:
        made.append(Estimator(judge, ledger, probes=plan.settings.probes, show=show))
        return made[0].ask

    preview_plan(full, ask_of, notify)
    return made[0]


def _info(plan: Plan, run_id: str, created: datetime, read: Read, tally: Tally) -> RunInfo:
    since, until = plan.window.since_ns, plan.window.until_ns
    questions = tally.questions
    versions = {name: ", ".join(sorted(values)) for name, values in tally.versions.items()}
    return RunInfo(
        schema_version=SCHEMA_VERSION,
        tool_version=version("stagefault"),
        run_id=run_id,
        created=created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        window={
            "since": None if since is None else iso(since),
            "until": None if until is None else iso(until),
        },
        selection={
            "filters": {name: choice.typed for name, choice in plan.selected.choices.items()},
            "sample": plan.sampling.typed,
            "limit": plan.sampling.limit,
            "seed": None if plan.sampling.typed is None else plan.sampling.seed,
            "found": tally.found,
        },
        sources=[
            {"path": source.path, "bytes": source.bytes, "sha256": source.sha256}
            for source in read.sources
        ],
        skipped_files=[
            {"path": skipped.path, "reason": skipped.reason} for skipped in read.skipped_files
        ],
        judge=_judge_info(tally.judge, plan),
        embeddings=_embeddings(plan),
        profile={
            "name": "default",
            "tuned": False,
            "citations": plan.settings.citing,
            "probes": plan.settings.probes,
            "templates": plan.settings.templates,
            "k": plan.k,
        },
        config=plan.config or {"file": None, "sha256": None, "mapping": None},
        limits=dataclasses.asdict(plan.limits),
        records=records_info(read.counts),
        passed_over={
            "other_signals": sum(source.passed_over for source in read.sources),
            "empty": sum(source.empty for source in read.sources),
        },
        spans=tally.spans,
        traces=tally.traces,
        conversations=tally.conversations,
        turns=tally.turns,
        outcomes={
            "passed": tally.outcomes["passed"],
            "failed": tally.outcomes["failed"],
            "not_judged": tally.outcomes["not_judged"],
        },
        root_stages=_roots(tally),
        rates=_rates(tally),
        questions={
            "asked": questions.asked,
            "from_store": questions.from_store,
            "unjudged": questions.unjudged.total(),
        },
        flagged=tally.flagged,
        tokens={"input": questions.input_tokens, "output": questions.output_tokens},
        cost_usd=None if questions.unpriced else questions.cost_usd,
        versions={**versions, **plan.versions},
        timings={step: round(seconds, 3) for step, seconds in tally.seconds.items()},
        status="complete",
    )


def _judge_info(judge: Judge | None, plan: Plan) -> JudgeInfo:
    if judge is None:
        return {}
    identity = judge.identity
    return JudgeInfo(
        provider=identity.provider,
        model=identity.model,
        params=dict(identity.params),
        prompts={kind: judge.prompt_version(kind) for kind in (*_KINDS, *_on_request(plan))},
        agreement=AGREEMENT[plan.judge.name],
    )


def _on_request(plan: Plan) -> Iterator[QuestionKind]:
    """Yield the questions of the run that are asked only where somebody wants them."""
    settings = plan.settings
    yield from sorted(settings.requested - {*_KINDS})
    if settings.criteria:
        yield "criterion"


def _embeddings(plan: Plan) -> str | None:
    """Return the model by which questions were compared; None where none were."""
    settings = plan.settings
    return settings.likeness.name if "questions" in settings.requested else None


def _roots(tally: Tally) -> dict[str, int]:
    found = Counter(root for _, _, root in tally.fates if root is not None)
    return {root: found[root] for root in _ROOTS}


def _rates(tally: Tally) -> dict[str, RateInfo]:
    """Return the shares of failed turns, and of each root, among the judged turns."""
    judged = [fate for fate in tally.fates if fate[1] != "not_judged"]
    base = Base(np.array([number for number, _, _ in judged], dtype=np.int64))
    found = {"failed": [outcome == "failed" for _, outcome, _ in judged]}
    found |= {root: [own == root for _, _, own in judged] for root in _ROOTS}
    rates: dict[str, RateInfo] = {}
    for name, hits in found.items():
        rate = base.rate(np.array(hits, dtype=np.bool_))
        rates[name] = {
            "value": rate.value,
            "low": rate.low,
            "high": rate.high,
            "hits": rate.hits,
            "n": rate.n,
        }
    return rates
