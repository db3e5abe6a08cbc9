"""`stagefault label`: sheets for people, their labels, and how far the judge agrees."""

from pathlib import Path
from typing import IO, Any

import click

from analysis.cli.exit_codes import Exit
from analysis.cli.group import Command
from analysis.cli.opening import opened
from analysis.cli.options import color_option, json_option, run_option, store_option
from analysis.cli.output import color, width
from analysis.report.numbers import counted
from analysis.report.terminal import safe, safe_json
from ingest.errors import UsageError

_SHOWN = 3


@click.group(short_help="People's labels, and how far the judge agrees.")
def label() -> None:
    """Have people label what the judge judged, and see how far they agree."""


@label.command("export", cls=Command)
@click.option(
    "--question",
    type=click.Choice(["relevance", "support", "answer", "outcome"]),
    default="outcome",
    show_default=True,
    help="What people are asked.",
)
@click.option(
    "--n", "number", type=click.IntRange(1, 100_000), default=200, show_default=True, help="Rows."
)
@click.option(
    "--annotators",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Write every row for so many people, one after the other, each with a number of theirs.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draw.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the sheet here, as .csv or .jsonl.  [default: stdout, as JSON lines]",
)
@run_option
@store_option
@json_option
def export_command(**options: Any) -> None:
    """Write a blind sheet: items drawn from a run, without what the judge said.

    Fill in `label` with one of those in `allowed` (and `annotator`, if several people do), then
    label import it. An outcome is `passed` or the stage that failed first.

    \b
        relevance   0 unrelated | 1 related, no use | 2 partly answers | 3 answers
        support     contradicted | none | partial | full
        answer      answered | partly | abstained | clarifying | policy_refusal
        outcome     passed | routing | retrieval | generation | undetermined

    \b
        stagefault label export --question relevance --n 200 -o sheet.csv
    """
    from analysis.labels import draw_sheet
    from analysis.labels.sheet_files import sheet_text
    from analysis.report.files import write_whole

    path: Path | None = options["output"]
    if path is not None and path.suffix.lower() not in (".csv", ".jsonl"):
        raise UsageError(str(path), "is no name of a sheet", "End it in .csv or .jsonl.")
    run = opened(options["run_name"], options["store"])
    rows = draw_sheet(run, options["question"], options["number"], options["seed"])
    if options["annotators"] > 1:
        people = range(1, options["annotators"] + 1)
        rows = [{"annotator": str(person), **row} for person in people for row in rows]
    if path is not None:
        write_whole(path, sheet_text(rows, as_csv=path.suffix.lower() == ".csv"))
        click.echo(safe(f"{path}  {counted(len(rows), 'row')}"), err=True)
    if options["as_json"]:
        click.echo(safe_json({"schema_version": 1, "rows": rows}))
    elif path is None:
        for row in rows:
            click.echo(safe_json(row))


@label.command("import", cls=Command)
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.File(encoding="utf-8", errors="replace"),
    metavar="FILE...",
)
@click.option("--annotator", default="", help="Who labelled, where a row does not say.")
@store_option
@json_option
def import_command(files: tuple[IO[str], ...], annotator: str, store: Path, as_json: bool) -> int:
    """Keep labels: filled-in sheets, or lines that the report's page copied (- is stdin).

    A person's later label of the same item replaces the earlier one.

    \b
        stagefault label import sheet.csv --annotator ada
        pbpaste | stagefault label import -
    """
    from analysis.labels import add_labels, read_labels

    read = [read_labels(getattr(file, "name", "-"), file.read(), annotator) for file in files]
    labels = [one for imported in read for one in imported.labels]
    problems = [problem for imported in read for problem in imported.problems]
    unlabelled = sum(imported.unlabelled for imported in read)
    added, replaced = add_labels(store, labels) if labels else (0, 0)
    counts = {
        "added": added,
        "replaced": replaced,
        "known": len(labels) - added - replaced,
        "unlabelled": unlabelled,
        "rejected": len(problems),
    }
    if as_json:
        click.echo(safe_json({"schema_version": 1, **counts, "problems": problems}))
    else:
        click.echo(", ".join(f"{number:,} {name}" for name, number in counts.items()))
    for problem in problems[:_SHOWN]:
        click.echo(safe(f"warning: {problem}. The line is left out."), err=True)
    if len(problems) > _SHOWN:
        click.echo(f"warning: {len(problems):,} lines are left out; --json names all.", err=True)
    if not labels and not problems:
        click.echo("note: no label in the input: no row is filled in.", err=True)
    return Exit.LOSSES if problems else Exit.DONE


@label.command("agreement", cls=Command)
@run_option
@store_option
@json_option
@color_option
def agreement_command(**options: Any) -> int:
    """Say how far a run's judge agrees with the labels of the store.

    Counts labels of sheets, weighted by how they were drawn; corrections are kept out. Name
    another --run to see how another judge or prompt does on the same labels.

    \b
        stagefault label agreement
    """
    from analysis.labels import agreement_of, stored_labels
    from analysis.report.agreement import agreement_json, render_agreement

    labels = stored_labels(options["store"])
    if not labels:
        raise UsageError(
            str(options["store"]), "holds no label", "stagefault label export writes a sheet."
        )
    run = opened(options["run_name"], options["store"])
    found = agreement_of(run, labels)
    corrections = sum(one.probability is None for one in labels)
    if options["as_json"]:
        click.echo(safe_json(agreement_json(found, corrections)))
    else:
        colored = color(no_color=options["no_color"])
        text = render_agreement(found, corrections, color=colored, width=width())
        click.echo(text, nl=False)
    return Exit.DONE
