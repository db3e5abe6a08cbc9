"""Where reports go: stdout, and files by their extension."""

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from analysis.report.layout import NARROWEST, WIDEST, WIDTH
from analysis.report.numbers import counted
from analysis.report.terminal import safe, wants_color
from ingest.errors import UsageError

if TYPE_CHECKING:
    from analysis.report.html import PageOptions
    from analysis.report.model import Report
    from analysis.run import Run

_FORMATS: Final[Mapping[str, str]] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".json": "json",
    ".txt": "text",
}


def format_of(path: str, layout: str = "auto") -> str:
    """Return the format that a path's extension names; `-` is text, a folder HTML.

    Args:
        path: As it was typed.
        layout: That of an HTML report; with `dir`, a name without extension is a folder.

    Raises:
        UsageError: There is no format of that name.
    """
    if path == "-":
        return "text"
    if _is_folder(path, layout):
        return "html"
    known = _FORMATS.get(Path(path).suffix.lower())
    if known is None:
        raise UsageError(
            path,
            "no report has this extension",
            "Use .html, .md, .json or .txt, or a folder's name and a slash.",
        )
    return known


def check_outputs(paths: Sequence[str], layout: str = "auto", *, taken: bool = False) -> None:
    """Refuse outputs that could not be written, before anything is read or judged.

    Args:
        paths: As they were typed.
        layout: That of an HTML report.
        taken: Whether stdout gets another report.

    Raises:
        UsageError: A name says no format, or stdout would get two reports.
        StoreError: A file cannot be written.
    """
    from analysis.report.files import writable

    for path in paths:
        kind = format_of(path, layout)
        if path != "-":
            writable(_page(path, layout) if kind == "html" else Path(path))
        elif taken:
            raise UsageError(
                "-o -", "stdout gets what --json or --format asks for", "Leave one of them out."
            )


def _page(path: str, layout: str) -> Path:
    """Return the file that an HTML report is written to."""
    from analysis.report.html.writing import INDEX

    return Path(path) / INDEX if _is_folder(path, layout) else Path(path)


def _is_folder(path: str, layout: str) -> bool:
    with contextlib.suppress(OSError):  # which writing it will tell
        if path.endswith(("/", os.sep)) or Path(path).is_dir():
            return True
    return layout == "dir" and not Path(path).suffix


def write_reports(
    paths: tuple[str, ...],
    run: "Run",
    report: "Report",
    options: "PageOptions | None" = None,
    *,
    quiet: bool = False,
) -> bool:
    """Write the report to each path; `-` is stdout, as text.

    Args:
        paths: As they were typed.
        run: The run.
        report: What it comes to.
        options: What is asked of an HTML report.
        quiet: Do not tell on stderr what was written.

    Returns:
        Whether stdout was written to.
    """
    from analysis.report.files import write_whole
    from analysis.report.html import PageOptions, write_html
    from analysis.report.renderers import RENDERERS

    options = options or PageOptions()
    to_stdout = False
    for path in paths:
        kind = format_of(path, options.layout)
        told = ""
        if path == "-":
            click.echo(RENDERERS["text"](report), nl=False)
            to_stdout = True
        elif kind == "html":
            written = write_html(run, report, _page(path, options.layout), options)
            beside = f", most of it in {written.parts}/" if written.parts else ""
            told = f"{written.page}  {_size(written.size)}{beside}"
        else:
            write_whole(Path(path), RENDERERS[kind](report))
            told = f"{path}  {_size(Path(path).stat().st_size)}"
        if path != "-" and not quiet:
            click.echo(safe(told), err=True)
    return to_stdout


def width() -> int:
    """Return the cells of a line on stdout: as wide as the terminal, from 40 to 200.

    Of a pipe 80, unless COLUMNS says otherwise.
    """
    return min(max(columns_of(sys.stdout), NARROWEST), WIDEST)


def columns_of(stream: TextIO | None) -> int:
    """Return what COLUMNS says, else how wide a stream's terminal is, 80 where it is none.

    As `shutil.get_terminal_size`, which asks the standard output that the process began with:
    where Python was to leave that unbuffered, the commands took another.
    """
    with contextlib.suppress(KeyError, ValueError):
        if (said := int(os.environ["COLUMNS"])) > 0:
            return said
    if stream is not None:
        with contextlib.suppress(ValueError, OSError):  # closed, or no terminal
            return os.get_terminal_size(stream.fileno()).columns or WIDTH
    return WIDTH


def color(*, no_color: bool) -> bool:
    """Tell whether stdout gets colours."""
    is_tty = sys.stdout is not None and sys.stdout.isatty()  # None: it was closed by the caller
    return not no_color and wants_color(is_tty=is_tty, environ=os.environ)


def _size(size: int) -> str:
    for unit, scale in (("MB", 1_000_000), ("KB", 1_000)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return counted(size, "byte")
