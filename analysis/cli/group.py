"""The command group: help texts, and the one place where errors become messages.

Every command's result goes to stdout, everything else to stderr. What comes out of traces
is made safe for terminals before it is printed.
"""

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import click

from analysis.cli.configured import ConfigOption, variable_of
from analysis.cli.exit_codes import Exit, exit_codes_text
from analysis.cli.help_sections import FEWEST, by_heading
from analysis.closed_pipe import close_stdout
from analysis.interruption import end_at_once, interruptible
from analysis.report.terminal import safe
from ingest.errors import StagefaultError

_INTERRUPTED: Final = "interrupted: what was judged is stored; run it again to go on."
_REMEDIES: Final[Mapping[int, str]] = {
    errno.ENOSPC: "Free space, then run it again.",
    errno.EDQUOT: "Free space, then run it again.",
    errno.EROFS: "Choose a folder that can be written.",
    errno.EMFILE: "Raise the limit on open files (ulimit -n).",
    errno.ENOMEM: "Free memory, then run it again.",
}


class Command(click.Command):
    """A command with `--config`, whose help ends with the exit codes.

    `exits` are the codes that it can end with, where they are not all.
    """

    def __init__(self, *args: Any, exits: Collection[Exit] = tuple(Exit), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._exits = exits
        if not any(isinstance(parameter, ConfigOption) for parameter in self.params):
            self.params.append(ConfigOption())
        for parameter in self.params:
            if isinstance(parameter, click.Option) and parameter.envvar is None:
                # Beside the name that has the command's in it, as click makes it.
                parameter.envvar = variable_of(parameter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, many of them under several headings."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        if len(options) < FEWEST:
            return super().format_options(ctx, formatter)
        for heading, own in by_heading(options).items():
            records = [record for one in own if (record := one.get_help_record(ctx))]
            with formatter.section(heading):
                formatter.write_dl(records)
        return None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes below the options."""
        super().format_epilog(ctx, formatter)
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(exit_codes_text(self._exits))


class _ReaderGoneError(Exception):
    """Standard output is a pipe that nobody reads any more."""


@contextmanager
def _told_from_a_failed_gate() -> Iterator[None]:
    """Keep a closed pipe from click, which would end with 1."""
    try:
        yield
    except BrokenPipeError:
        raise _ReaderGoneError from None


class Group(click.Group):
    """A group that prints what a user can act on and lets our own bugs show a traceback."""

    command_class = Command

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line; `--help` prints here."""
        with _told_from_a_failed_gate():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named."""
        with _told_from_a_failed_gate():
            result = super().invoke(ctx)
            sys.stdout.flush()  # what is still buffered may meet the closed pipe, too
        return result

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; never returns in standalone mode."""
        kwargs["standalone_mode"] = False
        _replace_closed_streams()
        _buffer_stdout()
        with interruptible() as interruption:
            try:
                result = super().main(*args, **kwargs)
            except BaseException as error:
                if interruption.happened:  # whatever it came out as
                    end_at_once(_INTERRUPTED)
                if isinstance(error, click.Abort | KeyboardInterrupt):
                    _stop(_INTERRUPTED, Exit.INTERRUPTED)
                _explain(error)
                raise
        sys.exit(result if isinstance(result, int) else Exit.DONE)


def _explain(error: BaseException) -> None:
    """End with a message if the user can act on the error; return if it is our own bug."""
    match error:
        case StagefaultError():
            _stop(f"error: {error}", Exit(error.exit_code))
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message())
            sys.exit(Exit.USAGE)
        case click.ClickException():
            _stop(f"error: {_usage_text(error)}", Exit.USAGE)
        case _ReaderGoneError():
            close_stdout()
            sys.exit(Exit.CLOSED_PIPE)
        case MemoryError():  # numpy's and Arrow's are of this kind, too
            close_stdout()
            _stop(
                "error: memory: there is not enough for this. Free some, or replay less at a "
                "time: --since, --limit.",
                Exit.STORE,
            )
        case OSError():
            close_stdout()
            place = error.filename or _place_of(error)
            problem = f"cannot be used ({error.strerror or error})"
            remedy = _REMEDIES.get(error.errno or 0, "Check the disk and the permissions.")
            _stop(f"error: {place}: {problem}. {remedy}", Exit.STORE)


def _place_of(error: OSError) -> str:
    """Return what could not be written where the error names nothing.

    Files that are opened by name are told with it where they are written. What is left are
    standard output, and temporary files, which have no name.
    """
    *_, (last, _) = traceback.walk_tb(error.__traceback__)
    wrote = last.f_code.co_filename
    is_stdout = wrote in (click.utils.__file__, __file__)
    return "stdout" if is_stdout else "the folder of temporary files (TMPDIR)"


def _usage_text(error: click.ClickException) -> str:
    """Return where an option or argument is wrong, what is, and where help is."""
    context = getattr(error, "ctx", None)
    message = error.format_message().rstrip()
    if isinstance(error, click.MissingParameter):
        message = " ".join(message.split())  # click lists choices one a line
    if context is None:
        return message
    end = "" if message.endswith((".", "?", "?)")) else "."
    return f"{context.command_path}: {message}{end} See {context.command_path} --help."


def _replace_closed_streams() -> None:
    """Write to nowhere where a caller closed a stream (`>&-`): Python has None in its place.

    Opened before any other file, so that none takes the number of the stream.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - kept open
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - kept open


def _buffer_stdout() -> None:
    """Give standard output a buffer where PYTHONUNBUFFERED took it away.

    Without one, what a full disk did not take of a text is dropped, and nothing is raised.
    """
    raw = getattr(sys.stdout, "buffer", None)
    if isinstance(raw, io.RawIOBase) and isinstance(sys.stdout, io.TextIOWrapper):
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        sys.stdout.flush()
        sys.stdout.detach()
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw), encoding=encoding, errors=errors, line_buffering=True
        )


def _stop(message: str, code: Exit) -> NoReturn:
    click.echo(safe(message), err=True)
    sys.exit(code)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
