"""`stagefault doctor`: what was recognised in a source, before any judging."""

from typing import Any

import click
from rich.cells import cell_len

from analysis.cli import clock
from analysis.cli.configured import ConfigOption, in_force, is_bare, limits_option, reading_plan
from analysis.cli.exit_codes import Exit, first_of
from analysis.cli.group import Command
from analysis.cli.options import json_option
from analysis.cli.output import width
from analysis.report.terminal import safe, safe_json
from ingest.errors import UsageError


class _Doctor(Command):
    """Its `--config` may stand alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["params"] = [*kwargs.get("params", ()), ConfigOption(may_be_bare=True)]
        super().__init__(*args, **kwargs)


@click.command(cls=_Doctor)
@click.argument("sources", nargs=-1, metavar="SRC...")
@click.option(
    "--explain",
    metavar="SPAN",
    help="Say of one span which convention, rule and key told each fact of it and of its turn; "
    "SPAN is how its id begins, or TRACE/SPAN.",
)
@json_option
@click.option("--allow-losses", is_flag=True, help="Exit 0 although records were rejected.")
@limits_option
@click.pass_context
def doctor(context: click.Context, /, **options: Any) -> int:
    """Say what was recognised in SRC: formats, conventions, and what each turn tells.

    Nothing is judged or written.

    \b
        stagefault doctor traces/
        stagefault doctor traces/ --explain 7f3a91c2
        stagefault doctor --config
    """
    if is_bare(context) or not options["sources"]:
        return _configuration(context, as_json=options["as_json"])
    plan = reading_plan(options)
    if options["explain"] is not None:
        return _explanation(options, plan)
    from analysis.cli.doctor_json import as_json
    from analysis.cli.doctor_text import lines
    from analysis.diagnosis.examination import examine

    found, read = examine(
        options["sources"], plan["limits"], plan["mapping"], now_ns=clock.now_ns()
    )
    if options["as_json"]:
        click.echo(safe_json(as_json(found, read)))
    else:
        for line in lines(found, read, width()):
            click.echo(safe(line))
    applying = [Exit.NO_TURN] if not found.turns else []
    if read.counts.rejected and not options["allow_losses"]:
        applying.append(Exit.LOSSES)
    return first_of(applying)


def _configuration(context: click.Context, *, as_json: bool) -> int:
    """Print every value that is in force and where it comes from."""
    named = context.get_parameter_source("config") is click.core.ParameterSource.COMMANDLINE
    if not named:
        problem = "no SRC is named"
        raise UsageError("doctor", problem, "Name a file or folder, or ask with --config alone.")
    from analysis.report.layout import hanging, safe_line_keeping_ends

    values = list(in_force(context))
    if as_json:
        told = [{"name": name, "value": value, "origin": origin} for name, value, origin in values]
        click.echo(safe_json({"schema_version": 1, "values": told}))
        return Exit.DONE
    longest = max(len(name) for name, _, _ in values)
    for name, value, origin in values:
        first, text = f"{name:<{longest}}  ", f"{value}  ({origin})"
        if cell_len(safe_line_keeping_ends(first + text)) <= width():
            click.echo(safe_line_keeping_ends(first + text))
            continue
        if len(first) > width() // 2:
            click.echo(safe(name))
            first = "    "
        paths = [part for part in (origin, *value.split(", ")) if "/" in part]
        for line in hanging(first, text, width(), whole=paths):
            click.echo(safe(line))
    return Exit.DONE


def _explanation(options: dict[str, Any], plan: dict[str, Any]) -> int:
    from analysis.cli.doctor_explain import explanation_json, explanation_lines
    from analysis.diagnosis.explaining import explain

    found = explain(options["sources"], options["explain"], plan["limits"], plan["mapping"])
    if options["as_json"]:
        click.echo(safe_json(explanation_json(found)))
    else:
        for line in explanation_lines(found, width()):
            click.echo(safe(line))
    return Exit.DONE
