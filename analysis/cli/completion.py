"""`stagefault completion`: the shell script that completes commands and options."""

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for a SHELL.

    \b
        eval "$(stagefault completion bash)"
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"there is no completion for {shell}")
    root = context.find_root().command
    click.echo(found(root, {}, "stagefault", "_STAGEFAULT_COMPLETE").source())
