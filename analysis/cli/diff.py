"""`stagefault diff`: what changed between two runs, turn by turn."""

from pathlib import Path
from typing import Any

import click

from analysis.cli.exit_codes import Exit
from analysis.cli.group import Command
from analysis.cli.opening import check_filters, opened
from analysis.cli.options import (
    FILTERS,
    color_option,
    filter_options,
    json_option,
    store_option,
)
from analysis.cli.output import color, width
from analysis.report.terminal import safe, safe_json


@click.command(cls=Command, short_help="What changed between two runs, turn by turn.")
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="[AFTER]", default="latest")
@store_option
@click.option(
    "--across-judges", is_flag=True, help="Compare although the runs were judged differently."
)
@filter_options
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Name so many turns that fail newly, and that no longer do; --json names all.",
)
@json_option
@color_option
def diff(**options: Any) -> int:
    """Say what changed from run BEFORE to run AFTER, over the turns that both hold.

    A run is an id, a path or latest. Turns pair by golden item, else by conversation, turn
    and question: replay the same traces in another way, or the same questions to a new
    agent. For two weeks of different traffic use report --vs.

    \b
        stagefault diff 20261123-090000-1a2b
        stagefault diff RUN latest --json
    """
    from analysis.breakdown import selection_of
    from analysis.difference import difference_of
    from analysis.report.difference import difference_json, render_difference

    store: Path = options["store"]
    before, after = opened(options["before"], store), opened(options["after"], store)
    selected = selection_of(**{name: options[name] for name in FILTERS})
    check_filters(after, selected)
    found = difference_of(before, after, selected=selected, across_judges=options["across_judges"])
    if options["as_json"]:
        click.echo(safe_json(difference_json(found)))
    else:
        colored = color(no_color=options["no_color"])
        text = render_difference(
            found, before, after, limit=options["limit"], color=colored, width=width()
        )
        click.echo(text, nl=False)
    if found.pairs:
        return Exit.DONE
    click.echo(
        safe(
            f"error: {before.run_id}, {after.run_id}: have no turn in common. "
            "stagefault report --vs compares runs of different traffic."
        ),
        err=True,
    )
    return Exit.NO_TURN
