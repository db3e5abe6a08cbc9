"""`stagefault replay`: from trace files to a judged run, and its breakdown."""

import dataclasses
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from analysis.cli.configured import limits_option, reading_plan
from analysis.cli.exit_codes import Exit, first_of
from analysis.cli.group import Command
from analysis.cli.judging import asked_on_request, judge_choice, judge_options
from analysis.cli.options import (
    FILTERS,
    by_option,
    color_option,
    filter_options,
    json_option,
    output_option,
    page_options,
    store_option,
)
from analysis.cli.output import check_outputs, color, width, write_reports
from analysis.cli.progress import Progress, progress_kind, progress_option
from analysis.cli.replay_problems import problems
from analysis.cli.spending import (
    confirmed,
    cost_line,
    egress_note,
    estimate_json,
    estimate_lines,
    may_spend,
)
from analysis.cli.windowing import window_of, window_options
from analysis.report.terminal import safe, safe_json
from ingest.errors import UsageError


@click.command("replay", cls=Command, exits=set(Exit) - {Exit.GATE_FAILED})
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@store_option
@window_options
@filter_options
@click.option("--limit", type=click.IntRange(1), help="Judge at most so many conversations.")
@click.option("--sample", metavar="N|5%", help="Judge so many conversations, drawn at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@judge_options
@click.option(
    "--probes",
    type=click.IntRange(0, 50),
    default=5,
    show_default=True,
    help="For each part of a question without evidence, so many chunks of the run are looked at "
    "that might have answered it; 0: none, and more stages stay undetermined.",
)
@click.option(
    "--citations",
    type=click.Choice(["auto", "expected", "none"]),
    default="auto",
    show_default=True,
    help="Whether answers are expected to cite; auto: those of agents that ever do.",
)
@click.option("--include-templates", is_flag=True, help="Judge canned answers too.")
@click.option(
    "--k",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    help="How many chunks precision_at_k looks at.",
)
@click.option(
    "--version",
    "versions",
    multiple=True,
    metavar="KEY=VALUE",
    help="Note which version of what the agent ran (prompts=7), for check to compare; repeatable.",
)
@by_option
@output_option
@page_options
@json_option
@click.option("--allow-losses", is_flag=True, help="Exit 0 although records were rejected.")
@limits_option
@progress_option
@click.option(
    "-q",
    "--quiet",
    is_flag=True,
    help="Print nothing on stderr but warnings and errors: no progress, no notes, not where the "
    "page is.",
)
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Tell on stderr each lost or mended record, each file that was skipped, and how long "
    "steps took.",
)
@color_option
def replay_command(**options: Any) -> int:
    """Judge the turns of recorded traces and say which stage failed.

    SRC is a file, a folder, a glob or - for standard input; its format is found by content:
    OTLP as JSON or protobuf, plain, gzip or zstd, and the exports that the readme page lists
    (stagefault explain readme). Prints the breakdown, and keeps it as a run with a page,
    report.html, in the store, where show and report find it.

    \b
        stagefault replay traces/ --since 7d
        stagefault replay week.jsonl.zst --by collection -o week.html
        stagefault replay traces/ --judge anthropic --judge-model NAME --dry-run
    """
    from analysis.pipeline import emptied_store
    from analysis.plan import Plan
    from analysis.replaying import replay
    from analysis.report.html import PageOptions, write_html
    from analysis.report.html.redaction import report_without_texts
    from analysis.report.model import report_of
    from analysis.report.renderers import RENDERERS
    from analysis.report.text import render_text
    from analysis.report.turn_view import REPORT_FILE

    if options["quiet"] and options["verbose"]:
        raise UsageError("-v", "contradicts -q", "Leave one out.")
    pages = PageOptions(layout=options["layout"], bodies=not options["no_bodies"])
    check_outputs(options["outputs"], pages.layout, taken=options["as_json"])
    progress = Progress(progress_kind(options["progress_kind"]), quiet=options["quiet"])
    plan = Plan(sources=(), **_plan(options))
    told = emptied_store(options["store"])
    for warning in told:  # before anything is paid for again
        click.echo(safe(f"warning: {warning}"), err=True)
    if options["dry_run"] or options["show_egress"]:
        return _preview(plan, options, progress)
    if may_spend(plan.judge) and not _agreed(plan, options, progress):
        return Exit.OVER_BUDGET
    try:
        result = replay(options["sources"], store=options["store"], plan=plan, notify=progress)
    finally:
        progress.close()
    run = result.run
    report = report_of(run, by=options["by"])
    if not pages.texts:
        report = report_without_texts(report)
    page = write_html(run, report, run.folder / REPORT_FILE, pages).page
    wrote = write_reports(options["outputs"], run, report, pages, quiet=options["quiet"])
    if options["as_json"]:
        click.echo(RENDERERS["json"](report), nl=False)
    elif not wrote:
        colored = color(no_color=options["no_color"])
        click.echo(render_text(report, color=colored, width=width()), nl=False)
    if not options["quiet"]:
        click.echo(f"report  {_shown(page)}", err=True)
        if line := cost_line(result):
            click.echo(line, err=True)
    warnings = (*result.tally.salvages, *result.tally.warnings)
    lines = [f"warning: {warning}" for warning in warnings if warning not in told]
    for line in (*lines, *problems(result, verbose=options["verbose"])):
        click.echo(safe(line), err=True)
    return first_of(_applying(result, allow_losses=options["allow_losses"]))


def _preview(plan: Any, options: dict[str, Any], progress: Progress) -> int:
    """Print what a run would ask and cost, or what it would send; ask and write nothing."""
    from analysis.replaying import preview

    try:
        seen = preview(
            options["sources"],
            store=options["store"],
            plan=plan,
            show=options["show_egress"] or 0,
            notify=progress,
        )
    finally:
        progress.close()
    if options["show_egress"]:
        note = egress_note(plan.judge)
        if note is not None:
            click.echo(note, err=True)
        for request in seen.shown:
            click.echo(safe(request))
    elif options["as_json"]:
        click.echo(safe_json(estimate_json(seen.estimate)))
    else:
        for line in estimate_lines(seen.estimate):
            click.echo(line)
    return Exit.DONE


def _agreed(plan: Any, options: dict[str, Any], progress: Progress) -> bool:
    """Find out what the run would cost, and ask where that is much."""
    from analysis.replaying import preview

    quiet = dataclasses.replace(plan, judge=dataclasses.replace(plan.judge, offline=True))
    seen = preview(options["sources"], store=options["store"], plan=quiet, notify=progress)
    progress.close()
    return confirmed(seen.estimate, batch=plan.judge.batch)


def _plan(options: dict[str, Any]) -> dict[str, Any]:
    from analysis.breakdown import selection_of
    from analysis.judging import Settings
    from analysis.selecting import sampling

    return {
        "window": window_of(options),
        "judge": judge_choice(options),
        "settings": Settings(
            citing=options["citations"],
            templates=options["include_templates"],
            probes=options["probes"],
            **asked_on_request(options),
        ),
        "selected": selection_of(**{name: options[name] for name in FILTERS}),
        "sampling": sampling(options["sample"], limit=options["limit"], seed=options["seed"]),
        "k": options["k"],
        "versions": dict(map(_version, options["versions"])),
        **reading_plan(options),
    }


def _version(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise UsageError("--version", f"{text!r} has no value", "Write KEY=VALUE.")
    return key, value


def _applying(result: Any, *, allow_losses: bool) -> Iterable[Exit]:
    if result.salvaged:
        yield Exit.STORE
    if result.over_budget:
        yield Exit.OVER_BUDGET
    if result.no_turn:
        yield Exit.NO_TURN
    if result.judge_failed:
        yield Exit.JUDGE_FAILED
    if result.lost_records and not allow_losses:
        yield Exit.LOSSES


def _shown(path: Path) -> str:
    """Return a path as a user would type it: relative where that is shorter."""
    relative = os.path.relpath(path)
    return relative if len(relative) < len(str(path)) else str(path)
