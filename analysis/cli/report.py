"""`stagefault report`: the breakdown of a finished run, in any format, without any call."""

from pathlib import Path
from typing import Any

import click

from analysis.cli.exit_codes import READING
from analysis.cli.group import Command
from analysis.cli.opening import check_filters, opened, turns_exit
from analysis.cli.options import (
    FILTERS,
    by_option,
    color_option,
    filter_options,
    json_option,
    output_option,
    page_options,
    root_options,
    run_option,
    store_option,
)
from analysis.cli.output import check_outputs, color, width, write_reports
from analysis.cli.windowing import window_of, window_options

FORMS = {"text": "text", "md": "markdown", "json": "json", "html": "html"}
"""What `--format` may be, and the rendering that it names."""


@click.command(cls=Command, exits=READING, short_help="The breakdown of a run, in any format.")
@run_option
@store_option
@click.option("--vs", metavar="PATH|ID", help="Say what changed since this earlier run.")
@click.option(
    "--across-judges", is_flag=True, help="Compare although the runs were judged differently."
)
@window_options
@filter_options
@root_options
@by_option
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="text",
    help="What to print on stdout: text (the default), md for a comment or a job summary, json, "
    "html.",
)
@output_option
@page_options
@click.option(
    "--redact",
    is_flag=True,
    help="Reports show the length of every recorded text instead of it.",
)
@json_option
@click.option(
    "-q", "--quiet", is_flag=True, help="Leave out what -o tells on stderr: files, and their sizes."
)
@color_option
def report(**options: Any) -> int:
    """Print what came of a run that replay made, or write it to files. Asks no judge.

    \b
        stagefault report --by collection,language
        stagefault report --stage retrieval --agent billing --since 2d
        stagefault report --format md >> "$GITHUB_STEP_SUMMARY"
        stagefault report -o week.html -o week.md
        stagefault report --vs RUN --redact -o shared/

    With -o nothing is printed but what --format or --json asks for. What a word of the report
    means, stagefault explain WORD tells.
    """
    from analysis.breakdown import selection_of
    from analysis.report.html import PageOptions, render_html
    from analysis.report.html.redaction import report_without_texts
    from analysis.report.model import report_of
    from analysis.report.renderers import RENDERERS
    from analysis.report.text import render_text
    from analysis.run import load_run

    pages = PageOptions(
        layout=options["layout"], bodies=not options["no_bodies"], redact=options["redact"]
    )
    check_outputs(
        options["outputs"], pages.layout, taken=options["as_json"] or options["form"] != "text"
    )
    store: Path = options["store"]
    run = opened(options["run_name"], store)
    filters = selection_of(**{name: options[name] for name in (*FILTERS, "stage", "kind")})
    selected = filters.within(window_of(options))
    check_filters(run, selected)
    made = report_of(
        run,
        by=options["by"],
        selected=selected,
        vs=load_run(options["vs"], store) if options["vs"] else None,
        across_judges=options["across_judges"],
    )
    if not pages.texts:
        made = report_without_texts(made)
    write_reports(options["outputs"], run, made, pages, quiet=options["quiet"])
    form = FORMS["json" if options["as_json"] else options["form"]]
    asked = click.get_current_context().get_parameter_source("form")
    if form == "html":
        click.echo(render_html(run, made, pages), nl=False)
    elif form != "text":
        click.echo(RENDERERS[form](made), nl=False)
    elif not options["outputs"] or asked is click.core.ParameterSource.COMMANDLINE:
        colored = color(no_color=options["no_color"])
        click.echo(render_text(made, color=colored, width=width()), nl=False)
    return turns_exit(run, selected)
