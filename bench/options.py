"""What the commands of the benches have in common: how they are called, and which judge."""

import argparse
from pathlib import Path

from analysis.judges import JudgeChoice


def parser_of(command: str, page: str | None) -> argparse.ArgumentParser:
    """Return a parser that prints a module's docstring as its help.

    Args:
        command: As in `python -m COMMAND`.
        page: The docstring.
    """
    return argparse.ArgumentParser(
        prog=f"python -m {command}",
        description=page,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_judge(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for either judge; `choice_of` reads what was said."""
    parser.add_argument("--judge", choices=["local", "anthropic"], default="local")
    parser.add_argument("--judge-model", metavar="NAME")
    parser.add_argument("--max-cost", type=float, metavar="USD")
    parser.add_argument("--store", type=Path, metavar="DIR", help="keep paid verdicts there")
    parser.add_argument("--json", action="store_true")


def choice_of(options: argparse.Namespace) -> JudgeChoice:
    """Return the judge that was asked for."""
    return JudgeChoice(name=options.judge, model=options.judge_model, max_cost_usd=options.max_cost)
