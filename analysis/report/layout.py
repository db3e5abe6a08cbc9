"""Lines of text that fit a terminal, plain or in colour.

A view is a list of lines; `paint` turns it into what is printed. Widths count terminal
cells: a Chinese character takes two. Colour repeats what a word or mark already says, so
the plain form tells the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Final, Literal, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from analysis.report.terminal import safe, safe_line

WIDTH: Final = 80
"""Cells of a line in a pipe."""
WIDEST: Final = 200
"""Above it lines are as long as this."""
NARROWEST: Final = 40
"""Below it lines are as long as this."""
_LEAST: Final = 12
"""Cells that an elastic column keeps while there are others that can be left out."""
_HELD_BLANK: Final = "\ufdd0"
"""Stands for a blank at which no line may end; no text has it, for Unicode assigns it nothing."""
_FAINT: Final = "dim"
Align: TypeAlias = Literal["left", "right"]


def paint(lines: Iterable[Text], *, color: bool = False) -> str:
    """Return the lines as printed, each ending in a newline.

    Args:
        lines: The lines; anything in them that could drive a terminal is made safe here.
        color: Write the styles as escape sequences.
    """
    out = StringIO()
    console = Console(
        file=out,
        force_terminal=color,
        color_system="standard" if color else None,
        width=1_000,
        highlight=False,
        legacy_windows=False,
        _environ={},
    )
    for given in lines:
        shown = given.copy()
        shown.plain = safe(shown.plain).replace("\n", " ")
        shown.rstrip()
        if color:
            console.print(shown, soft_wrap=True)
        else:
            out.write(shown.plain + "\n")
    return out.getvalue()


def line(*parts: str | tuple[str, str]) -> Text:
    """Return one line of texts and (text, style) pairs."""
    made = Text()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        made.append(safe_line_keeping_ends(text), style=style or None)
    return made


def safe_line_keeping_ends(text: str) -> str:
    """Return *text* safe and on one line, its blanks kept: it may be a part of a layout."""
    return safe(text).replace("\n", " ").replace("\t", " ")


def cut(text: str, width: int) -> str:
    """Return *text* on one line in at most *width* cells, with `…` where it was cut."""
    flat = safe_line(text)
    if cell_len(flat) <= width:
        return flat
    return set_cell_size(flat, width - 1).rstrip() + "…" if width > 0 else ""


def wrap(text: str, width: int, *, most: int | None = None, whole: Iterable[str] = ()) -> list[str]:
    """Return *text* broken into lines of at most *width* cells.

    Breaks stand between words, and within a word that is longer than a line.

    Args:
        text: What to break; its own line breaks are blanks.
        width: Cells per line.
        most: Number of lines after which the rest is cut with `…`; None for no limit.
        whole: Parts of the text that are copied from the terminal, such as paths: no line
            ends within one, and one that is too long makes its line longer.
    """
    flat, kept = _held(safe_line(text), whole)
    lines = _broken(flat, width, most, kept)
    if most is not None and len(lines) > most:
        lines = [*lines[: most - 1], cut(f"{lines[most - 1]} {lines[most]}", width)]
    return [one.replace(_HELD_BLANK, " ") for one in lines]


def _held(text: str, whole: Iterable[str]) -> tuple[str, Sequence[str]]:
    """Return *text* with held blanks inside the parts to keep whole, and those parts."""
    parts = sorted(filter(None, map(safe_line, whole)), key=len, reverse=True)
    for part in parts:
        text = text.replace(part, part.replace(" ", _HELD_BLANK))
    return text, [part.replace(" ", _HELD_BLANK) for part in parts]


def _broken(text: str, width: int, most: int | None, kept: Sequence[str]) -> list[str]:
    """Return the lines of *text*, one more than *most* where there are more."""
    lines: list[str] = []
    current = ""
    rest = text.split(" ")
    rest.reverse()
    while rest:
        word = rest.pop()
        joined = f"{current} {word}" if current else word
        if cell_len(joined) <= width:
            current = joined
        elif current:
            lines.append(current)
            current = ""
            rest.append(word)
        elif any(part in word for part in kept):
            lines.append(word)
        else:
            head = _head(word, width)
            lines.append(head)
            rest.append(word[len(head) :])
        if most is not None and len(lines) > most:
            break
    if current:
        lines.append(current)
    return lines


def hanging(first: str, text: str, width: int, whole: Iterable[str] = ()) -> Iterator[str]:
    """Yield *text* in lines of at most *width* cells, all but the first below its beginning.

    Args:
        first: What stands before the first line; its own length is not checked.
        text: What to break, as `wrap` does; empty yields *first* alone.
        width: Cells per line.
        whole: As for `wrap`.
    """
    lead = first
    for part in wrap(text, max(width - cell_len(first), 1), whole=whole) or [""]:
        yield f"{lead}{part}".rstrip()
        lead = " " * cell_len(first)


def _head(word: str, width: int) -> str:
    """Return as much of a long word as fits, at least one character."""
    cells = 0
    for index, character in enumerate(word):
        cells += cell_len(character)
        if cells > width:
            return word[: max(index, 1)]
    return word


def fitting(
    rows: Sequence[Sequence[str]],
    *,
    elastic: int,
    optional: Sequence[int],
    width: int,
    gap: int = 2,
) -> list[int]:
    """Return the columns of a table that have room, in their order.

    Args:
        rows: Cells by row.
        elastic: The column that may be cut down to `_LEAST` cells before any is left out.
        optional: Columns that may be left out, the least important first.
        width: Cells that a line may take.
        gap: Blanks between columns.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    kept = list(range(len(widths)))
    for column in optional:
        taken = sum(widths[one] for one in kept if one != elastic) + gap * (len(kept) - 1)
        if elastic in kept:
            taken += min(widths[elastic], _LEAST)
        if taken <= width:
            break
        kept.remove(column)
    return kept


def columns(
    rows: Sequence[Sequence[str]],
    align: Sequence[Align],
    *,
    elastic: int = 0,
    gap: int = 2,
    width: int = WIDTH,
) -> list[str]:
    """Return the rows of a table as lines, every column as wide as its widest cell.

    Args:
        rows: Cells by row; all rows have the same number of cells.
        align: One per column.
        elastic: The column that is cut first where a line would be too long.
        gap: Blanks between columns.
        width: Cells that a line may take.
    """
    cells = [[safe_line_keeping_ends(cell) for cell in row] for row in rows]
    if not cells:
        return []
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    excess = sum(widths) + gap * (len(widths) - 1) - width
    for index in (elastic, *sorted(range(len(widths)), key=lambda index: -widths[index])):
        less = min(max(excess, 0), widths[index] - 1)
        widths[index] -= less
        excess -= less
    return [
        (" " * gap)
        .join(
            _placed(cell, wide, side) for cell, wide, side in zip(row, widths, align, strict=True)
        )
        .rstrip()
        for row in cells
    ]


def table(
    rows: Sequence[Sequence[str]],
    align: Sequence[Align],
    styles: Sequence[str],
    width: int,
    *,
    elastic: int = 0,
    optional: Sequence[int] = (),
) -> Iterator[Text]:
    """Yield a table as lines; columns that have no room are left out, and named below it.

    Args:
        rows: Cells by row; the first names the columns.
        align: One per column.
        styles: One per row.
        width: Cells that a line may take.
        elastic: The column that is cut first where a line would be too long.
        optional: Columns that may be left out, the least important first.
    """
    kept = fitting(rows, elastic=elastic, optional=optional, width=width)
    shown = [[row[column] for column in kept] for row in rows]
    sides = [align[column] for column in kept]
    stretch = kept.index(elastic) if elastic in kept else 0
    lines = columns(shown, sides, elastic=stretch, width=width)
    for text, style in zip(lines, styles, strict=True):
        yield line((text, style))
    left_out = [name for column, name in enumerate(rows[0]) if column not in kept]
    if left_out:
        note = f"no room for: {', '.join(left_out)}"
        yield from (line((part, _FAINT)) for part in wrap(note, width))


def _placed(cell: str, width: int, align: Align) -> str:
    if cell_len(cell) > width:
        cell = set_cell_size(cell, max(width - 1, 0)) + "…"
    return " " * (width - cell_len(cell)) + cell if align == "right" else padded(cell, width)


def padded(text: str, width: int) -> str:
    """Return *text* with blanks behind it, up to *width* cells."""
    return text + " " * (width - cell_len(text))
