"""`stagefault export`: a run's tables and judgements for other programs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, cast

import click

from analysis.cli.exit_codes import first_of
from analysis.cli.group import Command
from analysis.cli.opening import opened, turns_exit
from analysis.cli.options import json_option, run_option, store_option
from analysis.cli.sending import is_sending, left_out_lines, send_judgements, sending_options
from analysis.report.numbers import counted
from analysis.report.terminal import safe, safe_json
from ingest.errors import UsageError

_TABLES: Final = ("csv", "jsonl", "parquet")
_JUDGEMENTS: Final = ("phoenix", "langfuse", "otlp")
_TABLE_NAMES: Final = (
    "turns", "tool_calls", "retrievals", "chunks", "paragraphs", "citations", "spans", "verdicts",
    "metrics", "findings", "losses",
)  # fmt: skip


@click.command(cls=Command, short_help="Tables and judgements for other programs.")
@click.argument("form", metavar="FORMAT", type=click.Choice([*_TABLES, *_JUDGEMENTS]))
@click.option(
    "--table",
    type=click.Choice(_TABLE_NAMES),
    help="csv, jsonl, parquet: which table.  [default: turns]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write here.  [default: stdout]",
)
@sending_options
@run_option
@store_option
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Do not tell on stderr what was written.")
def export(**options: Any) -> int:
    """Write a run's table as csv, jsonl or parquet, or its judgements for phoenix, langfuse, otlp.

    Judgements are JSON lines: annotations of spans, scores, or evaluation events (OTLP JSON).
    Ids stay the same, so that loading a file twice changes nothing.

    Only otlp sends, and only with --endpoint or --send: as OTLP over HTTP. What was accepted is
    remembered beside the run and not sent twice; run it again to go on after a failure.

    \b
        stagefault export csv --table findings -o findings.csv
        stagefault export phoenix -o annotations.jsonl
        stagefault export otlp --endpoint http://localhost:4318
    """
    from analysis.report.files import copy_whole, write_whole

    form, path = options["form"], options["output"]
    if options["table"] and form not in _TABLES:
        raise UsageError("--table", f"has no meaning for {form}", "It writes all judgements.")
    if is_sending(options):
        run = opened(options["run_name"], options["store"])
        return first_of([*send_judgements(run, options), turns_exit(run)])
    if path is None and (form == "parquet" or options["as_json"]):
        raise UsageError(
            "-o", "is needed" + (" with --json" if options["as_json"] else ""), "Add -o PATH."
        )
    run = opened(options["run_name"], options["store"])
    table = options["table"] or "turns"
    left_out: Counter[str] = Counter()
    if form == "parquet":
        copy_whole(run.folder / f"{table}.parquet", path)
    elif path is None:
        for text in _text(run, form, table, left_out):
            click.echo(safe(text), nl=False)  # of a file, nothing is replaced
    else:
        write_whole(path, _text(run, form, table, left_out))
    if options["as_json"]:
        size = path.stat().st_size
        told = {"schema_version": 1, "path": str(path), "bytes": size, "left_out": dict(left_out)}
        click.echo(safe_json(told))
    elif not options["quiet"]:
        if path is not None:
            click.echo(safe(f"{path}  {counted(path.stat().st_size, 'byte')}"), err=True)
        for line in left_out_lines(left_out):
            click.echo(line, err=True)
    return turns_exit(run)


def _text(run: Any, form: str, table: str, left_out: Counter[str]) -> Iterator[str]:
    from analysis.exporting import FORMS, judgements_of, table_lines
    from analysis.tables.schemas import TableName

    parts: Iterable[str]
    if form in _JUDGEMENTS:
        parts = FORMS[form](run, judgements_of(run), left_out)
    else:
        parts = table_lines(run, cast("TableName", table), as_csv=form == "csv")
    for part in parts:
        yield part.encode("utf-8", "replace").decode()
