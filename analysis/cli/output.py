"""Where reports go: stdout, and files by their extension."""

import contextlib
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from analysis.report.html import render_html
from analysis.report.model import Report
from analysis.report.renderers import RENDERERS
from analysis.report.terminal import wants_color
from analysis.run import Run
from ingest.errors import StoreError, UsageError

_FORMATS: Final[Mapping[str, str]] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".json": "json",
    ".txt": "text",
}


def format_of(path: str) -> str:
    """Return the format that a path's extension names; `-` is text.

    Raises:
        UsageError: There is no format of that name.
    """
    if path == "-":
        return "text"
    known = _FORMATS.get(Path(path).suffix.lower())
    if known is None:
        raise UsageError(path, "no report has this extension", "Use .html, .md, .json or .txt.")
    return known


def render(name: str, run: Run, report: Report) -> str:
    """Return the report in a format."""
    return render_html(run, report) if name == "html" else RENDERERS[name](report)


def write_reports(paths: tuple[str, ...], run: Run, report: Report) -> bool:
    """Write the report to each path; `-` is stdout, as text.

    Returns:
        Whether stdout was written to.
    """
    to_stdout = False
    for path in paths:
        if path == "-":
            click.echo(RENDERERS["text"](report), nl=False)
            to_stdout = True
        else:
            write_whole(Path(path), render(format_of(path), run, report))
            click.echo(f"{path}  {_size(Path(path).stat().st_size)}", err=True)
    return to_stdout


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        StoreError: It cannot be written.
    """
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise StoreError(
            str(path), f"cannot be written ({error.strerror or error})", "Choose another -o."
        ) from None


def color(*, no_color: bool) -> bool:
    """Tell whether stdout gets colours."""
    is_tty = sys.stdout is not None and sys.stdout.isatty()  # None: it was closed by the caller
    return not no_color and wants_color(is_tty=is_tty, environ=os.environ)


def _size(size: int) -> str:
    for unit, scale in (("MB", 1_000_000), ("KB", 1_000)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} bytes"
