"""The difference of two runs, for a terminal and as JSON."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.text import Text

from analysis.difference.model import FALSE_DISCOVERIES, Difference, Moved, Row
from analysis.report.layout import WIDTH, Align, columns, cut, fitting, line, paint, wrap
from analysis.report.numbers import count, counted, percent, points, score
from analysis.report.wording import MARKS, command_lines, named_run
from analysis.run import Run

DIFF_SCHEMA_VERSION: Final = 1
_ALIGN: Final[tuple[Align, ...]] = ("left", "right", "right", "right", "right", "left", "right")
_SMALLEST_P = 0.001


def render_difference(
    difference: Difference, before: Run, after: Run, *, limit: int, color: bool, width: int = WIDTH
) -> str:
    """Return the difference as text.

    Args:
        difference: What to print.
        before: The earlier run.
        after: The later run.
        limit: Turns to name of those that fail newly, and of those that no longer do.
        color: Write colours as escape sequences.
        width: Cells of a line, 40 to 200.
    """
    return paint(_lines(difference, before, after, limit, width), color=color)


def difference_json(difference: Difference) -> dict[str, Any]:
    """Return the difference as plain JSON values."""
    rows = [{**asdict(row), "change": row.change} for row in difference.rows]
    return {
        "schema_version": DIFF_SCHEMA_VERSION,
        **asdict(difference),
        "rows": rows,
        "changed": [row.name for row in difference.changed],
    }


def headline_of(difference: Difference) -> str:
    """Return what came of the comparison, in one sentence."""
    if not difference.pairs:
        return "The runs have no turn in common."
    if not difference.judged:
        return "No turn was judged in both runs."
    row = difference.rows[0]
    before, after = round(row.before * row.pairs), round(row.after * row.pairs)
    told = (
        f"{count(before)} of {counted(row.pairs, 'shared turn')} failed before, "
        f"{count(after)} after: {count(row.appeared)} newly, {count(row.vanished)} no longer"
    )
    if row.low is not None and row.high is not None:
        told += f"; {points(row.change)} points ({points(row.low)} to {points(row.high)})"
    return f"{told}, {'a clear change' if row in difference.changed else 'no clear change'}."


def _lines(
    difference: Difference, before: Run, after: Run, limit: int, width: int
) -> Iterator[Text]:
    for label, run in (("Before", before), ("After", after)):
        created = run.info.get("created", "")
        yield line((f"{label:<9}", "dim"), cut(f"{run.run_id} · {created}", width - 9))
    told = (
        f"{counted(difference.pairs, 'turn')} in both runs, {count(difference.only_before)} only "
        f"before, {count(difference.only_after)} only after"
    )
    unjudged = difference.pairs - difference.judged
    if unjudged:
        told += f"; {count(unjudged)} not judged on both sides, in no number below"
    for number, part in enumerate(wrap(told, width - 9)):
        yield line(("Paired   " if not number else " " * 9, "dim"), part)
    yield Text()
    yield from (line((part, "bold")) for part in wrap(headline_of(difference), width))
    yield from map(line, _asides(difference, width))
    if difference.judged:
        yield from _table([row for row in difference.rows if row.kind != "metric"], width)
        yield from _table([row for row in difference.rows if row.kind == "metric"], width)
        yield from _turns("Newly failing", difference.newly_failing, after, limit, width)
        yield from _turns("No longer failing", difference.fixed, before, limit, width)


def _asides(difference: Difference, width: int) -> Iterator[str]:
    if difference.differences:
        differing = ", ".join(difference.differences)
        yield from wrap(
            f"Not measured alike ({differing} differ): read no change of the agent into it.", width
        )
    for note in difference.notes:
        yield from wrap(note, width)
    if difference.moved:
        verb = "fails" if difference.moved == 1 else "fail"
        yield from wrap(
            f"{counted(difference.moved, 'turn')} {verb} in both runs, by another root.", width
        )
    if difference.detectable is not None:
        amount = points(difference.detectable).lstrip("+±")
        yield from wrap(
            f"A change of {amount} points or more would have been found in four of five such "
            f"comparisons ({counted(difference.conversations, 'conversation')}).",
            width,
        )


def _table(rows: Sequence[Row], width: int) -> Iterator[Text]:
    if not rows:
        return
    metric = rows[0].kind == "metric"
    words = ("rose", "fell") if metric else ("new", "gone")
    cells = [["metric" if metric else "root", "before", "after", *words, "change", "q"]]
    told = [row for row in rows if row.kind == "outcome" or row.appeared or row.vanished]
    cells += [_cells(row) for row in told]
    kept = fitting(cells, elastic=0, optional=(4, 3, 6), width=width)
    shown = [[row[place] for place in kept] for row in cells]
    yield Text()
    texts = columns(shown, [_ALIGN[place] for place in kept], width=width)
    for number, text in enumerate(texts):
        changed = number and told[number - 1].q <= FALSE_DISCOVERIES
        yield line((text, "dim" if not number else "bold" if changed else ""))
    same = len(rows) - len(told)
    if same:
        what = counted(same, "metric" if metric else "root")
        yield line((f"{what} the same in every pair", "dim"))


def _cells(row: Row) -> list[str]:
    name = row.name.partition(".")[2] or row.name
    lead = "  " if row.kind == "root" and "." in row.name else ""
    before, after, change = _amounts(row)
    clear = row.q <= FALSE_DISCOVERIES
    mark = MARKS[("up" if row.change > 0 else "down") if clear else None]
    return [
        row.name if row.kind == "metric" else f"{lead}{name}",
        before,
        after,
        count(row.appeared),
        count(row.vanished),
        f"{mark} {change}",
        f"<{_SMALLEST_P}" if row.q < _SMALLEST_P else f"{row.q:.3f}",
    ]


def _amounts(row: Row) -> tuple[str, str, str]:
    if row.kind != "metric":
        return percent(row.before), percent(row.after), points(row.change)
    if max(abs(row.before), abs(row.after)) > 1:
        return f"{row.before:,.0f}", f"{row.after:,.0f}", _signed(f"{row.change:+,.0f}")
    return score(row.before), score(row.after), _signed(f"{row.change:+.2f}")


def _signed(text: str) -> str:
    """Return a change with a minus as wide as a plus, and no sign where it rounds to nothing."""
    digits = text[1:]
    return f"±{digits}" if not digits.strip("0.,") else text.replace("-", "−")


def _turns(title: str, turns: Sequence[Moved], run: Run, limit: int, width: int) -> Iterator[Text]:
    if not turns:
        return
    yield Text()
    yield line((f"{title}: {counted(len(turns), 'turn')}", "bold"))
    for turn in turns[:limit]:
        yield line("  ", (cut(turn.root, width - 2), "bold"), "  ")
        yield from (line("    ", part) for part in wrap(turn.sentence, width - 4, most=2))
        words = [shlex.join(("stagefault", "show", turn.turn_id)), *named_run(run.words)]
        yield from map(line, command_lines(words, width))
    if len(turns) > limit:
        yield line((f"  and {count(len(turns) - limit)} more; --limit, or --json for all", "dim"))
