"""`stagefault runs`: what the store holds."""

import json
from pathlib import Path

import click

from analysis.cli.group import Command
from analysis.cli.options import json_option, store_option
from analysis.report.terminal import safe_line


@click.group()
def runs() -> None:
    """List the runs of a store."""


@runs.command("list", cls=Command)
@store_option
@json_option
def list_command(store: Path, as_json: bool) -> None:
    """List the finished runs, newest first.

    \b
        stagefault runs list
    """
    from analysis.run import list_runs

    found = list_runs(store)
    if as_json:
        rows = [
            {key: run.info.get(key) for key in ("run_id", "created", "window", "turns", "outcomes")}
            for run in found
        ]
        click.echo(json.dumps({"schema_version": 1, "runs": rows}, ensure_ascii=False))
        return
    for run in found:
        outcomes = run.info["outcomes"]
        line = (
            f"{run.run_id}  {run.info['created']}  {run.info['turns']:,} turns, "
            f"{outcomes['failed']:,} failed, {outcomes['not_judged']:,} not judged"
        )
        click.echo(safe_line(line))
    if not found:
        click.echo(f"no run in {store}; run stagefault replay first", err=True)
