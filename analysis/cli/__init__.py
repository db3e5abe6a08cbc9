"""The `stagefault` command. Parses, calls one function, prints, sets the exit code."""

from analysis.interruption import starting

with starting():
    import click

    from analysis.cli.check import check
    from analysis.cli.completion import completion
    from analysis.cli.diff import diff
    from analysis.cli.doctor import doctor
    from analysis.cli.explain import explain
    from analysis.cli.export import export
    from analysis.cli.golden import golden
    from analysis.cli.group import Group
    from analysis.cli.label import label
    from analysis.cli.replay import replay_command
    from analysis.cli.report import report
    from analysis.cli.runs import runs
    from analysis.cli.show import show

__all__ = ["main"]


@click.group(
    cls=Group,
    context_settings={"auto_envvar_prefix": "STAGEFAULT", "help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="stagefault", message="stagefault %(version)s")
def main() -> None:
    """Find out which stage of an agent failed, from its recorded traces.

    \b
        stagefault replay traces/ --since 7d    judge last week's turns
        stagefault show --failed                list what failed, and why
        stagefault show CONVERSATION/3          drill down on one turn
        stagefault report -o week.html          the breakdown as a page
        stagefault diff RUN                     what changed since, turn by turn
        stagefault doctor traces/               what was recognised, before any judging
        stagefault explain latent ndcg          what a word of the output means

    Defaults, limits and a mapping of your own attribute names stand in stagefault.toml, in this
    folder or one above; see stagefault doctor --config.
    """


for command in (
    replay_command,
    report,
    show,
    diff,
    check,
    export,
    doctor,
    explain,
    label,
    golden,
    runs,
    completion,
):
    main.add_command(command)
