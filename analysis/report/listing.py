"""Lists of turns for a terminal: of a conversation, or of all that failed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.cells import cell_len
from rich.text import Text

from analysis.breakdown import Selection
from analysis.breakdown.admission import admitted
from analysis.breakdown.facts import TURN_COLUMNS
from analysis.report.layout import WIDTH, cut, line, wrap
from analysis.report.marks import STAGES, Mark, Marks, marks_of
from analysis.report.numbers import count, counted
from analysis.report.turn_room import SIGNS
from analysis.run import Run
from analysis.tables.turn_rows import Row
from analysis.window import Window
from stages.records import Stage

_LETTERS: Final = {"routing": "R", "retrieval": "S", "generation": "G"}
_COLUMNS: Final = (*TURN_COLUMNS, "turn", "question", "sentence")
_LONGEST_NAME: Final = 200
"""Cells of a turn's name, which is never cut to fit: with it `show` opens the turn."""
LEGEND: Final = "R routing  S search (retrieval)  G generation   ✗ at fault  ✓ not  ? not judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Turns that a selection admits, newest first."""

    run_id: str
    rows: Sequence[Row]
    """At most as many as were asked for, with the columns of `turns`."""
    marks: Marks
    """What each stage had to do with each listed turn."""
    found: int
    """Turns that were admitted, listed or not."""
    of: int
    """Turns of the run."""
    filters: str


def list_turns(
    run: Run, selected: Selection, *, limit: int | None = 20, window: Window | None = None
) -> Listing:
    """Return the turns of a run that a selection admits, newest first.

    Args:
        run: The run.
        selected: Its filters on root stage and kind count too.
        limit: Most turns to list; None lists all.
        window: Only turns that start in it.
    """
    turns = run.table("turns", TURN_COLUMNS)
    starts = turns.column("started_at").cast("int64").to_pylist()
    found = [
        (start, turn_id)
        for keep, start, turn_id in zip(
            admitted(turns, selected, roots=True),
            starts,
            turns.column("turn_id").to_pylist(),
            strict=True,
        )
        if keep and (window is None or start in window)
    ]
    found.sort(key=lambda item: item[1])
    found.sort(key=lambda item: (item[0] is None, -(item[0] or 0)))
    wanted = [turn_id for _, turn_id in found[:limit]]
    rows = {row["turn_id"]: row for row in run.rows("turns", _COLUMNS, {"turn_id": wanted})}
    return Listing(
        run_id=run.run_id,
        rows=[rows[turn_id] for turn_id in wanted],
        marks=marks_of(run, wanted),
        found=len(found),
        of=len(turns),
        filters=str(selected if window is None else selected.within(window)),
    )


def listing_lines(listing: Listing, width: int = WIDTH) -> Iterator[Text]:
    """Yield the lines of a list: two per turn, then how many there are."""
    narrow = width < WIDTH
    for row in listing.rows:
        started = row["started_at"]
        form = "%m-%d %H:%M" if narrow else "%Y-%m-%d %H:%M"
        time = started.strftime(form) if started is not None else "no time"
        root = root_text(row)
        lead: tuple[str | tuple[str, str], ...] = (
            (f"{time:<11}  " if narrow else f"{time:<16}  ", "dim"),
            *mark_parts(listing.marks[row["turn_id"]]),
        )
        room = width - sum(len(part if isinstance(part, str) else part[0]) for part in lead) - 2
        name = cut(row["turn_id"], _LONGEST_NAME)
        fits = cell_len(name) <= (room if narrow else max(room - len(root) - 2, 12))
        beside, below = (f"  {name}", []) if fits else ("", [line(f"  {name}")])
        if narrow:
            yield line(*lead, beside)
            yield from below
            yield line("  ", (cut(root, width - 2), "bold"))
        else:
            kind = cut(root, room - cell_len(name) - 2 if fits else room)
            yield line(*lead, "  ", (kind, "bold"), beside)
            yield from below
        yield line("  ", cut(row["sentence"] or row["question"] or "", width - 2))
    shown = len(listing.rows)
    which = f" ({listing.filters})" if listing.filters else ""
    told = (
        f"shown {count(shown)} of {counted(listing.found, 'turn')}{which}, "
        f"{count(listing.of)} in run {listing.run_id}"
    )
    if listing.rows:
        yield line()
    yield from (line((part, "dim")) for part in wrap(told, width))
    if listing.rows:
        yield from legend_lines(width)


def legend_lines(width: int) -> Iterator[Text]:
    """Yield what the letters and signs of a list mean."""
    parts = [LEGEND] if cell_len(LEGEND) <= width else wrap(LEGEND, width)
    yield from (line((part, "dim")) for part in parts)


def mark_parts(marks: Mapping[Stage, Mark]) -> Iterator[tuple[str, str]]:
    """Yield a letter and a sign per stage, in its colour: `R✗S✓G✓`, `R?` where not judged."""
    for stage in STAGES:
        sign, style = SIGNS[marks[stage]]
        yield f"{_LETTERS[stage]}{sign}", style


def root_text(row: Row) -> str:
    """Return what became of a turn, as `routing.wrong_collection` or `passed`."""
    if row["outcome"] != "failed":
        return str(row["outcome"]).replace("_", " ")
    if row["root_stage"] == "undetermined":
        missing = row["missing"] or ["unknown"]
        return f"undetermined ({missing[0]})"
    return f"{row['root_stage']}.{row['root_kind']}"


def listing_json(listing: Listing) -> dict[str, Any]:
    """Return a list as plain JSON values."""
    return {
        "run_id": listing.run_id,
        "filters": listing.filters,
        "shown": len(listing.rows),
        "found": listing.found,
        "turns": [
            {
                "turn_id": row["turn_id"],
                "conversation_id": row["conversation_id"],
                "turn": row["turn"],
                "started_at": None if row["started_at"] is None else row["started_at"].isoformat(),
                "outcome": row["outcome"],
                "outcome_reason": row["outcome_reason"],
                "root_stage": row["root_stage"],
                "root_kind": row["root_kind"],
                "inherited_from": row["inherited_from"],
                "sentence": row["sentence"],
                "question": row["question"],
                "agent": row["agent"],
                "stages": dict(listing.marks[row["turn_id"]]),
            }
            for row in listing.rows
        ],
    }
