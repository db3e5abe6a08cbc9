"""`stagefault check`: hold a run against its gates, for CI."""

from pathlib import Path
from typing import Any, Final

import click

from analysis.cli.configured import config_of
from analysis.cli.exit_codes import Exit
from analysis.cli.group import Command
from analysis.cli.opening import holds_turns, opened
from analysis.cli.options import color_option, json_option, run_option, store_option
from analysis.cli.output import color, width
from analysis.report.terminal import safe, safe_json
from ingest.errors import UsageError

SHIPPED: Final = "shipped"
_ENDINGS: Final = (".junit.xml", ".xml", ".md", ".json")


@click.command(cls=Command, short_help="Hold a run against limits, for CI.")
@run_option
@store_option
@click.option(
    "--gate",
    "typed",
    multiple=True,
    metavar="LIMIT",
    help="Such as 'failed<=10%' or 'generation.faithfulness>=0.9'; repeatable. Replaces a gate "
    "of that name in [gates] of stagefault.toml.",
)
@click.option(
    "--vs",
    metavar="PATH|ID|shipped",
    help="Fail where any failure is clearly more often than in this run.",
)
@click.option(
    "--across-judges", is_flag=True, help="Compare although the runs were judged differently."
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="PATH",
    help="Also write the result here: .junit.xml, .md or .json; repeatable.",
)
@click.option("--github", is_flag=True, help="Annotate a GitHub workflow with what failed.")
@json_option
@color_option
def check(**options: Any) -> int:
    """Hold a run against limits: exit 1 when one fails. Asks no judge.

    Limits stand in [gates] of stagefault.toml or in --gate. Rates and metrics are shares in
    [0, 1] or per cent. What was not measured is skipped and fails nothing, unless nothing
    was measured at all.

    \b
        stagefault check --gate 'failed<=10%' --gate 'retrieval.missed_chunk<=0.02'
        stagefault check --vs shipped -o gates.junit.xml
    """
    from analysis.gates import check_run, gates_of
    from analysis.gates.gate import ANY, typed_gates
    from analysis.report import gates as reports
    from analysis.report.files import write_whole

    for path in options["outputs"]:
        if not path.lower().endswith(_ENDINGS):
            raise UsageError(path, "no result has this extension", "Use .junit.xml, .md or .json.")
    config = config_of()
    place = f"{config.path} [gates]" if config.path else "[gates]"
    from_file = dict(config.gates)
    typed = typed_gates(options["typed"])
    if options["vs"]:
        from_file[ANY] = {"no_regression_vs": options["vs"]}
    kept = {name: value for name, value in from_file.items() if name not in typed}
    gates = (*gates_of(kept, place), *gates_of(typed, "--gate"))
    if not gates:
        raise UsageError(
            "check", "no gate is given", "Add --gate 'failed<=10%', or [gates] to stagefault.toml."
        )
    store: Path = options["store"]
    run = opened(options["run_name"], store)
    if not holds_turns(run):
        return Exit.NO_TURN
    checked = check_run(
        run, gates, lambda name: _earlier(name, store), across_judges=options["across_judges"]
    )
    for path in options["outputs"]:
        text = {
            "xml": reports.check_junit,
            "md": reports.check_markdown,
            "json": lambda *given: safe_json(reports.check_json(*given)) + "\n",
        }[path.lower().rpartition(".")[2]](run.run_id, checked)
        write_whole(Path(path), text)
    if options["as_json"]:
        click.echo(safe_json(reports.check_json(run.run_id, checked)))
    else:
        colored = color(no_color=options["no_color"])
        text = reports.render_check(run, checked, color=colored, width=width())
        click.echo(text, nl=False)
    if options["github"]:
        for annotation in reports.check_annotations(checked):
            click.echo(safe(annotation), err=True)
    verdicts = {one.verdict for one in checked}
    if verdicts == {"skipped"}:
        # a pipeline that goes green because nothing was looked at is worse than a red one
        problem = "no gate could be measured. Add turns, or a gate that this run measures."
        click.echo(safe(f"error: check: {problem}"), err=True)
        return Exit.GATE_FAILED
    return Exit.GATE_FAILED if "failed" in verdicts else Exit.DONE


def _earlier(name: str, store: Path) -> Any:
    """Open the run that a gate on regressions names."""
    from analysis.gates import last_shipped
    from analysis.run import load_run

    return load_run(last_shipped(store).run_id if name == SHIPPED else name, store)
