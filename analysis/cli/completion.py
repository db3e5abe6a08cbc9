"""`stagefault completion`: the shell script that completes commands and options."""

import click
from click.shell_completion import get_completion_class

from analysis.cli.group import Command
from analysis.cli.options import json_option
from analysis.report.terminal import safe_json
from ingest.errors import UsageError


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
@click.pass_context
def completion(context: click.Context, shell: str, as_json: bool) -> None:
    """Print the completion script for a SHELL.

    \b
        eval "$(stagefault completion bash)"
    """
    found = get_completion_class(shell)
    if found is None:
        raise UsageError("completion", f"there is none for {shell}", "Name bash, zsh or fish.")
    root = context.find_root().command
    script = found(root, {}, "stagefault", "_STAGEFAULT_COMPLETE").source()
    if as_json:
        click.echo(safe_json({"schema_version": 1, "shell": shell, "script": script}))
    else:
        click.echo(script)
