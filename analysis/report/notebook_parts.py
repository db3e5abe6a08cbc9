"""Pieces of what a notebook shows: HTML without any script, styled within itself.

JupyterLab, VS Code and what prints notebooks show it alike, whether they trust it or not.
Colours are the ones of the report's page; what is not coloured is the notebook's own.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from analysis.report.terminal import safe_line

_STYLE: Final = """<style>
.stagefault { max-width: 68em; line-height: 1.45; }
.stagefault p { margin: 4px 0; }
.stagefault table { border-collapse: collapse; margin: 8px 0; }
.stagefault td, .stagefault th { padding: 2px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid rgb(128 128 128 / 25%); }
.stagefault .num { text-align: right; font-variant-numeric: tabular-nums; }
.stagefault .head td { font-weight: bold; }
.stagefault .note { opacity: 0.75; }
.stagefault .tag { border-radius: 4px; padding: 0 6px; border: 1px solid rgb(128 128 128 / 50%); white-space: nowrap; }
.stagefault .root { background: #b4321b; color: #fff; }
.stagefault .downstream { background: #e8ab9b; color: #3c140a; }
.stagefault .contributing { background: #d0922a; color: #1f1300; }
</style>"""  # noqa: E501 - one rule a line

Cell = str | tuple[str, str]
"""Markup of a cell, or a class and the markup."""


def fragment(parts: Iterable[str]) -> str:
    """Return parts as one fragment that brings its style along."""
    return f'<div class="stagefault">{_STYLE}{"".join(parts)}</div>'


def said(text: object, most: int | None = None) -> str:
    """Return a text as markup, on one line and in its own direction."""
    line = safe_line(str(text))
    if most is not None and len(line) > most:
        line = f"{line[: most - 1]}…"
    return f'<span dir="auto">{escape(line)}</span>'


def paragraph(markup: str, kind: str = "") -> str:
    """Return a paragraph."""
    return f'<p class="{kind}">{markup}</p>' if kind else f"<p>{markup}</p>"


def tag(word: str) -> str:
    """Return a word with the colour of the part that it names."""
    kind = word if word in ("root", "downstream", "contributing") else ""
    return f'<span class="tag {kind}">{escape(word.replace("_", " "))}</span>'


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table; a row that begins with an empty cell of class `head` is set apart."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(_row(cells) for cells in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[Cell]) -> str:
    first = cells[0]
    kind = ' class="head"' if isinstance(first, tuple) and first[0] == "head" else ""
    return f"<tr{kind}>{''.join(map(_cell, cells))}</tr>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{cell}</td>"
    kind, markup = cell
    return f'<td class="{kind}">{markup}</td>'
