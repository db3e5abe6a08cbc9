"""`stagefault runs`: what the store holds."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec
from rich.cells import cell_len

from analysis.cli.group import Command
from analysis.cli.opening import opened
from analysis.cli.options import json_option, store_option
from analysis.cli.output import width
from analysis.report.layout import hanging
from analysis.report.numbers import counted
from analysis.report.terminal import safe, safe_json, safe_line
from ingest.errors import StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.gates.shipped import Shipped
    from analysis.run_folders import RunFolder, RunFolders

_SHOWN: Final = ("run_id", "created", "window", "selection", "turns", "outcomes")


@click.group(short_help="What the store holds, and what was shipped.")
def runs() -> None:
    """List the runs of a store with what was shipped of them, and note what is shipped."""


@runs.command("list", cls=Command)
@store_option
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="List at most so many runs; --json lists all.",
)
@json_option
def list_command(store: Path, limit: int, as_json: bool) -> None:
    """List the finished runs, newest first, and say which were shipped, when and by whom.

    \b
        stagefault runs list
    """
    from analysis.gates.shipped import shipped_runs
    from analysis.run_folders import run_folders

    found = run_folders(store)
    problems = list(found.damaged)
    shipped: tuple[Shipped, ...] | None = None
    try:
        shipped = shipped_runs(store)
    except StoreError as error:
        problems.append(error)
    if as_json:
        click.echo(safe_json(_as_json(found, shipped)))
    else:
        listed = found.finished[:limit]
        told = [_told(run, shipped or (), latest=run is found.latest) for run in listed]
        for line in _lines(told, width()):
            click.echo(line)
        if len(listed) < len(found.finished):
            click.echo(f"shown {len(listed):,} of {counted(len(found.finished), 'run')}")
    failed = problems.pop() if problems and (shipped is None or not found.finished) else None
    for problem in problems:
        click.echo(safe(f"warning: {problem}"), err=True)
    if failed is not None:
        raise failed
    if not found.finished:
        click.echo(safe(f"note: no run in {store}; run stagefault replay first."), err=True)


def _as_json(found: "RunFolders", shipped: "Sequence[Shipped] | None") -> dict[str, Any]:
    return {
        "schema_version": 1,
        "runs": [{key: run.info.get(key) for key in _SHOWN} for run in found.finished],
        "latest": found.latest.info["run_id"] if found.latest else None,
        "shipped": msgspec.to_builtins(shipped),
        "damaged": [{"path": error.place, "problem": error.problem} for error in found.damaged],
    }


def _told(run: "RunFolder", shipped: "Sequence[Shipped]", *, latest: bool) -> list[str]:
    """Return the run's id, when it was made, what it found, and what it is beyond that."""
    info = run.info
    told = [info["run_id"], info.get("created", "no time"), _outcomes(run)]
    if latest:
        told.append("(latest)")
    signed = [one for one in shipped if one.run_id == info["run_id"]]
    if signed:
        told.append(f"(shipped {signed[-1].at}, signed {signed[-1].signed})")
    return [safe_line(one) for one in told]


def _outcomes(run: "RunFolder") -> str:
    outcomes = run.info.get("outcomes")
    if run.is_empty:
        return "no turn"
    if outcomes is None:
        return "outcomes unknown"
    return (
        f"{counted(run.info.get('turns', 0), 'turn')}, {outcomes['failed']:,} failed, "
        f"{outcomes['not_judged']:,} not judged"
    )


def _lines(runs: "Sequence[Sequence[str]]", room: int) -> "Iterator[str]":
    """Yield a run a line; where one has no room, every id stands above what is told of it."""
    lines = [" ".join(told) for told in runs]
    if all(cell_len(line) <= room for line in lines):
        yield from lines
        return
    for run_id, *told in runs:
        yield from hanging("", run_id, room, whole=[run_id])
        yield from hanging("  ", " · ".join(told), room)


@runs.command("ship", cls=Command)
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--signed", required=True, metavar="'NAME, ROLE'", help="Who answers for it.")
@store_option
@json_option
def ship_command(name: str, signed: str, store: Path, as_json: bool) -> None:
    """Note that the agent was shipped as RUN found it; `check --vs shipped` compares with it.

    \b
        stagefault runs ship latest --signed "Ada Lovelace, release manager"
    """
    from analysis.gates import ship

    if not signed.strip():
        raise UsageError("--signed", "names nobody", "Write a name and a role.")
    shipped = ship(store, opened(name, store).run_id, signed.strip())
    if as_json:
        click.echo(safe_json({"schema_version": 1, **msgspec.to_builtins(shipped)}))
    else:
        click.echo(safe_line(f"{shipped.run_id} shipped {shipped.at}, signed {shipped.signed}"))
