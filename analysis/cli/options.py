"""Options that several commands share, so that they mean the same everywhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

FILTERS = ("agent", "collection", "tool", "model", "language", "service")
"""Filters on turns, each an option of its own name."""
BY = (*FILTERS, "day")
"""Segments of the breakdown."""


def store_option(command: F) -> F:
    """Add `--store DIR`."""
    return click.option(
        "--store",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(".stagefault"),
        show_default=True,
        help="Where verdicts and runs are kept.",
    )(command)


def run_option(command: F) -> F:
    """Add `--run PATH|ID|latest`."""
    return click.option(
        "--run",
        "run_name",
        default="latest",
        show_default=True,
        metavar="PATH|ID|latest",
        help="The run to read.",
    )(command)


def filter_options(command: F) -> F:
    """Add `--agent`, `--collection`, `--tool`, `--model`, `--language`, `--service`."""
    for name in reversed(FILTERS):
        command = click.option(
            f"--{name}",
            multiple=True,
            metavar="NAME",
            help=f"Only turns of this {name}; repeatable, a,b allowed, !a excludes.",
        )(command)
    return command


def by_option(command: F) -> F:
    """Add `--by SEGMENT`, repeatable."""
    return click.option(
        "--by",
        multiple=True,
        type=click.Choice(BY),
        help="Break the failures down by this as well; repeatable.",
    )(command)


def json_option(command: F) -> F:
    """Add `--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print the result as one JSON object."
    )(command)


def output_option(command: F) -> F:
    """Add `-o PATH`, repeatable."""
    return click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        metavar="PATH",
        help="Also write a report here; the extension (.html .md .json .txt) says which. "
        "- is stdout.",
    )(command)


def color_option(command: F) -> F:
    """Add `--no-color`."""
    return click.option("--no-color", is_flag=True, help="Print without colours.")(command)


def page_options(command: F) -> F:
    """Add what shapes an HTML report: `--layout`, `--no-bodies`."""
    command = click.option(
        "--no-bodies",
        is_flag=True,
        help="Reports with numbers, names and ids only; turns cannot be opened.",
    )(command)
    return click.option(
        "--layout",
        type=click.Choice(["auto", "file", "dir"]),
        default="auto",
        show_default=True,
        help="HTML as one file, or as a page with a folder of parts beside it; auto is one "
        "file up to 5 MB and 50,000 turns.",
    )(command)
