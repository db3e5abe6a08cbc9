"""`stagefault doctor`: what was recognised in a source, before any judging."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.exit_codes import Exit, first_of
from analysis.cli.group import Command
from analysis.cli.options import json_option
from analysis.report.terminal import safe, safe_json

if TYPE_CHECKING:
    from analysis.doctor import Examination
    from analysis.metrics.ratio import Ratio
    from analysis.reading import Read

_SHOWN_LOSSES = 5


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@json_option
@click.option("--allow-losses", is_flag=True, help="Exit 0 although records were rejected.")
def doctor(sources: tuple[str, ...], as_json: bool, allow_losses: bool) -> int:
    """Say what was recognised in SRC: formats, conventions, and what each turn tells.

    Nothing is judged or written.

    \b
        stagefault doctor traces/
    """
    from analysis.doctor import examine
    from ingest import Limits

    found, read = examine(sources, Limits())
    if as_json:
        click.echo(safe_json(_as_json(found, read)))
    else:
        for line in _lines(found, read):
            click.echo(safe(line))
    applying = [Exit.NO_TURN] if not found.turns else []
    if read.counts.rejected and not allow_losses:
        applying.append(Exit.LOSSES)
    return first_of(applying)


def _lines(found: "Examination", read: "Read") -> Iterator[str]:
    counts = read.counts
    formats = Counter(
        f"{source.format or 'unknown'} ({source.container})" for source in read.sources
    )
    yield f"Files      {len(read.sources):,} read: {_counted(formats)}"
    skipped = Counter(skipped.reason for skipped in read.skipped_files)
    if skipped:
        yield f"Skipped    {skipped.total():,} files: {_counted(skipped)}"
    yield (
        f"Records    {counts.read:,} read = {counts.loaded:,} loaded + {counts.repaired:,} "
        f"repaired + {counts.duplicate:,} duplicate + {counts.rejected:,} rejected"
    )
    for loss in [loss for loss in read.losses if loss.outcome == "rejected"][:_SHOWN_LOSSES]:
        yield f"  {loss.file}:{loss.offset}: {loss.reason} {loss.detail}"
    yield f"Spans      {found.spans:,} in {found.traces:,} traces: {_counted(found.kinds)}"
    yield f"Written as {_counted(found.conventions) or 'nothing that is known'}"
    yield (
        f"Turns      {found.turns:,} in {found.conversations:,} conversations, "
        f"{found.incomplete:,} without an answer span"
    )
    yield f"Services   {_counted(found.services)}"
    if found.coverage:
        yield ""
        yield "What turns tell"
    for name, (unit, ratio) in found.coverage.items():
        yield f"  {name:<20}{_share(ratio):>10}  of {ratio.total:,} {unit}"
    if found.decidable:
        yield ""
        yield "Turns for which each question can be put"
    for name, ratio in found.decidable.items():
        yield f"  {name:<20}{_share(ratio):>10}  {ratio.hits:,} of {ratio.total:,}"
    if found.gaps:
        yield ""
        yield f"Not told   {_counted(found.gaps)}"
    if found.flags:
        yield f"Oddities   {_counted(found.flags)}"
    if found.dropped_attributes:
        yield f"Dropped    {found.dropped_attributes:,} attributes by the recording program itself"
    if found.advice:
        yield ""
        yield "What would help most"
    for number, text in enumerate(found.advice, start=1):
        yield f"  {number}. {text}"


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counter.most_common())


def _share(ratio: "Ratio") -> str:
    value = ratio.value
    if value is None:
        return "n/a"
    rounded = round(100 * value)
    if rounded == 100 and ratio.hits < ratio.total:  # noqa: PLR2004 - per cent
        return "over 99 %"
    return "under 1 %" if rounded == 0 and ratio.hits else f"{rounded} %"


def _as_json(found: "Examination", read: "Read") -> dict[str, Any]:
    counts = read.counts
    return {
        "schema_version": 1,
        "sources": [
            {"path": one.path, "bytes": one.bytes, "format": one.format, "container": one.container}
            for one in read.sources
        ],
        "skipped_files": [{"path": one.path, "reason": one.reason} for one in read.skipped_files],
        "records": {
            "read": counts.read,
            "loaded": counts.loaded,
            "repaired": counts.repaired,
            "duplicate": counts.duplicate,
            "rejected": counts.rejected,
        },
        "losses": [
            {
                "outcome": loss.outcome,
                "reason": loss.reason,
                "file": loss.file,
                "offset": loss.offset,
                "detail": loss.detail,
            }
            for loss in read.losses
        ],
        "spans": found.spans,
        "traces": found.traces,
        "kinds": dict(found.kinds),
        "conventions": dict(found.conventions),
        "conversations": found.conversations,
        "turns": found.turns,
        "incomplete": found.incomplete,
        "services": dict(found.services),
        "coverage": {
            name: {"unit": unit, "told": ratio.hits, "of": ratio.total}
            for name, (unit, ratio) in found.coverage.items()
        },
        "decidable": {
            name: {"turns": ratio.hits, "of": ratio.total}
            for name, ratio in found.decidable.items()
        },
        "gaps": dict(found.gaps),
        "flags": dict(found.flags),
        "dropped_attributes": found.dropped_attributes,
        "advice": list(found.advice),
    }
