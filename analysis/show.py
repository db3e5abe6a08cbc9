"""`show`: one conversation, one turn, or the turns that failed.

Everything is read from the tables of a run; no model is called and nothing is counted.
"""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from rich.text import Text

from analysis.breakdown import Selection, selection_of
from analysis.report.layout import WIDTH, cut, line, paint
from analysis.report.listing import (
    legend_lines,
    list_turns,
    listing_json,
    listing_lines,
    mark_parts,
    root_text,
)
from analysis.report.marks import Marks, marks_of
from analysis.report.numbers import counted
from analysis.report.terminal import safe_json
from analysis.report.turn_text import turn_lines
from analysis.report.turn_view import REPORT_FILE, load_turn, turn_json
from analysis.report.waterfall import waterfall
from analysis.run import Run
from analysis.suggesting import did_you_mean
from analysis.tables.turn_rows import Row
from analysis.window import Window
from ingest.errors import UsageError

SHOW_SCHEMA_VERSION: Final = 1
FAILED: Final = selection_of(outcome="failed")

_SHORTEST_PREFIX = 4
_SEARCHED_FOR_NEAR = 20_000
_LISTED = 12
_NAMED = 3


def show(
    run: Run, name: str, *, spans: bool = False, color: bool = False, width: int = WIDTH
) -> str:
    """Return one conversation or one turn as text.

    Args:
        run: The run.
        name: `CONVERSATION` or `CONVERSATION/TURN`; the beginning of a conversation's id is
            enough where it is the only one.
        spans: Show the spans of a turn below it, one a line.
        color: Write colours as escape sequences.
        width: Cells of a line, 40 to 200.

    Raises:
        UsageError: The run has no such conversation or turn, or several.
    """
    rows, turn = _find(run, name)
    if turn is None:
        return paint(_conversation_lines(run, rows, width), color=color)
    view = load_turn(run, turn, len(rows))
    below = [line(), *waterfall(view.spans, width)] if spans else []
    return paint([*turn_lines(view, width), *below], color=color)


def show_json(run: Run, name: str) -> str:
    """Return one conversation or one turn as a JSON object; see `show`."""
    rows, turn = _find(run, name)
    wanted = rows if turn is None else [turn]
    turns = [turn_json(load_turn(run, row, len(rows))) for row in wanted]
    return _one_object(run, {"conversation_id": rows[0]["conversation_id"], "turns": turns})


def page_of(run: Run, name: str) -> str:
    """Return the address of the report's page on a conversation or turn, for a browser.

    Raises:
        UsageError: The run has no such conversation or turn, or no page.
    """
    rows, turn = _find(run, name)
    page = run.folder / REPORT_FILE
    if not page.is_file():
        raise UsageError(
            f"run {run.run_id}", "has no page", f"stagefault report -o {page} writes it."
        )
    place = "" if turn is None else f"/t/{turn['turn']}"
    return f"{page.absolute().as_uri()}#/c/{quote(rows[0]['conversation_id'], safe='')}{place}"


def show_turns(
    run: Run,
    selected: Selection = FAILED,
    *,
    limit: int | None = 20,
    window: Window | None = None,
    color: bool = False,
    width: int = WIDTH,
) -> str:
    """Return the turns that a selection admits, newest first, two or three lines each."""
    listing = list_turns(run, selected, limit=limit, window=window)
    return paint(listing_lines(listing, width), color=color)


def show_turns_json(
    run: Run,
    selected: Selection = FAILED,
    *,
    limit: int | None = None,
    window: Window | None = None,
) -> str:
    """Return the turns that a selection admits as a JSON object, newest first."""
    listing = list_turns(run, selected, limit=limit, window=window)
    return _one_object(run, listing_json(listing))


def _one_object(run: Run, content: dict[str, Any]) -> str:
    head = {"schema_version": SHOW_SCHEMA_VERSION, "run_id": run.run_id}
    return safe_json(head | content) + "\n"


def _conversation_lines(run: Run, rows: Sequence[Row], width: int) -> list[Text]:
    """Return the turns of a conversation, then the first one that failed in full."""
    first = next((row for row in rows if row["outcome"] == "failed"), None)
    lines = [
        line((cut(rows[0]["conversation_id"], width - 24), "bold"), f" · {_tally(rows)}"),
        *_turn_list(rows, marks_of(run, [row["turn_id"] for row in rows]), first, width),
    ]
    if first is not None:
        lines += [line(), *turn_lines(load_turn(run, first, len(rows)), width)]
    return lines


def _tally(rows: Sequence[Row]) -> str:
    failed = sum(row["outcome"] == "failed" for row in rows)
    return f"{counted(len(rows), 'turn')}, {failed} failed"


def _turn_list(rows: Sequence[Row], marks: Marks, first: Row | None, width: int) -> list[Text]:
    """Return a line per turn; of a long conversation those around the first failing one."""
    start = 0
    if len(rows) > _LISTED:
        middle = rows.index(first) if first is not None else 0
        start = max(0, min(middle - _LISTED // 2, len(rows) - _LISTED))
    shown = rows[start : start + _LISTED]
    lines = [line((f"  … {start} earlier", "dim"))] if start else []
    for row in shown:
        root = cut(root_text(row), 36 if width >= WIDTH else width - 17)
        lead = f"{row['turn']:>4}  "
        room = max(width - len(lead) - 10 - len(root), 0)
        style = "bold" if row is first else ""
        lines.append(
            line(
                lead,
                *mark_parts(marks[row["turn_id"]]),
                f"  {root}  ",
                (cut(row["question"] or "(not captured)", room) if room > 1 else "", style),
            )
        )
    later = len(rows) - start - len(shown)
    if later:
        lines.append(line((f"  … {later} later", "dim")))
    return [*lines, *legend_lines(width)]


def _find(run: Run, name: str) -> tuple[list[Row], Row | None]:
    """Return the turns of the conversation that is meant, and the turn if one is."""
    ids = list(dict.fromkeys(run.table("turns", ["conversation_id"])[0].to_pylist()))
    before, slash, after = name.rpartition("/")
    wanted: list[tuple[str, int | None]] = [(name, None)]
    if slash and after.isascii() and after.isdecimal():
        wanted.append((before, int(after[:9])))
    known = set(ids)
    for conversation, number in wanted:
        if conversation in known:
            return _turns(run, conversation, number)
    for conversation, number in wanted:
        meant = [one for one in ids if one.startswith(conversation)]
        if meant and 0 < len(conversation) < _SHORTEST_PREFIX:
            near = did_you_mean(conversation, ids[:_SEARCHED_FOR_NEAR], _NAMED)
            remedy = f"Type at least {_SHORTEST_PREFIX} characters of it. {near}".rstrip()
            raise UsageError(name, "is too short for the beginning of an id", remedy)
        if meant and conversation:
            if len(meant) > 1:
                several = ", ".join(meant[:_NAMED])
                more = ", …" if len(meant) > _NAMED else ""
                raise UsageError(name, f"could be {several}{more}", "Type more of the id.")
            return _turns(run, meant[0], number)
    raise UsageError(name, f"is not in run {run.run_id}", _near(name, before, ids))


def _turns(run: Run, conversation: str, number: int | None) -> tuple[list[Row], Row | None]:
    rows = run.rows("turns", where={"conversation_id": [conversation]})
    rows.sort(key=lambda row: row["turn"])
    if number is None:
        return rows, None
    for row in rows:
        if row["turn"] == number:
            return rows, row
    numbers = ", ".join(str(row["turn"]) for row in rows[:_LISTED])
    more = ", …" if len(rows) > _LISTED else ""
    raise UsageError(
        f"{conversation}/{number}",
        f"is not in run {run.run_id}",
        f"The run has these turns of the conversation: {numbers}{more}.",
    )


def _near(name: str, before: str, ids: Sequence[str]) -> str:
    if not ids:
        return "The run has no turn."
    some = ids[:_SEARCHED_FOR_NEAR]
    near = did_you_mean(name, some, _NAMED) or (before and did_you_mean(before, some, _NAMED))
    return near or "stagefault show --failed lists the turns that failed."
