"""Options that several commands share, so that they mean the same everywhere."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from analysis.suggesting import did_you_mean

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
        help="Where runs, and all that a judge ever said, are kept.",
    )(command)


def run_option(command: F) -> F:
    """Add `--run PATH|ID|latest`."""
    return click.option(
        "--run",
        "run_name",
        default="latest",
        show_default=True,
        metavar="PATH|ID|latest",
        help="The run to read: its folder, its id (stagefault runs list) or the newest.",
    )(command)


def filter_options(command: F) -> F:
    """Add `--agent`, `--collection`, `--tool`, `--model`, `--language`, `--service`."""
    for name in reversed(FILTERS):
        command = click.option(
            f"--{name}",
            multiple=True,
            metavar="NAME",
            help=f"Only turns of this {name}; a,b is either, '!a' any other.",
        )(command)
    return command


class Names(click.ParamType[tuple[str, ...]]):
    """Names out of a fixed list, several of them with commas."""

    name = "names"

    def __init__(self, known: Sequence[str]) -> None:
        self._known = known

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names that a text lists."""
        if not isinstance(value, str):
            return tuple(value)
        names = tuple(name.strip() for name in value.split(",") if name.strip())
        for name in names:
            if name not in self._known:
                remedy = did_you_mean(name, self._known, most=2) or self._all()
                self.fail(f"{name!r} is unknown. {remedy}", param, ctx)
        return names

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return how the help writes a value."""
        del param, ctx
        return f"[{'|'.join(self._known)}]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so."""
        del ctx, param
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{name}")
            for name in self._known
            if name.startswith(last)
        ]

    def _all(self) -> str:
        return f"Known: {', '.join(self._known)}."


def by_option(command: F) -> F:
    """Add `--by SEGMENT`, repeatable, several with commas."""
    return click.option(
        "--by",
        multiple=True,
        type=Names(BY),
        callback=_flat,
        help="Also print the root causes by this, such as --by agent,day.",
    )(command)


def _flat(
    context: click.Context, parameter: click.Parameter, value: Iterable[tuple[str, ...]]
) -> tuple[str, ...]:
    del context, parameter
    return tuple(dict.fromkeys(name for names in value for name in names))


def root_options(command: F) -> F:
    """Add `--stage` and `--kind`, which choose failures by their root."""
    command = click.option(
        "--kind",
        multiple=True,
        metavar="KIND",
        help="Only failures with this root kind, such as routing.wrong_tool; a,b is either, "
        "'!a' any other.",
    )(command)
    return click.option(
        "--stage",
        multiple=True,
        metavar="STAGE",
        help="Only failures with this root stage: routing, retrieval, generation or "
        "undetermined; a,b is either, '!a' any other.",
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
        help="Write a report here; the extension (.html .md .json .txt) says which. A folder "
        "(out/) gets a page, - is text on stdout. Repeatable.",
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
