"""`stagefault show`: drill down on one conversation or turn, or list what failed."""

from pathlib import Path
from typing import Any

import click

from analysis.cli import clock
from analysis.cli.group import Command
from analysis.cli.options import (
    FILTERS,
    color_option,
    filter_options,
    json_option,
    run_option,
    store_option,
)
from analysis.cli.output import color
from ingest.errors import UsageError


@click.command(cls=Command)
@click.argument("name", required=False, metavar="[CONVERSATION[/TURN]]")
@click.option("--failed", is_flag=True, help="List the turns that failed.")
@run_option
@store_option
@filter_options
@click.option("--kind", multiple=True, metavar="KIND", help="Only this root kind; repeatable.")
@click.option(
    "--stage",
    multiple=True,
    type=click.Choice(["routing", "retrieval", "generation", "undetermined"]),
    help="Only this root stage; repeatable.",
)
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="List at most so many."
)
@click.option("--spans", is_flag=True, help="Show the spans of the turn as a waterfall.")
@click.option("--since", metavar="WHEN", help="--failed: only turns from then on.")
@click.option("--until", metavar="WHEN", help="--failed: only turns before then.")
@json_option
@color_option
def show(**options: Any) -> None:
    """Show what happened in one CONVERSATION or TURN, and which stage broke it.

    \b
        stagefault show 7f3a91c2/3
        stagefault show --failed --kind routing.wrong_collection
    """
    from analysis.breakdown import selection_of
    from analysis.run import load_run
    from analysis.show import show as show_one
    from analysis.show import show_json, show_turns, show_turns_json
    from analysis.window import resolve_window

    store: Path = options["store"]
    name: str | None = options["name"]
    if (name is None) is not options["failed"]:
        raise UsageError(
            "show", "one of CONVERSATION and --failed is needed", "Try: stagefault show --failed"
        )
    run = load_run(options["run_name"], store)
    colored = color(no_color=options["no_color"])
    if name is not None:
        text = (
            show_json(run, name)
            if options["as_json"]
            else show_one(run, name, spans=options["spans"], color=colored)
        )
    else:
        names = (*FILTERS, "kind", "stage")
        selected = selection_of(outcome="failed", **{key: options[key] for key in names})
        window = resolve_window(options["since"], options["until"], now_ns=clock.now_ns())
        if options["as_json"]:
            text = show_turns_json(run, selected, window=window)
        else:
            limit = options["limit"]
            text = show_turns(run, selected, limit=limit, window=window, color=colored)
    click.echo(text, nl=False)
