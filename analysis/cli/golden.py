"""`stagefault golden`: questions whose right answer is known."""

import re
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
from ingest.errors import StoreError, UsageError

_SHOWN = 5
_FILE = click.File(encoding="utf-8", errors="replace")


@click.group(short_help="Questions whose right answer is known.")
def golden() -> None:
    """Check, score and extend a golden set: a JSON line for each question."""


@golden.command("lint", cls=Command)
@click.argument("file", type=_FILE, metavar="GOLDEN.jsonl")
@click.option(
    "--shares",
    multiple=True,
    metavar="TYPE=PERCENT",
    help="Share that a type should have; repeatable, a=1,b=2 allowed.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0, 100),
    default=5.0,
    show_default=True,
    help="Points that a share may be off.",
)
@click.option("--size", metavar="MIN-MAX", help="How many items there should be, such as 400-800.")
@json_option
def lint_command(
    file: IO[str], shares: tuple[str, ...], tolerance: float, size: str | None, as_json: bool
) -> int:
    """Say what is wrong with a golden set; exit 1 where anything is.

    \b
        stagefault golden lint golden.jsonl --size 400-800 --shares common=40,deep=15
    """
    from analysis.golden import read_golden

    read = read_golden(getattr(file, "name", "-"), file.read())
    types, total = read.types(), len(read.items)
    problems = list(read.problems)
    for name, wanted in _shares(shares).items():
        share = 100 * types.get(name, 0) / total if total else 0.0
        if abs(share - wanted) > tolerance:
            problems.append(f"type {name}: is {share:.1f} % of the items, {wanted:g} % are meant")
    if size is not None:
        least, most = _size(size)
        if not least <= total <= most:
            found = counted(total, "item")
            problems.append(f"{getattr(file, 'name', '-')}: {found}, {size} are meant")
    if as_json:
        told = {"schema_version": 1, "items": total, "types": types, "problems": problems}
        click.echo(safe_json(told))
    else:
        named = ", ".join(f"{name} {number:,}" for name, number in types.items())
        click.echo(safe(f"{counted(total, 'item')}: {named or 'none'}"))
        for problem in problems:
            click.echo(safe(problem))
    return Exit.GATE_FAILED if problems else Exit.DONE


@golden.command("score", cls=Command)
@click.argument("file", type=_FILE, metavar="GOLDEN.jsonl")
@run_option
@store_option
@json_option
@color_option
def score_command(file: IO[str], **options: Any) -> int:
    """Score what a run made of a golden set. Asks no judge.

    An item's turn is found by the recorded golden id, else by the exact question. Items
    without a turn are listed. Scores are means in [0, 1] over the items that have one.

    \b
        stagefault golden score golden.jsonl --run latest
    """
    from analysis.golden import read_golden, score_run
    from analysis.report.golden import render_scores, scores_json

    read = read_golden(getattr(file, "name", "-"), file.read())
    for problem in read.problems[:_SHOWN]:
        click.echo(safe(f"warning: {problem}. See stagefault golden lint."), err=True)
    if not read.items:
        raise UsageError(getattr(file, "name", "-"), "holds no item", "Write a JSON line for each.")
    run = opened(options["run_name"], options["store"])
    scores = score_run(run, read.items)
    if options["as_json"]:
        click.echo(safe_json({"run_id": run.run_id} | scores_json(scores)))
    else:
        colored = color(no_color=options["no_color"])
        click.echo(render_scores(scores, color=colored, width=width()), nl=False)
    if scores.scored:
        return Exit.DONE
    click.echo(safe(f"error: run {run.run_id}: has no turn of these items."), err=True)
    return Exit.NO_TURN


@golden.command("add", cls=Command)
@click.argument("turn", metavar="CONVERSATION/TURN")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar="GOLDEN.jsonl")
@click.option("--id", "item_id", help="Id of the item.  [default: made from the turn]")
@click.option("--tag", "tags", multiple=True, help="Tag such as type:deep; repeatable.")
@run_option
@store_option
@json_option
def add_command(turn: str, file: Path, item_id: str | None, **options: Any) -> None:
    """Append a turn to a golden set as an item, for a person to complete.

    \b
        stagefault golden add 7f3a91c2/3 golden.jsonl --tag type:policy
    """
    import msgspec

    from analysis.golden import item_of_turn, read_golden
    from analysis.report.files import write_whole

    run = opened(options["run_name"], options["store"])
    try:
        known = file.read_text("utf-8") if file.exists() else ""
    except (OSError, ValueError) as error:
        raise StoreError(str(file), f"cannot be read ({error})", "Check the file.") from None
    name = item_id or f"turn-{turn}"
    if any(item.id == name for item in read_golden(str(file), known).items):
        raise UsageError("--id", f"{file} has an item {name!r}", "Choose another --id.")
    item = item_of_turn(run, turn, name, tuple(options["tags"]))
    text = msgspec.json.encode(item).decode()
    end = "" if not known or known.endswith("\n") else "\n"
    write_whole(file, f"{known}{end}{text}\n")
    if options["as_json"]:
        click.echo(safe_json({"schema_version": 1, "item": msgspec.to_builtins(item)}))
    else:
        click.echo(safe(f"{file}: added {name}; complete what is expected of it."))


def _shares(texts: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in (part for given in texts for part in given.split(",") if part.strip()):
        matched = re.fullmatch(r"\s*([^=]+?)\s*=\s*(\d{1,3}(?:\.\d{1,6})?)\s*%?\s*", text)
        if matched is None:
            raise UsageError("--shares", f"{text!r} is no share", "Write TYPE=40.")
        found[matched[1]] = float(matched[2])
    return found


def _size(text: str) -> tuple[int, int]:
    matched = re.fullmatch(r"\s*(\d{1,9})\s*-\s*(\d{1,9})\s*", text)
    if matched is None:
        raise UsageError("--size", f"{text!r} is no size", "Write MIN-MAX, such as 400-800.")
    return int(matched[1]), int(matched[2])
