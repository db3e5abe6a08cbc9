"""Holding a run against its gates."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from analysis.attribution.kinds import KINDS
from analysis.breakdown import Breakdown, Rate
from analysis.breakdown.model import MetricRow
from analysis.breakdown.roots import ROOT_STAGES
from analysis.gates.gate import Gate
from analysis.metrics import METRICS
from analysis.report.metric_wording import metric_base, metric_interval, metric_value
from analysis.report.numbers import (
    SCORE_PLACES,
    counted,
    percent,
    percent_interval,
    percent_places,
    points,
)
from analysis.run import Run
from analysis.suggesting import did_you_mean
from ingest.errors import UsageError

Verdict: TypeAlias = Literal["passed", "failed", "skipped"]
_EXAMPLES = 3
_MOST_PLACES = 15
"""Beyond it a float has no more digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One gate, held against a run."""

    gate: Gate
    verdict: Verdict
    told: str
    """The number with its interval and counts, or why there is none."""
    value: float | None = None
    examples: tuple[str, ...] = ()
    """Turns that count against it."""


def check_run(
    run: Run,
    gates: Iterable[Gate],
    earlier: Callable[[str], Run],
    *,
    across_judges: bool = False,
) -> tuple[Checked, ...]:
    """Return what became of each gate.

    Args:
        run: The run.
        gates: Limits.
        earlier: Opens the run that a gate on regressions names.
        across_judges: Compare although runs were not measured alike.

    Raises:
        UsageError: A gate names what no run measures, or a run that cannot be compared.
    """
    breakdown = run.breakdown()
    found = []
    for gate in gates:
        if gate.vs is not None:
            vs = earlier(gate.vs)
            if vs.run_id == run.run_id:
                told = f"run {run.run_id} is the one to compare with: nothing changed"
                found.append(Checked(gate=gate, verdict="passed", told=told))
                continue
            found.append(_regressions(gate, run.breakdown(vs=vs, across_judges=across_judges)))
            continue
        _check_known(gate, breakdown)
        metric = next((row for row in breakdown.metrics if _named(row) == gate.name), None)
        checked = _metric(gate, metric) if metric is not None else _rate(gate, breakdown)
        found.append(_with_examples(run, checked))
    return tuple(found)


def _named(row: MetricRow) -> str:
    return f"{row.stage}.{row.metric}"


def _check_known(gate: Gate, breakdown: Breakdown) -> None:
    known = ["failed", *_roots(breakdown), *map(_named, breakdown.metrics)]
    known += [f"{metric.stage}.{metric.name}" for metric in METRICS]
    if gate.name.removesuffix(".rate") in known:
        return
    named = "Name failed, a root stage, a root kind such as routing.wrong_tool, or a metric."
    remedy = did_you_mean(gate.name, known) or named
    raise UsageError(f"gate {gate.name}", "is nothing that a run measures", remedy)


def _roots(breakdown: Breakdown) -> Iterator[str]:
    yield from ROOT_STAGES
    yield from (f"{stage}.{kind}" for stage, kinds in KINDS.items() for kind in kinds)
    for kind in breakdown.stage("undetermined").kinds:
        yield f"undetermined.{kind.kind}"


def _rate(gate: Gate, breakdown: Breakdown) -> Checked:
    rate = _rate_of(gate.name.removesuffix(".rate"), breakdown)
    if rate is None:
        return Checked(gate=gate, verdict="skipped", told="not measured in this run")
    if rate.value is None:
        return Checked(gate=gate, verdict="skipped", told="no turn was judged")

    def tell(places: int | None, bound_places: int | None) -> str:
        return (
            f"{percent(rate.value, places)} "
            f"({percent_interval(rate.low, rate.high, bound_places)}), "
            f"{rate.hits:,} of {counted(rate.n, 'judged turn')}"
        )

    return _held(gate, (rate.value, rate.low, rate.high), tell, _PERCENT)


def _rate_of(name: str, breakdown: Breakdown) -> Rate | None:
    """Return the rate of a root; 0 of all judged turns for one that did not occur."""
    if name == "failed":
        return breakdown.failed
    for row in breakdown.stages:
        if row.stage == name:
            return row.rate
        for kind in row.kinds:
            if f"{row.stage}.{kind.kind}" == name:
                return kind.rate
    return Rate.of(0, breakdown.judged) if name in set(_roots(breakdown)) else None


def _metric(gate: Gate, row: MetricRow) -> Checked:
    summary = row.summary
    if summary.value is None:
        return Checked(gate=gate, verdict="skipped", told="no turn has a value")

    def tell(places: int | None, bound_places: int | None) -> str:
        interval = metric_interval(row, bound_places) or "no interval"
        return f"{metric_value(row, places)} ({interval}), {metric_base(row)}"

    of_share = _PERCENT if row.kind == "rate" else _SCORE
    scale = of_share if row.unit == "share" else _QUANTITY
    return _held(gate, (summary.value, summary.low, summary.high), tell, scale)


@dataclass(frozen=True, slots=True)
class _Scale:
    """How the numbers of a kind are printed."""

    factor: int
    places: Callable[[float], int]


_PERCENT = _Scale(100, percent_places)
_SCORE = _Scale(1, lambda _: SCORE_PLACES)
_QUANTITY = _Scale(1, lambda _: 0)


def _held(
    gate: Gate,
    numbers: tuple[float, float | None, float | None],
    tell: Callable[[int | None, int | None], str],
    scale: _Scale,
) -> Checked:
    """Hold a value, or one of its bounds, against the limit.

    Args:
        gate: With the limit.
        numbers: The value, its lower and its upper bound.
        tell: Words them, with so many decimals of the value and of the bounds (None: as usual).
        scale: How they are printed.
    """
    value, low, high = numbers
    number = {"point": value, "upper": high, "lower": low}[gate.confidence]
    if number is None:
        told = f"{tell(None, None)}: one conversation, or one value in all of them, has no bound"
        return Checked(gate=gate, verdict="skipped", told=told, value=value)
    verdict: Verdict = "passed" if gate.keeps(number) else "failed"
    if gate.confidence == "point":
        told = tell(_places(gate, number, number, scale), None)
    else:
        told = tell(None, _places(gate, number, number if high is None else high, scale))
    return Checked(gate=gate, verdict=verdict, told=told, value=value)


def _places(gate: Gate, number: float, largest: float, scale: _Scale) -> int | None:
    """Return the decimals without which a printed number contradicts its verdict.

    None where the usual ones do: 0.8974 is not told as 0.90 where at least 0.9 is asked for.
    """
    usual = scale.places(largest)
    for places in range(usual, _MOST_PLACES):
        shown = round(number * scale.factor, places) / scale.factor
        if gate.keeps(shown) == gate.keeps(number):
            return None if places == usual else places
    return _MOST_PLACES


def _regressions(gate: Gate, breakdown: Breakdown) -> Checked:
    comparison = breakdown.comparison
    if comparison is None or not comparison.cells_compared:
        notes = comparison.notes if comparison is not None else ()
        return Checked(gate=gate, verdict="skipped", told=" ".join(notes) or "nothing to compare")
    worse = [cell for cell in comparison.changed if (cell.change.difference or 0) > 0]
    told = f"{counted(comparison.cells_compared, 'rate')} compared with run {comparison.run_id}"
    if not worse:
        return Checked(gate=gate, verdict="passed", told=f"{told}, none clearly higher")
    names = [
        f"{cell.stage}{f'.{cell.kind}' if cell.kind else ''} "
        f"{points(cell.change.difference or 0)} points"
        for cell in worse
    ]
    return Checked(gate=gate, verdict="failed", told=f"{told}; higher: {', '.join(names)}")


def _with_examples(run: Run, checked: Checked) -> Checked:
    """Name failing turns of a gate on a root that did not hold."""
    stage, _, kind = checked.gate.name.removesuffix(".rate").partition(".")
    if checked.verdict != "failed":
        return checked
    where = {"outcome": ["failed"]}
    if stage != "failed":
        where["root_stage"] = [stage]
    rows = run.rows("turns", ("turn_id", "root_kind"), where)
    wanted = [row["turn_id"] for row in rows if not kind or row["root_kind"] == kind]
    return replace(checked, examples=tuple(wanted[:_EXAMPLES]))
