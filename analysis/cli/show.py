"""`stagefault show`: drill down on one conversation or turn, or list what failed."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.exit_codes import READING
from analysis.cli.group import Command
from analysis.cli.opening import check_filters, opened, turns_exit
from analysis.cli.options import (
    FILTERS,
    color_option,
    filter_options,
    json_option,
    root_options,
    run_option,
    store_option,
)
from analysis.cli.output import color, width
from analysis.cli.windowing import window_of, window_options
from ingest.errors import UsageError

if TYPE_CHECKING:
    from analysis.breakdown import Selection


@click.command(
    cls=Command, exits=READING, short_help="One conversation or turn, or all that failed."
)
@click.argument("name", required=False, metavar="[CONVERSATION[/TURN]]")
@click.option("--failed", is_flag=True, help="List the turns that failed, instead of one.")
@run_option
@store_option
@filter_options
@root_options
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="List at most so many turns; --json lists all.",
)
@click.option("--spans", is_flag=True, help="Also show when each span of the turn ran.")
@click.option("--open", "opens", is_flag=True, help="Open its page in a browser as well.")
@window_options
@json_option
@color_option
@click.pass_context
def show(context: click.Context, /, **options: Any) -> int:
    """Show what happened in one CONVERSATION or TURN, and which stage broke it.

    \b
        stagefault show 7f3a91c2/3                one turn, stage by stage
        stagefault show 7f3a91c2                  its conversation, and the first that failed
        stagefault show --failed                  what failed, newest first, with its names
        stagefault show --failed --kind routing.wrong_collection --since 2d

    CONVERSATION is the id of one, or how only one begins, from four characters on; TURN is
    its number, from 1. What is listed under Which turns belongs to --failed. What a word such
    as misfounded or latent means, stagefault explain WORD tells.
    """
    from analysis.breakdown import selection_of
    from analysis.show import page_of, show_json, show_turns, show_turns_json
    from analysis.show import show as show_one

    store: Path = options["store"]
    name: str | None = options["name"]
    _check_meant(context, name, failed=options["failed"])
    run = opened(options["run_name"], store)
    wanted: Selection | None = None
    colored = color(no_color=options["no_color"])
    if name is not None:
        text = (
            show_json(run, name)
            if options["as_json"]
            else show_one(run, name, spans=options["spans"], color=colored, width=width())
        )
    else:
        names = (*FILTERS, "stage", "kind")
        selected = selection_of(outcome="failed", **{key: options[key] for key in names})
        check_filters(run, selection_of(**{key: options[key] for key in names}))
        window = window_of(options)
        wanted = selected.within(window)
        if options["as_json"]:
            text = show_turns_json(run, selected, window=window)
        else:
            limit = options["limit"]
            text = show_turns(
                run, selected, limit=limit, window=window, color=colored, width=width()
            )
    click.echo(text, nl=False)
    if name is not None and options["opens"]:
        import webbrowser

        page = page_of(run, name)
        if not webbrowser.open(page):
            raise UsageError("--open", "there is no browser to open it with", f"Open {page}")
    return turns_exit(run, wanted)


def _check_meant(context: click.Context, name: str | None, *, failed: bool) -> None:
    """Refuse options that would be ignored.

    Raises:
        UsageError: Neither a conversation nor --failed, both, or an option of the other.
    """
    if name is None and not failed:
        raise UsageError(
            "show",
            "neither a conversation nor --failed is named",
            "stagefault show --failed lists what failed; stagefault show CONVERSATION opens one.",
        )
    if name is not None and failed:
        raise UsageError(
            "show",
            f"{name!r} and --failed do not go together",
            f"stagefault show {shlex.quote(name)} tells which of its turns failed; without "
            "a name, stagefault show --failed lists the failed turns of the run.",
        )
    of_lists = (*FILTERS, "stage", "kind", "limit", "since", "until", "tz")
    for option in of_lists if name is not None else ("spans", "opens"):
        if context.get_parameter_source(option) is click.core.ParameterSource.COMMANDLINE:
            raise UsageError(
                "--open" if option == "opens" else f"--{option}",
                "has no meaning for one conversation" if name else "has no meaning in a list",
                "It belongs to show --failed." if name else "It belongs to show CONVERSATION/TURN.",
            )
