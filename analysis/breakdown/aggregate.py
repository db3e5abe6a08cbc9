"""From the tables of a run to its breakdown: counting only."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from analysis.attribution.kinds import KINDS, RootStage
from analysis.breakdown.facts import Facts, facts_of
from analysis.breakdown.faults import beside_rows, found_in, latent_rows, path_rows
from analysis.breakdown.metric_rows import metric_rows
from analysis.breakdown.model import (
    Breakdown,
    Dimension,
    KindRow,
    ReasonCount,
    StageRow,
    counted_reasons,
)
from analysis.breakdown.rates import Base
from analysis.breakdown.roots import ROOT_STAGES, UNTOLD, ordered_kinds
from analysis.breakdown.segments import segmentation
from analysis.breakdown.selection import EVERYTHING, Selection


def breakdown_of(
    turns: pa.Table,
    findings: pa.Table,
    metrics: Iterable[pa.RecordBatch],
    *,
    by: Iterable[Dimension] = (),
    selected: Selection = EVERYTHING,
) -> Breakdown:
    """Return the aggregate of a run.

    Args:
        turns: The `turns` table, with at least `facts.TURN_COLUMNS`.
        findings: The `findings` table, with at least `faults.FINDING_COLUMNS`.
        metrics: The `metrics` table in batches; empty leaves the metrics out.
        by: Dimensions to cut the turns by.
        selected: Which turns count, and which of their failures: with a filter on stage or
            kind, everything that is not of these roots is left out, metrics included.
    """
    facts = facts_of(turns, selected)
    found = found_in(facts, findings)
    base = Base(facts.conversation[facts.judged])
    days = segmentation(facts, "day")
    stages = tuple(_stage_rows(facts, base, selected))
    shown = {row.stage for row in stages}
    return Breakdown(
        turns=len(facts),
        conversations=len(set(facts.conversation.tolist())),
        passed=facts.outcomes.count("passed"),
        failed=base.rate(facts.failed[facts.judged]),
        inherited=int((facts.failed & facts.inherited).sum()),
        not_judged=_reasons(facts, "not_judged", UNTOLD),
        stages=stages,
        notes=() if selected.on_roots else _reasons(facts, "passed", None),
        latent=latent_rows(facts, found, selected),
        beside=beside_rows(facts, found),
        paths=path_rows(facts, found),
        metrics=tuple(
            row
            for row in metric_rows(facts, found, metrics)
            if row.stage in shown or not selected.on_roots
        ),
        segmentations=tuple(segmentation(facts, one) for one in dict.fromkeys(by)),
        trend=days if any(day.name for day in days.segments) else None,
        filters=str(selected),
        roots=selected.on_roots,
    )


def _reasons(facts: Facts, outcome: str, unnamed: str | None) -> tuple[ReasonCount, ...]:
    reasons = (
        reason or unnamed
        for reason, one in zip(facts.reasons, facts.outcomes, strict=True)
        if one == outcome
    )
    return counted_reasons(reason for reason in reasons if reason)


def _stage_rows(facts: Facts, base: Base, selected: Selection) -> Iterator[StageRow]:
    for stage in ROOT_STAGES:
        kinds = {root[1] for root in facts.roots if root and root[0] == stage}
        known = kinds.union(() if stage == "undetermined" else KINDS[stage])
        if selected.on_roots and not any(selected.admits_root(stage, kind) for kind in known):
            continue
        mask = facts.where(stage)
        yield StageRow(
            stage=stage,
            rate=base.rate(mask[facts.judged]),
            inherited=int((mask & facts.inherited).sum()),
            kinds=tuple(
                _kind_row(facts, base, stage, kind) for kind in ordered_kinds(stage, kinds)
            ),
        )


def _kind_row(facts: Facts, base: Base, stage: RootStage, kind: str) -> KindRow:
    mask = facts.where(stage, kind)
    return KindRow(
        kind=kind,
        rate=base.rate(mask[facts.judged]),
        inherited=int((mask & facts.inherited).sum()),
    )
