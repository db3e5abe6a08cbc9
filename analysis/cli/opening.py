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


def turns_exit(run: "Run") -> Exit:
    """Return the exit code of a command that read this run."""
    return Exit.DONE if holds_turns(run) else Exit.NO_TURN


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
