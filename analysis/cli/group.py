"""The command group: help texts, and the one place where errors become messages.

Every command's result goes to stdout, everything else to stderr. What comes out of traces
is made safe for terminals before it is printed.
"""

import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click

from analysis.cli.exit_codes import EXIT_CODES_HELP, Exit
from analysis.report.terminal import safe
from ingest.errors import StagefaultError


class Command(click.Command):
    """A command whose help ends with the exit codes."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes below the options."""
        super().format_epilog(ctx, formatter)
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(EXIT_CODES_HELP)


class Group(click.Group):
    """A group that prints what a user can act on and lets our own bugs show a traceback."""

    command_class = Command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; never returns in standalone mode."""
        kwargs["standalone_mode"] = False
        try:
            result = super().main(*args, **kwargs)
        except StagefaultError as error:
            _stop(f"error: {error}", Exit(error.exit_code))
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            sys.exit(Exit.USAGE)
        except click.ClickException as error:
            _stop(f"error: {_place(error)}{error.format_message()}", Exit.USAGE)
        except (click.Abort, KeyboardInterrupt):
            _stop(
                "interrupted: what was judged is stored; run it again to go on.", Exit.INTERRUPTED
            )
        except BrokenPipeError:
            _close_stdout()
            sys.exit(Exit.DONE)
        except OSError as error:
            _close_stdout()
            place = error.filename or "stdout"
            _stop(f"error: {place}: cannot be used ({error.strerror or error}).", Exit.STORE)
        sys.exit(result if isinstance(result, int) else Exit.DONE)


def _place(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path}: " if context is not None else ""


def _close_stdout() -> None:
    """Keep the interpreter from complaining about a reader that went away."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stop(message: str, code: Exit) -> NoReturn:
    click.echo(safe(message), err=True)
    sys.exit(code)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
