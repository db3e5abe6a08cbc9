"""Opening the run that a command is to read, and what to say about it on stderr."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from analysis.cli.exit_codes import Exit
from analysis.report.terminal import safe
from ingest.errors import UsageError

if TYPE_CHECKING:
    from analysis.breakdown import Selection
    from analysis.run import Run

_NAMED = 3


def opened(name: str, store: Path) -> "Run":
    """Open a run, and say which newer or damaged ones were passed over for it.

    Raises:
        UsageError: There is no such run.
        StoreError: It cannot be read.
    """
    from analysis.run import LATEST, latest_run, load_run
    from analysis.run_folders import run_folders

    if name != LATEST:
        return load_run(name, store)
    found = run_folders(store)
    run = latest_run(found, store)
    for error in found.damaged[-_NAMED:]:
        _tell(f"warning: {error}")
    if len(found.damaged) > _NAMED:
        _tell(f"warning: {len(found.damaged):,} damaged runs in {store}; stagefault runs list")
    passed_over = list(found.newer_but_empty)
    if passed_over:
        ids = ", ".join(one.info["run_id"] for one in passed_over[:_NAMED])
        more = len(passed_over) - _NAMED
        rest = f" and {more:,} more" if more > 0 else ""
        _tell(f"note: {ids}{rest} found no turn; shown is run {run.run_id}, the last that did.")
    return run


def holds_turns(run: "Run") -> bool:
    """Tell whether there is anything to report on; say so on stderr if not."""
    if run.info.get("turns") != 0:
        return True
    _tell(
        f"error: run {run.run_id}: holds no turn. Try stagefault doctor on its sources, or "
        "replay with a wider window and fewer filters."
    )
    return False


def turns_exit(run: "Run", selected: "Selection | None" = None) -> Exit:
    """Return the exit code of a command that read this run, or of it what a selection admits.

    What holds no turn is named on stderr, with when the turns of the run are.
    """
    if not holds_turns(run):
        return Exit.NO_TURN
    missed = nothing_selected(run, selected) if selected else None
    if missed is None:
        return Exit.DONE
    _tell(f"error: {missed}")
    return Exit.NO_TURN


def nothing_selected(run: "Run", selected: "Selection") -> str | None:
    """Return why a selection admits no turn of a run, and what would; None where it admits one.

    Outcome, root stage and root kind do not count: that nothing failed is a result.
    """
    import numpy as np

    from analysis.breakdown import EVERYTHING, selection_of
    from analysis.breakdown.admission import admitted
    from analysis.breakdown.facts import TURN_COLUMNS
    from analysis.cli.options import FILTERS
    from analysis.report.run_facts import moments, window_text
    from analysis.report.wording import joined

    turns = run.table("turns", TURN_COLUMNS)
    bounds = selected.bounds
    told = window_text(bounds.get("since"), bounds.get("until"))
    within = {0: "", 1: f" {told.replace('until', 'before')}", 2: f" in {told}"}[len(bounds)]
    kept = {name: selected[name].typed for name in FILTERS if selected[name]}
    if np.any(admitted(turns, selection_of(**kept).within(selected.window))):
        return None
    if bounds and not np.any(admitted(turns, EVERYTHING.within(selected.window))):
        known = moments(turns.column("started_at").cast("int64").to_pylist())
        have = f"Its turns start {known}." if known else "Its turns have no time."
        options = "/".join(f"--{name}" for name in bounds)
        return f"{options}: no turn of run {run.run_id} starts{within}. {have}"
    typed = joined([f"{name}={','.join(values)}" for name, values in kept.items()])
    together = " together" if len(kept) > 1 else ""
    remedy = "Leave one of them out." if len(kept) > 1 or bounds else "Leave it out."
    return f"run {run.run_id}: no turn{within} has {typed}{together}. {remedy}"


def check_filters(run: "Run", selected: "Selection") -> None:
    """Refuse filters on values that no turn of a run carries.

    One that only leaves something out is named on stderr: the result is what was asked for.

    Raises:
        UsageError: A wanted value is unknown.
    """
    from analysis.breakdown.facts import TURN_COLUMNS
    from analysis.breakdown.vocabulary import unknown_in

    if not selected or run.info.get("turns") == 0:
        return
    for unknown in unknown_in(selected, run.table("turns", TURN_COLUMNS)):
        problem = f"{unknown.problem} in run {run.run_id}"
        if not unknown.refused:
            raise UsageError(f"--{unknown.name}", problem, unknown.remedy)
        _tell(f"warning: --{unknown.name} !{unknown.value}: {problem}. {unknown.remedy}")


def _tell(text: str) -> None:
    click.echo(safe(text), err=True)
