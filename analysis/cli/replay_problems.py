"""What `stagefault replay` says on stderr of an input: no turn, lost records, skipped files."""

from collections.abc import Iterator
from typing import Any

from analysis.report.numbers import counted

_SHOWN_LOSSES = 3


def problems(result: Any, *, verbose: bool) -> Iterator[str]:
    """Yield what a log should say beside the exit code: no turn, and the first losses, or all."""
    if result.no_turn:
        yield _no_turn(result)
    for unknown in result.tally.unknown:
        mark = "!" if unknown.refused else ""
        place = f"--{unknown.name} {mark}{unknown.value}"
        yield f"warning: {place}: {unknown.problem}. {unknown.remedy}"
    rejected = [loss for loss in result.read.losses if loss.outcome == "rejected"]
    for loss in rejected if verbose else rejected[:_SHOWN_LOSSES]:
        yield f"warning: {_placed(loss)}. The record is not loaded."
    if verbose:
        yield from _details(result)
    elif len(rejected) > _SHOWN_LOSSES:
        yield f"warning: {len(rejected):,} records rejected; all of them are in losses.parquet."


def _details(result: Any) -> Iterator[str]:
    """Yield what is no problem and may explain one."""
    for loss in result.read.losses:
        if loss.outcome != "rejected":
            yield f"note: {_placed(loss)}. The record is {loss.outcome}."
    for skipped in result.read.skipped_files:
        yield f"note: {skipped.path}: {skipped.reason}. The file is skipped."
    took = ", ".join(f"{step} {seconds:.1f} s" for step, seconds in result.tally.seconds.items())
    yield f"note: {took}."


def _placed(loss: Any) -> str:
    detail = f" ({loss.detail})" if loss.detail else ""
    return f"{loss.place}: {loss.reason}{detail}"


def _no_turn(result: Any) -> str:
    """Return what an input without any wanted turn lacks, and that nothing is hidden by it."""
    from analysis.report.run_facts import moments

    run = result.run
    kept = f"Kept as run {run.run_id}; latest passes it over where another run found turns."
    if not result.tally.traces:
        return (
            "error: no turn: the input holds no trace that can be read. Try stagefault doctor "
            f"on it. {kept}"
        )
    when = moments(result.tally.starts)
    told = f" The turns of the input start {when}." if when else ""
    return (
        f"error: no turn: none of {counted(result.tally.traces, 'trace')} has one that matches."
        f"{told} Widen the window and the filters, or try stagefault doctor on the input. {kept}"
    )
